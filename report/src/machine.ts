// The machine as three.js objects: bodies, flexible parts, links, surfaces, outlines. One frame at a time.
import {
    BufferAttribute, BufferGeometry, Color, DoubleSide, EdgesGeometry, Group, Line, LineBasicMaterial, LineSegments,
    Mesh, MeshBasicMaterial, MeshStandardMaterial, Quaternion, SphereGeometry, SRGBColorSpace, Vector3, type Material,
} from "three";
import { Cells } from "./cells";
import { colourAt } from "./colours";
import type { Body, Link, Scene } from "./data";
import { palette, theme } from "./dom";
import { valueAt, type FieldInfo } from "./fields";
import { Pile, pilesOf } from "./pile";
import { Pose } from "./pose";
import { bodyGeometry, hold, polygon, triangleCount } from "./shapes";
import { surfaceObject } from "./surfaces";

export interface Extent { low: Vector3; high: Vector3; size: number }

/// What is shown: coloured by what between which values, deformations how far enlarged.
export interface Look { field: FieldInfo; range: [number, number]; scale: number }

/// Faint, without what does not move; one colour for all of it; half transparent, upon another machine.
export interface Style { ghost?: boolean; tint?: string; upon?: boolean }

/// Box around several.
export function extentOfAll(scenes: Scene[]): Extent {
    const all = scenes.map(extentOf), low = all[0].low.clone(), high = all[0].high.clone();
    for (const e of all) {
        low.min(e.low);
        high.max(e.high);
    }
    return { low, high, size: Math.max(low.distanceTo(high), 1e-9) };
}

/// Box around all frames.
export function extentOf(scene: Scene): Extent {
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate(), p = new Vector3();
    const dim = scene.planar ? 2 : 3, pad = new Float32Array(scene.nodes);
    const take = (x: number, y: number, z: number, r: number) => {
        low.min(p.set(x - r, y - r, scene.planar ? 0 : z - r));
        high.max(p.set(x + r, y + r, scene.planar ? 0 : z + r));
    };
    const turns = scene.turn.length / scene.frames;
    for (const b of scene.bodies) { // in the plane as they turn; in space a ball around all of it
        if (b.node < 0) continue;
        const { points, pad: r } = hold(b), i = b.node, turn = scene.turnIndex[i];
        if (!scene.planar) pad[i] = Math.max(pad[i], ...points.map((q) => Math.hypot(...q) + r));
        for (let f = 0; scene.planar && f < scene.frames; f++) {
            const at = 2 * (f * scene.nodes + i), angle = turn < 0 ? 0 : scene.turn[f * turns + turn], c = Math.cos(angle), s = Math.sin(angle);
            const X = scene.reference[3 * i] + scene.u[at], Y = scene.reference[3 * i + 1] + scene.u[at + 1];
            for (const [x, y] of points) take(X + c * x - s * y, Y + s * x + c * y, 0, r);
        }
    }
    for (let f = 0; f < scene.frames; f++)
        for (let i = 0; i < scene.nodes; i++) {
            if (scene.kind[i] === 4) continue;
            const at = (f * scene.nodes + i) * dim, X = 3 * i;
            take(scene.reference[X] + scene.u[at], scene.reference[X + 1] + scene.u[at + 1],
                scene.reference[X + 2] + (dim === 3 ? scene.u[at + 2] : 0), pad[i]);
        }
    for (let i = 0; i + 2 < scene.outline.length; i += 3)
        if (!Number.isNaN(scene.outline[i])) take(scene.outline[i], scene.outline[i + 1], scene.outline[i + 2], 0);
    for (const l of scene.links)
        for (const a of [l.a, l.b]) if (a.node < 0) take(...a.at, 0);
    for (const s of scene.surfaces) // planes near the motion belong to it
        if (s.node < 0 && s.kind !== "plane") take(...s.through, s.size);
    if (!(low.x <= high.x)) { low.set(-1, -1, 0); high.set(1, 1, 0); }
    holdGround(scene, low, high);
    return { low, high, size: Math.max(low.distanceTo(high), 1e-9) };
}

