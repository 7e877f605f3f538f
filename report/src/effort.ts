// Iterations of the steps: mean and most between two frames.
import type { Clock } from "./clock";
import type { Run } from "./data";
import { h } from "./dom";
import { Plot, type Curve } from "./plot";

const names = ["Newton", "projection", "activation", "contact solver"];
const columns = 10; // steps, retries, four sums, four maxima

export function effortPanel(runs: Run[], clock: Clock): HTMLElement {
    const panel = h("div", { className: "panel" });
    for (const run of runs) {
        const scene = run.scene;
        panel.append(h("h2", {}, "Iterations per step", runs.length > 1 ? `: ${run.label}` : ""));
        if (!scene || scene.frames < 2) {
            panel.append(h("p", {}, "The result holds no frames."));
            continue;
        }
        const time = scene.time.subarray(1), at = (f: number, k: number) => scene.effort[(f + 1) * columns + k];
        const of = (get: (f: number) => number) => Float64Array.from({ length: time.length }, (_, f) => get(f));
        names.forEach((name, k) => {
            const mean = of((f) => at(f, 2 + k) / Math.max(at(f, 0), 1)), most = of((f) => at(f, 6 + k));
            if (Math.max(...most) === 0) return;
            const curves: Curve[] = [{ label: "mean", x: time, y: mean }, { label: "most", x: time, y: most }];
            panel.append(new Plot(curves, { xLabel: "t [s]", yLabel: name, height: 160, clock, label: `${name} iterations` }).element);
        });
        const retries = of((f) => at(f, 1));
        if (Math.max(...retries) > 0)
            panel.append(new Plot([{ label: "retries", x: time, y: retries }], { xLabel: "t [s]", yLabel: "steps repeated", height: 140, clock }).element);
    }
    return panel;
}
