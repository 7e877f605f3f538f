// Play, pause, scrub, speed, frame by frame; and the timeline of contact events.
import { indexAt, type Clock } from "./clock";
import type { Event, Run } from "./data";
import { h, number, palette, theme } from "./dom";

export class Transport {
    readonly element = h("section", { className: "transport", "aria-label": "time" });
    readonly times: Float64Array;
    private readonly slider = h("input", { type: "range", min: "0", step: "1", value: "0", "aria-label": "frame" });
    private readonly play = h("button", { type: "button", className: "play", "aria-label": "play", title: "play or pause (space)" });
    private readonly readout = h("output", { className: "readout" });
    readonly timeline: Timeline;

    constructor(runs: Run[], private readonly clock: Clock) {
        const scene = runs.find((r) => r.scene && r.scene.frames > 0)?.scene;
        this.times = scene?.time ?? runs[0]?.time ?? new Float64Array([0]);
        this.slider.max = String(this.times.length - 1);
        this.slider.addEventListener("input", () => clock.set(this.times[Number(this.slider.value)]));
        this.play.addEventListener("click", () => clock.toggle());
        this.timeline = new Timeline(runs, clock);
        const button = (text: string, label: string, action: () => void) =>
            h("button", { type: "button", title: label, "aria-label": label, onclick: action }, text);
        this.element.append(
            h("div", { className: "transport-row" },
                button("|◂", "start (Home)", () => clock.set(clock.start)),
                button("◂", "one frame back (←)", () => this.step(-1)), this.play,
                button("▸", "one frame on (→)", () => this.step(1)),
                button("▸|", "end (End)", () => clock.set(clock.end)), this.slider, this.readout, this.speeds()),
            this.timeline.element);
        clock.watch((t) => this.update(t));
    }

    step(by: number): void {
        if (this.clock.playing) this.clock.toggle();
        const i = indexAt(this.times, this.clock.t) + by;
        this.clock.set(this.times[Math.min(Math.max(i, 0), this.times.length - 1)]);
    }

    private speeds(): HTMLElement {
        const span = this.clock.end - this.clock.start, seconds = [60, 30, 15, 8, 4, 2];
        const box = h("select", { "aria-label": "speed", title: "speed", onchange: () => {
            this.clock.speed = box.selectedIndex < seconds.length ? span / seconds[box.selectedIndex] : 1;
        } }, ...seconds.map((s) => h("option", {}, `run in ${s} s`)), h("option", {}, "real time"));
        box.selectedIndex = 3;
        return box;
    }

    private update(t: number): void {
        this.slider.value = String(indexAt(this.times, t));
        this.play.textContent = this.clock.playing ? "❚❚" : "▶";
        this.play.setAttribute("aria-label", this.clock.playing ? "pause" : "play");
        this.readout.textContent = `t = ${number(t, 5)} s`;
        this.slider.setAttribute("aria-valuetext", this.readout.textContent);
    }
}

/// A row for each contact name; impacts are strokes, lasting contacts bars.
export class Timeline {
    readonly element = h("div", { className: "timeline" });
    private readonly canvas = h("canvas", { tabIndex: 0, role: "img" });
    private readonly tip = h("div", { className: "tip", role: "status" });
    private readonly rows: { name: string; events: Event[] }[] = [];
    private readonly events: Event[];
    private readonly left = 90;

    constructor(runs: Run[], private readonly clock: Clock) {
        const run = runs[0];
        this.events = [...(run?.events ?? [])].sort((a, b) => a.from - b.from);
        for (const e of this.events) {
            let row = this.rows.find((r) => r.name === e.name);
            if (!row) this.rows.push((row = { name: e.name, events: [] }));
            row.events.push(e);
        }
        this.rows.sort((a, b) => (a.name < b.name ? -1 : 1));
        const shown = this.rows.slice(0, 12);
        this.rows = shown;
        const hidden = run ? run.event_count - this.events.length : 0;
        this.canvas.setAttribute("aria-label", `${run?.event_count ?? 0} contact events; n and p jump to the next and the previous one`);
        this.element.append(this.canvas, this.tip);
        this.tip.textContent = run?.event_count ? `${run.event_count} contact events${runs.length > 1 ? ` of ${run.label}` : ""}` +
            (hidden > 0 ? `, ${this.events.length} shown: the strongest of each ${this.events[0].of} in turn` : "") : "no contact acted";
        this.canvas.style.height = `${Math.max(shown.length, 1) * 16 + 6}px`;
        this.canvas.addEventListener("click", (e) => this.click(e));
        this.canvas.addEventListener("mousemove", (e) => this.hover(e));
        new ResizeObserver(() => this.draw()).observe(this.canvas);
        clock.watch(() => this.draw());
    }

    /// Go to the next (1) or previous (-1) event.
    jump(by: 1 | -1): void {
        const slack = 1e-9 * (this.clock.end - this.clock.start), t = this.clock.t;
        const list = by > 0 ? this.events.filter((e) => e.to > t + slack) : this.events.filter((e) => e.to < t - slack);
        const next = by > 0 ? list.reduce<Event | null>((a, e) => (!a || e.to < a.to ? e : a), null)
            : list.reduce<Event | null>((a, e) => (!a || e.to > a.to ? e : a), null);
        if (next) this.go(next);
    }

    private go(e: Event): void {
        this.clock.set(e.impact ? e.to : e.from);
        this.tip.textContent = this.describe(e);
    }

    private describe(e: Event): string {
        return `${e.name}: ${e.impact ? "impact" : e.open ? "contact" : "contact, still closed at the end"} at ${number(e.from, 6)} s` +
            (e.impact ? "" : ` to ${number(e.to, 6)} s`) + `, impulse ${number(e.impulse)} N s, approach ${number(e.approach)} m/s`;
    }

    private x(t: number): number {
        const { start, end } = this.clock, width = this.canvas.clientWidth - this.left - 8;
        return this.left + ((t - start) / (end - start || 1)) * width;
    }

    private nearest(e: MouseEvent): Event | null {
        const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
        const row = this.rows[Math.floor((y - 3) / 16)];
        let best: Event | null = null, least = 8;
        for (const v of row?.events ?? []) {
            const a = this.x(v.from), b = this.x(v.to), d = x < a ? a - x : x > b ? x - b : 0;
            if (d < least) { least = d; best = v; }
        }
        return best;
    }

    private click(e: MouseEvent): void {
        const event = this.nearest(e), { start, end } = this.clock, box = this.canvas.getBoundingClientRect();
        if (event) this.go(event);
        else this.clock.set(start + ((e.clientX - box.left - this.left) / (this.canvas.clientWidth - this.left - 8)) * (end - start));
    }

    private hover(e: MouseEvent): void {
        const event = this.nearest(e);
        this.canvas.style.cursor = event ? "pointer" : "default";
        if (event) this.tip.textContent = this.describe(event);
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
            const y = 3 + 16 * i;
            g.fillStyle = theme("text");
            g.fillText(row.name.length > 13 ? row.name.slice(0, 12) + "…" : row.name, 4, y + 12);
            g.fillStyle = theme("line");
            g.fillRect(this.left, y + 14, w - this.left - 8, 1);
            g.fillStyle = palette[i % palette.length];
            for (const e of row.events) g.fillRect(this.x(e.from), y + (e.impact ? 1 : 4), Math.max(this.x(e.to) - this.x(e.from), 1.5), e.impact ? 12 : 8);
        });
        g.fillStyle = theme("cursor");
        g.fillRect(this.x(this.clock.t) - 0.75, 0, 1.5, height);
    }
}
