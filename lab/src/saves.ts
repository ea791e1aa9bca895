// What can be saved, and what can be opened: by button, or dropped on the page.
import type { App } from "./app";
import { byId, colourOf } from "./dom";
import type { ScenarioText } from "./engine/library";
import { download, fileName } from "./save/download";
import { Film } from "./save/film";
import { report } from "./save/report";
import { linkOf } from "./scenario/link";
import { titleOf } from "./scenario/profiles";
import { command, scenarioFile } from "./status";

const CHECKPOINT_MARK = "cairnarc"; // the first bytes of a checkpoint

export class Saves {
  private readonly film = new Film();

  // `opening` is called before a scenario or a checkpoint takes the place of what is shown.
  constructor(
    private readonly app: App,
    private readonly opening: () => void,
  ) {
    const all: Record<string, () => Promise<string>> = {
      "save-scenario": () => this.scenario(),
      "save-checkpoint": () => this.checkpoint(),
      "save-series": () => this.table("series.csv"),
      "save-final": () => this.table("final.csv"),
      "save-picture": () => this.picture(),
      "save-film": () => this.toggleFilm(),
      "save-report": () => this.report(),
      "save-link": () => this.link(),
      copy: async () => {
        await navigator.clipboard.writeText(byId("command").textContent ?? "");
        return "Copied.";
      },
    };
    for (const [id, save] of Object.entries(all))
      byId(id).addEventListener("click", () => {
        save().then(
          (words) => (byId("saved").textContent = words),
          (error) => this.app.notice(String((error as Error).message)),
        );
      });
    byId<HTMLButtonElement>("save-film").disabled = !Film.possible(app.stages[0].canvas);
    this.addOpening();
  }

  private get stem(): string {
    return fileName(this.app.name.replace(/\.toml$/, ""));
  }

  private asRun(): Promise<Required<ScenarioText>> {
    return this.app.engine.ask({ kind: "scenario" });
  }

  private async scenario(): Promise<string> {
    const { text } = await this.asRun();
    download(scenarioFile(this.app.name), text, "text/plain");
    return "The scenario as it was run, with the changes made while it ran.";
  }

  private async checkpoint(): Promise<string> {
    download("checkpoint.1", await this.app.engine.ask<Uint8Array>({ kind: "checkpoint" }));
    return "Put it into FOLDER/checkpoint and continue with: cairn resume FOLDER";
  }

  private async table(name: string): Promise<string> {
    const worlds = this.app.pictures?.worlds.length ?? 1;
    for (let world = 0; world < worlds; ++world) {
      const text = await this.app.engine.ask<string>({ kind: "table", name, world });
      download(world === 0 ? name : `second_${name}`, text, "text/csv");
    }
    return `${name}, as the program writes it${worlds > 1 ? ", of both worlds" : ""}.`;
  }

  private async picture(): Promise<string> {
    download(`${this.stem}.png`, await this.app.stages[0].png());
    return "The picture as it is now.";
  }

  private async toggleFilm(): Promise<string> {
    const button = byId("save-film");
    if (!this.film.going) {
      this.film.start(this.app.stages[0].canvas);
      button.textContent = "End film";
      return "Filming what the picture shows.";
    }
    const blob = await this.film.stop();
    button.textContent = "Film";
    download(`${this.stem}.webm`, blob);
    return "The film as WebM.";
  }

  private async report(): Promise<string> {
    const { app } = this;
    const [first] = app.pictures?.worlds ?? [];
    if (!first) throw new Error("there is no simulation to report");
    const scenario = await this.asRun();
    const text = report({
      title: titleOf(scenario.text) || app.name,
      status: first.status,
      summary: await app.engine.ask({ kind: "summary" }),
      messages: first.messages,
      scenario,
      command: command(app.name, first.status.steps),
      stages: app.stages.slice(0, app.pictures?.worlds.length).map((stage) => stage.copy()),
      plots: app.plots.pictures().map(({ title, canvas }) => ({ title, canvas: onPaper(canvas) })),
    });
    download(`${this.stem}_report.html`, text, "text/html");
    return "The report of the run so far.";
  }

  private async link(): Promise<string> {
    const link = await linkOf((await this.asRun()).text);
    history.replaceState(null, "", link);
    await navigator.clipboard?.writeText(link).catch(() => {});
    return "The address of this page now holds the scenario.";
  }

  private addOpening(): void {
    const input = byId<HTMLInputElement>("file");
    byId("open").addEventListener("click", () => input.click());
    input.addEventListener("change", () => void this.openAll([...(input.files ?? [])]));
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dropping");
    });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      void this.openAll([...(event.dataTransfer?.files ?? [])]);
    });
  }

  // Scenarios, checkpoints, and the data files that scenarios name.
  async openAll(files: File[]): Promise<void> {
    const { app } = this;
    try {
      const read = await Promise.all(
        files.map(async (file) => ({ name: file.name, data: new Uint8Array(await file.arrayBuffer()) })),
      );
      const starts = (data: Uint8Array, mark: string) => new TextDecoder("latin1").decode(data.slice(0, mark.length)) === mark;
      const checkpoint = read.find(({ data }) => starts(data, CHECKPOINT_MARK));
      if (checkpoint) {
        this.opening();
        return await app.resume(checkpoint.data);
      }
      const scenario = read.find(({ name }) => name.endsWith(".toml")) ?? (read.length === 1 ? read[0] : undefined);
      app.files.push(...read.filter((file) => file !== scenario));
      if (!scenario) return;
      this.opening();
      const faults = await app.open(new TextDecoder().decode(scenario.data), scenario.name, []);
      if (faults.length > 0) app.notice(`${scenario.name} has ${faults.length} fault${faults.length > 1 ? "s" : ""}; see below`);
    } catch (error) {
      app.notice(String((error as Error).message));
    }
  }
}

// Plots are drawn on nothing; a report may stand on any ground.
function onPaper(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const ctx = copy.getContext("2d") as CanvasRenderingContext2D;
  ctx.fillStyle = colourOf("--card");
  ctx.fillRect(0, 0, copy.width, copy.height);
  ctx.drawImage(canvas, 0, 0);
  return copy;
}
