// Many spheres as one object: a pile of thousands is drawn in one go.
import {
    CircleGeometry, Color, InstancedMesh, Matrix4, MeshBasicMaterial, MeshStandardMaterial, Quaternion, SphereGeometry,
    SRGBColorSpace, Vector3,
} from "three";
import { colourAt } from "./colours";
import type { Body, Scene } from "./data";
import { palette } from "./dom";
import { valueAt } from "./fields";
import type { Look } from "./machine";
import type { Pose } from "./pose";

export class Pile {
    readonly mesh: InstancedMesh;
    private readonly sets: string[]; // names without their numbers share a colour

    constructor(private readonly scene: Scene, private readonly bodies: Body[], opacity: number, private readonly tint?: string) {
        const look = { transparent: opacity < 1, opacity, depthWrite: opacity === 1 };
        const fine = bodies.length < 1500;
        this.mesh = new InstancedMesh(
            scene.planar ? new CircleGeometry(1, fine ? 40 : 20) : new SphereGeometry(1, fine ? 24 : 14, fine ? 16 : 10),
            scene.planar ? new MeshBasicMaterial(look) : new MeshStandardMaterial({ ...look, roughness: 0.65, metalness: 0.05 }), bodies.length);
        this.mesh.frustumCulled = false;
        this.sets = [...new Set(bodies.map((b) => setOf(b)))];
    }

    update(pose: Pose, frame: number, { field, range: [low, high] }: Look): void {
        const m = new Matrix4(), p = new Vector3(), q = new Quaternion(), s = new Vector3(), c = new Color(), rgb = [0, 0, 0];
        const plain = field.field === "none" || field.cells;
        this.bodies.forEach((b, i) => {
            pose.rotation(b.node, q);
            p.fromArray(b.centre).applyQuaternion(q).add(pose.at(b.node));
            this.mesh.setMatrixAt(i, m.compose(p, q, s.setScalar(b.radius)));
            if (plain && b.colour && !this.tint) c.set(b.colour);
            else if (plain) c.set(this.tint ?? palette[this.sets.indexOf(setOf(b)) % palette.length]).offsetHSL(0, 0, 0.1 * ((i * 0.618) % 1) - 0.02);
            else {
                colourAt(high > low ? (valueAt(this.scene, field, frame, b.node) - low) / (high - low) : 0, rgb);
                c.setRGB(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255, SRGBColorSpace);
            }
            this.mesh.setColorAt(i, c);
        });
        this.mesh.instanceMatrix.needsUpdate = true;
        if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    }
}

function setOf(b: Body): string { return b.name.replace(/\[\d+\]$/, ""); }
