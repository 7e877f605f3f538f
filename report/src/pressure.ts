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

// Length along the undeformed boundary, and places there; the first node of a closed one comes again at its end.
function alongChain(scene: Scene, b: Boundary): { s: Float64Array; place: number[] } {
    const X = scene.reference, place = Array.from({ length: b.count + (b.closed ? 1 : 0) }, (_, i) => b.first + (i % b.count));
    const s = new Float64Array(place.length), node = place.map((p) => scene.boundaryNode[p]);
    for (let i = 1; i < s.length; i++)
        s[i] = s[i - 1] + Math.hypot(X[3 * node[i]] - X[3 * node[i - 1]], X[3 * node[i] + 1] - X[3 * node[i - 1] + 1]);
    return { s, place };
}

function sourceOf(run: Run, b: Boundary, name: string): Source {
    const scene = run.scene!, { s, place } = alongChain(scene, b);
    return { label: `${name}: contact pressure`, unit: "Pa", place: "along the boundary [m]", s, time: scene.time, envelope: true,
        at: (f, i) => pressureAt(scene, f, place[i]) };
}

function largestOf(scene: Scene, b: Boundary): Float64Array {
    return Float64Array.from({ length: scene.frames }, (_, f) => {
        let most = 0;
        for (let i = b.first; i < b.first + b.count; i++) most = Math.max(most, pressureAt(scene, f, i));
        return most;
    });
}

/// Null: nothing presses on a boundary.
export function pressurePanel(runs: Run[], clock: Clock): (() => HTMLElement) | null {
    const list = runs.flatMap((run) => (run.scene?.boundaries ?? []).map((b) => ({ run, b, name: nameOf(run, b, runs.length > 1), most: largestOf(run.scene!, b) })))
        .filter((e) => e.most.some((v) => v > 0));
    if (!list.length) return null;
    return () => {
        const curves: Curve[] = list.map((e) => ({ label: e.name, x: e.run.scene!.time, y: e.most }));
        const chains = list.filter((e) => e.run.scene!.planar && e.b.count > 2).map((e) => sourceOf(e.run, e.b, e.name));
        const panel = chains.length ? new Waves(chains, 0, clock, "boundary").element : h("div", { className: "panel" });
        panel.append(h("h2", {}, "Largest contact pressure"), new Plot(curves, { xLabel: "t [s]", yLabel: "pressure [Pa]", height: 230, clock, zero: true, label: "largest contact pressure" }).element,
            h("p", { className: "note" }, "Normal forces of contacts at a node over the part of the boundary that belongs to it, mean between two frames."
                + (chains.length ? " The place counts along the undeformed boundary, from left to right; around a closed one with the solid on the left." : " For its place choose colour: contact pressure.")));
        return panel;
    };
}
