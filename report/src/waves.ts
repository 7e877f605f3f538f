// Waves: a quantity along a line of nodes over time as an image, and its profile at the current time.
import { indexAt, type Clock } from "./clock";
import { colourAt, ColourBar } from "./colours";
import type { Run, Scene } from "./data";
import { h, number, theme, withUnit } from "./dom";
import { fieldsOf } from "./fields";
import { partNodes } from "./pose";
import { Plot, type Curve } from "./plot";

/// A quantity along a line. envelope: its largest values belong to the profile, not those at some times.
export interface Source { label: string; unit: string; place: string; s: Float64Array; time: ArrayLike<number>; at: (f: number, i: number) => number; envelope?: boolean }

const axes = ["x", "y", "z"];

// Nodes of a part along a line: all of a bar or beam; of a solid those nearest to a line through its middle.
function linesOf(scene: Scene): { label: string; nodes: number[]; cells: number[] | null; s: Float64Array; cellS: Float64Array | null }[] {
    const out: ReturnType<typeof linesOf> = [], X = scene.reference;
    for (const b of scene.blocks) {
        if (b.nodes !== 2) continue;
        for (const part of new Set(b.owner)) {
            const cells = [...b.owner.keys()].filter((c) => b.owner[c] === part);
            const nodes = [b.cells[2 * cells[0]], ...cells.map((c) => b.cells[2 * c + 1])];
            const s = new Float64Array(nodes.length);
            for (let i = 1; i < nodes.length; i++)
                s[i] = s[i - 1] + Math.hypot(...[0, 1, 2].map((k) => X[3 * nodes[i] + k] - X[3 * nodes[i - 1] + k]));
            out.push({ label: scene.parts[part].name, nodes, cells: cells.map((c) => b.first + c), s, cellS: s.slice(1).map((v, i) => 0.5 * (v + s[i])) });
        }
    }
    const solids = new Set(scene.blocks.filter((b) => b.nodes > 2).flatMap((b) => [...new Set(b.owner)]));
    for (const [part, nodes] of partNodes(scene)) {
        if (!solids.has(part)) continue;
        for (let axis = 0; axis < (scene.planar ? 2 : 3); axis++) out.push(solidLine(scene, part, nodes, axis));
    }
    return out;
}

function solidLine(scene: Scene, part: number, nodes: number[], axis: number): ReturnType<typeof linesOf>[number] {
    const X = scene.reference, middle = [0, 1, 2].map((k) => {
        const v = nodes.map((n) => X[3 * n + k]);
        return 0.5 * (v.reduce((a, b) => Math.min(a, b)) + v.reduce((a, b) => Math.max(a, b)));
    });
    const away = (n: number) => Math.hypot(...[0, 1, 2].map((k) => (k === axis ? 0 : X[3 * n + k] - middle[k])));
    const best = new Map<number, number>(); // the nearest node of each height
    for (const n of nodes) {
        const key = Math.fround(X[3 * n + axis]), old = best.get(key);
        if (old === undefined || away(n) < away(old)) best.set(key, n);
    }
    const list = [...best].sort((a, b) => a[0] - b[0]);
    return { label: `${scene.parts[part].name}, along ${axes[axis]}`, nodes: list.map((e) => e[1]), cells: null, s: Float64Array.from(list, (e) => e[0]), cellS: null };
}