// Shapes that rest, as far as they are near what moves.
function holdGround(scene: Scene, low: Vector3, high: Vector3): void {
    const reach = 0.3 * low.distanceTo(high), least = low.clone().subScalar(reach), most = high.clone().addScalar(reach), p = new Vector3();
    for (const b of scene.bodies) {
        if (b.node >= 0) continue;
        const { points, pad } = hold(b);
        for (const q of points) {
            low.min(p.set(...q).subScalar(pad).clamp(least, most));
            high.max(p.set(...q).addScalar(pad).clamp(least, most));
        }
    }
    if (scene.planar) low.z = high.z = 0;
}

const joined = new Color(0x333333);
const edgesMost = 50000; // triangles: above that finding edges takes seconds

export class Machine {
    readonly group = new Group();
    readonly pose: Pose;
    private readonly cells: { cells: Cells; mesh: Mesh; tint: Color }[] = [];
    private readonly bodies: { body: Body; object: Group; material: MeshStandardMaterial | MeshBasicMaterial; tint: Color }[] = [];
    private readonly links: { link: Link; object: Line | Mesh }[] = [];
    private readonly carried: { node: number; object: Group }[] = [];
    private readonly outlines: { mesh: Mesh; line: Line }[] = [];
    private readonly linkGroup = new Group();
    private readonly piles: Pile[] = [];

    constructor(readonly scene: Scene, readonly extent: Extent, private readonly style: Style = {}) {
        const { ghost } = style;
        this.pose = new Pose(scene);
        const marker = 0.02 * extent.size;
        const piled = new Set<Body>();
        for (const list of pilesOf(scene)) {
            const pile = new Pile(scene, list, this.opacity(), style.tint);
            list.forEach((b) => piled.add(b));
            this.piles.push(pile);
            this.group.add(pile.mesh);
        }
        let number = -1; // pieces have the colour of their body
        scene.bodies.forEach((b) => {
            if (!b.piece) number++;
            if (!piled.has(b) && !(ghost && b.node < 0)) this.addBody(b, number, marker);
        });
        scene.blocks.forEach((b, i) => this.addCells(new Cells(scene, b, 0.012 * extent.size), scene.bodies.length + i));
        for (let i = 0; i < scene.outlines; i++) this.addOutline(i);
        if (ghost) return;
        scene.links.forEach((l) => this.addLink(l));
        this.group.add(this.linkGroup);
        if (style.upon) return;
        scene.surfaces.forEach((s) => {
            const object = surfaceObject(s, scene.planar, extent);
            this.carried.push({ node: s.node, object });
            this.group.add(object);
        });
    }

    set showLinks(on: boolean) { this.linkGroup.visible = on; }

    private opacity(): number { return this.style.ghost ? 0.22 : this.style.upon ? 0.5 : 1; }

    private tintOf(number: number): Color {
        return new Color(this.style.tint ?? palette[number % palette.length]).lerp(new Color(0xffffff), 0.1);
    }

