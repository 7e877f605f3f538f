// Contacts of a frame: a dot by state and an arrow for the impulse since the frame before.
import {
    Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry,
    Vector3,
} from "three";
import type { Scene } from "./data";
import { theme } from "./dom";

export const stateNames = ["open", "closed", "sticking", "slipping"];
const values = 10; // gap, position, normal, impulse

export function firstContact(scene: Scene, frame: number): number {
    return frame > 0 ? scene.contactEnd[frame - 1] : 0;
}

/// Greatest impulse of all frames; arrows are drawn in proportion to it.
export function largestImpulse(scene: Scene): number {
    let largest = 0;
    for (let i = 7; i < scene.contact.length; i += values)
        largest = Math.max(largest, Math.hypot(scene.contact[i], scene.contact[i + 1], scene.contact[i + 2]));
    return largest;
}

export class Contacts {
    readonly group = new Group();
    private readonly dots: InstancedMesh;
    private readonly shafts: InstancedMesh;
    private readonly heads: InstancedMesh;

    constructor(private readonly scene: Scene, private readonly size: number, private readonly largest: number) {
        let most = 1;
        for (let f = 0; f < scene.frames; f++) most = Math.max(most, scene.contactEnd[f] - firstContact(scene, f));
        this.dots = new InstancedMesh(new SphereGeometry(0.009 * size, 14, 10), new MeshBasicMaterial(), most);
        this.shafts = new InstancedMesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), new MeshBasicMaterial(), most);
        this.heads = new InstancedMesh(new ConeGeometry(1, 1, 14).translate(0, 0.5, 0), new MeshBasicMaterial(), most);
        for (const mesh of [this.dots, this.shafts, this.heads]) {
            mesh.frustumCulled = false;
            mesh.renderOrder = 2;
            for (let i = 0; i < most; i++) mesh.setColorAt(i, new Color());
            this.group.add(mesh);
        }
    }

    set arrows(on: boolean) { this.shafts.visible = this.heads.visible = on; }

    update(frame: number): void {
        const { scene, size } = this, first = firstContact(scene, frame), count = scene.contactEnd[frame] - first;
        const colours = stateNames.map((s) => new Color(theme(`contact-${s}`)));
        const m = new Matrix4(), q = new Quaternion(), p = new Vector3(), d = new Vector3(), s = new Vector3();
        for (let k = 0; k < count; k++) {
            const at = (first + k) * values, colour = colours[scene.contactState[first + k]];
            p.fromArray(scene.contact, at + 1);
            d.fromArray(scene.contact, at + 7);
            const length = this.largest > 0 ? 0.3 * size * Math.sqrt(d.length() / this.largest) : 0;
            const thick = 0.0045 * size, head = Math.min(0.035 * size, 0.5 * length);
            if (length > 0) q.setFromUnitVectors(up, d.normalize());
            this.dots.setMatrixAt(k, m.makeTranslation(p.x, p.y, p.z));
            this.shafts.setMatrixAt(k, m.compose(p, q, s.set(thick, Math.max(length - head, 0), thick)));
            p.addScaledVector(d, length - head);
            this.heads.setMatrixAt(k, m.compose(p, q, s.set(0.4 * head, head, 0.4 * head)));
            for (const mesh of [this.dots, this.shafts, this.heads]) mesh.setColorAt(k, colour);
        }
        for (const mesh of [this.dots, this.shafts, this.heads]) {
            mesh.count = count;
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }
}

const up = new Vector3(0, 1, 0);
