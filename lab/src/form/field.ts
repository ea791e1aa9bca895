// One key of the form: a label, a field, what the key means, and what is wrong with it.
import { element } from "../dom";
import type { KeyRow } from "./schema";

export interface FieldState {
  section: string; // "run", "wall.0"
  row: KeyRow;
  value: string | undefined; // as entered; undefined: absent
  begun: boolean; // the simulation has done steps
}

export interface Field {
  root: HTMLElement;
  showFault(message: string): void;
  takeTyping(): Typing; // what it gives away it does not enter
  continue(typing: Typing): void;
}

// How far a field is written that has the focus.
export interface Typing {
  value: string | null; // typed and not entered yet
  selected: [number, number] | null; // of a text
}

let count = 0;

export function makeField(state: FieldState, entered: (value: string) => void): Field {
  const { row, value, begun } = state;
  const id = `field-${++count}`;
  const described = `${id}-doc ${id}-fault`;
  const input = row.choices.length > 0 ? chooser(row, value) : entry(row, value);
  input.id = id;
  input.setAttribute("aria-describedby", described);
  input.dataset.key = `${state.section}.${row.name}`;
  // A browser reports no change of a value that `continue` has set: the loss of the focus enters it.
  let present = input.value;
  const enter = () => {
    if (input.value === present) return;
    present = input.value;
    entered(present);
  };
  input.addEventListener("change", enter);
  input.addEventListener("blur", enter);

  const words = [row.doc.replace(/\*/g, "")];
  if (row.fallback) words.push(`Default: ${row.fallback}.`);
  if (begun) words.push(row.mayChange ? "May change while it runs." : "Holds from the next Reset t0.");
  const tip = element("span", { className: "tip", id: `${id}-doc`, role: "tooltip" }, words.join(" "));
  const fault = element("span", { className: "fault", id: `${id}-fault` });
  fault.setAttribute("aria-live", "polite");
  const label = element("label", { htmlFor: id });
  for (const [k, word] of row.name.split(".").entries()) label.append(...(k > 0 ? [".", element("wbr"), word] : [word]));
  if (begun) {
    const mark = element("span", { className: row.mayChange ? "now" : "later" }, row.mayChange ? "now" : "reset");
    label.append(" ", mark);
  }
  const unit = element("span", { className: "unit" }, row.unit);
  const showUnit = () => (unit.hidden = hasUnit(input.value));
  input.addEventListener("input", showUnit);
  showUnit();
  const root = element("div", { className: "field" }, label, element("span", { className: "entry" }, input, unit), tip, fault);
  if ((value ?? "").length > 12) root.classList.add("long");
  return {
    root,
    showFault(message) {
      fault.textContent = message;
      root.classList.toggle("faulty", message !== "");
      input.setAttribute("aria-invalid", String(message !== ""));
    },
    takeTyping() {
      const text = input instanceof HTMLInputElement ? input : null;
      const value = input.value === present ? null : input.value;
      present = input.value; // a browser that removes the field reports a change and the loss of the focus
      return { value, selected: text && [text.selectionStart ?? 0, text.selectionEnd ?? 0] };
    },
    continue({ value, selected }) {
      if (value !== null) input.value = value;
      if (selected && input instanceof HTMLInputElement) input.setSelectionRange(...selected);
      showUnit();
    },
  };
}

// "5 mm" has its own unit, "auto" needs none.
function hasUnit(value: string): boolean {
  return /[a-z%°µ]/i.test(value.replace(/\de[+-]?\d/gi, ""));
}

function entry(row: KeyRow, value: string | undefined): HTMLInputElement {
  return element("input", {
    type: "text",
    value: value ?? "",
    placeholder: row.fallback.replace(/^"|"$/g, ""),
    spellcheck: false,
    autocomplete: "off",
  });
}

function chooser(row: KeyRow, value: string | undefined): HTMLSelectElement {
  const words = [...row.choices];
  if (value !== undefined && !words.includes(value)) words.unshift(value);
  const select = element("select", {});
  if (!row.required || value === undefined) select.append(new Option(`(${row.fallback || "choose"})`, ""));
  for (const word of words) select.append(new Option(word, word));
  select.value = value ?? "";
  return select;
}
