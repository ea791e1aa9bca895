// The form of the parameters: the keys of the scenario's text, section by section, with those that it leaves out folded.
import { element } from "../dom";
import type { Fault, Key } from "../engine/protocol";
import { asEntry, valueText } from "../scenario/edit";
import { settingNamed, settingsOf, type Group } from "./changes";
import { makeField, type Field } from "./field";
import { keysFor, type KeyRow, type Section } from "./schema";

export interface Entered {
  section: string; // "run", "wall.0"
  row: KeyRow;
  value: string; // empty: takes the key away
}

// What is done with a change as a whole.
export interface Deed {
  kind: "add" | "remove";
  section: string; // "change.0"; of one that is added, the one that it becomes
}

// The form of one section, or of one of many.
interface Part {
  section: Section;
  path: string; // "wall.0"
  title: string;
}

export class Form {
  private fields = new Map<string, Field>(); // by full key
  private keys: Key[] = [];
  private faults: Fault[] = [];
  private folds = new Map<string, HTMLDetailsElement>(); // of keys that are left out, by path
  private chosen = new Map<string, Set<string>>(); // settings of changes that have a field and no value yet
  private notes = new Map<string, HTMLElement>(); // for faults of whole sections, by path
  private wanted = ""; // the field that takes the focus once it is there

  constructor(
    private readonly root: HTMLElement,
    private readonly sections: Section[],
    private readonly entered: (entered: Entered) => void,
    private readonly done: (deed: Deed) => void,
  ) {}

  private again: () => void = () => {};

  show(text: string, keys: Key[], begun: boolean): void {
    this.again = () => {
      this.show(text, keys, begun);
      this.showFaults(this.faults);
    };
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.key ?? "";
    const typing = this.fields.get(focused)?.takeTyping();
    // As they stand: the event of one that is opened comes later, perhaps when the form is another one.
    const opened = new Set([...this.folds].filter(([, fold]) => fold.open).map(([path]) => path));
    this.keys = keys;
    this.folds.clear();
    this.fields.clear();
    this.notes.clear();
    const dimension = Number(this.valueOf("space", "dimension", text) ?? 3);
    const parts = this.parts(text);
    const groups = parts.map((part) => this.group(part, text, begun, dimension, opened.has(part.path)));
    const order = this.sections.findIndex((section) => section.settings.length > 0);
    const behind = parts.findIndex((part) => this.sections.indexOf(part.section) > order);
    groups.splice(behind, 0, this.adding(parts));
    this.root.replaceChildren(...groups);
    const field = this.wanted || focused;
    const found = field ? this.root.querySelector<HTMLElement>(`[data-key="${CSS.escape(field)}"]`) : null;
    found?.focus();
    if (typing && field === focused) this.fields.get(field)?.continue(typing);
    if (found) this.wanted = "";
  }

  private adding(parts: Part[]): HTMLElement {
    const changes = parts.filter((part) => part.section.settings.length > 0);
    const add = element("button", { type: "button", id: "add-change" }, "Add a change in time");
    add.addEventListener("click", () => {
      const path = `change.${changes.length}`;
      this.wanted = `${path}.at`;
      this.chosen.delete(path);
      this.done({ kind: "add", section: path });
    });
    return element("p", {}, add);
  }

  private valueOf(path: string, name: string, text: string): string | undefined {
    const key = this.keys.find((one) => one.key === `${path}.${name}` && !one.table);
    return key && asEntry(valueText(text, key));
  }

  private parts(text: string): Part[] {
    return this.sections.flatMap((section): Part[] => {
      const own = new RegExp(`^${section.name}(\\.\\d+)?$`);
      const paths = this.keys.filter((key) => key.table && own.test(key.key)).map((key) => key.key);
      if (!section.many) return [{ section, path: section.name, title: section.name }];
      return paths.map((path) => {
        const name = this.valueOf(path, "name", text);
        return { section, path, title: name ? `${section.name}: ${name}` : path.replace(".", " ") };
      });
    });
  }