    private material(tint: Color, vertexColors = false, own = 1): MeshStandardMaterial | MeshBasicMaterial {
        const opacity = own * this.opacity(), common = { color: vertexColors ? 0xffffff : tint, side: DoubleSide, vertexColors,
            transparent: opacity < 1, opacity, depthWrite: opacity === 1,
            polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
        return this.scene.planar ? new MeshBasicMaterial(common)
            : new MeshStandardMaterial({ ...common, roughness: 0.65, metalness: 0.05, flatShading: vertexColors && this.scene.cells < 20000 });
    }

    private edges(geometry: BufferGeometry): LineSegments {
        return new LineSegments(geometry, new LineBasicMaterial({ color: this.style.tint ?? theme("edge"), transparent: true,
            opacity: this.style.ghost ? 0.25 : this.style.tint ? 1 : 0.55 }));
    }

    private addBody(body: Body, number: number, marker: number): void {
        const tint = body.colour && !this.style.tint ? new Color(body.colour)
            : body.node < 0 ? new Color(theme("surface")).lerp(new Color(0xffffff), 0.35) : this.tintOf(number);
        const material = this.material(tint, false, body.opacity);
        const object = new Group();
        object.name = body.name;
        this.bodies.push({ body, object, material, tint });
        this.group.add(object);
        if (body.open) {
            object.add(...wallOf(body, tint, 0.018 * this.extent.size));
            return;
        }
        const geometry = bodyGeometry(body, this.scene.planar, marker);
        object.add(new Mesh(geometry, material));
        const round = body.kind === "sphere" || body.kind === "capsule" || body.kind === "none";
        if ((this.scene.planar || !round) && triangleCount(body) <= edgesMost)
            object.add(this.edges(new EdgesGeometry(geometry, 25)));
    }

    private addCells(cells: Cells, number: number): void {
        const tint = this.tintOf(number);
        const mesh = new Mesh(cells.geometry, this.material(tint, true));
        const edges = this.edges(cells.edges);
        mesh.frustumCulled = edges.frustumCulled = false;
        edges.visible = this.scene.cells < 4000;
        if (this.scene.cells > 300) (edges.material as LineBasicMaterial).opacity *= 0.5;
        this.cells.push({ cells, mesh, tint });
        this.group.add(mesh, edges);
    }

    private addOutline(number: number): void {
        const mesh = new Mesh(new BufferGeometry(), this.material(this.tintOf(number)));
        const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: theme("edge"), transparent: true, opacity: 0.6 }));
        this.outlines.push({ mesh, line });
        this.group.add(mesh, line);
    }

    private addLink(link: Link): void {
        let object: Line | Mesh;
        if (link.kind === "joint")
            object = new Mesh(new SphereGeometry(0.009 * this.extent.size, 16, 12), new MeshBasicMaterial({ color: theme("joint") || joined }));
        else {
            const geometry = new BufferGeometry();
            geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * springPoints), 3));
            object = new Line(geometry, new LineBasicMaterial({ color: theme("joint") }));
            object.frustumCulled = false;
        }
        object.name = link.name;
        this.links.push({ link, object });
        this.linkGroup.add(object);
    }

    update(frame: number, look: Look): void {
        const q = new Quaternion();
        this.pose.set(frame, look.scale);
        for (const { cells } of this.cells) cells.update(this.pose);
        for (const { body, object } of this.bodies) {
            this.pose.at(body.node, object.position);
            object.quaternion.copy(this.pose.rotation(body.node, q));
        }
        for (const { node, object } of this.carried) {
            this.pose.at(node, object.position);
            object.quaternion.copy(this.pose.rotation(node, q));
        }
        for (const { link, object } of this.links) this.placeLink(link, object);
        this.outlines.forEach((o, i) => this.placeOutline(o, frame, i));
        this.piles.forEach((p) => p.update(this.pose, frame, look));
        this.colour(frame, look);
    }

    private placeLink(link: Link, object: Line | Mesh): void {
        const a = this.pose.attachment(link.a), b = this.pose.attachment(link.b);
        if (link.kind === "joint") object.position.copy(a);
        else drawSpring(a, b, link.kind === "spring" ? 0.02 * this.extent.size : 0, this.scene.planar, object.geometry as BufferGeometry);
    }

    private placeOutline(o: { mesh: Mesh; line: Line }, frame: number, number: number): void {
        const points: number[][] = [], width = this.scene.outline.length / this.scene.frames / this.scene.outlines;
        const base = (frame * this.scene.outlines + number) * width;
        for (let k = 0; k < width && !Number.isNaN(this.scene.outline[base + k]); k += 3)
            points.push([this.scene.outline[base + k], this.scene.outline[base + k + 1]]);
        if (points.length < 3) return;
        o.mesh.geometry.dispose();
        o.mesh.geometry = polygon(points);
        o.line.geometry.dispose();
        o.line.geometry = new BufferGeometry().setFromPoints([...points, points[0]].map(([x, y]) => new Vector3(x, y, 0)));
    }

    private colour(frame: number, { field, range: [low, high] }: Look): void {
        const place = (value: number) => (high > low ? (value - low) / (high - low) : 0), rgb = [0, 0, 0], c = new Color();
        for (const { cells, tint } of this.cells) {
            const colours = cells.geometry.getAttribute("color") as BufferAttribute;
            for (let i = 0; i < cells.cell.length; i++) {
                if (field.field === "none") c.copy(tint);
                else {
                    colourAt(place(valueAt(this.scene, field, frame, field.cells ? cells.cell[i] : cells.nodeOf(i))), rgb);
                    c.setRGB(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255, SRGBColorSpace);
                }
                colours.setXYZ(i, c.r, c.g, c.b);
            }
            colours.needsUpdate = true;
        }
        for (const { body, material, tint } of this.bodies) {
            if (field.field === "none" || field.cells || body.node < 0) material.color.copy(tint);
            else {
                colourAt(place(valueAt(this.scene, field, frame, body.node)), rgb);
                material.color.setRGB(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255, SRGBColorSpace);
            }
        }
    }

    dispose(): void {
        this.group.traverse((o) => {
            const mesh = o as Mesh;
            mesh.geometry?.dispose();
            if (mesh.material) (mesh.material as Material).dispose();
        });
        this.group.removeFromParent();
    }
}

