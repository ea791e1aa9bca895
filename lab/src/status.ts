// The state of the run in words: time, steps, grains, warnings of guards, state hash, and the command of the program that
// must give the same hash.
import { brief, byId, element } from "./dom";
import type { Picture, Pictures } from "./engine/protocol";
import { fileName } from "./save/download";

function counted(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}

function wordsOf(picture: Picture): string {
  const { status } = picture;
  const contacts = picture.forces.length / 7;
  return (
    `t = ${brief(status.time)} s of ${brief(status.end)} s, ${counted(status.steps, "step")} of ${brief(status.step)} s, ` +
    `${counted(status.grains, "grain")}, ${counted(contacts, "contact")}`
  );
}

export function scenarioFile(name: string): string {
  return `${fileName(name.replace(/\.toml$/, ""))}.toml`;
}

export function command(name: string, steps: number): string {
  return `cairn run ${scenarioFile(name)} --stop-after ${steps} --out results/lab`;
}

export function showStatus(pictures: Pictures, name: string): void {
  const [first, second] = pictures.worlds;
  const pace = pictures.running ? `, ${Math.round(pictures.rate).toLocaleString("en")} steps per second` : "";
  const ended = pictures.stopped && !pictures.running ? `. Stopped by ${pictures.stopped.replace(/\.$/, "")}` : "";
  byId("status").textContent = `${wordsOf(first)}${pace}${ended}.`;
  const messages = Object.entries(first.messages).map(([guard, words]) => element("p", {}, `${guard}: ${words}`));
  const box = byId("messages");
  const text = messages.map((message) => message.textContent).join("\n");
  if (box.dataset.text !== text) box.replaceChildren(...messages);
  box.dataset.text = text;
  byId("hash").textContent = first.status.hash + (second ? `, second world ${second.status.hash}` : "");
  byId("command").textContent = command(name, first.status.steps);
  byId("caption-first").textContent = second ? "The scenario as it stands" : "";
  byId("caption-second").textContent = second ? `With other keys; t = ${brief(second.status.time)} s` : "";
}
