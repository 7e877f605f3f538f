// Many shapes of one form as one object: a pile of thousands is drawn in one go.
import {
    BoxGeometry, CapsuleGeometry, CircleGeometry, Color, CylinderGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, MeshStandardMaterial, Quaternion,
    SphereGeometry, SRGBColorSpace, Vector3, type BufferGeometry,
} from "three";
import { colourAt } from "./colours";
import type { Body, Scene } from "./data";
import { palette } from "./dom";
import { valueAt } from "./fields";
import type { Look } from "./machine";
import type { Pose } from "./pose";
import { alongAxis, bodyGeometry, turnOf } from "./shapes";

const many = 100;

/// Bodies that are drawn as piles, by their form.
export function pilesOf(scene: Scene): Body[][] {
    const forms = new Map<string, Body[]>();
    for (const b of scene.bodies) {
        const key = b.opacity === 1 && b.node >= 0 ? formOf(b, scene.planar) : "";
        if (!key) continue;
        const list = forms.get(key);
        if (list) list.push(b);
        else forms.set(key, [b]);
    }
    return [...forms.values()].filter((list) => list.length > many);
}

// Bodies of one form differ in scale and turn; "": each is drawn alone.
function formOf(b: Body, planar: boolean): string {
    if (b.kind === "sphere") return "sphere";
    if (planar) return "";
    if (b.kind === "box" || (b.kind === "cylinder" && b.size[0] > 0)) return b.kind;
    if (b.kind === "capsule") return `capsule ${(b.size[0] / b.radius).toPrecision(6)}`;
    if ((b.kind === "hull" || b.kind === "mesh") && b.points.length < 3000) return `${b.kind} ${b.points.join()} ${b.triangles.join()}`;
    return "";
}

function unitForm(b: Body, planar: boolean, fine: boolean): BufferGeometry {
    const around = fine ? 24 : 14;
    switch (b.kind) {
        case "sphere": return planar ? new CircleGeometry(1, fine ? 40 : 20) : new SphereGeometry(1, around, fine ? 16 : 10);
        case "box": return new BoxGeometry(1, 1, 1);
        case "cylinder": return new CylinderGeometry(1, 1, 1, around);
        case "capsule": return new CapsuleGeometry(1, b.size[0] / b.radius, fine ? 8 : 4, around);
        default: return bodyGeometry(b, planar, 0);
    }
}

// How the unit form becomes the body, in its axes.
function placeOf(b: Body): { turn: Quaternion; scale: Vector3; centre: Vector3 } {
    const centre = new Vector3(...b.centre), r = b.radius;
    switch (b.kind) {
        case "sphere": return { turn: new Quaternion(), scale: new Vector3(r, r, r), centre };
        case "box": return { turn: turnOf(b), scale: new Vector3(...b.size), centre };
        case "cylinder": return { turn: alongAxis(b), scale: new Vector3(r, b.size[0], r), centre };
        case "capsule": return { turn: alongAxis(b), scale: new Vector3(r, r, r), centre };
        default: return { turn: new Quaternion(), scale: new Vector3(1, 1, 1), centre: new Vector3() };
    }
}

export class Pile {
    readonly mesh: InstancedMesh;
    private readonly sets: string[]; // names without their numbers share a colour
    private readonly places: ReturnType<typeof placeOf>[];

    constructor(private readonly scene: Scene, private readonly bodies: Body[], opacity: number, private readonly tint?: string) {
        const look = { transparent: opacity < 1, opacity, depthWrite: opacity === 1 };
        this.mesh = new InstancedMesh(unitForm(bodies[0], scene.planar, bodies.length < 1500),
            scene.planar ? new MeshBasicMaterial(look) : new MeshStandardMaterial({ ...look, roughness: 0.65, metalness: 0.05 }), bodies.length);
        this.mesh.frustumCulled = false;
        this.sets = [...new Set(bodies.map((b) => setOf(b)))];
        this.places = bodies.map(placeOf);
    }

    update(pose: Pose, frame: number, { field, range: [low, high] }: Look): void {
        const m = new Matrix4(), p = new Vector3(), q = new Quaternion(), c = new Color(), rgb = [0, 0, 0];
        const plain = field.field === "none" || field.cells;
        this.bodies.forEach((b, i) => {
            const { turn, scale, centre } = this.places[i];
            pose.rotation(b.node, q);
            p.copy(centre).applyQuaternion(q).add(pose.at(b.node));
            this.mesh.setMatrixAt(i, m.compose(p, q.multiply(turn), scale));
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
