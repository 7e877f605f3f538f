// Surfaces of flexible parts: beams with their section, bars, faces of solids. Every vertex knows its node, its cell
// and its place in the section, so that a frame is only a new set of positions and colours.
import { BufferAttribute, BufferGeometry, Quaternion, Vector3 } from "three";
import type { Block, Scene } from "./data";
import type { Pose } from "./pose";

interface Vertices {
    node: number[]; cell: number[]; end: number[]; y: number[]; z: number[]; index: number[]; edges: number[];
}

// end: which node of which cell of its block it is.
function corner(v: Vertices, node: number, cell: number, end = 0, y = 0, z = 0): number {
    v.node.push(node);
    v.cell.push(cell);
    v.end.push(end);
    v.y.push(y);
    v.z.push(z);
    return v.node.length - 1;
}

// Faces that only one cell has; in the plane the cells themselves.
function addSolid(v: Vertices, b: Block): void {
    const planar = b.dim === 2, faces = planar ? [Array.from({ length: b.nodes }, (_, a) => a)] : b.faces;
    const seen = new Map<string, { nodes: number[]; cell: number; count: number }>();
    for (let c = 0; c < b.count; c++)
        for (const face of faces) {
            const nodes = face.map((a) => b.cells[c * b.nodes + a]);
            const key = [...nodes].sort((p, q) => p - q).join();
            const entry = seen.get(key);
            if (entry) entry.count++;
            else seen.set(key, { nodes, cell: b.first + c, count: 1 });
        }
    for (const { nodes, cell, count } of seen.values()) {
        if (count > 1 && !planar) continue;
        const first = v.node.length;
        nodes.forEach((n) => corner(v, n, cell));
        for (let k = 2; k < nodes.length; k++) v.index.push(first, first + k - 1, first + k);
        nodes.forEach((_, k) => v.edges.push(first + k, first + ((k + 1) % nodes.length)));
    }
}

// Outline of a section: [y, z] of its corners.
function section(scene: Scene, b: Block, part: number, thin: number): number[][] {
    const p = scene.parts[part];
    const height = Math.max(p.height || 0, thin), width = Math.max(p.width || 0, thin);
    if (scene.planar) return [[-height / 2, 0], [height / 2, 0]];
    if (p.round || !b.turns)
        return Array.from({ length: 16 }, (_, k) => [height / 2 * Math.cos(k * Math.PI / 8), height / 2 * Math.sin(k * Math.PI / 8)]);
    return [[-height / 2, -width / 2], [height / 2, -width / 2], [height / 2, width / 2], [-height / 2, width / 2]];
}

function addLine(v: Vertices, scene: Scene, b: Block, thin: number): void {
    for (let c = 0; c < b.count; c++) {
        const ring = section(scene, b, b.owner[c], thin), n = ring.length, first = v.node.length;
        for (const end of [2 * c, 2 * c + 1])
            for (const [y, z] of ring) corner(v, b.cells[end], b.first + c, end, y, z);
        const sides = scene.planar ? 1 : n;
        for (let k = 0; k < sides; k++) {
            const a = first + k, d = first + ((k + 1) % n);
            v.index.push(a, d, a + n, d, d + n, a + n);
        }
        if (scene.planar) v.edges.push(first, first + n, first + 1, first + n + 1);
        else for (let k = 0; k < n; k += n > 4 ? 4 : 1) v.edges.push(first + k, first + n + k);
    }
}

/// What colours stand for.
export type Field = "none" | "displacement" | "velocity" | "stress" | "energy" | "pressure";

export class Cells {
    readonly geometry = new BufferGeometry();
    readonly edges = new BufferGeometry();
    private readonly node: Int32Array;
    readonly cell: Int32Array;
    private readonly y: Float32Array;
    private readonly z: Float32Array;
    private readonly end: Int32Array;
    private readonly line: boolean;
    private readonly tangent: Float32Array; // of lines whose nodes do not turn: along the part

    constructor(private readonly scene: Scene, private readonly block: Block, thin: number) {
        const v: Vertices = { node: [], cell: [], end: [], y: [], z: [], index: [], edges: [] };
        this.line = block.dim === 1;
        if (this.line) addLine(v, scene, block, thin);
        else addSolid(v, block);
        this.node = Int32Array.from(v.node);
        this.cell = Int32Array.from(v.cell);
        this.end = Int32Array.from(v.end);
        this.y = Float32Array.from(v.y);
        this.z = Float32Array.from(v.z);
        this.tangent = new Float32Array(3 * v.node.length);
        const position = new BufferAttribute(new Float32Array(3 * v.node.length), 3);
        this.geometry.setAttribute("position", position);
        this.geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * v.node.length).fill(1), 3));
        this.geometry.setIndex(v.index);
        this.edges.setAttribute("position", position);
        this.edges.setIndex(v.edges);
    }

    nodeOf(vertex: number): number { return this.node[vertex]; }

    update(pose: Pose): void {
        const attribute = this.geometry.getAttribute("position") as BufferAttribute;
        const out = attribute.array as Float32Array, offset = new Vector3(), q = new Quaternion();
        if (this.line && !this.block.turns) this.findTangents(pose);
        for (let i = 0; i < this.node.length; i++) {
            const n = this.node[i];
            offset.set(0, this.y[i], this.z[i]);
            if (this.line) {
                if (this.block.turns) pose.rotation(n, q).multiply(axes.fromArray(this.block.axes, 4 * this.end[i]));
                else q.setFromUnitVectors(axisX, offsetAxis.fromArray(this.tangent, 3 * i));
                offset.applyQuaternion(q);
            }
            out[3 * i] = pose.x[3 * n] + offset.x;
            out[3 * i + 1] = pose.x[3 * n + 1] + offset.y;
            out[3 * i + 2] = pose.x[3 * n + 2] + offset.z;
        }
        attribute.needsUpdate = true;
        if (!this.scene.planar) this.geometry.computeVertexNormals();
        this.geometry.computeBoundingSphere();
        this.edges.boundingSphere = this.geometry.boundingSphere;
    }

    private findTangents(pose: Pose): void {
        const b = this.block, ring = this.node.length / b.count, d = new Vector3();
        for (let c = 0; c < b.count; c++) {
            d.copy(pose.at(b.cells[2 * c + 1])).sub(pose.at(b.cells[2 * c])).normalize();
            for (let k = 0; k < ring; k++) d.toArray(this.tangent, 3 * (c * ring + k));
        }
    }
}

const axisX = new Vector3(1, 0, 0), offsetAxis = new Vector3(), axes = new Quaternion();
