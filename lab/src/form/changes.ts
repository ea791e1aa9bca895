// The keys that a change of the scenario may set, as rows of the form: "contact.friction", "wall.gate.present".
import { keysFor, type KeyRow, type Section } from "./schema";

type ValueOf = (path: string, name: string) => string | undefined;

// The rows of one section, or of one of many.
export interface Group {
  title: string; // "contact", "wall gate"
  rows: KeyRow[];
}

// TOML takes other names in quotes only, and any section goes by its number too.
function word(name: string | undefined, number: string): string {
  return name !== undefined && /^[A-Za-z_][\w-]*$/.test(name) ? name : number;
}

// `paths` are those of the sections in the text: "contact", "wall.0".
export function settingsOf(change: Section, sections: Section[], paths: string[], valueOf: ValueOf, dimension: number): Group[] {
  return change.settings.flatMap(({ section: name, many, keys }) => {
    const section = sections.find((one) => one.name === name);
    if (!section) return [];
    const group = (path: string, prefix: string, title: string): Group => {
      const rows = keysFor(section, (key) => valueOf(path, key), dimension).filter((row) => keys.includes(row.name));
      return { title, rows: rows.map((row) => setting(row, `${prefix}.${row.name}`, valueOf(path, row.name) ?? row.fallback)) };
    };
    if (!many) return [group(name, name, name)];
    return paths
      .filter((path) => path.startsWith(`${name}.`))
      .map((path) => {
        const number = path.slice(name.length + 1);
        const own = valueOf(path, "name");
        return group(path, `${name}.${word(own, number)}`, `${name} ${own ?? number}`);
      });
  });
}

function setting(row: KeyRow, name: string, before: string): KeyRow {
  const doc = before === "" ? row.doc : `${row.doc}. At the start: ${before}.`;
  return { ...row, name, doc, fallback: "", required: false, mayChange: false };
}

// A row for what the text sets without being in the list: a wall by its number, or a name that is wrong.
export function settingNamed(name: string, groups: Group[], sections: Section[]): KeyRow {
  const known = groups.flatMap((group) => group.rows).find((row) => row.name === name);
  if (known) return known;
  const [first, ...rest] = name.split(".");
  const section = sections.find((one) => one.name === first);
  const own = section?.keys.find((row) => row.name === (section.many ? rest.slice(1) : rest).join("."));
  const unknown = { unit: "", doc: "", only: [], fromDimension: 1, choices: [] };
  return setting({ ...unknown, ...own } as KeyRow, name, "");
}
