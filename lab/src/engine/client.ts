// The page's side of the worker.
import { EngineError, type ScenarioText } from "./library";
import type { Fault, Key, Pictures, Request, ToPage } from "./protocol";
import EngineWorker from "./worker?worker&inline";

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Engine {
  private readonly worker = new EngineWorker();
  private readonly waiting = new Map<number, Waiting>();
  private sent = 0;
  readonly ready: Promise<string>; // the version

  // `draw` gets every picture; the next one comes once it has returned.
  constructor(draw: (pictures: Pictures) => void) {
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }: MessageEvent<ToPage>) => {
        if ("ready" in data) return resolve(data.ready);
        if ("broken" in data) return reject(new Error(data.broken));
        if ("pictures" in data) return this.show(data.pictures, draw);
        const waiting = this.waiting.get(data.id);
        this.waiting.delete(data.id);
        if ("error" in data) waiting?.reject(new EngineError(data.error.code, data.error.message));
        else waiting?.resolve(data.result);
      };
      this.worker.onerror = (event) => reject(new Error(event.message));
    });
  }

  // Before the screen is painted. A hidden page is not painted, and its simulation goes on.
  private show(pictures: Pictures, draw: (pictures: Pictures) => void): void {
    const now = () => {
      draw(pictures);
      this.worker.postMessage({ drawn: true });
    };
    if (document.hidden) now();
    else requestAnimationFrame(now);
  }

  ask<T>(request: Request): Promise<T> {
    const id = ++this.sent;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.worker.postMessage({ id, request });
    });
  }

  validate(scenario: ScenarioText): Promise<Fault[]> {
    return this.ask({ kind: "validate", scenario });
  }

  keys(scenario: ScenarioText): Promise<Key[]> {
    return this.ask({ kind: "keys", scenario });
  }
}