function sourcesOf(run: Run): Source[] {
    const out: Source[] = [], scene = run.scene;
    if (scene && scene.frames > 1)
        for (const line of linesOf(scene)) {
            const dim = scene.planar ? 2 : 3, nodal = (label: string, unit: string, values: Float32Array, k: number): Source => ({
                label: `${line.label}: ${label}`, unit, place: "place [m]", s: line.s, time: scene.time,
                at: (f, i) => values[(f * scene.nodes + line.nodes[i]) * dim + k] });
            for (let k = 0; k < dim; k++) out.push(nodal(`velocity ${axes[k]}`, "m/s", scene.v, k));
            for (let k = 0; k < dim; k++) out.push(nodal(`displacement ${axes[k]}`, "m", scene.u, k));
            for (const info of line.cells ? fieldsOf(scene).filter((f) => f.cells) : [])
                out.push({ label: `${line.label}: ${info.label}`, unit: info.unit, place: "place [m]", s: line.cellS!, time: scene.time,
                    at: (f, i) => (info.field === "stress" ? scene.stress : scene.energy)[f * scene.cells + line.cells![i]] });
        }
    for (const { info, first } of run.series)
        if (info.columns > 3 && !info.components && info.path !== "ledger" && info.path !== "energy" && info.path !== "iterations")
            out.push({ label: info.name, unit: info.unit, place: "column", s: Float64Array.from({ length: info.columns }, (_, i) => i), time: run.time,
                at: (f, i) => run.columns[first + i].values[f] });
    return out.filter((s) => s.s.length > 2);
}

export function wavesPanel(runs: Run[], clock: Clock): HTMLElement | null {
    const sources = runs.flatMap((r) => sourcesOf(r).map((s) => ({ ...s, label: runs.length > 1 ? `${r.label}, ${s.label}` : s.label })));
    if (!sources.length) return null;
    // what moves comes first
    const moves = (s: Source) => { let m = 0; for (let f = 0; f < s.time.length; f += 7) m = Math.max(m, Math.abs(s.at(f, s.s.length >> 1) - s.at(0, s.s.length >> 1))); return m > 0; };
    const start = Math.max(0, sources.findIndex(moves));
    return new Waves(sources, start, clock, "line").element;
}

/// Place and time as an image, and the profile of now.
export class Waves {
    readonly element = h("div", { className: "panel" });
    private readonly canvas = h("canvas", { className: "image", tabIndex: 0, role: "img" });
    private readonly bar = new ColourBar();
    private readonly image = document.createElement("canvas");
    private readonly profile: Plot;
    private source: Source;
    private low = 0;
    private high = 1;
    private largest = new Float64Array(0); // at each place

    constructor(sources: Source[], start: number, private readonly clock: Clock, what: string) {
        const box = h("select", { "aria-label": "quantity", onchange: () => { this.source = sources[box.selectedIndex]; this.paint(); } },
            ...sources.map((s) => h("option", {}, s.label)));
        box.selectedIndex = start;
        this.source = sources[start];
        this.profile = new Plot([], { xLabel: this.source.place, yLabel: "", height: 230, label: "profile", zero: this.source.envelope });
        this.canvas.addEventListener("click", (e) => {
            const r = this.canvas.getBoundingClientRect();
            clock.set(clock.start + ((e.clientX - r.left - 60) / (r.width - 70)) * (clock.end - clock.start));
        });
        this.element.append(h("div", { className: "panel-tools" }, box, h("small", {}, "Click: go to that time.")),
            h("h2", {}, `Along the ${what}, over time`), this.canvas, this.bar.element, h("h2", {}, "Profile now"), this.profile.element);
        new ResizeObserver(() => this.draw()).observe(this.canvas);
        for (const event of ["zeno-theme", "zeno-layout"]) document.addEventListener(event, () => this.draw());
        this.paint();
        clock.watch(() => this.draw());
    }

    // One pixel for each node and frame; nodes at unequal distances: for each place, between two of them.
    private paint(): void {
        const { s, time, at, label, unit } = this.source, n = s.length, frames = time.length, rgb = [0, 0, 0];
        this.low = Infinity;
        this.high = -Infinity;
        this.largest = new Float64Array(n).fill(-Infinity);
        for (let f = 0; f < frames; f++)
            for (let i = 0; i < n; i++) {
                const v = at(f, i);
                if (v < this.low) this.low = v;
                if (v > this.high) this.high = v;
                if (v > this.largest[i]) this.largest[i] = v;
            }
        const step = Math.max(1, Math.ceil(frames / 2000)), places = placesOf(s);
        this.image.width = Math.ceil(frames / step);
        this.image.height = places.length;
        const g = this.image.getContext("2d")!, pixels = g.createImageData(this.image.width, this.image.height);
        for (let f = 0; f < this.image.width; f++)
            for (let i = 0; i < this.image.height; i++) {
                const below = Math.floor(places[i]), part = places[i] - below, v = at(f * step, below);
                colourAt((v + (part > 0 ? part * (at(f * step, below + 1) - v) : 0) - this.low) / (this.high - this.low || 1), rgb);
                pixels.data.set([...rgb, 255], 4 * ((this.image.height - 1 - i) * this.image.width + f));
            }
        g.putImageData(pixels, 0, 0);
        this.bar.show(withUnit(label, unit), this.low, this.high);
        this.canvas.setAttribute("aria-label", `${label} over place and time`);
        this.draw();
    }

