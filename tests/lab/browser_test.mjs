#!/usr/bin/env node
// The laboratory in headless chromium: browser_test.mjs CAIRN BUILD_FOLDER [NAME...]. With CAIRN_PICTURES=FOLDER it also
// keeps pictures of every profile, light, dark and 390 pixels wide, to be looked at.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { cases } from "./cases.mjs";
import { changeForm } from "./change_form.mjs";
import { source } from "./engine.mjs";
import { formAndText } from "./form_and_text.mjs";
import { browser, CHROMIUM, Lab } from "./page.mjs";

const [program, folder, ...chosen] = process.argv.slice(2);
if (!CHROMIUM) {
  console.log("skipped: chromium is missing (apt-get install chromium)");
  process.exit(77);
}
const html = path.join(folder, "lab.html");
const desk = mkdtempSync(path.join(tmpdir(), "cairn-lab-"));
process.on("exit", () => rmSync(desk, { recursive: true, force: true }));
const pictures = process.env.CAIRN_PICTURES;
const chrome = await browser();

const cairn = (...words) =>
  execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
const unseen = ["--set", "output.pictures=0", "--set", "output.report=false"];
let runs = 0;
// The summary of the same steps by the program, which needs no pictures for it.
function native(file, steps, ...words) {
  const out = path.join(desk, `native${++runs}`);
  const summary = JSON.parse(cairn("run", file, "--json", "--out", out, "--stop-after", String(steps), ...unseen, ...words));
  return { ...summary, out };
}

