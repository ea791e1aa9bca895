// Forces of contacts as lines from one grain's centre towards the other, as wide as the normal force is large.
import * as THREE from "three";
import { colourOf } from "../dom";
import type { Picture } from "../engine/protocol";

const WIDEST = 9; // [pixels] the largest force of the picture

const vertexShader = `
in vec3 position;
in vec3 from;
in vec3 to;
in float size;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform vec2 pixels;
void main() {
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
  private readonly geometry = new THREE.InstancedBufferGeometry();
  private readonly material: THREE.RawShaderMaterial;

  constructor() {
    this.material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader,
      fragmentShader: `precision highp float;\nuniform vec3 colour;\nout vec4 painted;\nvoid main() { painted = vec4(colour, 0.85); }`,
      uniforms: { pixels: { value: new THREE.Vector2(1, 1) }, colour: { value: new THREE.Color() } },
      transparent: true,
      depthTest: false,
      side: THREE.DoubleSide,
    });
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  show(picture: Picture, width: number, height: number): void {
    const rows = picture.forces.length / 7;
    this.material.uniforms.pixels.value.set(width, height);
    this.material.uniforms.colour.value.set(colourOf("--force"));
    this.geometry.dispose(); // the number of contacts changes at every picture
    const corners = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
    this.geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const column = (first: number, size: number, map = (value: number) => value) => {
      const values = new Float32Array(size * rows);
      for (let row = 0; row < rows; ++row)
        for (let k = 0; k < size; ++k) values[row * size + k] = map(picture.forces[7 * row + first + k]);
      return new THREE.InstancedBufferAttribute(values, size);
    };
    let most = 0;
    for (let row = 0; row < rows; ++row) most = Math.max(most, picture.forces[7 * row + 6]);
    this.geometry.setAttribute("from", column(0, 3));
    this.geometry.setAttribute("to", column(3, 3));
    this.geometry.setAttribute("size", column(6, 1, (force) => (most > 0 ? (WIDEST * force) / most : 0)));
    this.geometry.instanceCount = rows;
    this.mesh.visible = rows > 0;
  }
}
