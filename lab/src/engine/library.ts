// The C interface of the engine, src/cairn/facade/cairn.h, over its WebAssembly. Pointers and sizes have 32 bits there.

export const INTERFACE = 1; // CAIRN_INTERFACE that this page was written for
export const GUARD = 3; // the code of an error by which a guard stops a run

export interface EngineModule {
  HEAPU8: Uint8Array;
  FS: { writeFile(path: string, data: Uint8Array): void; mkdirTree(path: string): void };
  _malloc(size: number): number;
  _free(at: number): void;
  [name: `_cairn_${string}`]: (...values: (number | bigint)[]) => number;
}

export class EngineError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export interface ScenarioText {
  text: string;
  name: string;
  overrides?: string[];
}

export interface Status {
  time: number; // [s]
  end: number; // [s]
  step: number; // [s]
  steps: number;
  stepsLeft: number; // -1: the scheme chooses its steps
  grains: number;
  over: boolean;
  dimension: number;
  hash: string; // 16 digits, or empty
}

export const ARRAYS = {
  ids: 0,
  positions: 1,
  velocities: 2,
  spins: 3,
  radii: 4,
  masses: 5,
  materials: 6,
  images: 7,
  contacts: 8,
  series: 9,
} as const;

export interface Field {
  name: string;
  unit: string;
  type: number; // 0: number, 1: whole number of 64 bits, 2: of 32 bits
  components: number;
  offset: number; // [bytes] in a row
}

