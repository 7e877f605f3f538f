// The time line of contact events: a row for each contact; impacts are strokes, lasting contacts bars.
import type { Clock } from "./clock";
import type { Event, Run } from "./data";
import { h, number, palette, theme } from "./dom";

interface Row { name: string; events: Event[] }

/// When something happens: an impact, a contact that closes or opens.
interface Moment { t: number; event: Event; opens: boolean }

const left = 90, right = 12, rowHeight = 16, axisHeight = 18;

const countOf = (list: Event[]) => list.reduce((n, e) => n + (e.of ?? 1), 0);
const impactsOf = (list: Event[]) => list.reduce((n, e) => n + (e.impacts ?? (e.impact ? 1 : 0)), 0);
const plural = (n: number, what: string) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
const best = (list: Event[], of: (e: Event) => number) => list.reduce((a, e) => (of(e) > of(a) ? e : a));

function rowsOf(run: Run): Row[] {
    const rows = new Map<string, Event[]>();
    for (const e of run.events) {
        const known = rows.get(e.name);
        if (known) known.push(e);
        else rows.set(e.name, [e]);
    }
    return [...rows].map(([name, events]) => ({ name, events })).sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

function momentsOf(run: Run): Moment[] {
    const list = run.events.flatMap((event): Moment[] => event.impact ? [{ t: event.to, event, opens: false }]
        : [{ t: event.from, event, opens: false }, ...(event.open ? [{ t: event.to, event, opens: true }] : [])]);
    return list.sort((a, b) => a.t - b.t);
}

// What an event was, in words.
function describe(e: Event, opens = false): string {
    const span = `from ${number(e.from, 6)} s to ${number(e.to, 6)} s${e.open ? "" : ", still closed at the end"}`;
    if (e.of !== undefined) {
        const what = e.impacts === e.of ? plural(e.of, "impact") : plural(e.of, "contact") + (e.impacts ? ` (${plural(e.impacts, "impact")})` : "");
        return `${e.name}: ${opens ? "the last opens of " : ""}${what} ${span}, impulse ${number(e.impulse)} N s in all, the strongest ${number(e.strongest)} N s at ${number(e.at, 6)} s${e.pair ? ` (${e.pair})` : ""}`;
    }
    return `${e.name}${e.pair ? ` (${e.pair})` : ""}: ${e.impact ? `impact at ${number(e.from, 6)} s` : `${opens ? "opens, " : ""}contact ${span}`}, impulse ${number(e.impulse)} N s, ` +
        `${e.impact ? "" : `peak force ${number(e.peak)} N, `}approach ${number(e.approach)} m/s`;
}

// What was drawn together, and of which contacts.
function mergedText(run: Run): string {
    if (!run.events_merged) return "";
    const names = rowsOf(run).filter((r) => r.events.some((e) => e.of)).map((r) => r.name), more = names.length - 6;
    const marks = run.events.filter((e) => e.of).length;
    return `; ${run.events_merged.toLocaleString("en")} of them, of ${names.slice(0, 6).join(", ")}${more > 0 ? ` and ${more} more` : ""}, share ` +
        `${plural(marks, "mark")}: those of one contact that begin and end within the same ${number(run.events_within, 2)} s`;
}

export class Timeline {
    readonly element = h("div", { className: "timeline" });
    private readonly canvas = h("canvas", { tabIndex: 0, role: "img" });
    private readonly tip = h("div", { className: "tip", role: "status" });
    private run: Run;
    private rows: Row[] = [];
    private moments: Moment[] = [];

    constructor(private readonly runs: Run[], private readonly clock: Clock) {
        const box = h("select", { "aria-label": "contact events of", onchange: () => this.show(runs[box.selectedIndex]) }, ...runs.map((r) => h("option", {}, r.label)));
        this.run = runs[0];
        this.element.append(...(runs.length > 1 ? [h("label", { className: "events-of" }, "contact events of ", box)] : []),
            h("div", { className: "rows" }, this.canvas), this.tip);
        this.canvas.addEventListener("click", (e) => this.click(e));
        this.canvas.addEventListener("mousemove", (e) => this.hover(e));
        this.canvas.addEventListener("mouseleave", () => (this.tip.textContent = this.summary()));
        new ResizeObserver(() => this.draw()).observe(this.canvas);
        for (const event of ["zeno-theme", "zeno-layout"]) document.addEventListener(event, () => this.draw());
        this.show(this.run);
        clock.watch(() => this.draw());
    }

    /// Go to the next (1) or previous (-1) event.
    jump(by: 1 | -1): void {
        const slack = 1e-9 * (this.clock.end - this.clock.start), t = this.clock.t;
        const next = by > 0 ? this.moments.find((m) => m.t > t + slack) : [...this.moments].reverse().find((m) => m.t < t - slack);
        if (!next) {
            this.tip.textContent = `no ${by > 0 ? "later" : "earlier"} contact event`;
            return;
        }
        this.clock.set(next.t);
        const others = this.moments.filter((m) => m !== next && Math.abs(m.t - next.t) <= slack).length;
        this.tip.textContent = `${describe(next.event, next.opens)}${others ? ` (and ${others} more at this time)` : ""}`;
    }

    private show(run: Run): void {
        this.run = run;
        this.rows = rowsOf(run);
        this.moments = momentsOf(run);
        this.canvas.setAttribute("aria-label", `${plural(run.event_count, "contact event")}; n and p jump to the next and the previous one`);
        this.canvas.style.height = `${this.rows.length * rowHeight + axisHeight}px`;
        this.canvas.hidden = !this.rows.length;
        this.tip.textContent = this.summary();
        this.draw();
    }

    private summary(): string {
        const { run } = this;
        return run.event_count ? plural(run.event_count, "contact event") + (this.runs.length > 1 ? ` of ${run.label}` : "") + mergedText(run)
            : "no contact acted";
    }

    private describeRow({ name, events }: Row): string {
        const longest = best(events, (e) => e.to - e.from), strongest = best(events, (e) => e.strongest ?? e.impulse), all = countOf(events);
        return `${name}: ${plural(all, "contact event")}, ${plural(impactsOf(events), "impact")}` +
            (all > events.length ? `, drawn as ${plural(events.length, "mark")}` : "") +
            `; the longest ${number(longest.from, 6)} s to ${number(longest.to, 6)} s, the strongest ${number(strongest.strongest ?? strongest.impulse)} N s at ${number(strongest.at ?? strongest.from, 6)} s`;
    }

    private get width(): number { return Math.max(this.canvas.clientWidth - left - right, 1); }

    private x(t: number): number {
        const { start, end } = this.clock;
        return left + ((t - start) / (end - start || 1)) * this.width;
    }

    // The row, and of its events the one at the mouse.
    private under(e: MouseEvent): { row: Row | undefined; event: Event | null; x: number } {
        const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, row = this.rows[Math.floor((e.clientY - box.top - 3) / rowHeight)];
        let event: Event | null = null, least = 8;
        for (const v of x >= left - 8 ? row?.events ?? [] : []) {
            const a = this.x(v.from), b = this.x(v.to), d = x < a ? a - x : x > b ? x - b : 0;
            if (d < least || (event && d === least && v.to - v.from < event.to - event.from)) { least = d; event = v; } // what is short lies on top
        }
        return { row, event, x };
    }

    private click(e: MouseEvent): void {
        const { event, x } = this.under(e), { start, end } = this.clock;
        if (event) {
            this.clock.set(event.impact ? event.to : event.from);
            this.tip.textContent = describe(event);
        } else if (x >= left) this.clock.set(start + ((x - left) / this.width) * (end - start));
    }

    private hover(e: MouseEvent): void {
        const { row, event, x } = this.under(e);
        this.canvas.style.cursor = event ? "pointer" : "default";
        if (event) this.tip.textContent = describe(event);
        else this.tip.textContent = row && x < left ? this.describeRow(row) : this.summary();
    }

    private draw(): void {
        const c = this.canvas, ratio = window.devicePixelRatio || 1, w = c.clientWidth, height = c.clientHeight;
        const g = c.getContext("2d");
        if (!g || !w) return;
        if (c.width !== Math.round(w * ratio)) { c.width = Math.round(w * ratio); }
        if (c.height !== Math.round(height * ratio)) { c.height = Math.round(height * ratio); }
        g.setTransform(ratio, 0, 0, ratio, 0, 0);
        g.clearRect(0, 0, w, height);
        g.font = "11px system-ui, sans-serif";
        this.rows.forEach((row, i) => {
            const y = 3 + rowHeight * i;
            g.fillStyle = theme("text");
            g.fillText(row.name.length > 13 ? row.name.slice(0, 12) + "…" : row.name, 4, y + 12);
            g.fillStyle = theme("line");
            g.fillRect(left, y + 14, this.width, 1);
            g.fillStyle = palette[i % palette.length];
            for (const e of row.events) g.fillRect(this.x(e.from), y + (e.impact ? 1 : 4), Math.max(this.x(e.to) - this.x(e.from), 1.5), e.impact ? 12 : 8);
        });
        this.drawAxis(g, 3 + rowHeight * this.rows.length);
        g.fillStyle = theme("cursor");
        g.fillRect(this.x(this.clock.t) - 0.75, 0, 1.5, height - axisHeight + 4);
    }

    private drawAxis(g: CanvasRenderingContext2D, y: number): void {
        const { start, end } = this.clock, parts = this.width > 420 ? 4 : 2;
        g.fillStyle = theme("soft");
        for (let k = 0; k <= parts; k++) {
            const t = start + ((end - start) * k) / parts;
            g.fillRect(this.x(t) - 0.5, y - 3, 1, 4);
            g.textAlign = k === 0 ? "left" : k === parts ? "right" : "center";
            g.fillText(`${number(t, 4)}${k === parts ? " s" : ""}`, this.x(t), y + 12);
        }
        g.textAlign = "left";
    }
}
