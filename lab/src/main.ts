import { App } from "./app";
import { Comparing } from "./comparing";
import { addControls } from "./controls";
import { byId } from "./dom";
import { Guide } from "./guide";
import { Parameters } from "./parameters";
import { Saves } from "./saves";
import { scenarioOfLink } from "./scenario/link";
import { enclosed, profiles } from "./scenario/profiles";
import "./style.css";

const app = new App();
const parameters = new Parameters(app);
const comparing = new Comparing(app);
addControls(app, () => parameters.settle());
const choice = byId<HTMLSelectElement>("profile");
const own = enclosed();
if (own) choice.append(new Option(own.name, "enclosed"));
for (const { name, title } of profiles) choice.append(new Option(title, name));
const guide = new Guide(app, comparing, () => {
  parameters.settle();
  choice.value = ""; // so that it can be chosen again
});
new Saves(app, leaveProfile);

// What is shown is neither a profile nor an experiment.
function leaveProfile(): void {
  guide.leave();
  choice.value = "";
}

async function openProfile(name: string): Promise<void> {
  guide.leave();
  parameters.settle();
  const profile = name === "enclosed" && own ? { name: own.name, text: own.text } : profiles.find((one) => one.name === name);
  if (!profile) return;
  await app.open(profile.text, `${profile.name.replace(/\.toml$/, "")}.toml`, []);
  comparing.refresh();
}

choice.addEventListener("change", () => void openProfile(choice.value).catch(() => {}));
addEventListener("hashchange", () => void openLink());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.refresh());
addEventListener("resize", () => app.refresh());

async function openLink(): Promise<boolean> {
  try {
    const text = await scenarioOfLink(location.hash);
    if (text === null) return false;
    leaveProfile();
    await app.open(text, "linked.toml", []);
  } catch {
    app.notice("the link holds no scenario that can be read");
  }
  return true;
}

try {
  const version = await app.engine.ready;
  byId("version").textContent = `Cairn ${version}. Everything is computed in this page; nothing is sent anywhere.`;
  await parameters.begin();
  for (const { name, base64 } of own?.files ?? [])
    app.files.push({ name, data: Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) });
  if (!(await openLink())) await openProfile(choice.value);
  document.body.dataset.ready = "true";
} catch (error) {
  app.notice(`The laboratory cannot start in this browser: ${(error as Error).message}`);
}