  private group(part: Part, text: string, begun: boolean, dimension: number, opened: boolean): HTMLElement {
    const valueOf = (name: string) => this.valueOf(part.path, name, text);
    const settings = part.section.settings.length > 0 ? this.settings(part, text, dimension) : null;
    const all = keysFor(part.section, valueOf, dimension);
    const given = all.filter((row) => valueOf(row.name) !== undefined);
    const others = all.filter((row) => valueOf(row.name) === undefined);
    const make = (row: KeyRow) => {
      const field = makeField({ section: part.path, row, value: valueOf(row.name), begun }, (value) =>
        this.entered({ section: part.path, row, value }),
      );
      this.fields.set(`${part.path}.${row.name}`, field);
      return field.root;
    };
    const fold = element("details", { className: "others" }, element("summary", {}, `${others.length} more key${others.length === 1 ? "" : "s"}`));
    // Made when it is opened: there are hundreds.
    const fill = () => {
      if (fold.childElementCount === 1) fold.append(element("div", { className: "fields" }, ...others.map(make)));
    };
    fold.addEventListener("toggle", () => fold.isConnected && fold.open && fill());
    this.folds.set(part.path, fold);
    if (opened) {
      fold.open = true;
      fill();
    }
    const legend = element("legend", { title: part.section.doc }, part.title);
    const shown = element("div", { className: "fields" }, ...given.map(make), ...(settings?.rows ?? []).map(make));
    const note = element("p", { className: "fault", hidden: true });
    note.setAttribute("aria-live", "polite");
    this.notes.set(part.path, note);
    const whole = element("fieldset", {}, legend, note, shown);
    if (settings) whole.append(this.deeds(part.path, settings));
    if (others.length > 0) whole.append(fold);
    return whole;
  }

  // The settings that a change has or is about to have, and those that it may have.
  private settings(part: Part, text: string, dimension: number): { rows: KeyRow[]; groups: Group[] } {
    const paths = this.keys.filter((key) => key.table && /^\w+\.\d+$/.test(key.key)).map((key) => key.key);
    const valueOf = (path: string, name: string) => this.valueOf(path, name, text);
    const groups = settingsOf(part.section, this.sections, paths, valueOf, dimension);
    const prefix = `${part.path}.`;
    const names = this.keys
      .filter((key) => !key.table && key.key.startsWith(prefix))
      .map((key) => key.key.slice(prefix.length))
      .filter((name) => !part.section.keys.some((row) => row.name === name));
    const chosen = this.chosen.get(part.path) ?? new Set();
    for (const name of names) chosen.delete(name);
    return { rows: [...names, ...chosen].map((name) => settingNamed(name, groups, this.sections)), groups };
  }

  private deeds(path: string, { rows, groups }: { rows: KeyRow[]; groups: Group[] }): HTMLElement {
    const choose = element("select", { id: `add-to-${path}` }, new Option("choose", ""));
    choose.dataset.key = `${path}.`;
    for (const group of groups) {
      const others = group.rows.filter((row) => !rows.some((one) => one.name === row.name));
      if (others.length > 0)
        choose.append(element("optgroup", { label: group.title }, ...others.map((row) => new Option(row.name, row.name))));
    }
    choose.addEventListener("change", () => {
      const chosen = this.chosen.get(path) ?? new Set();
      this.chosen.set(path, chosen.add(choose.value));
      this.wanted = `${path}.${choose.value}`;
      this.again();
    });
    const remove = element("button", { type: "button" }, "Remove this change");
    remove.dataset.remove = path;
    remove.addEventListener("click", () => {
      this.chosen.clear(); // those behind get other numbers
      this.done({ kind: "remove", section: path });
    });
    return element("div", { className: "deeds" }, element("label", {}, "Change another key ", choose), remove);
  }

  // Each fault at its field, or else at its section.
  showFaults(faults: Fault[]): void {
    this.faults = faults;
    for (const field of this.fields.values()) field.showFault("");
    for (const note of this.notes.values()) note.hidden = true;
    for (const fault of faults) {
      const full = this.keyOf(fault);
      const field = full === undefined ? undefined : this.fields.get(full);
      field?.showFault(fault.message);
      const section = this.keys.find((key) => key.table && key.line === fault.line);
      const note = field || !section ? undefined : this.notes.get(section.key);
      if (!note) continue;
      note.textContent = fault.message;
      note.hidden = false;
    }
  }

  private keyOf(fault: Fault): string | undefined {
    const last = fault.key?.split(".").pop();
    const here = this.keys.filter((key) => key.line === fault.line && !key.table);
    return (here.find((key) => key.key.split(".").pop() === last) ?? here.find((key) => key.column === fault.column))?.key;
  }
}
