// Changes one key in the text of a scenario and leaves the rest as it stands, comments included. Where keys are is what
// the engine says (cairn_keys of cairn.h).
import type { Key } from "../engine/protocol";

// The offset of a line and column, both from 1; columns count characters.
export function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let k = 1; k < line; ++k) at = text.indexOf("\n", at) + 1;
  const characters = [...text.slice(at, endOfLine(text, at))];
  return at + characters.slice(0, column - 1).join("").length;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

// The end of the value that begins at an offset: of a text, a list, a table in braces, or a word.
export function endOfValue(text: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at < text.length; ++at) {
    const letter = text[at];
    if (letter === '"' || letter === "'") {
      for (++at; at < text.length && text[at] !== letter; ++at) if (letter === '"' && text[at] === "\\") ++at;
      if (depth === 0) return at + 1;
    } else if (letter === "[" || letter === "{") {
      ++depth;
    } else if (letter === "]" || letter === "}") {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (letter === "#" && depth > 0) {
      at = endOfLine(text, at);
    } else if (depth === 0 && /[\s,#]/.test(letter)) {
      return at;
    }
  }
  return text.length;
}

export function valueText(text: string, key: Key): string {
  const begin = offsetOf(text, key.line, key.column);
  return text.slice(begin, endOfValue(text, begin));
}

function replaced(text: string, begin: number, end: number, by: string): string {
  return text.slice(0, begin) + by + text.slice(end);
}

// The line behind the last one of a section, whose keys begin with "section.".
function endOfSection(text: string, keys: Key[], section: string): number {
  const own = keys.filter((key) => key.key === section || key.key.startsWith(section + "."));
  const ends = own.map((key) => {
    const begin = offsetOf(text, key.line, key.column);
    return endOfLine(text, key.table && !key.braces ? begin : endOfValue(text, begin));
  });
  return Math.max(...ends);
}

// `value` is TOML. `section` is "run" or "wall.0", `name` the key in it, "low" or "motion.rate".
export function withValue(text: string, keys: Key[], section: string, name: string, value: string): string {
  const full = section ? `${section}.${name}` : name;
  const found = keys.find((key) => key.key === full && !key.table);
  if (found) {
    const begin = offsetOf(text, found.line, found.column);
    return replaced(text, begin, endOfValue(text, begin), value);
  }
  const parent = full.slice(0, full.lastIndexOf("."));
  const braces = keys.find((key) => key.key === parent && key.braces);
  if (braces) {
    const begin = offsetOf(text, braces.line, braces.column);
    const end = endOfValue(text, begin) - 1; // the brace
    const empty = text.slice(begin + 1, end).trim() === "";
    const before = text.slice(0, end).trimEnd();
    return `${before}${empty ? " " : ", "}${full.slice(parent.length + 1)} = ${value} ${text.slice(end)}`;
  }
  if (!section) return `${name} = ${value}\n${text}`;
  if (!keys.some((key) => key.key === section)) {
    const begin = text.endsWith("\n") || text === "" ? text : text + "\n";
    return `${begin}\n[${section}]\n${name} = ${value}\n`;
  }
  const end = endOfSection(text, keys, section);
  return replaced(text, end, end, `\n${name} = ${value}`);
}

// With one more section of those of this name, at the end; in a list of tables in braces as one more of them.
export function withSection(text: string, keys: Key[], name: string, first: string): string {
  const own = keys.filter((key) => key.table && new RegExp(`^${name}\\.\\d+$`).test(key.key));
  const last = own[own.length - 1];
  if (last?.braces) {
    const end = endOfValue(text, offsetOf(text, last.line, last.column));
    return replaced(text, end, end, `, { ${first} }`);
  }
  const before = text.trimEnd();
  return `${before}${before === "" ? "" : "\n\n"}[[${name}]]\n${first}\n`;
}

// Without a section, "change.0"; comments above it stay.
export function withoutSection(text: string, keys: Key[], path: string): string {
  const found = keys.find((key) => key.key === path && key.table);
  if (!found) return text;
  const begin = offsetOf(text, found.line, found.column);
  if (!found.braces) {
    const lineBegin = text.lastIndexOf("\n", begin - 1) + 1;
    return text.slice(0, lineBegin) + text.slice(endOfSection(text, keys, path)).replace(/^\s*\n/, "");
  }
  const end = endOfValue(text, begin);
  const comma = text.slice(end).match(/^\s*,\s*/);
  if (comma) return replaced(text, begin, end + comma[0].length, "");
  return text.slice(0, begin).replace(/,\s*$/, "") + text.slice(end);
}

// Without the key; the line goes with it where nothing else stands there.
export function withoutValue(text: string, keys: Key[], full: string): string {
  const found = keys.find((key) => key.key === full && !key.table);
  if (!found) return text;
  const begin = offsetOf(text, found.line, found.column);
  const lineBegin = text.lastIndexOf("\n", begin - 1) + 1;
  const head = /^\s*[\w.-]+\s*=\s*$/.test(text.slice(lineBegin, begin));
  const end = endOfValue(text, begin);
  const tail = /^\s*(#.*)?$/.test(text.slice(end, endOfLine(text, end)));
  if (head && tail) return replaced(text, lineBegin, Math.min(text.length, endOfLine(text, end) + 1), "");
  const keyBegin = text.slice(lineBegin, begin).search(/[\w.-]+\s*=\s*$/) + lineBegin;
  const comma = text.slice(end).match(/^\s*,\s*/);
  if (comma) return replaced(text, keyBegin, end + comma[0].length, "");
  return text.slice(0, keyBegin).replace(/,\s*$/, " ") + text.slice(end).replace(/^\s*/, "");
}

// What a field of a form holds as TOML: numbers, lists and true as they are, all else as text.
export function asToml(entry: string): string {
  const text = entry.trim();
  if (/^[-+]?(\d[\d_]*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) return text;
  if (text === "true" || text === "false" || /^[[{"']/.test(text)) return text;
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

// The reverse: texts without their quotes.
export function asEntry(toml: string): string {
  const quoted = toml.match(/^(["'])(.*)\1$/s);
  if (!quoted) return toml;
  return quoted[1] === '"' ? quoted[2].replace(/\\(["\\])/g, "$1") : quoted[2];
}
