// Contact pressure: the largest of each boundary over time; in the plane along the boundary.
import type { Clock } from "./clock";
import type { Boundary, Run, Scene } from "./data";
import { h } from "./dom";
import { pressureAt } from "./fields";
import { Plot, type Curve } from "./plot";
import { Waves, type Source } from "./waves";

// Of several boundaries of one part each has its number.
function nameOf(run: Run, boundary: Boundary, several: boolean): string {
    const same = run.scene!.boundaries.filter((b) => b.name === boundary.name);
    return (several ? `${run.label}, ` : "") + boundary.name + (same.length > 1 ? ` ${same.indexOf(boundary) + 1}` : "");
}

// Values of a boundary in a frame: means since the frame before; or centred at the frame, between those before and
// behind it, which takes away what alternates from step to step.
type Values = (frame: number, place: number) => number;

function valuesOf(scene: Scene, centred: boolean): Values {
    const t = scene.time, last = scene.frames - 1;
    if (!centred) return (f, place) => pressureAt(scene, f, place);
    return (f, place) => {
        const before = f > 0 ? t[f] - t[f - 1] : 0, behind = f < last ? t[f + 1] - t[f] : 0, p = before * pressureAt(scene, f, place);
        return before + behind > 0 ? (p + (behind > 0 ? behind * pressureAt(scene, f + 1, place) : 0)) / (before + behind) : 0;
    };
}

// Places that were ever pressed.
function pressedOf(scene: Scene, b: Boundary): boolean[] {
    return Array.from({ length: b.count }, (_, i) => {
        for (let f = 0; f < scene.frames; f++) if (pressureAt(scene, f, b.first + i) > 0) return true;
        return false;
    });
}

// Where a closed boundary is cut open: in the middle of the longest stretch that nothing presses on.
function cutOf(pressed: boolean[]): number {
    const n = pressed.length;
    let best = 0, cut = 0, run = 0;
    for (let i = 0; i < 2 * n; i++) {
        run = pressed[i % n] ? 0 : run + 1;
        if (run > best && run <= n) [best, cut] = [run, i - (run >> 1)];
    }
    return ((cut % n) + n) % n;
}

// Length along the undeformed boundary, and places there: what was pressed, and something beside it.
function alongChain(scene: Scene, b: Boundary): { s: Float64Array; place: number[] } {
    const X = scene.reference, pressed = pressedOf(scene, b), cut = b.closed ? cutOf(pressed) : 0;
    const order = Array.from({ length: b.count + (b.closed ? 1 : 0) }, (_, i) => (i + cut) % b.count);
    const s = new Float64Array(order.length), node = order.map((i) => scene.boundaryNode[b.first + i]);
    for (let i = 1; i < s.length; i++)
        s[i] = s[i - 1] + Math.hypot(X[3 * node[i]] - X[3 * node[i - 1]], X[3 * node[i] + 1] - X[3 * node[i - 1] + 1]);
    const low = order.findIndex((i) => pressed[i]), high = order.map((i) => pressed[i]).lastIndexOf(true), beside = 2 + Math.ceil(0.25 * (high - low));
    const from = Math.max(low - beside, 0), to = Math.min(high + beside + 1, s.length);
    return { s: s.slice(from, to), place: order.slice(from, to).map((i) => b.first + i) };
}

function sourceOf(run: Run, b: Boundary, name: string, values: () => Values): Source {
    const scene = run.scene!, { s, place } = alongChain(scene, b);
    return { label: `${name}: contact pressure`, unit: "Pa", place: "along the boundary [m]", s, time: scene.time, envelope: true,
        at: (f, i) => values()(f, place[i]) };
}

function largestOf(scene: Scene, b: Boundary, values: Values): Float64Array {
    return Float64Array.from({ length: scene.frames }, (_, f) => {
        let most = 0;
        for (let i = b.first; i < b.first + b.count; i++) most = Math.max(most, values(f, i));
        return most;
    });
}

/// Null: nothing presses on a boundary.
export function pressurePanel(runs: Run[], clock: Clock): (() => HTMLElement) | null {
    const list = runs.flatMap((run) => (run.scene?.boundaries ?? []).map((b) => ({ run, scene: run.scene!, b, name: nameOf(run, b, runs.length > 1) })))
        .filter((e) => pressedOf(e.scene, e.b).some((p) => p));
    return list.length ? () => panelOf(list, clock) : null;
}

interface Entry { run: Run; scene: Scene; b: Boundary; name: string }

function panelOf(list: Entry[], clock: Clock): HTMLElement {
    const values = new Map<Scene, Values>(), choose = (centred: boolean) => list.forEach((e) => values.set(e.scene, valuesOf(e.scene, centred)));
    const alternates = list.some((e) => e.run.scheme === "energy_momentum");
    choose(alternates);
    const curves = (): Curve[] => list.map((e) => ({ label: e.name, x: e.scene.time, y: largestOf(e.scene, e.b, values.get(e.scene)!) }));
    const chains = list.filter((e) => e.scene.planar && e.b.count > 2).map((e) => sourceOf(e.run, e.b, e.name, () => values.get(e.scene)!));
    const waves = chains.length ? new Waves(chains, 0, clock, "boundary") : null, panel = waves?.element ?? h("div", { className: "panel" });
    const largest = new Plot(curves(), { xLabel: "t [s]", yLabel: "pressure [Pa]", height: 230, clock, zero: true, label: "largest contact pressure" });
    const box = h("input", { type: "checkbox", checked: alternates, onchange: () => {
        choose(box.checked);
        waves?.paint();
        largest.refresh(curves());
    } });
    const tools = panel.querySelector(".panel-tools") ?? panel.appendChild(h("div", { className: "panel-tools" }));
    tools.append(h("label", { title: "Mean of the intervals before and behind a frame: conserving schemes alternate from step to step." }, box, "centred"));
    panel.append(h("h2", {}, "Largest contact pressure"), largest.element,
        h("p", { className: "note" }, "Normal forces of contacts at a node over the part of the boundary that belongs to it, mean since the frame before; centred: from there to the frame behind."
            + (chains.length ? " The place counts along the undeformed boundary, from left to right; around a closed one with the solid on the left." : " For its place choose colour: contact pressure.")));
    return panel;
}
