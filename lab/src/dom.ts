// Elements of the page. Text is always text, never HTML.
type Properties<T> = Partial<Omit<T, "style" | "children">>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found as T;
}

// Six significant digits at most.
export function brief(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  const short = Number(value.toPrecision(6));
  return size > 0 && (size < 1e-3 || size >= 1e6) ? short.toExponential() : String(short);
}

export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