export interface View {
  data: number; // address
  rows: number;
  stride: number; // [bytes]
  fields: Field[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Library {
  readonly version: string;

  constructor(readonly module: EngineModule) {
    const found = module._cairn_interface();
    if (found !== INTERFACE) throw new Error(`the engine has interface ${found}; this page needs ${INTERFACE}`);
    this.version = this.textAt(module._cairn_version());
  }

  // Memory may grow and move at every call.
  get memory(): DataView {
    return new DataView(this.module.HEAPU8.buffer);
  }

  textAt(at: number): string {
    const bytes = this.module.HEAPU8;
    return decoder.decode(bytes.slice(at, bytes.indexOf(0, at)));
  }

  check(code: number): void {
    if (code !== 0) throw new EngineError(code, this.textAt(this.module._cairn_error()));
  }

  // `use` has room that is freed behind it.
  withRoom<T>(size: number, use: (at: number) => T): T {
    const at = this.module._malloc(size);
    if (at === 0) throw new EngineError(6, "out of memory");
    try {
      this.module.HEAPU8.fill(0, at, at + size);
      return use(at);
    } finally {
      this.module._free(at);
    }
  }

  withBytes<T>(bytes: Uint8Array, use: (at: number) => T): T {
    return this.withRoom(bytes.length + 1, (at) => {
      this.module.HEAPU8.set(bytes, at);
      return use(at);
    });
  }

  withText<T>(text: string, use: (at: number) => T): T {
    return this.withBytes(encoder.encode(text), use);
  }

  // An array of C strings.
  withTexts<T>(texts: string[], use: (at: number, count: number) => T): T {
    const joined = texts.map((text) => encoder.encode(text + "\0"));
    const size = joined.reduce((sum, bytes) => sum + bytes.length, 0);
    return this.withRoom(4 * texts.length + size + 1, (at) => {
      let place = at + 4 * texts.length;
      joined.forEach((bytes, k) => {
        this.memory.setUint32(at + 4 * k, place, true);
        this.module.HEAPU8.set(bytes, place);
        place += bytes.length;
      });
      return use(at, texts.length);
    });
  }

  withScenario<T>(scenario: ScenarioText, use: (at: number) => T): T {
    const text = encoder.encode(scenario.text);
    return this.withBytes(text, (textAt) =>
      this.withText(scenario.name, (nameAt) =>
        this.withTexts(scenario.overrides ?? [], (overridesAt, count) =>
          this.withRoom(20, (at) => {
            [textAt, text.length, nameAt, overridesAt, count].forEach((word, k) =>
              this.memory.setUint32(at + 4 * k, word, true),
            );
            return use(at);
          }),
        ),
      ),
    );
  }

  // The bytes that a function gives into a cairn_buffer.
  bytes(call: (buffer: number) => number): Uint8Array {
    return this.withRoom(8, (buffer) => {
      this.check(call(buffer));
      const at = this.memory.getUint32(buffer, true);
      const size = this.memory.getUint32(buffer + 4, true);
      const copy = this.module.HEAPU8.slice(at, at + size);
      this.module._cairn_free(buffer);
      return copy;
    });
  }

  text(call: (buffer: number) => number): string {
    return decoder.decode(this.bytes(call));
  }

  json<T>(call: (buffer: number) => number): T {
    return JSON.parse(this.text(call)) as T;
  }

  validate<T>(scenario: ScenarioText): T {
    return this.withScenario(scenario, (at) => this.json<T>((to) => this.module._cairn_validate(at, to)));
  }

  keys<T>(scenario: ScenarioText): T {
    return this.withScenario(scenario, (at) => this.json<T>((to) => this.module._cairn_keys(at, to)));
  }

  schema<T>(): T {
    return this.json<T>((to) => this.module._cairn_schema(to));
  }

  schemes<T>(): T {
    return this.json<T>((to) => this.module._cairn_schemes(0, to));
  }

  // A data file, by the path by which scenarios name it.
  writeFile(path: string, data: Uint8Array): void {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    if (folder) this.module.FS.mkdirTree(folder);
    this.module.FS.writeFile(path, data);
  }
}

export class Simulation {
  private constructor(
    private readonly library: Library,
    private readonly handle: number,
  ) {}

  private static from(library: Library, make: (to: number) => number): Simulation {
    return library.withRoom(4, (to) => {
      library.check(make(to));
      return new Simulation(library, library.memory.getUint32(to, true));
    });
  }

  static start(library: Library, scenario: ScenarioText): Simulation {
    return library.withScenario(scenario, (at) =>
      Simulation.from(library, (to) => library.module._cairn_simulation_new(at, 1, to)),
    );
  }

  static resume(library: Library, checkpoint: Uint8Array): Simulation {
    return library.withBytes(checkpoint, (at) =>
      Simulation.from(library, (to) => library.module._cairn_simulation_resume(at, checkpoint.length, 0, 0, 1, to)),
    );
  }

  free(): void {
    this.library.module._cairn_simulation_free(this.handle);
  }

  // At most `steps` steps, to the first that ends at `until` [s] or later, or to the end.
  advance(steps: number, until: number = Infinity): void {
    this.library.check(this.library.module._cairn_advance(this.handle, BigInt(steps), until));
  }

  look(withHash: boolean): Status {
    return this.library.withRoom(64, (at) => {
      this.library.check(this.library.module._cairn_look(this.handle, withHash ? 1 : 0, at));
      const from = this.library.memory;
      const whole = (offset: number) => Number(from.getBigInt64(at + offset, true));
      return {
        time: from.getFloat64(at, true),
        end: from.getFloat64(at + 8, true),
        step: from.getFloat64(at + 16, true),
        steps: whole(24),
        stepsLeft: whole(32),
        grains: whole(40),
        over: from.getInt32(at + 48, true) !== 0,
        dimension: from.getInt32(at + 52, true),
        hash: withHash ? from.getBigUint64(at + 56, true).toString(16).padStart(16, "0") : "",
      };
    });
  }

  change(overrides: string[]): void {
    this.library.withTexts(overrides, (at, count) =>
      this.library.check(this.library.module._cairn_change(this.handle, at, count)),
    );
  }

  checkpoint(): Uint8Array {
    return this.library.bytes((to) => this.library.module._cairn_checkpoint(this.handle, to));
  }

  scenario(): Required<ScenarioText> {
    return this.library.json((to) => this.library.module._cairn_scenario_of(this.handle, to));
  }

  summary<T>(seconds: number): T {
    return this.library.json<T>((to) => this.library.module._cairn_summary(this.handle, seconds, to));
  }

  messages(): Record<string, string> {
    return this.library.json((to) => this.library.module._cairn_messages(this.handle, to));
  }

  scene<T>(): T {
    return this.library.json<T>((to) => this.library.module._cairn_scene(this.handle, to));
  }

  table(name: string): string {
    return this.library.withText(name, (at) =>
      this.library.text((to) => this.library.module._cairn_table(this.handle, at, to)),
    );
  }

  view(array: number): View {
    return this.library.withRoom(40, (at) => {
      this.library.check(this.library.module._cairn_view_of(this.handle, array, at));
      const from = this.library.memory;
      const fieldsAt = from.getUint32(at + 20, true);
      const count = Number(from.getBigInt64(at + 24, true));
      const fields = Array.from({ length: count }, (_, k): Field => {
        const field = fieldsAt + 20 * k;
        return {
          name: this.library.textAt(from.getUint32(field, true)),
          unit: this.library.textAt(from.getUint32(field + 4, true)),
          type: from.getInt32(field + 8, true),
          components: from.getInt32(field + 12, true),
          offset: from.getUint32(field + 16, true),
        };
      });
      return {
        data: from.getUint32(at, true),
        rows: Number(from.getBigInt64(at + 8, true)),
        stride: from.getUint32(at + 16, true),
        fields,
      };
    });
  }

  // The columns of the series now.
  sample(count: number): Float64Array {
    return this.library.withRoom(8 * count, (at) => {
      this.library.check(this.library.module._cairn_sample(this.handle, at, BigInt(count)));
      return new Float64Array(this.library.module.HEAPU8.buffer.slice(at, at + 8 * count));
    });
  }
}