const tests = [];
function test(name, body, { alone = false } = {}) {
  if (chosen.length === 0 || chosen.some((word) => name.includes(word))) tests.push({ name, body, alone });
}
let failures = 0;
async function run({ name, body }) {
  const begun = Date.now();
  try {
    await body();
    console.log(`ok: ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failures;
    console.log(`FAILED: ${name}\n${error.stack ?? error}`);
  }
}
async function withLab(body, file = html, options = {}) {
  const lab = await Lab.open(chrome, file, options);
  try {
    await body(lab);
    assert.deepEqual(lab.errors, [], "errors of the page");
  } finally {
    await lab.page.close();
  }
}

test("the page is one file under 2 MB that names no other", () => {
  const text = readFileSync(html, "utf8");
  assert.ok(text.length < 2_000_000, `${text.length} bytes`);
  assert.ok(!/<(script|link|img)[^>]+(src|href)=/.test(text));
});

test("every profile runs to the hash of the program", () =>
  withLab(async (lab) => {
    const names = await lab.page.locator("#profile option").evaluateAll((all) => all.map((option) => option.value));
    assert.ok(names.length >= 19, `${names.length} profiles`);
    for (const name of names) {
      await lab.profile(name);
      const steps = await lab.run(20);
      const hash = await lab.hash();
      if (pictures) {
        mkdirSync(pictures, { recursive: true });
        await lab.page.screenshot({ path: path.join(pictures, `${name}.png`) });
      }
      const own = path.join(source, "lab/profiles", `${name}.toml`);
      const file = existsSync(own) ? own : path.join(source, "scenarios", `${name}.toml`);
      assert.equal(hash, native(file, steps).state_hash, `${name} after ${steps} steps`);
    }
  }),
);

test("ten scenarios after 500 steps have the hashes of the program", () =>
  withLab(async (lab) => {
    for (const [k, one] of cases().entries()) {
      // With its overrides in the text, for the page has no --set.
      const file = path.join(desk, `case${k}.toml`);
      writeFileSync(file, withOverrides(one));
      await lab.openFiles(file);
      await lab.until("it is open", (name) => document.getElementById("command").textContent.includes(`${name}.toml --stop-after 0 `), `case${k}`);
      const steps = await lab.run(500);
      assert.equal(await lab.hash(), native(file, steps).state_hash, `${one.name} after ${steps} steps`);
    }
  }),
);

// The scenario with its overrides written into its sections.
function withOverrides({ text, overrides }) {
  return overrides.reduce((all, override) => {
    const [, section, key, value] = override.match(/^(\w+)\.(\w+)=(.*)$/);
    const toml = /^(true|false|[\d.e-]+)$/.test(value) ? value : `"${value}"`;
    const without = all.replace(new RegExp(`(\\[${section}\\][^[]*?\\n)${key} = .*\\n`), "$1");
    return without.replace(`[${section}]\n`, `[${section}]\n${key} = ${toml}\n`);
  }, text);
}

test("start, pause, continue, step, reset, speeds and the time to stop at", () =>
  withLab(async (lab) => {
    await lab.profile("bouncing_balls");
    const first = await lab.hash();
    await lab.page.locator("#step").click();
    await lab.until("one step", () => document.getElementById("command").textContent.includes("--stop-after 1 "));
    await lab.page.locator("#speed").selectOption({ index: 3 }); // at full speed it could be at its end before it is paused
    await lab.run(100);
    assert.equal(await lab.text("start"), "Continue");
    const before = await lab.steps();
    assert.ok((await lab.run(before + 100)) > before);
    const reset = async () => {
      await lab.page.locator("#reset").click();
      await lab.until("the start", () => document.getElementById("command").textContent.includes("--stop-after 0 "));
    };
    await reset();
    assert.equal(await lab.hash(), first);
    for (let k = 0; k < 8; ++k) {
      await lab.page.locator("#speed").selectOption({ index: k });
      assert.ok((await lab.run(1)) > 0, `speed ${k}`);
      await reset();
    }
    await lab.page.locator("#speed").selectOption({ index: 0 });
    await lab.page.locator("#until").fill("0.05");
    await lab.page.locator("#start").click();
    await lab.until("the time", () => document.getElementById("status").textContent.includes("Stopped by the time to stop at"));
    assert.equal(await lab.steps(), 500);
  }),
);

test("the view: colours, walls, forces, keys", () =>
  withLab(async (lab) => {
    await lab.profile("starter");
    await lab.run(12000);
    const seen = new Set();
    const look = async () => seen.add((await lab.page.locator("#stage-first canvas").screenshot()).toString("base64"));
    for (const name of ["speed", "size", "material", "coordination", "id"]) {
      await lab.page.locator("#colouring").selectOption(name);
      await look();
      assert.ok((await lab.text("legend")).length > 3, name);
    }
    await lab.page.locator("#forces").check();
    await look();
    await lab.page.locator("#walls").uncheck();
    await look();
    await lab.page.locator("#stage-first canvas").focus();
    for (const key of ["ArrowLeft", "ArrowUp", "+", "-"]) {
      await lab.page.keyboard.press(key);
      await look();
    }
    await lab.page.locator("#fit").click();
    assert.ok(seen.size >= 10, `${seen.size} different pictures`);
    await lab.page.locator("#stage-first canvas").focus(); // a button that has the focus takes the space itself
    await lab.page.keyboard.press(" ");
    await lab.until("it runs", () => document.getElementById("start").textContent === "Pause");
    await lab.page.keyboard.press(" ");
    await lab.until("it pauses", () => document.getElementById("start").textContent !== "Pause");
  }),
);

test("form and text show each other's entries, and faults at their fields", () => withLab(formAndText));

test("changes in time have a form", () => withLab((lab) => changeForm(lab, desk, native)));

test("a change while it runs is recorded, and the scenario repeats it natively", () =>
  withLab(async (lab) => {
    await lab.profile("starter");
    await lab.run(300);
    assert.match(await lab.page.locator('.field:has([data-key="contact.friction"]) label').textContent(), /now/);
    assert.match(await lab.page.locator('.field:has([data-key="contact.law"]) label').textContent(), /reset/);
    await lab.page.locator("#start").click();
    await lab.until("it runs", () => document.getElementById("start").textContent === "Pause");
    await lab.setField("contact.friction", "0.05");
    const changed = await lab.steps();
    await lab.until("it runs on", (from) => Number(document.getElementById("command").textContent.match(/--stop-after (\d+)/)[1]) > from + 300, changed);
    await lab.setField("contact.restitution", "0.5");
    await lab.page.waitForTimeout(300);
    await lab.pause();
    await lab.setField("material.0.density", "3000");
    await lab.until("it waits for a reset", () => !document.getElementById("pending").hidden);
    const steps = await lab.run((await lab.steps()) + 300);
    const hash = await lab.hash();
    const { file, bytes } = await lab.download("save-scenario", desk);
    assert.match(bytes.toString(), /\[\[change\]\][^[]*contact.friction = 0.05[^[]*\[\[change\]\][^[]*contact.restitution = 0.5/);
    assert.equal(hash, native(file, steps).state_hash);
    await lab.page.locator("#reset").click();
    await lab.until("the start", () => document.getElementById("command").textContent.includes("--stop-after 0 "));
    assert.match(await lab.page.locator("#toml").inputValue(), /friction = 0.05/);
  }),
);

test("what is saved is what the program writes", () =>
  withLab(async (lab) => {
    await lab.profile("bouncing_balls");
    await lab.page.locator("#speed").selectOption({ index: 3 }); // at full speed it could be at its end before it is paused
    const steps = await lab.run(4000);
    const hash = await lab.hash();
    const file = path.join(source, "lab/profiles/bouncing_balls.toml");
    const expected = native(file, steps);
    assert.equal(hash, expected.state_hash);
    for (const [button, name] of [
      ["save-series", "series.csv"],
      ["save-final", "final.csv"],
    ])
      assert.equal((await lab.download(button, desk)).bytes.toString(), readFileSync(path.join(expected.out, name), "utf8"), name);
    const png = (await lab.download("save-picture", desk)).bytes;
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    const report = (await lab.download("save-report", desk)).bytes.toString();
    assert.ok(report.includes(hash) && report.includes("data:image/png"));
    await lab.page.locator("#speed").selectOption({ index: 2 }); // fifty pictures
    await lab.page.locator("#save-film").click();
    await lab.run(steps + 500);
    assert.ok((await lab.download("save-film", desk)).bytes.length > 1000);

    // A checkpoint from the page to the program and back.
    const checkpoint = await lab.download("save-checkpoint", desk);
    const middle = await lab.hash();
    const resumed = path.join(desk, "resumed");
    mkdirSync(path.join(resumed, "checkpoint"), { recursive: true });
    writeFileSync(path.join(resumed, "checkpoint/checkpoint.1"), checkpoint.bytes);
    const further = (await lab.steps()) + 1000;
    const end = JSON.parse(cairn("resume", resumed, "--json", "--stop-after", String(further)));
    assert.equal(end.state_hash, native(file, further).state_hash);
    await lab.profile("billiards");
    const written = [0, 1, 2, 3].map((k) => path.join(resumed, `checkpoint/checkpoint.${k}`)).filter(existsSync);
    await lab.openFiles(written[written.length - 1]);
    await lab.until("it is open", (hash) => document.getElementById("hash").textContent === hash, end.state_hash);
    assert.notEqual(middle, end.state_hash);
    const last = await lab.run(further + 500);
    assert.equal(await lab.hash(), native(file, last).state_hash);
  }),
);

test("a link holds the scenario", async () => {
  let link = "";
  let text = "";
  await withLab(async (lab) => {
    await lab.profile("billiards");
    await lab.page.locator("#save-link").click();
    await lab.until("the address has it", () => location.hash.startsWith("#s="));
    link = await lab.page.evaluate(() => location.hash);
    text = await lab.page.locator("#toml").inputValue();
  });
  await withLab(async (lab) => {
    await lab.settled();
    assert.equal(await lab.page.locator("#toml").inputValue(), text);
  }, `${html}${link}`);
});

test("a scenario that is dropped on the page is opened", () =>
  withLab(async (lab) => {
    const file = path.join(source, "scenarios/viscous.toml");
    await lab.page.locator("#experiment").selectOption("energy");
    await lab.until("an experiment is open", () => document.getElementById("command").textContent.includes("energy.toml"));
    await lab.page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "viscous.toml"));
      document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
    }, readFileSync(file, "utf8"));
    await lab.until("it is open", () => document.getElementById("command").textContent.includes("viscous.toml --stop-after 0 "));
    assert.equal(await lab.page.locator("#guide").isVisible(), false);
    const steps = await lab.run(100);
    assert.equal(await lab.hash(), native(file, steps).state_hash);
  }),
);

test("two worlds side by side", () =>
  withLab(async (lab) => {
    await lab.profile("bouncing_balls");
    await lab.page.locator("#differences").fill("run.scheme = symplectic_euler");
    await lab.page.locator("#compare-start").click();
    await lab.until("two worlds", () => document.getElementById("hash").textContent.includes("second world"));
    const steps = await lab.run(2000);
    const [first, second] = (await lab.hash()).split(", second world ");
    const file = path.join(source, "lab/profiles/bouncing_balls.toml");
    assert.equal(first, native(file, steps).state_hash);
    assert.equal(second, native(file, steps, "--set", "run.scheme=symplectic_euler").state_hash);
    assert.ok(await lab.page.locator(".plot", { hasText: "Largest distance" }).isVisible());
    await lab.page.locator("#differences").fill("run.scheme = nonsense");
    await lab.page.locator("#compare-start").click();
    await lab.until("a fault", () => document.getElementById("compare-fault").textContent.includes("nonsense"));
    await lab.page.locator("#compare-end").click();
    await lab.until("one world", () => !document.getElementById("hash").textContent.includes("second world"));
  }),
);

test("every guided experiment runs", () =>
  withLab(async (lab) => {
    const ids = await lab.page.locator("#experiment option").evaluateAll((all) => all.map((option) => option.value).filter(Boolean));
    assert.equal(ids.length, 5);
    for (const id of ids) {
      await lab.page.locator("#experiment").selectOption(id);
      await lab.until(`${id} is open`, (name) => document.getElementById("command").textContent.includes(`${name}.toml --stop-after 0 `), id);
      await lab.page.locator("#speed").selectOption({ index: 0 });
      const steps = await lab.run(200);
      const [first] = (await lab.hash()).split(", ");
      assert.equal(first, native(path.join(source, `lab/experiments/${id}.toml`), steps).state_hash, id);
      assert.equal(await lab.page.locator("#profile").inputValue(), "", "no profile is shown as chosen");
      if (pictures) await lab.page.screenshot({ path: path.join(pictures, `experiment_${id}.png`), fullPage: true });
    }
  }),
);

test("hostile names execute nothing", async () => {
  const hostile = `<img src=x onerror=\\"window.hacked=1\\"></script><script>window.hacked=1</script>`;
  const name = "<img src=x onerror=window.hacked=1>"; // quotes are not allowed in names
  const starter = readFileSync(path.join(source, "scenarios/starter.toml"), "utf8").replace("a handful of marbles", hostile);
  const text = starter.replaceAll('"glass"', `"${name}"`).replace('name = "box"', `name = "${name}"`);
  const faulty = path.join(desk, "faulty.toml");
  writeFileSync(faulty, starter.replaceAll('"glass"', `"${hostile}"`));
  const file = path.join(desk, "<img src=x onerror=alert(1)>.toml");
  writeFileSync(file, text);
  const check = async (lab) => assert.equal(await lab.page.evaluate(() => window.hacked), undefined);
  await withLab(async (lab) => {
    await lab.openFiles(faulty);
    await lab.until("its fault is shown", () => document.getElementById("faults").textContent.includes("<img"));
    await check(lab);
    await lab.openFiles(file);
    await lab.until("it has no fault", () => document.getElementById("faults").textContent === "");
    await lab.page.locator("#colouring").selectOption("material");
    assert.match(await lab.text("legend"), /<img src=x/);
    await lab.run(10);
    await check(lab);
    const report = await lab.download("save-report", desk);
    const opened = await chrome.newPage();
    await opened.goto(pathToFileURL(report.file).href);
    assert.equal(await opened.evaluate(() => window.hacked), undefined);
    assert.match(await opened.evaluate(() => document.querySelector("h1").textContent), /<img src=x/);
    await opened.close();
  });
  const page = path.join(desk, "hostile.html");
  const written = spawnSync(program, ["lab", file, "--out", page], { encoding: "utf8" });
  assert.equal(written.status, 0, written.stderr);
  await withLab(async (lab) => {
    await lab.settled();
    assert.ok((await lab.page.locator("#toml").inputValue()).includes("<img src=x"));
    await check(lab);
  }, page);
});

test("cairn lab FILE begins with the file and has its data", async () => {
  const page = path.join(desk, "chute.html");
  const file = path.join(source, "scenarios/chute.toml");
  assert.match(cairn("lab", file, "--out", page), new RegExp(`wrote ${page}`));
  await withLab(async (lab) => {
    await lab.settled();
    const steps = await lab.run(5);
    assert.equal(await lab.hash(), native(file, steps).state_hash);
  }, page);
  writeFileSync(path.join(desk, "mine.html"), "<title>mine</title>");
  const refused = spawnSync(program, ["lab", "--out", path.join(desk, "mine.html")], { encoding: "utf8" });
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /exists already/);
});

test("20,000 grains leave the page responsive", () =>
  withLab(async (lab) => {
    const file = path.join(desk, "many.toml");
    writeFileSync(
      file,
      `[run]\nstep = 1e-5\nend = 1\n[contact]\nstiffness = 2e4\nrestitution = 0.5\nfriction = 0.3\n[[material]]\ndensity = 2500\n` +
        `[[wall]]\nname = "box"\ntype = "box"\nside = "inside"\nlow = [0, 0, 0]\nhigh = [0.28, 0.28, 1]\n` +
        `[[grains]]\nkind = "lattice"\nradius = 0.005\nspacing = 0.0102\nlow = [0, 0, 0]\nhigh = [0.28, 0.28, 0.31]\njitter = 1e-5\n`,
    );
    await lab.openFiles(file);
    await lab.until("it is open", () => document.getElementById("command").textContent.includes("many.toml"));
    assert.ok(Number((await lab.text("status")).match(/([\d,]+) grains/)[1].replace(/,/g, "")) >= 19000);
    await lab.page.locator("#start").click();
    // The page counts for itself: questions from here would take a core.
    const [pictures, longest] = await lab.page.evaluate(
      () =>
        new Promise((resolve) => {
          let [pictures, longest, last] = [0, 0, performance.now()];
          const turn = () => {
            longest = Math.max(longest, performance.now() - last);
            last = performance.now();
            setTimeout(turn);
          };
          turn();
          const seen = { childList: true, characterData: true, subtree: true };
          new MutationObserver(() => ++pictures).observe(document.getElementById("status"), seen);
          setTimeout(() => resolve([pictures, longest]), 5000);
        }),
    );
    await lab.pause();
    console.log(`  ${pictures / 5} pictures a second; the page was busy for ${Math.round(longest)} ms at most`);
    assert.ok(pictures > 3);
    assert.equal(await lab.hash(), native(file, await lab.steps()).state_hash);
  }),
  { alone: true },
);

// Texts with less contrast than WCAG AA asks for, and fields without a name. Runs in the page.
function unreadable() {
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((channels(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const wrong = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const field = /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName);
    if ((!own && !field) || element.disabled || !element.checkVisibility() || element.tagName === "OPTION") continue;
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(ground(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) wrong.push(`${element.textContent.slice(0, 30)}: ${contrast.toFixed(2)}`);
    if (field && !element.labels?.length && !element.ariaLabel) wrong.push(`${element.id} ${element.className} has no name`);
  }
  return wrong;
}

test("narrow and dark: nothing is cut off, texts have contrast, fields have names", async () => {
  for (const [scheme, width] of [
    ["light", 390],
    ["dark", 390],
    ["dark", 1400],
  ])
    await withLab(
      async (lab) => {
        const names = await lab.page.locator("#profile option").evaluateAll((all) => all.map((option) => option.value));
        for (const name of pictures ? names : names.slice(0, 2)) {
          await lab.profile(name);
          await lab.run(20);
          assert.deepEqual(await lab.page.evaluate(unreadable), [], `${name}, ${scheme}: contrast and labels`);
          const [wide, seen] = await lab.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(wide <= seen, `${name}: ${wide} pixels in ${seen}`);
          if (pictures)
            await lab.page.screenshot({ path: path.join(pictures, `${name}_${scheme}_${width}.png`), fullPage: name === names[0] });
        }
      },
      html,
      { colorScheme: scheme, viewport: { width, height: 900 } },
    );
});

// Two pages at a time, for a page often waits; those that measure times alone.
const together = tests.filter((one) => !one.alone), queue = together.values();
const inTurn = async () => {
  for (const one of queue) await run(one);
};
await Promise.all([inTurn(), inTurn()]);
for (const one of tests) if (one.alone) await run(one);

await chrome.close();
process.exit(failures > 0 ? 1 : 0);
