#!/usr/bin/env node
// The engine of the page has the bits of the program: node_test.mjs CAIRN BUILD_FOLDER. Needs no browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { cases } from "./cases.mjs";
import { load, source } from "./engine.mjs";

const [program, folder] = process.argv.slice(2);
const STEPS = 500;
const CHUNK = 37; // no result depends on where the steps pause

const { library, Simulation, ARRAYS } = await load(path.join(folder, "lab/engine"));
const desk = mkdtempSync(path.join(tmpdir(), "cairn-lab-"));
process.on("exit", () => rmSync(desk, { recursive: true, force: true }));

const options = (overrides) => overrides.flatMap((o) => ["--set", o]);
const cairn = (...words) => execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
const newestCheckpoint = (of) => {
  const all = [0, 1, 2, 3, 4, 5].map((k) => path.join(of, `checkpoint/checkpoint.${k}`)).filter(existsSync);
  return readFileSync(all[all.length - 1]);
};
const advance = (simulation, steps) => {
  for (let left = steps; left > 0; left -= CHUNK) {
    simulation.advance(Math.min(left, CHUNK));
    simulation.view(ARRAYS.positions);
    simulation.scene(); // looking changes nothing
  }
};

let failures = 0;
function test(name, body) {
  try {
    body();
    console.log(`ok: ${name}`);
  } catch (error) {
    ++failures;
    console.log(`FAILED: ${name}\n${error.stack ?? error}`);
  }
}

cases().forEach((one, k) => {
  const file = path.join(desk, `case${k}.toml`);
  writeFileSync(file, one.text);
  const out = path.join(desk, `out${k}`);
  const native = (...words) => JSON.parse(cairn("run", file, "--json", ...options(one.overrides), ...words));

  test(`${one.name}: hash and tables after ${STEPS} steps`, () => {
    const expected = native("--out", out, "--stop-after", String(STEPS));
    const simulation = Simulation.start(library, { text: one.text, name: file, overrides: one.overrides });
    advance(simulation, STEPS);
    const status = simulation.look(true);
    assert.equal(status.steps, expected.steps);
    assert.equal(status.hash, expected.state_hash);
    for (const table of ["series.csv", "final.csv", "contact_events.csv", "probes.csv"])
      if (existsSync(path.join(out, table)))
        assert.equal(simulation.table(table), readFileSync(path.join(out, table), "utf8"), table);
    simulation.free();
  });

  test(`${one.name}: a checkpoint from the program to the engine and back`, () => {
    const whole = native("--out", `${out}-whole`);
    const third = Math.max(1, Math.floor(whole.steps / 3));
    cairn("run", file, "--json", ...options(one.overrides), "--out", `${out}-begun`, "--stop-after", String(third));
    const simulation = Simulation.resume(library, newestCheckpoint(`${out}-begun`));
    assert.equal(simulation.look(false).steps, third);
    advance(simulation, third);
    const rest = `${out}-rest`;
    mkdirSync(path.join(rest, "checkpoint"), { recursive: true });
    writeFileSync(path.join(rest, "checkpoint/checkpoint.1"), simulation.checkpoint());
    simulation.free();
    const end = JSON.parse(cairn("resume", rest, "--json"));
    assert.equal(end.steps, whole.steps);
    assert.equal(end.state_hash, whole.state_hash);
  });
});

