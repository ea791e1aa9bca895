#!/usr/bin/env node
// Processor time of the engine of the laboratory beside that of the program, on one thread, without the first steps:
//   bench/laboratory.mjs build/release [CASE STEPS ...]
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { load, source } from "../tests/lab/engine.mjs";

const [folder, ...given] = process.argv.slice(2);
const cases = given.length > 0 ? given : ["starter", "40000", "drum", "3000"];
const WARM = 2000; // steps
const { library, Simulation } = await load(path.join(folder, "lab/engine"));
const desk = mkdtempSync(path.join(tmpdir(), "cairn-lab-"));
const silent = ["output.report=false", "output.pictures=0", "output.frames=0"].flatMap((o) => ["--set", o]);

// [s] of the program for so many steps.
function native(file, steps, set) {
  const words = ["run", file, "--stop-after", String(steps), "--out", path.join(desk, "out"), "--force", "--quiet", ...silent];
  const timed = `TIMEFORMAT=%U; time CAIRN_SIMD=${set} "$@"`;
  const program = path.join(folder, "cairn");
  return Number(execFileSync("bash", ["-c", `{ ${timed} 2>/dev/null; } 2>&1`, "bash", program, ...words], { encoding: "utf8" }));
}

for (let k = 0; k < cases.length; k += 2) {
  const [name, steps] = [cases[k], Number(cases[k + 1])];
  const file = path.join(source, "scenarios", `${name}.toml`);
  const simulation = Simulation.start(library, { text: readFileSync(file, "utf8"), name: file });
  simulation.advance(WARM);
  const before = process.cpuUsage().user;
  simulation.advance(steps);
  const page = (process.cpuUsage().user - before) / 1e6;
  const line = ["sse2", "avx2"].map((set) => {
    const program = native(file, WARM + steps, set) - native(file, WARM, set);
    return `${set} ${program.toFixed(2)} s, ratio ${(page / program).toFixed(2)}`;
  });
  console.log(`${name}, ${steps} steps: laboratory ${page.toFixed(2)} s; program ${line.join("; ")}`);
  simulation.free();
}
rmSync(desk, { recursive: true });