// A line with hatching on its left, where it is solid.
function wallOf(body: Body, colour: Color, tick: number): (Line | LineSegments)[] {
    const points = Array.from({ length: body.point_count }, (_, i) => new Vector3().fromArray(body.points, 3 * i)), hatch: Vector3[] = [];
    let left = 0; // of the way to the next tick
    for (let i = 0; i + 1 < points.length; i++) {
        const along = points[i + 1].clone().sub(points[i]), length = along.length(), n = new Vector3(-along.y, along.x, 0).divideScalar(length || 1);
        along.divideScalar(length || 1);
        let s = left;
        for (; s < length; s += 0.85 * tick) {
            const foot = points[i].clone().addScaledVector(along, s);
            hatch.push(foot, foot.clone().addScaledVector(n, tick).addScaledVector(along, -tick));
        }
        left = s - length;
    }
    const line = (opacity: number) => new LineBasicMaterial({ color: colour, transparent: true, opacity });
    return [new Line(new BufferGeometry().setFromPoints(points), line(1)), new LineSegments(new BufferGeometry().setFromPoints(hatch), line(0.6))];
}

const springPoints = 141;

// A zigzag in the plane, a helix in space; width 0: a straight line.
function drawSpring(a: Vector3, b: Vector3, width: number, planar: boolean, geometry: BufferGeometry): void {
    const axis = b.clone().sub(a), n = springPoints - 1, out = geometry.getAttribute("position") as BufferAttribute;
    const side = planar ? new Vector3(-axis.y, axis.x, 0) : new Vector3(axis.y, -axis.x, 0);
    if (side.lengthSq() < 1e-12 * axis.lengthSq()) side.set(1, 0, 0);
    side.normalize();
    const other = planar ? new Vector3() : axis.clone().normalize().cross(side), p = new Vector3();
    for (let i = 0; i <= n; i++) {
        const s = i / n, inside = s > 0.1 && s < 0.9 ? 1 : 0, turn = (2 * Math.PI * 7 * (s - 0.1)) / 0.8;
        const wave = planar ? (2 / Math.PI) * Math.asin(Math.sin(turn)) : Math.sin(turn);
        p.copy(a).addScaledVector(axis, s).addScaledVector(side, inside * width * wave);
        p.addScaledVector(other, inside * width * Math.cos(turn));
        out.setXYZ(i, p.x, p.y, p.z);
    }
    out.needsUpdate = true;
}
