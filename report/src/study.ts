// Convergence studies: errors over steps in decades, with the fitted slopes.
import type { Study } from "./data";
import { h, number, palette } from "./dom";
import { Plot, type Curve } from "./plot";

const norms = ["l1", "l2", "uniform", "rel_l1"];

export function studyPanel(studies: Study[]): HTMLElement {
    return h("div", { className: "panel" }, ...studies.flatMap((s) => oneStudy(s)));
}

function oneStudy(study: Study): HTMLElement[] {
    const out: HTMLElement[] = [h("h2", {}, `Convergence: ${study.title || study.model}`)];
    for (const quantity of new Set(study.studies.map((s) => s.quantity))) {
        const list = study.studies.filter((s) => s.quantity === quantity);
        const known = norms.filter((n) => list.some((s) => s.orders[n]));
        const place = h("div"), box = h("select", { "aria-label": "norm", onchange: () => draw() }, ...known.map((n) => h("option", {}, n)));
        const draw = () => place.replaceChildren(plotOf(list, quantity, known[box.selectedIndex]));
        draw();
        out.push(h("h3", {}, quantity, " ", h("small", {}, `against ${list[0].reference}; norm `), box), place, tableOf(list, known));
    }
    return out;
}

function plotOf(list: Study["studies"], quantity: string, norm: string): HTMLElement {
    const curves: Curve[] = [], all: number[] = [];
    list.forEach((s, i) => {
        const rows = s.rows.filter((r) => typeof r[norm] === "number" && (r[norm] as number) > 0).sort((a, b) => a.step - b.step);
        const fit = s.orders[norm], steps = rows.map((r) => r.step), colour = palette[i % palette.length];
        all.push(...steps);
        curves.push({ label: `${s.scheme}: order ${number(fit?.order, 3)}`, x: steps, y: rows.map((r) => r[norm] as number), colour, points: true });
        if (fit?.order != null && fit.constant != null && steps.length > 1)
            curves.push({ label: `fit ${s.scheme}`, x: steps, y: steps.map((h_) => fit.constant! * h_ ** fit.order!), colour, dash: [5, 4] });
    });
    return new Plot(curves, { xLabel: "step [s]", yLabel: `error of ${quantity}, ${norm}`, logX: true, logY: true, height: 340 }).element;
}

function tableOf(list: Study["studies"], known: string[]): HTMLElement {
    return h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "scheme"), ...known.map((n) => h("th", {}, `order, ${n}`)), h("th", {}, "failed"))),
        h("tbody", {}, ...list.map((s) => h("tr", {}, h("td", {}, s.scheme), ...known.map((n) => h("td", {}, s.orders[n]?.order == null ? "–"
            : `${number(s.orders[n].order, 3)} ± ${number(s.orders[n].deviation, 2)}`)), h("td", {}, String(s.rows.filter((r) => r.failed).length))))));
}
