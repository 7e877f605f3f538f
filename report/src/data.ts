// What `zeno view` put into the page: JSON and base64 arrays in <script data-zeno="..."> elements.

export type Vec = [number, number, number];

/// A stay in contact, or several (`of`) of one name that begin and end together; then peak and approach are of the strongest.
export interface Event {
    name: string; impact: boolean; open: boolean;
    from: number; to: number; impulse: number; peak: number; approach: number;
    of?: number; impacts?: number; strongest?: number; at?: number;
    pair?: string; // which two, of the strongest
}
/// A line of the certificate; value null: not measured.
export interface Worst { label: string; unit: string; help: string; value: number | null; time: number | null; contact: string; limit: number | null }
export interface LedgerLine { name: string; help: string; stored: boolean }

interface Head {
    file: string; title: string; path: string; version: string; command: string; scheme: string; outcome: string;
    model: string; linear_backend: string; ledger_note: string;
    start: number; step: number; until: number; record_every: number; finished: boolean;
    worst: Record<string, Worst>; created: boolean; turned: boolean; far: boolean; numbers: Record<string, number | null>; ledger: LedgerLine[];
    event_count: number; events_merged: number; events_within: number; events: Event[];
}

export interface Series { name: string; path: string; unit: string; components: string; columns: number }

/// One column of a recorded quantity.
export interface Column { name: string; unit: string; quantity: string; values: Float32Array | Float64Array }

export interface Attachment { node: number; at: Vec }
export interface Body {
    name: string; node: number; mass: number; derived: boolean;
    piece: boolean; // one more shape of the body before
    kind: "none" | "sphere" | "box" | "cylinder" | "polygon" | "hull" | "triangles" | "capsule" | "mesh";
    radius: number; centre: Vec; size: Vec; axis: Vec;
    rotation: [number, number, number, number]; // of a box, x, y, z, w; all zero: none
    colour: string; opacity: number; // colour "": the page chooses
    open: boolean; // polygon: a line, not an area
    left_out: number; // triangles that it is drawn without
    first_point: number; point_count: number; first_triangle: number; triangle_count: number;
    points: Float32Array; // three coordinates of each; kind triangles: three points of each
    triangles: Int32Array; // three points of each
}
export interface Link { name: string; kind: "spring" | "rod" | "joint"; a: Attachment; b: Attachment }
export interface Surface {
    name: string; kind: "plane" | "circle" | "hole" | "slot" | "cylinder" | "bore" | "rim"; node: number;
    through: Vec; direction: Vec; along: Vec; size: number; taper: number; half: [number, number];
}
/// Faces of a solid that contacts press on, by nodes: in the plane one after the other along it.
export interface Boundary { name: string; closed: boolean; first: number; count: number }
export interface Part { name: string; held: boolean; round: boolean; equivalent: boolean; height: number; width: number }
/// Elements of one kind, as they describe themselves. dim 1: lines, 2: in the plane, 3: in space. Faces: nodes of a cell,
/// outward; in the plane edges. stress: what its values are, "": there are none. turns: a section is carried by the axes
/// of the nodes, in which it lies as `axes` say.
export interface Block {
    kind: string; dim: number; nodes: number; first: number; count: number;
    stress: string; unit: string; turns: boolean; faces: number[][];
    cells: Int32Array; owner: Int32Array; axes: Float32Array;
}

export interface Scene {
    planar: boolean; nodes: number; cells: number; outlines: number; frames: number; frames_recorded: number;
    bodies: Body[]; links: Link[]; surfaces: Surface[]; parts: Part[]; blocks: Block[];
    boundaries: Boundary[];
    kind: Uint8Array; reference: Float32Array; turnIndex: Int32Array;
    boundaryNode: Int32Array; boundaryPlace: Int32Array; // place: of each node in boundaryNode, -1: none
    time: Float64Array; ledger: Float64Array; effort: Float32Array;
    u: Float32Array; v: Float32Array; turn: Float32Array; energy: Float32Array; stress: Float32Array;
    outline: Float32Array;
    pressure: Float32Array; // boundaryNode.length for each frame, mean since the frame before
    contactEnd: Int32Array; contactName: Int32Array; contactState: Uint8Array; contact: Float32Array;
    contactNames: string[];
    contactFacet: Int32Array; // four nodes for each contact, -1: none; empty: no contact has any
    contactInPatch: Uint8Array;
    patchEnd: Int32Array; patch: Float32Array; patchCorner: Float32Array; // of all frames; see patches.ts
    patchCount: Int32Array; // of each patch: its corners, the number of its name
    patchFirst: Int32Array; // its first corner
    patchNames: string[];
}

export interface Run extends Head {
    label: string; rows: number; points: number; group: number;
    time: Float64Array; columns: Column[]; series: { info: Series; first: number }[]; scene: Scene | null;
}

export interface Study {
    title: string; model: string;
    studies: {
        scheme: string; quantity: string; reference: string;
        rows: ({ step: number; failed: string | null } & Record<string, unknown>)[];
        orders: Record<string, { order: number | null; deviation: number | null; constant: number | null }>;
    }[];
}

function element(name: string): HTMLScriptElement | null {
    return document.querySelector<HTMLScriptElement>(`script[data-zeno="${name}"]`);
}

