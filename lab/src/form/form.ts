// The form of the parameters: the keys of the scenario's text, section by section, with those that it leaves out folded.
import { element } from "../dom";
import type { Fault, Key } from "../engine/protocol";
import { asEntry, valueText } from "../scenario/edit";
import { makeField, type Field } from "./field";
import { keysFor, type KeyRow, type Section } from "./schema";

export interface Entered {
  section: string; // "run", "wall.0"
  row: KeyRow;
  value: string; // empty: takes the key away
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
  private opened = new Set<string>(); // folds that stand open

  constructor(
    private readonly root: HTMLElement,
    private readonly sections: Section[],
    private readonly entered: (entered: Entered) => void,
  ) {}

  show(text: string, keys: Key[], begun: boolean): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.key;
    this.keys = keys;
    this.fields.clear();
    const dimension = Number(this.valueOf("space", "dimension", text) ?? 3);
    this.root.replaceChildren(...this.parts(text).map((part) => this.group(part, text, begun, dimension)));
    if (focused) this.root.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
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

  private group(part: Part, text: string, begun: boolean, dimension: number): HTMLElement {
    const valueOf = (name: string) => this.valueOf(part.path, name, text);
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
    fold.addEventListener("toggle", () => {
      if (fold.open) {
        this.opened.add(part.path);
        fill();
      } else {
        this.opened.delete(part.path);
      }
    });
    if (this.opened.has(part.path)) {
      fold.open = true;
      fill();
    }
    const legend = element("legend", { title: part.section.doc }, part.title);
    const shown = element("div", { className: "fields" }, ...given.map(make));
    return element("fieldset", {}, legend, ...(given.length > 0 ? [shown] : []), ...(others.length > 0 ? [fold] : []));
  }

  // Each fault at its field; those without one are returned.
  showFaults(faults: Fault[]): Fault[] {
    for (const field of this.fields.values()) field.showFault("");
    return faults.filter((fault) => {
      const full = this.keyOf(fault);
      const field = full === undefined ? undefined : this.fields.get(full);
      field?.showFault(fault.message);
      return !field;
    });
  }

  private keyOf(fault: Fault): string | undefined {
    const last = fault.key?.split(".").pop();
    const here = this.keys.filter((key) => key.line === fault.line && !key.table);
    return (here.find((key) => key.key.split(".").pop() === last) ?? here.find((key) => key.column === fault.column))?.key;
  }
}
