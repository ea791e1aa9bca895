// What the page and the worker with the engine say to each other.
import type { ScenarioText, Status } from "./library";

export type Vector = [number, number, number];

// cairn_scene of cairn.h.
export interface Scene {
  low: Vector; // [m] corners of the view
  high: Vector;
  faces: { corners: Vector[]; section: boolean }[];
  lines: { from: Vector; to: Vector; stroke: "plain" | "faint" | "dashed" }[];
  colour: { by: string; low: number; high: number; scale: Vector[]; kinds: Vector[] };
}

export interface Column {
  name: string;
  unit: string;
}

// What the page draws of one world at one instant. Arrays of grains have one order.
export interface Picture {
  status: Status;
  positions: Float32Array; // [m] x y z
  radii: Float32Array; // [m]
  speeds: Float32Array; // [m/s]
  ids: Float32Array;
  materials: Float32Array; // as the scenario lists them, from 0
  coordination: Float32Array; // closed contacts
  forces: Float32Array; // of each contact: start, end [m], normal force [N]
  sample: Float64Array; // the columns of the series now
  columns?: Column[]; // of the sample, where they are new
  scene?: Scene; // where it is new
  messages: Record<string, string>; // of guards that only warn
}

// Grains that both worlds have, at times that agree to a rounding error; null where they do not agree.
export interface Difference {
  largest: number; // [m] distance between the two places of a grain
  mean: number; // [m] root of the mean square
}

export interface Pictures {
  worlds: Picture[];
  difference: Difference | null;
  rate: number; // [1/s] steps per second of the first world, of late
  running: boolean;
  stopped: string; // why it stopped by itself, or empty
}

// Steps per picture, or seconds of the simulation per second; 0 steps: as many as fit.
export type Speed = { kind: "steps"; steps: number } | { kind: "time"; factor: number };

export interface Fault {
  place: string | null;
  line: number | null;
  column: number | null;
  key: string | null;
  message: string;
}

export interface Key {
  key: string; // "wall.0.low"
  value?: unknown;
  table?: boolean;
  braces?: boolean;
  line: number;
  column: number;
}

export interface DataFile {
  name: string;
  data: Uint8Array;
}

export type Request =
  | { kind: "open"; worlds: ScenarioText[]; files: DataFile[] }
  | { kind: "resume"; checkpoint: Uint8Array }
  | { kind: "run"; speed: Speed; until: number | null } // [s]
  | { kind: "pause" }
  | { kind: "step"; steps: number }
  | { kind: "change"; overrides: string[] }
  | { kind: "checkpoint" }
  | { kind: "table"; name: string; world: number } // from 0
  | { kind: "scenario" }
  | { kind: "summary" }
  | { kind: "validate"; scenario: ScenarioText }
  | { kind: "keys"; scenario: ScenarioText }
  | { kind: "schema" };

export type ToWorker = { id: number; request: Request } | { drawn: true };
export type ToPage =
  | { id: number; result: unknown }
  | { id: number; error: { code: number; message: string } }
  | { pictures: Pictures }
  | { ready: string }
  | { broken: string };
