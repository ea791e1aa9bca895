// What is drawn of a simulation, copied out of the memory of the engine.
import { ARRAYS, type Library, type Simulation, type View } from "./library";
import type { Column, Difference, Picture, Scene } from "./protocol";

// The numbers of a field of an array, row by row.
function numbers(library: Library, view: View, name: string): Float32Array {
  const field = view.fields.find((one) => one.name === name);
  if (!field) throw new Error(`no field ${name}`);
  const { components, type } = field;
  const from = library.memory;
  const result = new Float32Array(view.rows * components);
  for (let row = 0; row < view.rows; ++row)
    for (let k = 0; k < components; ++k) {
      const at = view.data + row * view.stride + field.offset + k * (type === 2 ? 4 : 8);
      result[row * components + k] =
        type === 0
          ? from.getFloat64(at, true)
          : type === 1
            ? Number(from.getBigInt64(at, true))
            : from.getInt32(at, true);
    }
  return result;
}

function lengths(vectors: Float32Array): Float32Array {
  const result = new Float32Array(vectors.length / 3);
  for (let k = 0; k < result.length; ++k)
    result[k] = Math.hypot(vectors[3 * k], vectors[3 * k + 1], vectors[3 * k + 2]);
  return result;
}

export class PictureMaker {
  private scene = "";
  private columns: Column[] = [];

  constructor(
    private readonly library: Library,
    readonly simulation: Simulation,
  ) {}

  picture(): Picture {
    const { library, simulation } = this;
    const read = (array: number, name: string) => numbers(library, simulation.view(array), name);
    const ids = read(ARRAYS.ids, "id");
    const contacts = simulation.view(ARRAYS.contacts);
    const columns = simulation.view(ARRAYS.series).fields.map(({ name, unit }) => ({ name, unit }));
    const newColumns = JSON.stringify(columns) !== JSON.stringify(this.columns);
    this.columns = columns;
    const scene = simulation.scene<Scene>();
    const sceneText = JSON.stringify(scene);
    const newScene = sceneText !== this.scene;
    this.scene = sceneText;
    return {
      status: simulation.look(true),
      positions: read(ARRAYS.positions, "position"),
      radii: read(ARRAYS.radii, "radius"),
      speeds: lengths(read(ARRAYS.velocities, "velocity")),
      ids,
      materials: read(ARRAYS.materials, "material"),
      coordination: this.coordination(contacts, ids),
      forces: this.forces(contacts),
      sample: simulation.sample(columns.length),
      columns: newColumns ? columns : undefined,
      scene: newScene ? scene : undefined,
      messages: simulation.messages(),
    };
  }

  private coordination(contacts: View, ids: Float32Array): Float32Array {
    const counted = new Map<number, number>();
    for (const name of ["first", "second"])
      for (const id of numbers(this.library, contacts, name)) counted.set(id, (counted.get(id) ?? 0) + 1);
    return ids.map((id) => counted.get(id) ?? 0);
  }

  private forces(contacts: View): Float32Array {
    const [from, to, force] = ["start", "end", "normal_force"].map((name) => numbers(this.library, contacts, name));
    const sizes = lengths(force);
    const rows = new Float32Array(7 * sizes.length);
    for (let k = 0; k < sizes.length; ++k) {
      rows.set(from.subarray(3 * k, 3 * k + 3), 7 * k);
      rows.set(to.subarray(3 * k, 3 * k + 3), 7 * k + 3);
      rows[7 * k + 6] = sizes[k];
    }
    return rows;
  }
}

// In double precision, for the two may differ by little.
export function difference(library: Library, first: Simulation, second: Simulation): Difference | null {
  const [a, b] = [first.look(false), second.look(false)];
  if (Math.abs(a.time - b.time) > 1e-9 * Math.max(a.time, b.time)) return null;
  const places = (of: Simulation) => {
    const [ids, positions] = [of.view(ARRAYS.ids), of.view(ARRAYS.positions)];
    const from = library.memory;
    const all = new Map<number, number[]>();
    for (let k = 0; k < ids.rows; ++k) {
      const at = positions.data + k * positions.stride;
      const place = [0, 8, 16].map((offset) => from.getFloat64(at + offset, true));
      all.set(Number(from.getBigInt64(ids.data + k * ids.stride, true)), place);
    }
    return all;
  };
  const others = places(second);
  let [largest, sum, count] = [0, 0, 0];
  for (const [id, place] of places(first)) {
    const other = others.get(id);
    if (!other) continue;
    const square = place.reduce((total, x, k) => total + (x - other[k]) ** 2, 0);
    largest = Math.max(largest, square);
    sum += square;
    ++count;
  }
  return count > 0 ? { largest: Math.sqrt(largest), mean: Math.sqrt(sum / count) } : null;
}
