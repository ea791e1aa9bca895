// Ten scenarios of a few hundred steps: those of tests/python/cases.py, which has them from every family.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { source } from "./engine.mjs";

// 500 steps of those that end earlier there; of contact dynamics shorter ones, in which fewer grains arrive.
const LONGER = { impulses: ["run.end=5"], "contact dynamics": ["run.step=1e-3", "run.end=0.5"] };

// [{ name, file, text, overrides }], overrides as of --set.
export function cases() {
  const program =
    "import json, sys; sys.path.insert(0, 'tests/python'); import cases;" +
    "print(json.dumps([cases.TEXT, list(cases.CASES.items())]))";
  const [text, all] = JSON.parse(execFileSync("python3", ["-c", program], { cwd: source, encoding: "utf8" }));
  return all.map(([name, [file, overrides]]) => ({
    name,
    text: file ? readFileSync(path.join(source, "scenarios", file), "utf8") : text,
    overrides: [...Object.entries(overrides).map(([key, value]) => `${key}=${value}`), ...(LONGER[name] ?? [])],
  }));
}
