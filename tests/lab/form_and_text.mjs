// Form and text of the scenario show each other's entries, and lose none that come while others are on their way.
import assert from "node:assert/strict";

export async function formAndText(lab) {
  const text = lab.page.locator("#toml");
  const edit = (from, to) =>
    text.evaluate(
      (area, [from, to]) => {
        area.value = area.value.replace(from, to);
        area.dispatchEvent(new Event("input"));
      },
      [from, to],
    );
  await lab.profile("starter");
  await lab.setField("contact.friction", "0.25");
  await lab.until("the text has it", () => document.getElementById("toml").value.includes("friction = 0.25"));
  await edit("friction = 0.25", "friction = 0.125  # less");
  await lab.until("the form has it", () => document.querySelector('[data-key="contact.friction"]').value === "0.125");
  await lab.setField("contact.stiffness", "soft");
  const fault = () => lab.page.locator('.field:has([data-key="contact.stiffness"]) .fault').textContent();
  await lab.until("a fault is shown", () => document.querySelectorAll(".faulty").length === 1);
  assert.match(await fault(), /expected a number/);
  assert.match(await lab.text("faults"), /contact.stiffness/);
  await lab.setField("contact.stiffness", "1e5");
  await lab.until("no fault", () => document.querySelectorAll(".faulty").length === 0);
  assert.equal(await lab.text("faults"), "");
  assert.match(await text.inputValue(), /friction = 0.125 {2}# less/);

  // A key that was absent, and away again.
  await lab.page.locator("fieldset", { hasText: "contact" }).first().locator("summary").click();
  await lab.setField("contact.rolling_friction", "0.1");
  await lab.until("the text has it", () => document.getElementById("toml").value.includes("rolling_friction = 0.1"));
  await lab.setField("contact.rolling_friction", "");
  await lab.until("it is away", () => !document.getElementById("toml").value.includes("rolling_friction"));

  // What is being typed in a field outlives a form that is made anew, and is not entered before the field is left.
  // A form may still be on its way: so each look is at the field that is there.
  const typed = (what) =>
    lab.page.evaluate((what) => {
      const field = document.querySelector('[data-key="contact.friction"]');
      if (what === "select") field.setSelectionRange(1, 3);
      if (what === "mark") field.dataset.old = "yes";
      return [field.value, field.selectionStart, field.selectionEnd];
    }, what);
  await lab.field("contact.friction").fill("0.375");
  await typed("select");
  for (const [from, to] of [["1e5", "2e5"], ["2e5", "3e5"]]) {
    await typed("mark");
    await edit(from, to);
    await lab.until("the form is new", () => !document.querySelector('[data-key="contact.friction"]').dataset.old);
    assert.deepEqual(await typed("read"), ["0.375", 1, 3]);
  }
  assert.doesNotMatch(await text.inputValue(), /0\.375/);

  // Letters in the text outlive an entry that is on its way.
  await lab.page.evaluate(() => {
    document.activeElement.blur();
    const area = document.getElementById("toml");
    area.value = area.value.replace("3e5", "4e5");
    area.dispatchEvent(new Event("input"));
  });
  await lab.until("the text has both", () => {
    const toml = document.getElementById("toml").value;
    return toml.includes("friction = 0.375") && toml.includes("4e5");
  });
}
