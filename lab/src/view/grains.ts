// Grains as impostors: a square for each, on which the fragment shader finds the sphere, its light and its depth. On
// a software renderer this is several times as fast as meshes of spheres.
import * as THREE from "three";
import type { Picture } from "../engine/protocol";
import { paint, type Scale } from "./colours";
import { rowAt, Rows, square, Squares } from "./rows";

const vertexShader = `
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform highp sampler2D places;  // centre [m] and radius [m]
uniform highp sampler2D tints;
uniform bool flatView;
out vec3 place;
flat out vec3 middle;
flat out float size;
flat out vec3 colour;
${rowAt}${square}
void main() {
  vec4 grain = rowAt(places, row());
  vec2 position = corner();
  middle = (modelViewMatrix * vec4(grain.xyz, 1.0)).xyz;
  float radius = size = grain.w;
  colour = rowAt(tints, row()).rgb;
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
  private readonly squares = new Squares();
  private readonly material: THREE.RawShaderMaterial;
  private readonly places = new Rows((length) => new Float32Array(length));
  private readonly tints = new Rows((length) => new Uint8Array(length));

  constructor() {
    this.material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader,
      fragmentShader,
      uniforms: {
        flatView: { value: false },
        darkGround: { value: false },
        places: { value: this.places.texture },
        tints: { value: this.tints.texture },
      },
    });
    this.mesh = new THREE.Mesh(this.squares.geometry, this.material);
    this.mesh.frustumCulled = false;
  }

  // Seen by parallel rays.
  set flat(flat: boolean) {
    this.material.uniforms.flatView.value = flat;
  }

  show(picture: Picture, scale: Scale): void {
    const count = picture.radii.length;
    const places = this.places.data(count);
    for (let k = 0; k < count; ++k) {
      places.set(picture.positions.subarray(3 * k, 3 * k + 3), 4 * k);
      places[4 * k + 3] = picture.radii[k];
    }
    paint(scale, picture, this.tints.data(count));
    const { uniforms } = this.material;
    uniforms.places.value = this.places.texture;
    uniforms.tints.value = this.tints.texture;
    uniforms.darkGround.value = matchMedia("(prefers-color-scheme: dark)").matches;
    this.squares.show(count);
    this.mesh.visible = count > 0;
  }
}
