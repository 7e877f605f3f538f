// Contacts of a frame: a dot by state, an arrow for the impulse since the frame before, and the facet it acts on.
import { Color, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import { Arrows } from "./arrows";
import type { Scene } from "./data";
import { theme } from "./dom";
import type { Pose } from "./pose";

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
    private readonly arrowsOf: Arrows;
    private readonly sides: InstancedMesh; // of facets
    /// Contacts of a patch have no arrows: its resultant stands for them.
    resultants = true;

    constructor(private readonly scene: Scene, private readonly size: number, largest: number) {
        let most = 1;
        for (let f = 0; f < scene.frames; f++) most = Math.max(most, scene.contactEnd[f] - firstContact(scene, f));
        this.dots = new InstancedMesh(new SphereGeometry(0.009 * size, 14, 10), new MeshBasicMaterial(), most);
        this.arrowsOf = new Arrows(most, size, largest);
        this.sides = new InstancedMesh(new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0), new MeshBasicMaterial(), scene.contactFacet.length ? 4 * most : 1);
        for (const mesh of [this.dots, this.sides]) {
            mesh.frustumCulled = false;
            mesh.renderOrder = 2;
            for (let i = 0; i < mesh.instanceMatrix.count; i++) mesh.setColorAt(i, new Color());
            this.group.add(mesh);
        }
        this.group.add(this.arrowsOf.group);
    }

    set arrows(on: boolean) { this.arrowsOf.group.visible = on; }

    update(frame: number, pose: Pose): void {
        const { scene } = this, first = firstContact(scene, frame), count = scene.contactEnd[frame] - first;
        const colours = stateNames.map((s) => new Color(theme(`contact-${s}`)));
        const m = new Matrix4(), p = new Vector3(), d = new Vector3();
        let arrows = 0;
        for (let k = 0; k < count; k++) {
            const at = (first + k) * values, colour = colours[scene.contactState[first + k]];
            p.fromArray(scene.contact, at + 1);
            this.dots.setMatrixAt(k, m.makeTranslation(p.x, p.y, p.z));
            this.dots.setColorAt(k, colour);
            if (!this.resultants || !scene.contactInPatch[first + k]) this.arrowsOf.set(arrows++, p, d.fromArray(scene.contact, at + 7), colour);
        }
        this.arrowsOf.end(arrows);
        this.dots.count = count;
        this.placeFacets(first, count, pose, colours);
        for (const mesh of [this.dots, this.sides]) {
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }

    // The sides of facets on which contacts act now: one in the plane, three or four in space.
    private placeFacets(first: number, count: number, pose: Pose, colours: Color[]): void {
        const { scene, size } = this, m = new Matrix4(), q = new Quaternion(), a = new Vector3(), b = new Vector3(), s = new Vector3();
        this.sides.count = 0;
        for (let k = first; k < first + count && scene.contactFacet.length; k++) {
            const nodes = [...scene.contactFacet.subarray(4 * k, 4 * k + 4)].filter((n) => n >= 0);
            if (scene.contactState[k] === 0) continue;
            for (let i = nodes.length > 2 ? 0 : 1; i < nodes.length; i++) {
                pose.at(nodes[i], a);
                pose.at(nodes[(i + 1) % nodes.length], b).sub(a);
                const length = b.length();
                if (!(length > 0)) continue;
                q.setFromUnitVectors(up, b.divideScalar(length));
                this.sides.setMatrixAt(this.sides.count, m.compose(a, q, s.set(0.0035 * size, length, 0.0035 * size)));
                this.sides.setColorAt(this.sides.count++, colours[scene.contactState[k]]);
            }
        }
    }
}

const up = new Vector3(0, 1, 0);
