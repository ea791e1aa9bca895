// The state of the page: one scenario, one or two worlds of it in the worker, and the parts of the page that show them.
import { byId } from "./dom";
import { Engine } from "./engine/client";
import type { ScenarioText } from "./engine/library";
import type { DataFile, Fault, Key, Pictures, Speed } from "./engine/protocol";
import { differenceRow, History } from "./plots/history";
import { Plots } from "./plots/plots";
import { showStatus } from "./status";
import { Stage, viewOf, type Options, type View } from "./view/stage";
import { showLegend } from "./view/legend";

export class App {
  readonly options: Options = { colouring: "speed", walls: true, forces: false };
  readonly stages: Stage[];
  readonly history = new History();
  readonly plots = new Plots(byId("charts"));
  readonly engine: Engine;
  name = "scenario.toml";
  text = ""; // of the scenario that the next reset takes
  keys: Key[] = []; // of the text
  files: DataFile[] = []; // that scenarios name
  overrides: string[] = []; // of the second world; empty: there is none
  running = false;
  begun = false; // steps were done
  pictures: Pictures | null = null;
  speed: Speed = { kind: "steps", steps: 0 };
  changed: () => void = () => {}; // the form has to be made again
  private readonly views: View[] = []; // of the worlds
  private fresh = true; // the next picture is the first of a simulation
  private opened = 0; // openings so far

  constructor() {
    this.stages = ["first", "second"].map((which) => new Stage(byId(`stage-${which}`), this.options));
    this.stages[0].moved = () => this.stages[1].follow(this.stages[0]);
    this.stages[1].moved = () => this.stages[0].follow(this.stages[1]);
    this.engine = new Engine((pictures) => this.show(pictures));
  }

  get scenario(): ScenarioText {
    return { text: this.text, name: this.name };
  }

  notice(words: string): void {
    const notice = byId("notice");
    notice.textContent = words;
    notice.hidden = words === "";
  }

  // A scenario from its start. Its faults, where it has some: then nothing changes but the text.
  async open(text: string, name = this.name, overrides = this.overrides): Promise<Fault[]> {
    const own = ++this.opened;
    this.text = text;
    this.name = name;
    const faults = await this.engine.validate({ text, name, overrides });
    if (own !== this.opened) return faults;
    this.changed();
    if (faults.length > 0) return faults;
    const worlds: ScenarioText[] = [{ text, name }];
    if (overrides.length > 0) worlds.push({ text, name, overrides });
    await this.restart(() => this.engine.ask({ kind: "open", worlds, files: this.files }), worlds.length > 1);
    this.overrides = overrides;
    return [];
  }

  async resume(checkpoint: Uint8Array): Promise<void> {
    await this.restart(() => this.engine.ask({ kind: "resume", checkpoint }), false);
    this.overrides = [];
    const scenario = await this.engine.ask<ScenarioText>({ kind: "scenario" });
    this.text = scenario.text;
    this.name = (scenario.name.split("/").pop() ?? "scenario.toml") || "scenario.toml";
    this.begun = true;
    this.changed();
  }

  private async restart(open: () => Promise<unknown>, comparing: boolean): Promise<void> {
    try {
      this.fresh = true;
      await open();
      this.notice("");
      this.begun = false;
      document.body.classList.toggle("comparing", comparing);
      byId("figure-second").hidden = !comparing;
    } catch (error) {
      this.fresh = false;
      this.notice(String((error as Error).message));
      throw error;
    }
  }

  // Makes what changed hold now and writes it into the scenario of the run; resolves to what is wrong with it.
  async change(overrides: string[]): Promise<string> {
    try {
      await this.engine.ask({ kind: "change", overrides });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  }

  async start(): Promise<void> {
    const entry = byId<HTMLInputElement>("until").value.trim();
    const until = entry === "" ? null : Number(entry);
    if (until !== null && !(until > 0)) return this.notice(`found '${entry}'; expected a time in s to stop at`);
    this.notice("");
    await this.engine.ask({ kind: "run", speed: this.speed, until });
    this.running = true;
    this.showRunning();
  }

  async pause(): Promise<void> {
    await this.engine.ask({ kind: "pause" });
  }

  async step(): Promise<void> {
    await this.engine.ask({ kind: "step", steps: 1 });
  }

  async reset(): Promise<void> {
    const faults = await this.open(this.text);
    if (faults.length > 0) this.notice(`the scenario has ${faults.length} fault${faults.length > 1 ? "s" : ""}; see below`);
  }

  private showRunning(): void {
    const button = byId<HTMLButtonElement>("start");
    button.textContent = this.running ? "Pause" : this.begun ? "Continue" : "Start";
  }

  private show(pictures: Pictures): void {
    if (this.fresh) {
      this.fresh = false;
      this.history.clear();
      for (const stage of this.stages) stage.forget();
    }
    this.pictures = pictures;
    this.running = pictures.running;
    const [first, second] = pictures.worlds;
    pictures.worlds.forEach((world, k) => (this.views[k] = world.scene ?? this.views[k]));
    const view = second ? viewOf(this.views[0], this.views[1]) : null;
    pictures.worlds.forEach((world, k) => this.stages[k].show(world, view));
    const energyDifference = second ? energy(second, this.history) - energy(first, this.history) : NaN;
    this.history.add(first, {
      ...differenceRow(pictures.difference),
      energy_difference: second && pictures.difference ? energyDifference : NaN,
      rate: pictures.rate,
    });
    this.plots.draw(this.history, second !== undefined, !pictures.running);
    showLegend(byId("legend"), this.stages[0].scale, materialNames(this.keys));
    const begun = first.status.steps > 0;
    if (begun !== this.begun) {
      this.begun = begun;
      this.changed();
    }
    this.showRunning();
    showStatus(pictures, this.name);
  }

  // In other colours, or with other things shown.
  refresh(): void {
    for (const stage of this.stages) {
      stage.scale = null;
      stage.refresh();
    }
    if (this.pictures) {
      showLegend(byId("legend"), this.stages[0].scale, materialNames(this.keys));
      this.plots.draw(this.history, this.pictures.worlds.length > 1, true);
    }
  }
}

// [J] Kinetic, potential and elastic.
function energy(picture: Pictures["worlds"][number], history: History): number {
  return ["kinetic", "rotational", "gravitational", "elastic"].reduce((sum, name) => sum + history.valueIn(picture, name), 0);
}

function materialNames(keys: Key[]): string[] {
  return keys.filter((key) => /^material\.\d+\.name$/.test(key.key)).map((key) => String(key.value));
}
