// The energy ledger: what is stored and what was lost, stacked, against what came in.
import type { Clock } from "./clock";
import type { Run } from "./data";
import { h, number, palette } from "./dom";
import { Plot, type Curve } from "./plot";

interface Lines { time: ArrayLike<number>; values: Float64Array[] }

// From the frames; each line over time.
function linesOf(run: Run): Lines | null {
    const scene = run.scene, count = run.ledger.length;
    if (!scene || !scene.frames) return null;
    return { time: scene.time, values: run.ledger.map((_, k) => Float64Array.from({ length: scene.frames }, (_v, f) => scene.ledger[f * count + k])) };
}

// Cumulative sums. Stored energies count from their least value, lines that enter as losses where they are negative.
function stack(run: Run, lines: Lines): { curves: Curve[]; total: Float64Array } {
    const n = lines.time.length, sum = new Float64Array(n), total = new Float64Array(n), curves: Curve[] = [];
    let largest = 0;
    for (const v of lines.values) for (const x of v) largest = Math.max(largest, Math.abs(x));
    run.ledger.forEach((line, k) => {
        const v = lines.values[k], least = line.name === "gravity" ? Math.min(...v) : 0;
        const part = v.map((x) => (line.stored ? x - least : Math.max(0, -x)));
        if (!line.stored) v.forEach((x, i) => (total[i] += Math.max(0, x)));
        else total.forEach((_, i) => (total[i] += v[0] - least));
        if (Math.max(...part) <= 1e-9 * largest) return;
        part.forEach((x, i) => (sum[i] += x));
        const colour = palette[k % palette.length];
        curves.push({ label: line.stored ? line.help : `lost: ${line.help}`, x: lines.time, y: Float64Array.from(sum), told: part, colour, fill: colour + "66" });
    });
    return { curves, total };
}

export function energyPanel(runs: Run[], clock: Clock): HTMLElement {
    const panel = h("div", { className: "panel" });
    for (const run of runs) {
        const lines = linesOf(run);
        panel.append(h("h2", {}, "Energy", runs.length > 1 ? `: ${run.label}` : ""));
        if (!lines) {
            panel.append(h("p", {}, "The result holds no frames."));
            continue;
        }
        const { curves, total } = stack(run, lines);
        curves.push({ label: "at the start, and what came in", x: lines.time, y: total, colour: "#888888", dash: [6, 4] });
        panel.append(new Plot(curves, { xLabel: "t [s]", yLabel: "energy [J]", height: 300, stacked: true, clock, label: "energy" }).element,
            h("p", { className: "note" }, "Areas stand on each other; gravity counts from its lowest value. The dashed line is what must be there: where it lies on the stack, the ledger closes.", run.ledger_note ? ` Note: ${run.ledger_note}.` : ""),
            table(run, lines));
    }
    return panel;
}

function table(run: Run, lines: Lines): HTMLElement {
    const last = lines.time.length - 1;
    return h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "line"), h("th", {}, "start [J]"), h("th", {}, "end [J]"))),
        h("tbody", {}, ...run.ledger.map((line, k) => h("tr", {}, h("td", {}, line.help), h("td", {}, line.stored ? number(lines.values[k][0], 7) : ""),
            h("td", {}, number(lines.values[k][last], 7))))));
}
