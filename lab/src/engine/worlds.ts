// The simulations of the worker, one or two that go together, and their pace.
import { EngineError, GUARD, Simulation, type Library, type ScenarioText } from "./library";
import { difference, PictureMaker } from "./pictures";
import type { Pictures, Speed } from "./protocol";

const SLICE = 30; // [ms] of steps between two looks at messages
const LONGEST_PICTURE = 250; // [ms] of steps between two pictures, while the one before is being drawn

export class Worlds {
  private makers: PictureMaker[] = [];
  private perSlice = 1; // steps
  private rate = 0; // [1/s]
  private ran = 0; // [ms] of steps so far
  stopped = "";

  constructor(private readonly library: Library) {}

  get first(): Simulation {
    if (this.makers.length === 0) throw new EngineError(100, "no simulation is open");
    return this.makers[0].simulation;
  }

  get all(): Simulation[] {
    return this.makers.map((maker) => maker.simulation);
  }

  get seconds(): number {
    return this.ran / 1000;
  }

  open(scenarios: ScenarioText[]): void {
    this.take(scenarios.map((scenario) => Simulation.start(this.library, scenario)));
  }

  resume(checkpoint: Uint8Array): void {
    this.take([Simulation.resume(this.library, checkpoint)]);
  }

  private take(simulations: Simulation[]): void {
    for (const maker of this.makers) maker.simulation.free();
    this.makers = simulations.map((simulation) => new PictureMaker(this.library, simulation));
    this.perSlice = 1;
    this.rate = this.ran = 0;
    this.stopped = "";
  }

  change(overrides: string[]): void {
    for (const { simulation } of this.makers) simulation.change(overrides);
    this.stopped = "";
  }

  // Up to `steps` steps of the first world and to `until` [s], in a slice of time; the second world follows to the
  // same time. How many steps it did.
  advance(steps: number, until: number): number {
    const before = this.first.look(false);
    const begun = performance.now();
    try {
      this.first.advance(Math.min(steps, this.perSlice), until);
      for (const { simulation } of this.makers.slice(1)) {
        simulation.advance(Number.MAX_SAFE_INTEGER, this.first.look(false).time);
        this.first.advance(Number.MAX_SAFE_INTEGER, simulation.look(false).time); // where the second has the longer step
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.stopped = `${error.code === GUARD ? "a guard" : "an error"}: ${error.message}`;
    }
    const after = this.first.look(false);
    const done = after.steps - before.steps;
    const took = Math.max(0.05, performance.now() - begun);
    this.ran += took;
    this.rate = (1000 * done) / took;
    this.perSlice = Math.max(1, Math.min(2 * this.perSlice, Math.round((SLICE * done) / took)));
    if (after.over) this.stopped ||= "the end of the run";
    return done;
  }

  // The steps of one picture; `pause` lets messages in, and tells whether to go on. `drawn`: the picture before is on the
  // screen. Until then steps go on, if the speed lets them.
  async run(speed: Speed, until: number, clock: Clock, pause: () => Promise<boolean>, drawn: () => boolean): Promise<void> {
    const begun = performance.now();
    const target = speed.kind === "time" ? Math.min(until, clock.time(speed.factor)) : until;
    const most = speed.kind === "steps" && speed.steps > 0 ? speed.steps : Infinity;
    for (let left = most; left > 0 && !this.stopped; ) {
      if (this.first.look(false).time >= target * (1 - 1e-12)) break;
      const done = this.advance(Math.min(left, Number.MAX_SAFE_INTEGER), target);
      left -= done;
      if (done === 0) break;
      if (!(await pause())) return;
      const took = performance.now() - begun;
      if (took > LONGEST_PICTURE || (took > SLICE && drawn() && most === Infinity)) break;
    }
    if (!this.stopped && this.first.look(false).time >= until * (1 - 1e-12)) this.stopped = "the time to stop at";
    if (speed.kind === "time" && performance.now() - begun > SLICE) clock.set(this.first.look(false).time);
  }

  pictures(running: boolean): Pictures {
    const [first, second] = this.makers;
    return {
      worlds: this.makers.map((maker) => maker.picture()),
      difference: second ? difference(this.library, first.simulation, second.simulation) : null,
      rate: this.rate,
      running,
      stopped: this.stopped,
    };
  }
}

// Simulated time that follows the clock on the wall.
export class Clock {
  private begun = performance.now();
  private from = 0; // [s]

  set(time: number): void {
    this.begun = performance.now();
    this.from = time;
  }

  time(factor: number): number {
    return this.from + (factor * (performance.now() - this.begun)) / 1000;
  }
}