// The test of the ten cases goes far; this one goes everywhere.
test("every scheme and every law: hash after 60 steps, or the program's refusal", () => {
  const file = path.join(desk, "one.toml");
  const { text } = cases()[0];
  const laws = [
    ["linear", ""],
    ["hertz_mindlin", 'law = "hertz_mindlin"\nrestitution = 0.6\nfriction = 0.4'],
    ["kuwabara_kono", 'law = "kuwabara_kono"\nstiffness = 1e6\nrestitution = 0.6\nfriction = 0.4'],
    ["extended_nonlinear", 'law = "extended_nonlinear"\nstiffness = 1e6\nrestitution = 0.6\nfriction = 0.4'],
    ["extended_linear", 'law = "extended_linear"\nrestitution_factor = 0.8\nrestitution_exponent = 0.2\nduration_factor = 1e-3\nduration_exponent = 0\nfriction = 0.4'],
  ];
  const schemes = JSON.parse(cairn("schemes", "--json")).map((scheme) => scheme.name);
  const runs = [...schemes.map((scheme) => [scheme, ""]), ...laws.map(([, contact]) => ["velocity_verlet_predicted", contact])];
  let compared = 0;
  let beginnings = 0; // [ms]
  const unequal = [];
  for (const [scheme, contact] of runs) {
    const of = contact ? text.replace(/\[contact\][^[]*/, `[contact]\n${contact}\n`) : text;
    writeFileSync(file, of);
    const overrides = [`run.scheme=${scheme}`, "output.report=false"];
    let native = null;
    let simulation = null;
    try {
      const out = path.join(desk, "one");
      native = JSON.parse(cairn("run", file, "--json", "--force", "--out", out, "--stop-after", "60", ...options(overrides)));
    } catch {} // refused: the engine must refuse it, too
    const start = performance.now();
    try {
      simulation = Simulation.start(library, { text: of, name: file, overrides });
      beginnings += performance.now() - start;
      simulation.advance(60);
    } catch {}
    const hash = simulation?.look(true).hash;
    if (native && native.state_hash === hash) ++compared;
    else if (native || simulation) unequal.push([scheme, contact, native?.state_hash, hash]);
    simulation?.free();
  }
  console.log(`  ${compared} of ${runs.length} runs, the others are refused by both; they began in ${(beginnings / 1000).toFixed(1)} s in all`);
  assert.deepEqual(unequal, []);
  assert.ok(compared > 50);
});

// The first row of the series of such a run may be due after its end.
test("a checkpoint that the program resumes for a few steps", () => {
  const file = path.join(source, "scenarios/starter.toml");
  const simulation = Simulation.start(library, { text: readFileSync(file, "utf8"), name: "starter.toml" });
  simulation.advance(100);
  const folder = path.join(desk, "few");
  mkdirSync(path.join(folder, "checkpoint"), { recursive: true });
  writeFileSync(path.join(folder, "checkpoint/checkpoint.1"), simulation.checkpoint());
  simulation.advance(10);
  assert.equal(JSON.parse(cairn("resume", folder, "--json", "--stop-after", "110")).state_hash, simulation.look(true).hash);
  simulation.free();
});

test("a change while running is in the scenario, which repeats it natively to the same hash", () => {
  const text = readFileSync(path.join(source, "scenarios/starter.toml"), "utf8");
  const simulation = Simulation.start(library, { text, name: "starter.toml" });
  advance(simulation, 200);
  simulation.change(["contact.friction=0.1", "space.gravity=[1, 0, -9.81]"]);
  advance(simulation, 300);
  const file = path.join(desk, "changed.toml");
  writeFileSync(file, simulation.scenario().text);
  const native = JSON.parse(cairn("run", file, "--json", "--out", path.join(desk, "changed"), "--stop-after", "500"));
  assert.equal(simulation.look(true).hash, native.state_hash);
});

test("a scenario's data file is read from what the page was given", () => {
  copyFileSync(path.join(source, "scenarios/chute.data"), path.join(desk, "chute.data"));
  library.writeFile("chute.data", readFileSync(path.join(source, "scenarios/chute.data")));
  const text = readFileSync(path.join(source, "scenarios/chute.toml"), "utf8");
  const simulation = Simulation.start(library, { text, name: "chute.toml" });
  simulation.advance(20);
  const file = path.join(source, "scenarios/chute.toml");
  const native = JSON.parse(cairn("run", file, "--json", "--out", path.join(desk, "chute"), "--stop-after", "20"));
  assert.equal(simulation.look(true).hash, native.state_hash);
});

test("faults and errors have the words of the program", () => {
  const faults = library.validate({ text: "[run]\nstep = -1\nend = 1\n[contact]\nstifness = 3\n", name: "a.toml" });
  assert.deepEqual(
    faults.map((fault) => [fault.line, fault.key]),
    [
      [2, "run.step"],
      [5, "contact.stifness"],
    ],
  );
  assert.throws(() => Simulation.resume(library, new Uint8Array(100)), { code: 8 });
  assert.throws(() => Simulation.start(library, { text: "[run]\n", name: "a.toml" }), { code: 2 });
});

process.exit(failures > 0 ? 1 : 0);