function json<T>(name: string): T | null {
    const e = element(name);
    return e ? (JSON.parse(e.textContent ?? "null") as T) : null;
}

function array(name: string): Float32Array | Float64Array | Int32Array | Uint8Array {
    const e = element(name);
    const text = atob(e?.textContent ?? "");
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    e?.remove(); // the text is not needed any more
    switch (e?.dataset.type) {
        case "f8": return new Float64Array(bytes.buffer);
        case "f4": return new Float32Array(bytes.buffer);
        case "i4": return new Int32Array(bytes.buffer);
        default: return bytes;
    }
}

const f4 = (name: string) => array(name) as Float32Array;
const f8 = (name: string) => array(name) as Float64Array;
const i4 = (name: string) => array(name) as Int32Array;

function readScene(run: string): Scene | null {
    const scene = json<Scene>(`${run}.scene`);
    if (!scene) return null;
    scene.kind = array(`${run}.kind`) as Uint8Array;
    scene.reference = f4(`${run}.reference`);
    const points = f4(`${run}.body_points`), triangles = i4(`${run}.body_triangles`);
    for (const b of scene.bodies) {
        b.points = points.subarray(3 * b.first_point, 3 * (b.first_point + b.point_count));
        b.triangles = triangles.subarray(3 * b.first_triangle, 3 * (b.first_triangle + b.triangle_count));
    }
    scene.blocks.forEach((b, i) => {
        b.cells = i4(`${run}.cells${i}`);
        b.owner = i4(`${run}.owner${i}`);
        if (b.turns) b.axes = f4(`${run}.axes${i}`);
    });
    scene.turnIndex = new Int32Array(scene.nodes).fill(-1);
    let turning = 0;
    scene.kind.forEach((k, i) => { if (k === 2 || k === 3) scene.turnIndex[i] = turning++; });
    scene.boundaryNode = i4(`${run}.boundary_node`);
    scene.boundaryPlace = new Int32Array(scene.nodes).fill(-1);
    scene.boundaryNode.forEach((node, i) => (scene.boundaryPlace[node] = i));
    scene.time = f8(`${run}.frame_time`);
    scene.ledger = f8(`${run}.frame_ledger`);
    for (const name of ["u", "v", "turn", "energy", "stress", "outline", "effort", "pressure"] as const)
        scene[name] = f4(`${run}.${name}`);
    scene.contactEnd = i4(`${run}.contact_end`);
    scene.contactName = i4(`${run}.contact_name`);
    scene.contactState = array(`${run}.contact_state`) as Uint8Array;
    scene.contact = f4(`${run}.contact`);
    scene.contactFacet = i4(`${run}.contact_facet`);
    scene.contactNames = json<string[]>(`${run}.contact_names`) ?? [];
    scene.contactInPatch = array(`${run}.contact_in_patch`) as Uint8Array;
    scene.patchEnd = i4(`${run}.patch_end`);
    scene.patch = f4(`${run}.patch`);
    scene.patchCorner = f4(`${run}.patch_corner`);
    scene.patchCount = i4(`${run}.patch_count`);
    scene.patchNames = json<string[]>(`${run}.patch_names`) ?? [];
    scene.patchFirst = new Int32Array(scene.patchCount.length / 2);
    for (let i = 1; i < scene.patchFirst.length; i++) scene.patchFirst[i] = scene.patchFirst[i - 1] + scene.patchCount[2 * (i - 1)];
    return scene;
}

function readRun(name: string): Run | null {
    const run = json<Run>(name);
    const list = json<{ rows: number; points: number; group: number; list: Series[] }>(`${name}.series`);
    if (!run || !list) return null;
    run.rows = list.rows;
    run.points = list.points;
    run.group = list.group;
    run.time = f8(`${name}.t`);
    run.columns = [];
    run.series = [];
    list.list.forEach((s, i) => {
        const all = array(`${name}.s${i}`) as Float32Array;
        const parts = s.components ? s.components.split(" ") : [];
        run.series.push({ info: s, first: run.columns.length });
        for (let k = 0; k < s.columns; k++)
            run.columns.push({
                name: s.columns === 1 && !parts.length ? s.name : `${s.name}.${parts[k] ?? k}`,
                unit: s.unit,
                quantity: s.path.split(".").slice(1).join(".") || s.path,
                values: all.subarray(k * list.points, (k + 1) * list.points),
            });
    });
    run.scene = readScene(name);
    run.label = run.file.split("/").pop()!.replace(/(\.zeno)?\.h5(\.part)?$/, "");
    return run;
}

export function readRuns(): Run[] {
    const runs: Run[] = [];
    for (let i = 0; ; i++) {
        const run = readRun(`run${i}`);
        if (!run) break;
        runs.push(run);
    }
    const labels = runs.map((r) => r.label);
    for (const r of runs) // the scheme tells results of the same name apart
        if (labels.filter((l) => l === r.label).length > 1) r.label = `${r.label} (${r.scheme})`;
    return runs;
}

export function readStudies(): Study[] {
    const studies: Study[] = [];
    for (let i = 0; ; i++) {
        const study = json<Study>(`study${i}`);
        if (!study) break;
        studies.push(study);
    }
    return studies;
}
