// The picture of one world: camera, light and what stands in it. In one and two dimensions one looks along y at the
// plane of x and the height z.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { colourOf } from "../dom";
import type { Picture, Scene } from "../engine/protocol";
import { scaleFor, type Colouring, type Scale } from "./colours";
import { Forces } from "./forces";
import { Grains } from "./grains";
import { Walls } from "./walls";

THREE.ColorManagement.enabled = false; // colours are given as the screen shows them

const FEW = 1000; // grains
const HALF_ANGLE = (16 * Math.PI) / 180; // of the view in perspective

// [m] Corners of the box that is seen.
export type View = Pick<Scene, "low" | "high">;

// What holds both.
export function viewOf(a: View, b: View): View {
  const each = (pick: (x: number, y: number) => number, p: Scene["low"], q: Scene["low"]) =>
    p.map((x, k) => pick(x, q[k])) as Scene["low"];
  return { low: each(Math.min, a.low, b.low), high: each(Math.max, a.high, b.high) };
}

export interface Options {
  colouring: Colouring;
  walls: boolean;
  forces: boolean;
}

function rendererOf(gl: WebGLRenderingContext | WebGL2RenderingContext): string {
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  return String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

type Camera = THREE.PerspectiveCamera | THREE.OrthographicCamera;

export class Stage {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly world = new THREE.Scene();
  private readonly grains = new Grains();
  private readonly walls = new Walls();
  private readonly forces = new Forces();
  private camera: Camera = new THREE.PerspectiveCamera();
  private controls: OrbitControls;
  private scene: Scene | null = null;
  private picture: Picture | null = null;
  private view: View | null = null;
  private few = true;
  private readonly software: boolean; // no graphics card: pixels are dear
  private fitted = 0; // the dimension that the camera is made for; 0: none
  private byHand = false; // the camera was moved; until then it follows the view
  scale: Scale | null = null;
  moved: () => void = () => {}; // the camera, by hand

  constructor(
    root: HTMLElement,
    private readonly options: Options,
  ) {
    this.renderer = new THREE.WebGLRenderer();
    this.canvas = this.renderer.domElement;
    this.software = /SwiftShader|llvmpipe|software/i.test(rendererOf(this.renderer.getContext()));
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.world.add(this.walls.group, this.grains.mesh, this.forces.mesh);
    root.prepend(this.canvas);
    this.controls = this.controlsOf(this.camera);
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.resize()).observe(root);
  }

  private controlsOf(camera: Camera): OrbitControls {
    const controls = new OrbitControls(camera, this.canvas);
    controls.enableDamping = false;
    controls.zoomToCursor = true;
    controls.addEventListener("start", () => (this.byHand = true));
    controls.addEventListener("change", () => {
      this.render();
      this.moved();
    });
    return controls;
  }

  // Of a new simulation.
  forget(): void {
    this.fitted = 0;
    this.byHand = false;
    this.scale = null;
  }

  // `view` is what both worlds need, where there are two.
  show(picture: Picture, view: View | null): void {
    this.picture = picture;
    if (picture.scene) {
      this.scene = picture.scene;
      this.walls.show(picture.scene);
    }
    if (!this.scene) return;
    const wanted = view ?? this.scene;
    if (String([this.view?.low, this.view?.high]) !== String([wanted.low, wanted.high])) {
      this.view = { low: wanted.low, high: wanted.high };
      if (!this.byHand) this.fitted = 0;
    }
    if (this.fitted !== picture.status.dimension) this.fit();
    this.scale = scaleFor(this.options.colouring, picture, this.scene, this.scale);
    this.grains.show(picture, this.scale);
    this.walls.group.visible = this.options.walls;
    const few = picture.status.grains <= FEW;
    if (few !== this.few) {
      this.few = few;
      this.resize();
    }
    if (this.options.forces) this.forces.show(picture, this.canvas.clientWidth, this.canvas.clientHeight);
    else this.forces.mesh.visible = false;
    this.canvas.setAttribute(
      "aria-label",
      `${picture.status.grains} grains and their walls at ${picture.status.time.toPrecision(6)} s`,
    );
    this.render();
  }

  // With other options, or in other colours.
  refresh(): void {
    if (this.scene) this.walls.show(this.scene);
    if (this.picture) this.show(this.picture, this.view);
  }

  // The whole view of the program's pictures.
  fit(): void {
    if (!this.view || !this.picture) return;
    const dimension = this.picture.status.dimension;
    const low = new THREE.Vector3(...this.view.low);
    const high = new THREE.Vector3(...this.view.high);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const size = high.clone().sub(low);
    const flat = dimension < 3;
    this.fitted = dimension;
    this.byHand = false;
    this.controls.dispose();
    const far = size.length() || 1;
    if (flat) {
      this.camera = new THREE.OrthographicCamera();
      this.camera.position.copy(middle).add(new THREE.Vector3(0, -10 * far, 0));
    } else {
      this.camera = new THREE.PerspectiveCamera();
      const side = new THREE.Vector3(0.5, -1, 0.42).normalize();
      this.camera.position.copy(middle).addScaledVector(side, (0.52 * far) / Math.sin(HALF_ANGLE));
    }
    this.camera.up.set(0, 0, 1);
    this.camera.userData.width = 1.12 * size.x;
    this.camera.userData.height = 1.12 * size.z;
    this.camera.near = flat ? 0 : 0.01 * far;
    this.camera.far = flat ? 20 * far : 40 * far;
    this.camera.lookAt(middle);
    this.grains.flat = flat;
    this.controls = this.controlsOf(this.camera);
    this.controls.target.copy(middle);
    this.controls.update();
    this.controls.enableRotate = !flat;
    this.controls.screenSpacePanning = true;
    if (flat) this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
    if (flat) this.controls.touches.ONE = THREE.TOUCH.PAN;
    this.resize();
  }

  // Sees what the other sees.
  follow(other: Stage): void {
    if (this.camera.type !== other.camera.type) return;
    this.camera.position.copy(other.camera.position);
    this.camera.quaternion.copy(other.camera.quaternion);
    this.camera.zoom = other.camera.zoom;
    this.controls.target.copy(other.controls.target);
    this.byHand = other.byHand;
    this.resize();
  }

  resize(): void {
    const root = this.canvas.parentElement;
    if (!root || root.clientWidth === 0) return;
    const [width, height] = [root.clientWidth, root.clientHeight];
    // Twice as fine smooths the outlines; the shader makes them, so the smoothing of WebGL would not.
    this.renderer.setPixelRatio(this.few && !this.software ? 2 : Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height);
    if (this.camera instanceof THREE.OrthographicCamera) {
      const tall = Math.max(this.camera.userData.height, (this.camera.userData.width * height) / width) / 2 || 1;
      const wide = (tall * width) / height;
      Object.assign(this.camera, { left: -wide, right: wide, bottom: -tall, top: tall });
    } else {
      this.camera.aspect = width / height;
      // In a narrow picture the width, not the height, holds the view.
      const half = Math.atan(Math.tan(HALF_ANGLE) * Math.max(1, height / width));
      this.camera.fov = (2 * half * 180) / Math.PI;
    }
    this.camera.updateProjectionMatrix();
    this.render();
  }

  render(): void {
    this.renderer.setClearColor(new THREE.Color(colourOf("--stage")));
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.render(this.world, this.camera);
  }

  // What is drawn stays until the browser has shown it, so it is drawn anew for a copy.
  copy(): HTMLCanvasElement {
    const copy = document.createElement("canvas");
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    this.render();
    copy.getContext("2d")?.drawImage(this.canvas, 0, 0);
    return copy;
  }

  png(): Promise<Blob> {
    this.render();
    return new Promise((resolve, reject) =>
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
  }

  // Arrows turn the view, or move it in a plane; + and - zoom, 0 shows the whole.
  private onKey(event: KeyboardEvent): void {
    const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const zoom = { "+": 1.2, "=": 1.2, "-": 1 / 1.2 }[event.key];
    const target = this.controls.target;
    const offset = this.camera.position.clone().sub(target);
    if (turn && this.controls.enableRotate) {
      const place = new THREE.Spherical().setFromVector3(new THREE.Vector3(offset.x, offset.z, -offset.y));
      place.theta += 0.12 * turn[0];
      place.phi = Math.min(Math.PI - 0.05, Math.max(0.05, place.phi - 0.12 * turn[1]));
      const turned = new THREE.Vector3().setFromSpherical(place);
      this.camera.position.copy(target).add(new THREE.Vector3(turned.x, -turned.z, turned.y));
    } else if (turn) {
      const step = (0.05 * this.camera.userData.height) / this.camera.zoom;
      const move = new THREE.Vector3(step * turn[0], 0, step * turn[1]);
      this.camera.position.add(move);
      target.add(move);
    } else if (zoom && this.camera instanceof THREE.OrthographicCamera) {
      this.camera.zoom *= zoom;
      this.camera.updateProjectionMatrix();
    } else if (zoom) {
      this.camera.position.copy(target).addScaledVector(offset, 1 / zoom);
    } else if (event.key === "0") {
      this.fit();
    } else {
      return;
    }
    event.preventDefault();
    this.byHand = event.key !== "0";
    this.controls.update();
    this.render();
    this.moved();
  }
}
