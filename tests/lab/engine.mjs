// The engine of the page in node: engine.js and engine.wasm of a build, behind the binding that the page has.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const source = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const require = createRequire(path.join(source, "lab/package.json"));

export async function load(folder) {
  const { transformSync } = require("esbuild");
  const binding = transformSync(readFileSync(path.join(source, "lab/src/engine/library.ts"), "utf8"), { loader: "ts" });
  const file = path.join(mkdtempSync(path.join(tmpdir(), "cairn-lab-")), "library.mjs");
  writeFileSync(file, binding.code);
  const { Library, Simulation, ARRAYS } = await import(pathToFileURL(file).href);
  rmSync(path.dirname(file), { recursive: true });
  globalThis.self = { location: { href: "" } }; // emscripten's code is that of a worker
  const { default: create } = await import(pathToFileURL(path.join(folder, "engine.mjs")).href);
  const wasmBinary = readFileSync(path.join(folder, "engine.wasm"));
  return { library: new Library(await create({ wasmBinary })), Simulation, ARRAYS };
}
