// Two worlds of one scenario, the second with other keys.
import type { App } from "./app";
import { byId } from "./dom";
import { asToml } from "./scenario/edit";

// "run.scheme = rk4", a key a line, as overrides.
export function overridesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const at = line.indexOf("=");
      return at < 0 ? line : `${line.slice(0, at).trim()}=${asToml(line.slice(at + 1))}`;
    });
}

// What people compare most.
const USUAL: [string, (step: number) => string][] = [
  ["half the step", (step) => `run.step = ${step / 2}`],
  ["another scheme", () => "run.scheme = rk4"],
  ["no onset correction", () => "run.onset = off"],
  ["less friction", () => "contact.friction = 0.1"],
  ["another law", () => 'contact = { law = "dynamics", restitution = 0.5, friction = 0.4 }'],
];

export class Comparing {
  private readonly entry = byId<HTMLTextAreaElement>("differences");
  private readonly fault = byId("compare-fault");

  constructor(private readonly app: App) {
    const usual = byId<HTMLSelectElement>("difference");
    usual.append(new Option("(choose)"), ...USUAL.map(([words]) => new Option(words)));
    usual.addEventListener("change", () => {
      const chosen = USUAL[usual.selectedIndex - 1];
      if (chosen) this.entry.value = chosen[1](app.pictures?.worlds[0].status.step ?? 1e-4);
      usual.selectedIndex = 0;
    });
    byId("compare-start").addEventListener("click", () => void this.start(this.entry.value));
    byId("compare-end").addEventListener("click", () => void this.end());
  }

  async start(text: string): Promise<void> {
    this.entry.value = text;
    this.fault.textContent = "";
    const overrides = overridesOf(text);
    if (overrides.length === 0) {
      this.fault.textContent = "found no key; expected at least one, as in run.scheme = rk4";
      return;
    }
    try {
      const faults = await this.app.open(this.app.text, this.app.name, overrides);
      this.fault.textContent = faults.map((fault) => `${fault.place ?? ""} ${fault.message}`).join("; ");
    } catch (error) {
      this.fault.textContent = (error as Error).message;
    }
    this.refresh();
  }

  async end(): Promise<void> {
    await this.app.open(this.app.text, this.app.name, []).catch(() => []);
    this.refresh();
  }

  refresh(): void {
    byId<HTMLButtonElement>("compare-end").disabled = this.app.overrides.length === 0;
  }
}
