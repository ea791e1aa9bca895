// Grains as impostors: a square for each, on which the fragment shader finds the sphere, its light and its depth. On
// a software renderer this is several times as fast as meshes of spheres.
import * as THREE from "three";
import type { Picture } from "../engine/protocol";
import { paint, type Scale } from "./colours";

const vertexShader = `
in vec3 centre;
in float radius;
in vec3 tint;
uniform bool flatView;
out vec3 place;
flat out vec3 middle;
flat out float size;
flat out vec3 colour;
void main() {
  middle = (modelViewMatrix * vec4(centre, 1.0)).xyz;
  size = radius;
  colour = tint;
  vec3 right = vec3(1.0, 0.0, 0.0), up = vec3(0.0, 1.0, 0.0);
  float reach = radius;
  if (!flatView) {  // a square across the line of sight that holds the outline
    float far = length(middle);
    vec3 sight = middle / far;
    right = normalize(cross(sight, vec3(0.0, 1.0, 0.0)));
    up = cross(right, sight);
    reach = radius * far / sqrt(max(far * far - radius * radius, 1e-6 * radius * radius));
  }
  place = middle + reach * (position.x * right + position.y * up);
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`;

const fragmentShader = `
precision highp float;
in vec3 place;
flat in vec3 middle;
flat in float size;
flat in vec3 colour;
uniform mat4 projectionMatrix;
uniform bool flatView;
uniform bool darkGround;
out vec4 painted;
void main() {
  vec3 from = flatView ? vec3(place.xy, 0.0) : vec3(0.0);
  vec3 sight = flatView ? vec3(0.0, 0.0, -1.0) : normalize(place);
  vec3 across = from - middle;
  float along = dot(across, sight);
  float inside = along * along - dot(across, across) + size * size;
  if (inside < 0.0) discard;
  vec3 at = from + (-along - sqrt(inside)) * sight;
  vec3 normal = (at - middle) / size;
  float light = 0.45 + 0.55 * max(0.0, dot(normal, normalize(vec3(-0.4, 0.7, 0.6))));
  float edge = smoothstep(0.0, 0.35, dot(normal, -sight));
  // The outline stands out from a light ground by being darker, from a dark one by being lighter.
  vec3 lit = colour * light;
  painted = vec4(darkGround ? mix(lit + 0.3, lit + 0.04, edge) : lit * (0.55 + 0.45 * edge), 1.0);
  vec4 clip = projectionMatrix * vec4(at, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
}`;

export class Grains {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.InstancedBufferGeometry();
  private readonly material: THREE.RawShaderMaterial;
  private room = 0; // grains

  constructor() {
    const corners = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
    this.geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: `uniform mat4 modelViewMatrix;\nuniform mat4 projectionMatrix;\nin vec3 position;\n${vertexShader}`,
      fragmentShader,
      uniforms: { flatView: { value: false }, darkGround: { value: false } },
    });
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
  }

  // Seen by parallel rays.
  set flat(flat: boolean) {
    this.material.uniforms.flatView.value = flat;
  }

  private makeRoom(count: number): void {
    if (count <= this.room) return;
    this.room = Math.max(256, 2 * count);
    this.geometry.dispose();
    const add = (name: string, array: Float32Array | Uint8Array, size: number) => {
      const attribute = new THREE.InstancedBufferAttribute(array, size, array instanceof Uint8Array);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
    };
    add("centre", new Float32Array(3 * this.room), 3);
    add("radius", new Float32Array(this.room), 1);
    add("tint", new Uint8Array(3 * this.room), 3);
  }

  show(picture: Picture, scale: Scale): void {
    this.material.uniforms.darkGround.value = matchMedia("(prefers-color-scheme: dark)").matches;
    const count = picture.radii.length;
    this.makeRoom(count);
    const array = (name: string) => {
      const attribute = this.geometry.getAttribute(name) as THREE.InstancedBufferAttribute;
      attribute.needsUpdate = true;
      return attribute.array;
    };
    array("centre").set(picture.positions);
    array("radius").set(picture.radii);
    paint(scale, picture, array("tint") as Uint8Array);
    this.geometry.instanceCount = count;
    this.mesh.visible = count > 0;
  }
}
