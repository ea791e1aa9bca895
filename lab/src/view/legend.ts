// What the colours of grains mean.
import { brief, element } from "../dom";
import type { Scale } from "./colours";

const rgb = (colour: number[]) => `rgb(${colour.join(" ")})`;

export function showLegend(root: HTMLElement, scale: Scale | null, materials: string[]): void {
  if (!scale) return;
  const key = JSON.stringify([scale.by, scale.low, scale.high, materials]);
  if (root.dataset.key === key) return;
  root.dataset.key = key;
  if (scale.by === "material") {
    const names = materials.length > 0 ? materials : ["default"];
    root.replaceChildren(
      element("span", {}, "material"),
      ...names.map((name, k) => {
        const dot = element("span", { className: "kind" });
        dot.style.background = rgb(scale.kinds[k % scale.kinds.length]);
        return element("span", {}, dot, name);
      }),
    );
    return;
  }
  const bar = element("span", { className: "bar" });
  bar.style.background = `linear-gradient(to right, ${scale.colours.map(rgb).join(", ")})`;
  const words = scale.by === "size" ? "radius" : scale.by === "coordination" ? "contacts of a grain" : scale.by;
  const texts = [`${words}${scale.unit ? ` [${scale.unit}]` : ""}`, ...[scale.low, scale.high].map((end) => brief(Number(end.toPrecision(3))))];
  const [name, low, high] = texts.map((text) => element("span", {}, text));
  root.replaceChildren(name, low, bar, high);
}
