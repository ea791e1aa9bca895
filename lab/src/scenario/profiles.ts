// The scenarios that the page offers: the ready cases of the program that need no file beside them, and its own.
export interface Profile {
  name: string; // of the file, without its ending
  title: string;
  text: string;
}

const files = {
  ...import.meta.glob<string>("../../../scenarios/*.toml", { query: "?raw", import: "default", eager: true }),
  ...import.meta.glob<string>("../../profiles/*.toml", { query: "?raw", import: "default", eager: true }),
};

// Those for a first look come first.
const FIRST = ["starter", "bouncing_balls", "billiards", "column", "impulse_column", "pile_2d", "pile_3d"];

export function titleOf(text: string): string {
  return text.match(/^title\s*=\s*"([^"]*)"/m)?.[1] ?? "";
}

// The sentences of the comment above the first key, up to the commands that it names.
export function introductionOf(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#") || line.slice(1).trim().startsWith("cairn "));
  const words = lines.slice(0, end).map((line) => line.slice(1).trim());
  return words.join(" ").replace(/[^.]*$/, "");
}

function rank(name: string): number {
  const at = FIRST.indexOf(name);
  return at < 0 ? FIRST.length : at;
}

export const profiles: Profile[] = Object.entries(files)
  .map(([path, text]) => ({ name: path.replace(/^.*\/|\.toml$/g, ""), title: titleOf(text), text }))
  .filter(({ text }) => !/^file\s*=/m.test(text))
  .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name));

// The scenario that `cairn lab FILE` put into this page, with the data files that it names.
export interface Enclosed {
  name: string;
  text: string;
  files: { name: string; base64: string }[];
}

export function enclosed(): Enclosed | null {
  return JSON.parse(document.getElementById("enclosed")?.textContent || "null") as Enclosed | null;
}
