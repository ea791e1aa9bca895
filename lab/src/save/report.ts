// The report of a run as a page of its own, from the summary of the engine, drawn by this page.
import { brief, element } from "../dom";
import type { ScenarioText, Status } from "../engine/library";

export interface ReportParts {
  title: string;
  status: Status;
  summary: Record<string, unknown>;
  messages: Record<string, string>;
  scenario: ScenarioText;
  command: string;
  stages: HTMLCanvasElement[];
  plots: { title: string; canvas: HTMLCanvasElement }[];
}

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; } img { max-width: 100%; height: auto; }
table { border-collapse: collapse; } td, th { text-align: left; padding: 0.2rem 1.2rem 0.2rem 0; border-bottom: 1px solid #8884; }
pre { overflow-x: auto; border: 1px solid #8884; padding: 0.8rem; }`;

// Numbers and words of the summary, one level deep: "energy.ledger.dashpot".
function rows(of: unknown, path: string): [string, string][] {
  if (typeof of === "number") return [[path, brief(of)]];
  if (typeof of === "string" || typeof of === "boolean") return [[path, String(of)]];
  if (of === null || typeof of !== "object" || Array.isArray(of)) return [];
  return Object.entries(of).flatMap(([key, value]) => rows(value, path ? `${path}.${key}` : key));
}

function tableOf(all: [string, string][]): HTMLElement {
  return element(
    "table",
    {},
    element("tbody", {}, ...all.map(([key, value]) => element("tr", {}, element("th", {}, key), element("td", {}, value)))),
  );
}

function image(canvas: HTMLCanvasElement, alt: string): HTMLImageElement {
  return element("img", { src: canvas.toDataURL("image/png"), alt });
}

export function report(parts: ReportParts): string {
  const { status, summary } = parts;
  const page = document.implementation.createHTMLDocument(parts.title);
  const hidden = ["scenario_text", "citation", "settings"];
  const all = rows(summary, "").filter(([key]) => !hidden.includes(key.split(".")[0]));
  const warnings = Object.entries(parts.messages).map(([guard, words]) => element("li", {}, `${guard}: ${words}`));
  const charset = page.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  page.head.prepend(charset);
  page.head.append(element("style", {}, STYLE));
  page.body.append(
    element(
      "main",
      {},
      element("h1", {}, parts.title),
      element("p", {}, `${status.grains} grains after ${status.steps} steps, at ${brief(status.time)} s.`),
      ...parts.stages.map((canvas) => image(canvas, "the grains and walls at the end")),
      ...(warnings.length > 0 ? [element("h2", {}, "Warnings"), element("ul", {}, ...warnings)] : []),
      element("h2", {}, "Over time"),
      ...parts.plots.flatMap(({ title, canvas }) => [element("h3", {}, title), image(canvas, title)]),
      element("h2", {}, "The same run by the program"),
      element("p", {}, `Its state hash must be ${status.hash}.`),
      element("pre", {}, parts.command),
      element("h2", {}, "Scenario"),
      element("pre", {}, parts.scenario.text),
      element("h2", {}, "Summary"),
      tableOf(all),
      element("p", {}, String(summary.citation ?? "")),
    ),
  );
  return `<!DOCTYPE html>\n${page.documentElement.outerHTML}\n`;
}
