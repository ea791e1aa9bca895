// Guided experiments: a scenario, sometimes two worlds of it, and a text that says what to do and what to see.
import type { App } from "./app";
import type { Comparing } from "./comparing";
import { setSpeed } from "./controls";
import { byId, element } from "./dom";
import { experiments, type Experiment } from "./experiments";

export class Guide {
  private readonly root = byId("guide");
  private readonly choice = byId<HTMLSelectElement>("experiment");

  constructor(
    private readonly app: App,
    private readonly comparing: Comparing,
    private readonly settle: () => void,
  ) {
    this.choice.append(new Option("(none)", ""));
    for (const { id, title } of experiments) this.choice.append(new Option(title, id));
    this.choice.addEventListener("change", () => {
      const chosen = experiments.find(({ id }) => id === this.choice.value);
      if (chosen) void this.begin(chosen).catch(() => {});
      else this.leave();
    });
  }

  private async begin(experiment: Experiment): Promise<void> {
    this.settle();
    this.root.replaceChildren(
      element("h2", {}, experiment.title),
      element("p", { className: "question" }, experiment.question),
      element("div", { className: "words" }, ...experiment.text.map((words) => element("p", {}, words))),
    );
    this.root.hidden = false;
    setSpeed(this.app, experiment.speed);
    byId<HTMLInputElement>("until").value = "";
    const name = `${experiment.id}.toml`;
    if (experiment.second === "") {
      await this.app.open(experiment.scenario, name, []);
      this.comparing.refresh();
      return;
    }
    this.app.text = experiment.scenario;
    this.app.name = name;
    await this.comparing.start(experiment.second);
  }

  leave(): void {
    this.root.hidden = true;
    this.choice.value = "";
  }
}
