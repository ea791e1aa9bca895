// The meaning of the colours of grains: the program's scale and its colours of materials.
import type { Picture, Scene } from "../engine/protocol";

export const COLOURINGS = ["speed", "size", "material", "coordination", "id"] as const;
export type Colouring = (typeof COLOURINGS)[number];

export interface Scale {
  by: Colouring;
  low: number;
  high: number;
  unit: string;
  colours: Scene["colour"]["scale"];
  kinds: Scene["colour"]["kinds"]; // of materials
}

const UNITS: Record<Colouring, string> = { speed: "m/s", size: "m", material: "", coordination: "", id: "" };
const MOST_CONTACTS = [2, 4, 8]; // of grains of one size in a loose packing, by dimension; as in the program's pictures

function valuesOf(by: Colouring, picture: Picture): Float32Array {
  switch (by) {
    case "speed":
      return picture.speeds;
    case "size":
      return picture.radii;
    case "material":
      return picture.materials;
    case "coordination":
      return picture.coordination;
    case "id":
      return picture.ids;
  }
}

function largest(values: Float32Array): number {
  return values.reduce((most, value) => (value > most ? value : most), 0);
}

// `earlier` keeps its range, which only widens, so that colours keep their meaning.
export function scaleFor(by: Colouring, picture: Picture, scene: Scene, earlier: Scale | null): Scale {
  const colour = scene.colour;
  const scale: Scale = { by, low: 0, high: 1, unit: UNITS[by], colours: colour.scale, kinds: colour.kinds };
  const before = earlier?.by === by ? earlier : null;
  if (by === "coordination") scale.high = MOST_CONTACTS[picture.status.dimension - 1];
  else if (by === colour.by) [scale.low, scale.high] = [colour.low, colour.high];
  else if (by === "size") {
    const smallest = picture.radii.reduce((least, r) => Math.min(least, r), before?.low ?? Infinity);
    scale.high = Math.max(before?.high ?? 0, largest(picture.radii));
    scale.low = smallest < scale.high * (1 - 1e-6) ? smallest : 0;
  } else scale.high = Math.max(before?.high ?? 0, largest(valuesOf(by, picture)) || 1);
  return scale;
}

// Red, green, blue and nothing of each grain, as bytes.
export function paint(scale: Scale, picture: Picture, into: Uint8Array): void {
  const values = valuesOf(scale.by, picture);
  const last = scale.colours.length - 1;
  for (let k = 0; k < values.length; ++k) {
    const part = (values[k] - scale.low) / (scale.high - scale.low);
    const colour =
      scale.by === "material"
        ? scale.kinds[values[k] % scale.kinds.length]
        : scale.colours[Math.round(Math.min(1, Math.max(0, part || 0)) * last)];
    into.set(colour, 4 * k);
  }
}
