// Rows of numbers for shaders, in textures that they read by the number of the row. Rejected: instances, which a software
// renderer draws one by one, so that a picture of 10,000 grains took half as long again.
import * as THREE from "three";

const WIDTH = 1024; // rows in a line of the texture

// Put before shaders: rowAt(rows, k).
export const rowAt = `
vec4 rowAt(highp sampler2D rows, int k) { return texelFetch(rows, ivec2(k % ${WIDTH}, k / ${WIDTH}), 0); }
`;

export class Rows<T extends Float32Array | Uint8Array> {
  texture: THREE.DataTexture;

  constructor(private readonly make: (length: number) => T) {
    this.texture = this.textureOf(1);
  }

  private textureOf(lines: number): THREE.DataTexture {
    const data = this.make(4 * WIDTH * lines);
    const type = data instanceof Float32Array ? THREE.FloatType : THREE.UnsignedByteType;
    return new THREE.DataTexture(data as THREE.TypedArray as never, WIDTH, lines, THREE.RGBAFormat, type);
  }

  // Four numbers a row, to be written.
  data(rows: number): T {
    const lines = Math.max(1, Math.ceil(rows / WIDTH));
    if (lines > this.texture.image.height) {
      this.texture.dispose();
      this.texture = this.textureOf(Math.ceil(1.5 * lines));
    }
    this.texture.needsUpdate = true;
    return this.texture.image.data as unknown as T;
  }
}

// A square for each row, of four corners from whose numbers a shader makes the row and the corner.
export class Squares {
  readonly geometry = new THREE.BufferGeometry();
  private room = 0;

  show(count: number): void {
    if (count > this.room) {
      this.room = Math.ceil(1.5 * count);
      this.geometry.dispose();
      const index = new Uint32Array(6 * this.room);
      for (let k = 0; k < this.room; ++k) index.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3], 6 * k);
      this.geometry.setIndex(new THREE.BufferAttribute(index, 1));
    }
    this.geometry.setDrawRange(0, 6 * count);
  }
}

// Put before shaders: the row of a vertex and its corner.
export const square = `
const vec2 corners[4] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, 1));
int row() { return gl_VertexID >> 2; }
vec2 corner() { return corners[gl_VertexID & 3]; }
`;
