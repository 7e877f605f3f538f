// Plots of recorded quantities and expressions of them, all runs in the same axes.
import { indexAt, type Clock } from "./clock";
import type { Run } from "./data";
import { h, palette, withUnit } from "./dom";
import { compile, type Names } from "./expression";
import { Plot, type Curve } from "./plot";

function namesOf(run: Run): Names {
    const table = new Map<string, ArrayLike<number>>(run.columns.map((c) => [c.name, c.values]));
    table.set("t", run.time);
    return (name) => table.get(name) ?? null;
}

function unitOf(runs: Run[], text: string): string {
    if (text.trim() === "t") return "s";
    for (const run of runs) {
        const c = run.columns.find((k) => k.name === text.trim());
        if (c) return c.unit;
    }
    return "";
}

class PlotCard {
    readonly element = h("article", { className: "card" });
    private readonly place = h("div");
    private readonly message = h("p", { className: "message", role: "alert" });
    private readonly y: HTMLInputElement;
    private readonly x: HTMLInputElement;

    constructor(private readonly runs: Run[], private readonly clock: Clock, y: string, x: string, remove: () => void) {
        const input = (value: string, label: string) => h("input", { type: "text", value, "aria-label": label, title: label,
            spellcheck: false, list: "quantities", onchange: () => this.draw() });
        this.y = input(y, "quantities or expressions on the vertical axis, separated by commas");
        this.x = input(x, "quantity or expression on the horizontal axis");
        this.element.append(h("div", { className: "card-tools" }, this.y, h("span", {}, "over"), this.x,
            h("button", { type: "button", title: "remove this plot", "aria-label": "remove this plot", onclick: () => { this.element.remove(); remove(); } }, "✕")),
            this.message, this.place);
        this.place.style.minHeight = "200px";
        const seen = new IntersectionObserver((entries) => { if (entries.some((e) => e.isIntersecting)) first(); });
        const first = () => { // drawn when it comes into view, or on paper
            seen.disconnect();
            document.removeEventListener("zeno-print", first);
            this.draw();
        };
        seen.observe(this.element);
        document.addEventListener("zeno-print", first);
    }

    private draw(): void {
        const parts = split(this.y.value), xText = this.x.value.trim() || "t", curves: (Curve & { run: Run })[] = [], several = this.runs.length > 1;
        const faults: string[] = [];
        this.runs.forEach((run, r) => parts.forEach((text, k) => {
            try {
                const names = namesOf(run), f = compile(text, names), fx = compile(xText, names);
                const rows = Array.from({ length: run.time.length }, (_, i) => i);
                curves.push({ run, label: several ? `${text}, ${run.label}` : text,
                    x: xText === "t" ? run.time : rows.map(fx), y: rows.map(f),
                    colour: palette[(several ? r + k * this.runs.length : k) % palette.length],
                    dash: several && parts.length > 1 && r > 0 ? [6, 3] : undefined });
            } catch (e) { // what one run lacks others may have
                faults.push(several ? `${run.label}: ${(e as Error).message}` : (e as Error).message);
            }
        }));
        const faulty = !curves.length || !several;
        this.message.classList.toggle("note", !faulty);
        this.message.textContent = faulty ? faults[0] ?? "" : faults.join("; ");
        if (faulty && faults.length) return;
        const { clock } = this, xLabel = withUnit(xText, unitOf(this.runs, xText)), units = new Set(parts.map((p) => unitOf(this.runs, p)));
        const yLabel = parts.length === 1 ? withUnit(parts[0], [...units][0]) : [...units].filter(Boolean).map((u) => `[${u}]`).join(" ");
        this.place.replaceChildren(...xText === "t" ? [new Plot(curves, { xLabel, yLabel, clock, height: 190, label: parts.join(", ") }).element]
            : curves.map((c) => new Plot([c], { xLabel, yLabel: curves.length > 1 ? c.label : yLabel, parametric: true, clock, // each its own x: one below the other
                height: curves.length > 1 ? 230 : 260, now: () => indexAt(c.run.time, clock.t), label: c.label }).element));
    }
}

// At commas outside of brackets.
function split(text: string): string[] {
    const out: string[] = [];
    let depth = 0, start = 0;
    for (let i = 0; i <= text.length; i++) {
        if (text[i] === "(") depth++;
        else if (text[i] === ")") depth--;
        else if ((text[i] === "," && depth === 0) || i === text.length) {
            if (text.slice(start, i).trim()) out.push(text.slice(start, i).trim());
            start = i + 1;
        }
    }
    return out;
}

// Quantities of one kind share axes.
function groups(run: Run): string[] {
    const sets: { key: string; names: string[] }[] = [];
    for (const { info, first } of run.series) {
        if (info.path === "ledger" || info.path === "energy" || info.path === "iterations") continue;
        const names = run.columns.slice(first, first + info.columns).map((c) => c.name);
        const key = info.unit + "|" + info.path.split(".").slice(1).join(".");
        if (info.columns > 12) continue;
        const last = sets.find((s) => s.key === key && s.names.length + names.length <= 8 && info.columns === 1);
        if (last) last.names.push(...names);
        else sets.push({ key: info.columns === 1 ? key : info.name, names });
    }
    return sets.map((s) => s.names.join(", "));
}

export function plotsPanel(runs: Run[], clock: Clock): HTMLElement {
    const panel = h("div", { className: "panel" }), list = h("div");
    const all = new Set(runs.flatMap((r) => r.columns.map((c) => c.name)));
    const add = (y: string, x = "t") => list.append(new PlotCard(runs, clock, y, x, () => undefined).element);
    for (const y of runs.length ? groups(runs[0]).slice(0, 8) : []) add(y);
    if (!list.children.length && all.size) add([...all][0]);
    const thinned = runs.filter((r) => r.group > 1);
    panel.append(h("datalist", { id: "quantities" }, h("option", { value: "t" }), ...[...all].slice(0, 500).map((n) => h("option", { value: n }))),
        h("div", { className: "panel-tools" },
            h("button", { type: "button", onclick: () => { add([...all][0] ?? "t"); list.lastElementChild?.scrollIntoView(); } }, "add a plot"),
            h("small", {}, "Any expression of ", String(all.size), " recorded quantities and t. Drag: zoom; double click: all; click: go to that time. Numbers are those of now, or under the mouse.")),
        ...(thinned.length ? [h("p", { className: "note" }, ...thinned.map((r) =>
            `${r.label}: ${r.rows.toLocaleString("en")} rows shown as ${r.points.toLocaleString("en")} points; the least and the greatest value of every ${r.group} rows are kept. `))] : []),
        list);
    return panel;
}
