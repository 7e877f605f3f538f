// Positions and rotations of all nodes in one frame, with deformations made larger on demand.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Attachment, Scene } from "./data";

/// Nodes of each flexible part.
export function partNodes(scene: Scene): Map<number, number[]> {
    const sets = new Map<number, Set<number>>();
    for (const b of scene.blocks)
        for (let c = 0; c < b.count; c++) {
            const part = b.owner[c];
            let set = sets.get(part);
            if (!set) sets.set(part, (set = new Set()));
            for (let a = 0; a < b.nodes; a++) set.add(b.cells[c * b.nodes + a]);
        }
    return new Map([...sets].map(([part, set]) => [part, [...set].sort((a, b) => a - b)]));
}

/// Parts that share nodes deform together: their nodes, and whether one of them is held.
function assemblies(scene: Scene): { nodes: number[]; held: boolean }[] {
    const list: { nodes: Set<number>; held: boolean }[] = [];
    for (const [part, nodes] of partNodes(scene)) {
        const one = { nodes: new Set(nodes), held: scene.parts[part].held };
        for (const other of list.filter((o) => nodes.some((i) => o.nodes.has(i)))) {
            other.nodes.forEach((i) => one.nodes.add(i));
            one.held ||= other.held;
            list.splice(list.indexOf(other), 1);
        }
        list.push(one);
    }
    return list.map(({ nodes, held }) => ({ nodes: [...nodes].sort((a, b) => a - b), held }));
}

export class Pose {
    readonly x: Float32Array; // 3 for each node
    private readonly dim: number;
    private readonly parts: { nodes: number[]; held: boolean }[];
    private frame = 0;

    constructor(readonly scene: Scene) {
        this.x = new Float32Array(3 * scene.nodes);
        this.dim = scene.planar ? 2 : 3;
        this.parts = assemblies(scene);
    }

    set(frame: number, scale: number): void {
        const { scene, dim, x } = this, base = frame * scene.nodes * dim;
        this.frame = frame;
        for (let i = 0; i < scene.nodes; i++)
            for (let k = 0; k < 3; k++)
                x[3 * i + k] = scene.reference[3 * i + k] + (k < dim ? scene.u[base + dim * i + k] : 0);
        if (scale !== 1)
            for (const { nodes, held } of this.parts) this.enlarge(nodes, held, scale);
    }

    at(node: number, out = new Vector3()): Vector3 {
        return node < 0 ? out.set(0, 0, 0) : out.fromArray(this.x, 3 * node);
    }

    rotation(node: number, out = new Quaternion()): Quaternion {
        const { scene } = this, turn = node < 0 ? -1 : scene.turnIndex[node];
        if (turn < 0) return out.identity();
        const count = scene.turn.length / scene.frames;
        if (scene.planar) {
            const angle = scene.turn[this.frame * count + turn];
            return out.set(0, 0, Math.sin(angle / 2), Math.cos(angle / 2));
        }
        return out.fromArray(scene.turn, this.frame * count + 4 * turn);
    }

    attachment(a: Attachment, out = new Vector3()): Vector3 {
        out.fromArray(a.at);
        return a.node < 0 ? out : out.applyQuaternion(this.rotation(a.node)).add(this.at(a.node));
    }

    // A held assembly: from its reference. Another one: from the rigid motion that fits best, which is not enlarged.
    private enlarge(nodes: number[], held: boolean, scale: number): void {
        const { x, scene } = this, X = scene.reference, c = new Vector3(), C = new Vector3(), p = new Vector3();
        const turn = new Quaternion();
        for (const i of nodes) {
            c.add(p.fromArray(x, 3 * i));
            C.add(p.fromArray(X, 3 * i));
        }
        c.divideScalar(nodes.length);
        C.divideScalar(nodes.length);
        if (held) c.copy(C);
        else fitRotation(nodes, X, x, C, c, turn);
        for (const i of nodes) {
            p.fromArray(X, 3 * i).sub(C).applyQuaternion(turn).add(c);
            for (let k = 0; k < 3; k++) {
                const rigid = p.getComponent(k);
                x[3 * i + k] = rigid + scale * (x[3 * i + k] - rigid);
            }
        }
    }
}

// Rotation that turns X - C into x - c best: turned step by step towards the columns of sum (x - c)(X - C)'
// (Mueller et al. 2016).
function fitRotation(nodes: number[], X: Float32Array, x: Float32Array, C: Vector3, c: Vector3, turn: Quaternion): void {
    const A = [new Vector3(), new Vector3(), new Vector3()], p = new Vector3(), step = new Quaternion();
    for (const i of nodes) {
        p.fromArray(x, 3 * i).sub(c);
        A[0].addScaledVector(p, X[3 * i] - C.x);
        A[1].addScaledVector(p, X[3 * i + 1] - C.y);
        A[2].addScaledVector(p, X[3 * i + 2] - C.z);
    }
    for (let n = 0; n < 30; n++) {
        const r = new Matrix4().makeRotationFromQuaternion(turn), w = new Vector3();
        let size = 1e-30;
        for (let k = 0; k < 3; k++) {
            const column = new Vector3().setFromMatrixColumn(r, k);
            w.add(column.clone().cross(A[k]));
            size += column.dot(A[k]);
        }
        w.divideScalar(Math.abs(size));
        const angle = w.length();
        if (angle < 1e-9) return;
        turn.premultiply(step.setFromAxisAngle(w.divideScalar(angle), angle)).normalize();
    }
}
