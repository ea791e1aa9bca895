// The form of changes in time, in the laboratory.
import assert from "node:assert/strict";

// `native` runs a file by the program.
export async function changeForm(lab, desk, native) {
  await lab.profile("silo");
  const text = () => lab.page.locator("#toml").inputValue();
  const has = (what, words) => lab.until(what, (words) => document.getElementById("toml").value.includes(words), words);
  // Those of the file, with the unit and the words of the key that changes.
  assert.equal(await lab.field("change.0.at").inputValue(), "0.4 s");
  assert.equal(await lab.field("change.1.when").inputValue(), "kinetic < 1e-6 J");
  assert.equal(await lab.field("change.1.wall.gate.present").inputValue(), "false");
  assert.match(await lab.page.locator('.field:has([data-key="change.1.output.series"])').textContent(), /interval of the time series.*At the start: 20 ms/);
  await lab.setField("change.0.at", "soon");
  await lab.until("a fault at its field", () => document.querySelector('.faulty [data-key="change.0.at"]') !== null);
  await lab.setField("change.0.at", "0.3 s");
  await has("the text has it", 'at = "0.3 s"');
  await lab.until("no fault", () => document.querySelectorAll(".faulty").length === 0);
  // One more, which changes nothing yet: the program's words at the section.
  await lab.page.locator("#add-change").click();
  await lab.until("its fault", () => [...document.querySelectorAll("fieldset > .fault")].some((p) => /changes nothing/.test(p.textContent) && !p.hidden));
  assert.equal(await lab.page.evaluate(() => document.activeElement.dataset.key), "change.2.at");
  await lab.setField("change.2.at", "0.005 s");
  const keys = await lab.field("change.2.").locator("option").evaluateAll((all) => all.map((option) => option.value));
  for (const key of ["run.step", "space.gravity", "contact.friction", "wall.gate.present", "emitter.spout.on", "output.series"])
    assert.ok(keys.includes(key), `${key} of ${keys}`);
  assert.ok(!keys.includes("contact.law") && !keys.includes("wall.gate.point"));
  await lab.field("change.2.").selectOption("contact.friction");
  await lab.until("its field", () => document.activeElement.dataset.key === "change.2.contact.friction");
  await lab.setField("change.2.contact.friction", "-1");
  await lab.until("its fault", () => document.querySelector('.faulty [data-key="change.2.contact.friction"]') !== null);
  await lab.setField("change.2.contact.friction", "0.05");
  await has("the text has it", "contact.friction = 0.05");
  await lab.until("no fault", () => document.querySelectorAll("#faults li").length === 0);
  assert.ok((await text()).trimEnd().endsWith('[[change]]\nat = "0.005 s"\ncontact.friction = 0.05'), await text());
  // Only the last is left, and what the form wrote is what the program runs.
  for (const number of [1, 0]) {
    await lab.page.locator(`button[data-remove="change.${number}"]`).click();
    await lab.until("it is away", (left) => (document.getElementById("toml").value.match(/^\[\[change\]\]/gm) ?? []).length === left, number + 1);
  }
  assert.ok(!(await text()).includes("kinetic < 1e-6 J"));
  await lab.until("no fault", () => document.querySelectorAll("#faults li").length === 0);
  const steps = await lab.run(1500);
  const { file } = await lab.download("save-scenario", desk);
  const expected = native(file, steps);
  assert.deepEqual(Object.values(expected.changes).map((one) => one.settings), [["contact.friction = 0.05"]]);
  assert.equal(await lab.hash(), expected.state_hash);
}
