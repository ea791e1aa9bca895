// The keys of a scenario as the program describes them (cairn schema), section by section.

interface Node {
  type?: string;
  enum?: string[];
  anyOf?: Node[];
  const?: string;
  items?: Node;
  additionalProperties?: Node | false;
  properties?: Record<string, Node>;
  required?: string[];
  "x-unit"?: string;
  "x-doc"?: string;
  "x-default"?: string;
  "x-only"?: string;
  "x-from-dimension"?: number;
  "x-may-change"?: boolean;
}

export interface KeyRow {
  name: string; // within its section: "step", "motion.rate"
  unit: string;
  doc: string;
  fallback: string; // what holds where the key is absent
  required: boolean;
  only: string[]; // kinds of law, wall or grains that have it; empty: all
  fromDimension: number;
  mayChange: boolean;
  choices: string[]; // words to choose from; empty: an entry
}

export interface Section {
  name: string; // "run", "wall"
  many: boolean;
  doc: string;
  keys: KeyRow[];
  settings: Settings[]; // of a change
}

// Keys of a section that a change may set.
export interface Settings {
  section: string; // "contact", "wall"
  many: boolean; // by name or number: "wall.gate.present"
  keys: string[]; // "friction", "motion.rate"
}

function choicesOf(node: Node): string[] {
  if (node.type === "boolean") return ["true", "false"];
  if (node.enum) return node.enum;
  return node.anyOf?.find((one) => one.enum)?.enum ?? [];
}

function rowsOf(table: Node, prefix: string): KeyRow[] {
  return Object.entries(table.properties ?? {}).flatMap(([key, node]): KeyRow[] => {
    const name = prefix + key;
    if (node.items?.properties || isSettings(node)) return [];
    if (node.properties) return rowsOf(node, `${name}.`);
    return [
      {
        name,
        unit: node["x-unit"] ?? "",
        doc: node["x-doc"] ?? "",
        fallback: node["x-default"] ?? "",
        required: table.required?.includes(key) ?? false,
        only: node["x-only"]?.split(" ") ?? [],
        fromDimension: node["x-from-dimension"] ?? 1,
        mayChange: node["x-may-change"] ?? false,
        choices: choicesOf(node),
      },
    ];
  });
}

// A table of a change that holds keys of another section.
function isSettings(node: Node): boolean {
  return node["x-doc"]?.startsWith("keys of [") ?? false;
}

function settingsOf(table: Node): Settings[] {
  return Object.entries(table.properties ?? {}).flatMap(([section, node]) => {
    if (!isSettings(node)) return [];
    const many = !node.properties;
    const keys = rowsOf(many ? node.additionalProperties || {} : node, "").map((row) => row.name);
    return [{ section, many, keys }];
  });
}

export function sectionsOf(schema: unknown): Section[] {
  const top = (schema as Node).properties ?? {};
  return Object.entries(top)
    .filter(([, node]) => node.properties || node.items?.properties)
    .map(([name, node]) => {
      const table = node.properties ? node : (node.items as Node);
      return { name, many: !node.properties, doc: node["x-doc"] ?? "", keys: rowsOf(table, ""), settings: settingsOf(table) };
    });
}

// The key by which the others of a section are chosen.
const KIND: Record<string, string> = { contact: "law", wall: "type", grains: "kind" };

// Keys that a section has, given the words that it holds now.
export function keysFor(section: Section, valueOf: (name: string) => string | undefined, dimension: number): KeyRow[] {
  const kindKey = KIND[section.name];
  const kind = kindKey
    ? (valueOf(kindKey) ?? section.keys.find((key) => key.name === kindKey)?.fallback.replace(/"/g, ""))
    : undefined;
  return section.keys.filter(
    (key) =>
      valueOf(key.name) !== undefined ||
      ((key.only.length === 0 || kind === undefined || key.only.includes(kind)) && key.fromDimension <= dimension),
  );
}
