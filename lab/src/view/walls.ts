// Walls as translucent faces with their edges, periodic cells and removal regions as lines.
import * as THREE from "three";
import { colourOf } from "../dom";
import type { Scene } from "../engine/protocol";

const STRENGTH = { plain: 0.9, faint: 0.35, dashed: 0.6 };

export class Walls {
  readonly group = new THREE.Group();

  show(scene: Scene): void {
    this.clear();
    const faces = scene.faces.filter((face) => !face.section);
    const sections = scene.faces.filter((face) => face.section);
    const colour = new THREE.Color(colourOf("--wall"));
    // A face is seen from its grains' side: one looks into a box through its near sides.
    const surface = { color: colour, transparent: true, depthWrite: false, side: THREE.FrontSide };
    this.group.add(new THREE.Mesh(triangles(faces), new THREE.MeshBasicMaterial({ ...surface, opacity: 0.16 })));
    this.group.add(
      new THREE.Mesh(
        triangles(sections),
        new THREE.MeshBasicMaterial({ ...surface, opacity: 0.4, side: THREE.DoubleSide }),
      ),
    );
    for (const stroke of ["plain", "faint", "dashed"] as const) {
      const points = scene.lines.filter((line) => line.stroke === stroke).flatMap((line) => [...line.from, ...line.to]);
      if (points.length === 0) continue;
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
      const size = new THREE.Vector3(...scene.high).distanceTo(new THREE.Vector3(...scene.low));
      const look = { color: colour, transparent: true, opacity: STRENGTH[stroke] };
      const material =
        stroke === "dashed"
          ? new THREE.LineDashedMaterial({ ...look, dashSize: 0.012 * size, gapSize: 0.008 * size })
          : new THREE.LineBasicMaterial(look);
      const lines = new THREE.LineSegments(geometry, material);
      if (stroke === "dashed") lines.computeLineDistances();
      this.group.add(lines);
    }
  }

  private clear(): void {
    this.group.traverse((one) => {
      if (!(one instanceof THREE.Mesh || one instanceof THREE.LineSegments)) return;
      one.geometry.dispose();
      one.material.dispose();
    });
    this.group.clear();
  }
}

// Convex faces as fans.
function triangles(faces: Scene["faces"]): THREE.BufferGeometry {
  const points: number[] = [];
  for (const { corners } of faces)
    for (let k = 1; k + 1 < corners.length; ++k) points.push(...corners[0], ...corners[k], ...corners[k + 1]);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return geometry;
}
