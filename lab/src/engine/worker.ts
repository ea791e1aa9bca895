// The worker with the engine: answers requests, and runs until it is paused.
import { EngineError, type Library } from "./library";
import { loadEngine } from "./load";
import type { Pictures, Request, ToPage, ToWorker } from "./protocol";
import { Clock, Worlds } from "./worlds";

let library: Library;
let worlds: Worlds;
let run = 0; // number of the run that goes on; 0: none
let runs = 0;
const undrawn: (() => void)[] = []; // of pictures that were sent, in their order

function send(message: ToPage, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

function sendPictures(running: boolean): Promise<void> {
  const pictures: Pictures = worlds.pictures(running);
  const arrays = pictures.worlds.flatMap((world) =>
    Object.values(world).filter((value): value is Float32Array => ArrayBuffer.isView(value)),
  );
  const done = new Promise<void>((resolve) => undrawn.push(resolve));
  send(
    { pictures },
    arrays.map((array) => array.buffer),
  );
  return done;
}

// Until the messages that wait are answered.
const channel = new MessageChannel();
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}

async function keepRunning(request: Extract<Request, { kind: "run" }>): Promise<void> {
  const own = (run = ++runs);
  const clock = new Clock();
  clock.set(worlds.first.look(false).time);
  worlds.stopped = "";
  let drawing = Promise.resolve();
  while (run === own) {
    const turn = async () => {
      await nextTurn();
      return run === own;
    };
    await worlds.run(request.speed, request.until ?? Infinity, clock, turn, () => undrawn.length === 0);
    if (run !== own) return; // whoever ended this run sends the picture
    await drawing;
    if (run !== own) return;
    if (worlds.stopped) run = 0;
    drawing = sendPictures(run === own);
    await nextTurn();
  }
}

function answer(request: Request): unknown {
  const look = () => void sendPictures(run !== 0);
  switch (request.kind) {
    case "open":
      run = 0;
      for (const { name, data } of request.files) library.writeFile(name, data);
      worlds.open(request.worlds);
      return look();
    case "resume":
      run = 0;
      worlds.resume(request.checkpoint);
      return look();
    case "run":
      void keepRunning(request).catch((error) => send({ broken: String(error) }));
      return;
    case "pause":
      run = 0;
      return look();
    case "step": {
      run = 0;
      worlds.stopped = "";
      for (let left = request.steps; left > 0 && !worlds.stopped; ) {
        const done = worlds.advance(left, Infinity);
        if (done === 0) break;
        left -= done;
      }
      return look();
    }
    case "change":
      worlds.change(request.overrides);
      return look();
    case "checkpoint":
      return worlds.first.checkpoint();
    case "table":
      return worlds.all[request.world].table(request.name);
    case "scenario":
      return worlds.first.scenario();
    case "summary":
      return worlds.first.summary(worlds.seconds);
    case "validate":
      return library.validate(request.scenario);
    case "keys":
      return library.keys(request.scenario);
    case "schema":
      return library.schema();
  }
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("drawn" in data) return undrawn.shift()?.();
  try {
    send({ id: data.id, result: answer(data.request) });
  } catch (error) {
    const code = error instanceof EngineError ? error.code : 100;
    send({ id: data.id, error: { code, message: error instanceof Error ? error.message : String(error) } });
  }
};

loadEngine().then(
  (loaded) => {
    library = loaded;
    worlds = new Worlds(loaded);
    send({ ready: loaded.version });
  },
  (error) => send({ broken: String(error) }),
);
