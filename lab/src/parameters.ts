// Form and text of the scenario: each shows what is entered in the other. Keys that may change while the simulation runs
// hold at once, and are recorded in its scenario; the others hold from the next reset.
import type { App } from "./app";
import { byId, element } from "./dom";
import type { Fault, Key } from "./engine/protocol";
import { Form, type Deed, type Entered } from "./form/form";
import { sectionsOf } from "./form/schema";
import { introductionOf } from "./scenario/profiles";
import { asToml, offsetOf, withoutSection, withoutValue, withSection, withValue } from "./scenario/edit";

const PAUSE = 350; // [ms] after the last letter

export class Parameters {
  private readonly source = byId<HTMLTextAreaElement>("toml");
  private readonly list = byId("faults");
  private readonly pending = byId("pending");
  private form: Form | null = null;
  private timer = 0; // of letters in the source that are not taken yet; 0: there are none
  private shown = ""; // the text of the scenario that the source showed last
  private stamp = 0; // of the text that is being looked at

  constructor(private readonly app: App) {
    this.source.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.takeSource(), PAUSE);
    });
    app.changed = () => void this.show();
  }

  async begin(): Promise<void> {
    const schema = await this.app.engine.ask({ kind: "schema" });
    this.form = new Form(byId("form"), sectionsOf(schema), (entered) => void this.enter(entered), (deed) => void this.perform(deed));
  }

  // Form, text and faults of the present scenario.
  async show(): Promise<Fault[]> {
    const { app } = this;
    const { scenario } = app;
    const stamp = ++this.stamp;
    if (scenario.text !== this.shown) this.showText(scenario.text);
    byId("about").textContent = introductionOf(scenario.text);
    const faults = await app.engine.validate(scenario);
    const keys = await app.engine.keys(scenario).catch(() => null); // no TOML: the form stays as it was
    if (stamp !== this.stamp) return faults;
    if (keys) {
      app.keys = keys;
      this.form?.show(scenario.text, keys, app.begun);
    }
    this.showFaults(faults);
    return faults;
  }

  private showText(text: string): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.shown = text;
    if (this.source.value !== text) this.source.value = text; // the same text would move the cursor
  }

  private showFaults(faults: Fault[]): void {
    this.form?.showFaults(faults);
    this.list.replaceChildren(
      ...faults.map((fault) => {
        const where = fault.line === null ? "" : `line ${fault.line}: `;
        const item = element("li", {}, `${where}${fault.key ? `${fault.key}: ` : ""}${fault.message}`);
        if (fault.line !== null) {
          const go = element("button", { type: "button" }, "Show");
          go.addEventListener("click", () => this.select(fault.line as number));
          item.append(" ", go);
        }
        return item;
      }),
    );
    this.source.setAttribute("aria-invalid", String(faults.length > 0));
  }

  private select(line: number): void {
    const begin = offsetOf(this.app.text, line, 1);
    const end = this.app.text.indexOf("\n", begin);
    this.source.focus();
    this.source.setSelectionRange(begin, end < 0 ? this.app.text.length : end);
  }

  private async enter({ section, row, value }: Entered): Promise<void> {
    const full = `${section}.${row.name}`;
    const toml = asToml(value);
    const absent = value.trim() === "";
    await this.edit(
      (text, keys) => (absent ? withoutValue(text, keys, full) : withValue(text, keys, section, row.name, toml)),
      row.mayChange && !absent ? `${full}=${toml}` : false,
    );
  }

  private async perform({ kind, section }: Deed): Promise<void> {
    const name = section.split(".")[0];
    await this.edit(
      (text, keys) => (kind === "add" ? withSection(text, keys, name, 'at = "0 s"') : withoutSection(text, keys, section)),
      false,
    );
  }

  private async edit(change: (text: string, keys: Key[]) => string, now: string | false): Promise<void> {
    const { app } = this;
    for (;;) {
      if (this.timer !== 0) await this.takeSource();
      const { scenario } = app;
      const keys = await app.engine.keys(scenario).catch(() => null);
      if (!keys) return;
      // The keys say where each value stands in the text that was asked about, which may be another one by now, and
      // letters may have been typed since, which the change would replace.
      if (app.text === scenario.text && this.timer === 0) return this.take(change(scenario.text, keys), now);
    }
  }

  private async takeSource(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = 0;
    await this.take(this.source.value, false);
  }

  // A new text of the scenario; `now` is the change that holds at once, if there is one.
  private async take(text: string, now: string | false): Promise<void> {
    const { app } = this;
    if (text === app.text) return;
    app.text = text;
    const faults = await this.show();
    if (faults.length > 0) return;
    if (!app.begun) {
      // Opened with a text that another has replaced by now, the page would go back to it.
      if (text === app.text) await app.open(text).catch(() => []);
      return;
    }
    if (!now) {
      this.pending.hidden = false;
      return;
    }
    const wrong = await app.change([now]);
    if (wrong) app.notice(wrong);
  }

  settle(): void {
    this.pending.hidden = true;
  }
}