    private draw(): void {
        const c = this.canvas, ratio = window.devicePixelRatio || 1, w = c.clientWidth, height = c.clientHeight, g = c.getContext("2d");
        if (!g || !w) return;
        c.width = w * ratio;
        c.height = height * ratio;
        g.scale(ratio, ratio);
        g.clearRect(0, 0, w, height);
        g.imageSmoothingEnabled = this.image.width > w * ratio || this.image.height > height * ratio; // smaller: no moiré
        g.imageSmoothingQuality = "high";
        g.drawImage(this.image, 60, 4, w - 70, height - 34);
        const { s, place } = this.source, { start, end, t } = this.clock;
        g.fillStyle = theme("text");
        g.font = "11px system-ui, sans-serif";
        g.textAlign = "right";
        g.fillText(number(s[s.length - 1], 4), 55, 14);
        g.fillText(number(s[0], 4), 55, height - 32);
        g.save();
        g.translate(14, height / 2);
        g.rotate(-Math.PI / 2);
        g.textAlign = "center";
        g.fillText(place, 0, 0);
        g.restore();
        for (let k = 0; k <= 4; k++) {
            g.textAlign = k === 0 ? "left" : k === 4 ? "right" : "center";
            g.fillText(number(start + ((end - start) * k) / 4, 4) + (k === 4 ? " s" : ""), 60 + ((w - 70) * k) / 4, height - 14);
        }
        g.fillStyle = theme("cursor");
        g.fillRect(60 + ((t - start) / (end - start || 1)) * (w - 70) - 0.75, 4, 1.5, height - 34);
        this.drawProfile();
    }

    private drawProfile(): void {
        const { s, time, at, label, unit, place } = this.source, now = indexAt(time, this.clock.t), last = time.length - 1;
        const curve = (f: number, name: string, colour: string, dash?: number[]): Curve => ({ label: name, x: s, y: Float64Array.from(s, (_, i) => at(f, i)), colour, dash });
        this.profile.name(place);
        const others = this.source.envelope ? [{ label: "largest of all times", x: s, y: this.largest, colour: "#999999", dash: [3, 3] }]
            : [0, 0.25, 0.5, 0.75, 1].map((p) => Math.round(p * last)).map((f) => curve(f, `t = ${number(time[f], 3)} s`, "#99999999", [3, 3]));
        this.profile.refresh([...others, curve(now, withUnit(label, unit), "#d55e00")]);
    }
}

// Rows of the image, as numbers of nodes: each node, at most a thousand; or evenly along the line.
function placesOf(s: Float64Array): number[] {
    const n = s.length, gaps = Array.from(s.subarray(1), (v, i) => v - s[i]), least = Math.min(...gaps), length = s[n - 1] - s[0];
    if (!(length > 0) || !(least > 0) || Math.max(...gaps) < 1.01 * least)
        return Array.from({ length: Math.min(n, 1000) }, (_, i) => (n > 1000 ? Math.floor((i * n) / 1000) : i));
    const rows = Math.min(1000, Math.ceil(length / least) + 1);
    let k = 0;
    return Array.from({ length: rows }, (_, i) => {
        const at = s[0] + (length * i) / (rows - 1);
        while (k < n - 2 && s[k + 1] <= at) k++;
        return Math.min(k + (at - s[k]) / gaps[k], n - 1);
    });
}
