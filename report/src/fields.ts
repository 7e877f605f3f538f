// Values that colours and profiles show: of nodes or of cells, in one frame.
import type { Field } from "./cells";
import type { Scene } from "./data";

export interface FieldInfo { field: Field; label: string; unit: string; cells: boolean }

/// What can be shown of a scene.
export function fieldsOf(scene: Scene): FieldInfo[] {
    const list: FieldInfo[] = [
        { field: "none", label: "part", unit: "", cells: false },
        { field: "displacement", label: "displacement", unit: "m", cells: false },
        { field: "velocity", label: "velocity", unit: "m/s", cells: false },
    ];
    const solid = scene.blocks.find((b) => b.dim > 1), stressed = solid ?? scene.blocks.find((b) => b.stress);
    if (stressed?.stress)
        list.push({ field: "stress", label: stressed.stress, unit: stressed.unit, cells: true });
    if (scene.blocks.length)
        list.push({ field: "energy", label: "strain energy", unit: solid ? "J/m³" : "J/m", cells: true });
    if (scene.boundaries.length)
        list.push({ field: "pressure", label: "contact pressure", unit: "Pa", cells: false });
    return list;
}

/// Magnitude at a node, or value in a cell.
export function valueAt(scene: Scene, info: FieldInfo, frame: number, index: number): number {
    if (info.cells) {
        const source = info.field === "stress" ? scene.stress : scene.energy;
        return source[frame * scene.cells + index];
    }
    if (info.field === "pressure") return pressureAt(scene, frame, scene.boundaryPlace[index]);
    const dim = scene.planar ? 2 : 3, source = info.field === "velocity" ? scene.v : scene.u;
    const at = (frame * scene.nodes + index) * dim;
    return Math.hypot(source[at], source[at + 1], dim === 3 ? source[at + 2] : 0);
}

/// At a place of the boundaries; elsewhere nothing presses.
export function pressureAt(scene: Scene, frame: number, place: number): number {
    return place < 0 ? 0 : scene.pressure[frame * scene.boundaryNode.length + place] || 0;
}

/// What can be shown of all of several scenes.
export function commonFields(scenes: Scene[]): FieldInfo[] {
    const [first, ...others] = scenes.map(fieldsOf);
    return first.filter((f) => others.every((list) => list.some((o) => o.label === f.label)));
}

/// Least and greatest value of all scenes.
export function commonRange(scenes: Scene[], info: FieldInfo): [number, number] {
    const all = info.field === "none" ? [] : scenes.map((s) => rangeOf(s, info));
    return all.length ? [Math.min(...all.map((r) => r[0])), Math.max(...all.map((r) => r[1]))] : [0, 1];
}

const ranges = new WeakMap<Scene, Map<Field, [number, number]>>();

/// Least and greatest value of all frames.
export function rangeOf(scene: Scene, info: FieldInfo): [number, number] {
    let known = ranges.get(scene);
    if (!known) ranges.set(scene, (known = new Map()));
    let range = known.get(info.field);
    if (!range) {
        range = [Infinity, -Infinity];
        const count = info.cells ? scene.cells : scene.nodes;
        for (let f = 0; f < scene.frames; f++)
            for (let i = 0; i < count; i++) {
                const value = valueAt(scene, info, f, i);
                if (value < range[0]) range[0] = value;
                if (value > range[1]) range[1] = value;
            }
        if (!(range[0] <= range[1])) range = [0, 0];
        known.set(info.field, range);
    }
    return range;
}
