// Buttons and choices of the run and of the view, and their keys.
import type { App } from "./app";
import { byId } from "./dom";
import type { Speed } from "./engine/protocol";
import { COLOURINGS, type Colouring } from "./view/colours";

const SPEEDS: [string, Speed][] = [
  ["as fast as it can", { kind: "steps", steps: 0 }],
  ["1 step a picture", { kind: "steps", steps: 1 }],
  ["10 steps a picture", { kind: "steps", steps: 10 }],
  ["100 steps a picture", { kind: "steps", steps: 100 }],
  ["1000 steps a picture", { kind: "steps", steps: 1000 }],
  ["real time", { kind: "time", factor: 1 }],
  ["a tenth of real time", { kind: "time", factor: 0.1 }],
  ["a hundredth of real time", { kind: "time", factor: 0.01 }],
];

export function setSpeed(app: App, index: number): void {
  byId<HTMLSelectElement>("speed").selectedIndex = index;
  app.speed = SPEEDS[index][1];
}

export function addControls(app: App, settle: () => void): void {
  const speed = byId<HTMLSelectElement>("speed");
  for (const [words] of SPEEDS) speed.append(new Option(words));
  speed.addEventListener("change", () => {
    setSpeed(app, speed.selectedIndex);
    if (app.running) void app.start();
  });
  const colouring = byId<HTMLSelectElement>("colouring");
  for (const name of COLOURINGS) colouring.append(new Option(name));
  colouring.addEventListener("change", () => {
    app.options.colouring = colouring.value as Colouring;
    app.refresh();
  });
  for (const what of ["walls", "forces"] as const)
    byId<HTMLInputElement>(what).addEventListener("change", (event) => {
      app.options[what] = (event.target as HTMLInputElement).checked;
      app.refresh();
    });
  const act: Record<string, () => unknown> = {
    start: () => (app.running ? app.pause() : app.start()),
    step: () => app.step(),
    reset: () => {
      settle();
      return app.reset();
    },
    fit: () => app.stages.forEach((stage) => stage.fit()),
  };
  const tell = (error: unknown) => app.notice(String((error as Error).message));
  const call = (name: string) => void Promise.resolve(act[name]()).catch(tell);
  for (const name of Object.keys(act)) byId(name).addEventListener("click", () => call(name));
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY|A)$/.test(target.tagName)) return;
    const name = { " ": "start", s: "step", r: "reset" }[event.key];
    if (!name) return;
    event.preventDefault();
    call(name);
  });
}
