// The page in a headless browser, as a user has it.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { require } from "./engine.mjs";

export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
// Small but for pictures: drawing is by software.
const VIEWPORT = process.env.CAIRN_PICTURES ? { width: 1400, height: 1000 } : { width: 1000, height: 600 };
const SOFTWARE_GPU = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export async function browser() {
  const { chromium } = require("playwright-core");
  return chromium.launch({ executablePath: CHROMIUM, args: SOFTWARE_GPU });
}

export class Lab {
  errors = [];

  static async open(of, file, options = {}) {
    const lab = new Lab();
    lab.page = await of.newPage({ viewport: VIEWPORT, ...options });
    lab.page.on("pageerror", (error) => lab.errors.push(error.message));
    lab.page.on("console", (message) => message.type() === "error" && lab.errors.push(message.text()));
    lab.page.on("dialog", (dialog) => {
      lab.errors.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await lab.page.goto(pathToFileURL(file.split("#")[0]).href + (file.includes("#") ? `#${file.split("#")[1]}` : ""));
    await lab.until("the page is ready", () => document.body.dataset.ready === "true");
    return lab;
  }

  // The page's policy allows no eval, which playwright's own waiting needs.
  async until(what, condition, argument) {
    for (let k = 0; k < 6000; ++k) {  // minutes, for a busy machine
      if (await this.page.evaluate(condition, argument)) return;
      await this.page.waitForTimeout(50);
    }
    throw new Error(`waited in vain until ${what}; notice: ${await this.text("notice")}; status: ${await this.text("status")}`);
  }

  text(id) {
    return this.page.locator(`#${id}`).evaluate((element) => element.textContent);
  }

  async steps() {
    return Number((await this.text("command")).match(/--stop-after (\d+)/)[1]);
  }

  async name() {
    return (await this.text("command")).match(/cairn run (\S+)/)[1];
  }

  hash() {
    return this.text("hash");
  }

  field(key) {
    return this.page.locator(`[data-key="${key}"]`);
  }

  async setField(key, value) {
    const field = this.field(key);
    if ((await field.evaluate((element) => element.tagName)) === "SELECT") return field.selectOption(value);
    await field.fill(value);
    // Whichever has the focus: a form that is made anew has another element for it.
    await this.page.evaluate(() => document.activeElement.blur());
  }

  async openFiles(...files) {
    await this.page.locator("#file").setInputFiles(files);
    const scenario = files.find((file) => file.endsWith(".toml"));
    if (!scenario) return;
    const text = readFileSync(scenario, "utf8");
    await this.until("the text is there", (text) => document.getElementById("toml").value === text, text);
    await this.until("its start is shown", () => document.getElementById("command").textContent.includes("--stop-after 0 "));
    await this.settled();
  }

  // A picture of a simulation at its start is there.
  async settled() {
    await this.until("a simulation is open", () => document.getElementById("hash").textContent.length >= 16);
    await this.page.waitForTimeout(150);
  }

  async profile(value) {
    const title = await this.page.locator(`#profile option[value="${value}"]`).textContent();
    await this.page.locator("#profile").selectOption(value);
    await this.until(`${value} is open`, (text) => document.getElementById("toml").value.includes(text), title);
    await this.until("its start is shown", () => document.getElementById("command").textContent.includes("--stop-after 0 "));
    await this.settled();
  }

  // Runs until some steps are done, and pauses; how many they were.
  async run(steps) {
    await this.page.locator("#start").click();
    await this.until(
      `${steps} steps are done`,
      (least) =>
        Number(document.getElementById("command").textContent.match(/--stop-after (\d+)/)[1]) >= least ||
        document.getElementById("status").textContent.includes("Stopped by"),
      steps,
    );
    await this.pause();
    return this.steps();
  }

  async pause() {
    if ((await this.text("start")) === "Pause") await this.page.locator("#start").click();
    await this.until("it is paused", () => document.getElementById("start").textContent !== "Pause");
  }

  async download(button, to) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.page.locator(`#${button}`).click()]);
    const file = path.join(to, download.suggestedFilename());
    await download.saveAs(file);
    return { file, bytes: readFileSync(file) };
  }
}
