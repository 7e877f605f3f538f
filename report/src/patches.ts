// Patches of contacts of a frame: translucent polygons, coloured by their mean pressure, lines by their load per length; the
// resultant of each at its centre of pressure.
import {
    BufferAttribute, BufferGeometry, Color, CylinderGeometry, DoubleSide, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh,
    MeshBasicMaterial, Quaternion, SRGBColorSpace, Vector3,
} from "three";
import { Arrows } from "./arrows";
import { colourAt } from "./colours";
import type { Scene } from "./data";
import { number, theme } from "./dom";

const values = 12; // normal, centre, impulse, force, area, pressure

export interface PatchRange { polygon: number; line: number } // what the end of the scale of colours means

function firstPatch(scene: Scene, frame: number): number { return frame > 0 ? scene.patchEnd[frame - 1] : 0; }

const isLine = (scene: Scene, i: number) => scene.patchCount[2 * i] === 2;
const pressureOf = (scene: Scene, i: number) => scene.patch[values * i + 11];

/// Of 95 in 100 patches the pressure is below the end of the scale: impacts do not hide what lasts.
export function patchRange(scenes: Scene[]): PatchRange {
    const all: [number[], number[]] = [[], []];
    for (const scene of scenes)
        for (let i = 0; i < scene.patchFirst.length; i++) all[isLine(scene, i) ? 1 : 0].push(pressureOf(scene, i));
    const [polygon, line] = all.map((list) => list.sort((a, b) => a - b)[Math.floor(0.95 * (list.length - 1))] ?? 0);
    return { polygon, line };
}

/// Of the greatest resultant of all frames.
export function largestResultant(scene: Scene): number {
    let largest = 0;
    for (let i = 6; i < scene.patch.length; i += values) largest = Math.max(largest, Math.hypot(scene.patch[i], scene.patch[i + 1], scene.patch[i + 2]));
    return largest;
}

/// The strongest patch of a frame in words; "": there is none.
export function strongest(scene: Scene, frame: number): string {
    let best = -1;
    for (let i = firstPatch(scene, frame); i < (scene.patchEnd[frame] ?? 0); i++)
        if (best < 0 || scene.patch[values * i + 9] > scene.patch[values * best + 9]) best = i;
    if (best < 0) return "";
    const at = values * best, line = isLine(scene, best);
    return `${scene.patchNames[scene.patchCount[2 * best + 1]]}: ${number(scene.patch[at + 9], 3)} N on ${number(scene.patch[at + 10], 3)} ${line ? "m" : "m²"}, ${number(scene.patch[at + 11], 3)} ${line ? "N/m" : "Pa"}`;
}

export class Patches {
    readonly group = new Group();
    private readonly sheet: Mesh;
    private readonly shine: Mesh;
    private readonly rims: LineSegments;
    private readonly bars: InstancedMesh; // patches that are lines
    private readonly arrows: Arrows;

    constructor(private readonly scene: Scene, private readonly size: number, largest: number, private readonly range: PatchRange) {
        let most = 1, corners = 3;
        for (let f = 0; f < scene.frames; f++) {
            let sum = 0;
            for (let i = firstPatch(scene, f); i < (scene.patchEnd[f] ?? 0); i++) sum += scene.patchCount[2 * i];
            most = Math.max(most, (scene.patchEnd[f] ?? 0) - firstPatch(scene, f));
            corners = Math.max(corners, sum);
        }
        this.sheet = new Mesh(buffers(9 * corners, true), new MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.7, side: DoubleSide,
            depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 }));
        // patches lie between bodies: they shine through
        this.shine = new Mesh(this.sheet.geometry, new MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.35, side: DoubleSide, depthTest: false }));
        this.rims = new LineSegments(buffers(6 * corners, false), new LineBasicMaterial({ color: theme("edge"), transparent: true, opacity: 0.7, depthTest: false }));
        this.bars = new InstancedMesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0),
            new MeshBasicMaterial({ transparent: true, opacity: 0.7, depthTest: false }), most);
        for (let i = 0; i < most; i++) this.bars.setColorAt(i, new Color());
        this.arrows = new Arrows(most, size, largest, true);
        for (const o of [this.sheet, this.shine, this.rims, this.bars]) {
            o.frustumCulled = false;
            o.renderOrder = 1;
        }
        this.group.add(this.sheet, this.shine, this.rims, this.bars, this.arrows.group);
    }

    set faces(on: boolean) { for (const o of [this.sheet, this.shine, this.rims, this.bars]) o.visible = on; }

    set resultants(on: boolean) { this.arrows.group.visible = on; }

    update(frame: number): void {
        const { scene } = this, first = firstPatch(scene, frame), end = scene.patchEnd[frame] ?? 0, d = new Vector3(), p = new Vector3();
        const position = this.sheet.geometry.getAttribute("position"), colour = this.sheet.geometry.getAttribute("color"), rim = this.rims.geometry.getAttribute("position");
        const corner = (i: number, k: number, out: Vector3) => out.fromArray(scene.patchCorner, 3 * (scene.patchFirst[i] + k));
        const c = new Color(), dark = new Color(theme("edge")), lift = 0.002 * this.size, n = new Vector3();
        let points = 0, ends = 0, bars = 0;
        for (let i = first; i < end; i++) {
            const corners = scene.patchCount[2 * i];
            this.colourOf(i, c);
            n.fromArray(scene.patch, values * i).multiplyScalar(lift);
            if (isLine(scene, i)) this.placeBar(bars++, corner(i, 0, new Vector3()), corner(i, 1, new Vector3()), c);
            else for (let k = 0; k < corners; k++) {
                for (const at of k > 0 && k + 1 < corners ? [0, k, k + 1] : []) {
                    corner(i, at, p).add(n);
                    colour.setXYZ(points, c.r, c.g, c.b);
                    position.setXYZ(points++, p.x, p.y, p.z);
                }
                for (const at of [k, (k + 1) % corners]) {
                    corner(i, at, p).add(n);
                    rim.setXYZ(ends++, p.x, p.y, p.z);
                }
            }
            this.arrows.set(i - first, p.fromArray(scene.patch, values * i + 3), d.fromArray(scene.patch, values * i + 6), dark);
        }
        this.sheet.geometry.setDrawRange(0, points);
        this.rims.geometry.setDrawRange(0, ends);
        this.bars.count = bars;
        this.bars.instanceMatrix.needsUpdate = true;
        if (this.bars.instanceColor) this.bars.instanceColor.needsUpdate = true;
        for (const a of [position, colour, rim]) a.needsUpdate = true;
        this.arrows.end(end - first);
    }

    private colourOf(i: number, out: Color): void {
        const most = isLine(this.scene, i) ? this.range.line : this.range.polygon, rgb = colourAt(most > 0 ? pressureOf(this.scene, i) / most : 0);
        out.setRGB(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255, SRGBColorSpace);
    }

    private placeBar(k: number, a: Vector3, b: Vector3, c: Color): void {
        const way = b.sub(a), length = way.length(), thick = 0.006 * this.size;
        const q = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), way.divideScalar(length || 1));
        this.bars.setMatrixAt(k, new Matrix4().compose(a, q, new Vector3(thick, length, thick)));
        this.bars.setColorAt(k, c);
    }
}

function buffers(count: number, coloured: boolean): BufferGeometry {
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(new Float32Array(count), 3));
    if (coloured) g.setAttribute("color", new BufferAttribute(new Float32Array(count), 3));
    return g;
}
