// Forces of contacts as lines from one grain's centre towards the other, as wide as the normal force is large.
import * as THREE from "three";
import { colourOf } from "../dom";
import type { Picture } from "../engine/protocol";
import { rowAt, Rows, square, Squares } from "./rows";

const WIDEST = 9; // [pixels] the largest force of the picture

const vertexShader = `
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform highp sampler2D ends;  // two rows for each contact: start and width [pixels], end
uniform vec2 pixels;
${rowAt}${square}
void main() {
  vec4 start = rowAt(ends, 2 * row());
  vec3 from = start.xyz, to = rowAt(ends, 2 * row() + 1).xyz;
  float size = start.w;
  vec2 position = corner();
  vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * pixels;
  vec2 across = length(along) > 0.0 ? normalize(vec2(-along.y, along.x)) : vec2(1.0, 0.0);
  vec4 end = position.x < 0.0 ? a : b;
  end.xy += position.y * size * across / pixels * end.w;
  gl_Position = end;
}`;

export class Forces {
  readonly mesh: THREE.Mesh;
  private readonly squares = new Squares();
  private readonly material: THREE.RawShaderMaterial;
  private readonly ends = new Rows((length) => new Float32Array(length));

  constructor() {
    this.material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader,
      fragmentShader: `precision highp float;\nuniform vec3 colour;\nout vec4 painted;\nvoid main() { painted = vec4(colour, 0.85); }`,
      uniforms: {
        pixels: { value: new THREE.Vector2(1, 1) },
        colour: { value: new THREE.Color() },
        ends: { value: this.ends.texture },
      },
      transparent: true,
      depthTest: false,
      side: THREE.DoubleSide,
    });
    this.mesh = new THREE.Mesh(this.squares.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  // In a picture of so many pixels.
  show(picture: Picture, width: number, height: number): void {
    const { forces } = picture;
    const count = forces.length / 7;
    const { uniforms } = this.material;
    uniforms.pixels.value.set(width, height);
    uniforms.colour.value.set(colourOf("--force"));
    let most = 0;
    for (let k = 0; k < count; ++k) most = Math.max(most, forces[7 * k + 6]);
    const ends = this.ends.data(2 * count);
    for (let k = 0; k < count; ++k) {
      ends.set(forces.subarray(7 * k, 7 * k + 3), 8 * k);
      ends[8 * k + 3] = most > 0 ? (WIDEST * forces[7 * k + 6]) / most : 0;
      ends.set(forces.subarray(7 * k + 3, 7 * k + 6), 8 * k + 4);
    }
    uniforms.ends.value = this.ends.texture;
    this.squares.show(count);
    this.mesh.visible = count > 0;
  }
}
