// One set of axes (uPlot) with a line at the current time.
import uPlot from "uplot";
import { indexAt, type Clock } from "./clock";
import { h, number, palette, theme } from "./dom";

export interface Curve {
    label: string; x: ArrayLike<number>; y: ArrayLike<number>; colour?: string; dash?: number[]; points?: boolean; fill?: string;
    /// What the legend tells, where that is not y.
    told?: ArrayLike<number>;
}
export interface PlotOptions {
    xLabel: string; yLabel: string; height?: number; parametric?: boolean; logX?: boolean; logY?: boolean;
    stacked?: boolean; clock?: Clock; label?: string;
    /// The vertical axis begins at zero.
    zero?: boolean;
    /// Which point of a parametric curve is that of now.
    now?: () => number;
}

const sync = uPlot.sync("time");

// x need not ascend: every point in its order.
function wander(u: uPlot, seriesIndex: number): uPlot.Series.Paths {
    const path = new Path2D(), xs = u.data[0], ys = u.data[seriesIndex];
    let open = false;
    for (let i = 0; i < xs.length; i++) {
        const x = xs[i], y = ys[i];
        if (x == null || y == null || Number.isNaN(x) || Number.isNaN(y)) { open = false; continue; }
        const px = u.valToPos(x, "x", true), py = u.valToPos(y, "y", true);
        if (open) path.lineTo(px, py);
        else path.moveTo(px, py);
        open = true;
    }
    return { stroke: path, fill: null, clip: null, flags: 1 } as unknown as uPlot.Series.Paths;
}

function rangeOf(data: (number | null | undefined)[][]): [number, number] {
    let low = Infinity, high = -Infinity;
    for (const row of data) for (const v of row) if (v != null && v < low) low = v;
    for (const row of data) for (const v of row) if (v != null && v > high) high = v;
    const pad = 0.04 * (high - low) || 0.5 * Math.abs(high) || 1;
    return low <= high ? [low - pad, high + pad] : [0, 1];
}

function tables(curves: Curve[]): uPlot.AlignedData {
    const list = curves.map((c) => [Array.from(c.x), Array.from(c.y, (v) => (Number.isFinite(v) ? v : null))]);
    const same = curves.every((c) => c.x === curves[0].x);
    if (same || curves.length === 1) return [list[0][0], ...list.map((l) => l[1])] as uPlot.AlignedData;
    return uPlot.join(list as uPlot.AlignedData[]);
}

export class Plot {
    readonly element = h("div", { className: "plot" });
    private u: uPlot | null = null;

    constructor(private curves: Curve[], private readonly options: PlotOptions) {
        this.build();
        new ResizeObserver(() => this.resize()).observe(this.element);
        options.clock?.watch(() => {
            this.u?.redraw(false);
            this.tell();
        });
        document.addEventListener("zeno-theme", () => this.build());
        document.addEventListener("zeno-layout", () => this.resize());
    }

    /// Another name of the horizontal axis.
    name(xLabel: string): void {
        if (this.options.xLabel === xLabel) return;
        this.options.xLabel = xLabel;
        this.build();
    }

    /// New values of the same curves.
    refresh(curves: Curve[]): void {
        this.curves = curves;
        if (this.u && this.u.series.length === curves.length + 1) this.u.setData(tables(curves), false), this.u.redraw();
        else this.build();
    }

    private size(): { width: number; height: number } {
        return { width: Math.max(this.element.clientWidth, 200), height: this.options.height ?? 190 };
    }

    private resize(): void {
        if (this.u && this.u.width !== this.size().width) this.u.setSize(this.size());
    }

    // The legend: what is under the mouse, or what is now.
    private tell(): void {
        const { u } = this;
        if (u && !((u.cursor.left ?? -1) >= 0)) u.setLegend({ idx: null as unknown as number }, false);
    }

    private value(u: uPlot, v: number | null, series: number, index: number | null): string {
        const { clock, now } = this.options, told = this.curves[series - 1]?.told, data = u.data[series];
        if (index == null) {
            if (!clock || !data?.length) return "–";
            index = now ? now() : indexAt(u.data[0], clock.t);
            while (index > 0 && data[index] == null) index--; // runs of other times
            v = data[index] ?? null;
        }
        return number(told && v != null ? told[index] : v, 5);
    }

    private build(): void {
        const o = this.options, data = this.curves.length ? tables(this.curves) : ([[0, 1], [0, 0]] as uPlot.AlignedData);
        const axis = (label: string, log?: boolean): uPlot.Axis => ({
            label, labelSize: 18, labelFont: "12px system-ui, sans-serif", font: "11px system-ui, sans-serif",
            stroke: theme("text"), size: log === undefined ? 34 : 62,
            grid: { stroke: theme("line"), width: 1 }, ticks: { stroke: theme("line"), size: 5 },
            values: (_u, ticks) => ticks.map((v) => (v == null ? "" : number(v, 6))),
        });
        const values = (u: uPlot, v: number | null, series: number, index: number | null) => this.value(u, v, series, index);
        const xs = data[0] as number[], range = o.parametric ? rangeOf([xs]) : null;
        this.u?.destroy();
        this.element.replaceChildren();
        this.u = new uPlot({
            ...this.size(),
            legend: { live: true, markers: { fill: (_u, i) => this.curves[i - 1]?.fill ?? "transparent" } },
            pxAlign: 0,
            cursor: o.parametric || o.logX ? { drag: { x: true, y: true } } : { sync: { key: o.clock ? sync.key : "none" }, drag: { x: true, y: false } },
            scales: {
                x: { time: false, distr: o.logX ? 3 : 1, ...(range ? { range: (_u, a, b) => (a == null || a === xs[0] ? range : [a, b]) as [number, number] } : {}) },
                y: { distr: o.logY ? 3 : 1, ...(o.zero ? { range: (_u, _low, high) => [0, high > 0 ? 1.08 * high : 1] as [number, number] } : {}) },
            },
            axes: [axis(o.xLabel), axis(o.yLabel, false)],
            series: [{ label: o.xLabel }, ...this.curves.map((c, i): uPlot.Series => ({
                label: c.label, stroke: c.colour ?? palette[i % palette.length], width: 1.5, value: values,
                dash: c.dash, fill: o.stacked && i > 0 ? undefined : c.fill, points: { show: c.points ?? false, size: 7 },
                ...(o.parametric ? { paths: wander as unknown as uPlot.Series.PathBuilder } : {}),
            }))],
            bands: o.stacked ? this.curves.slice(1).map((c, i) => ({ series: [i + 2, i + 1] as [number, number], fill: c.fill })) : [],
            hooks: { draw: [(u) => this.mark(u)], ready: [(u) => this.prepare(u)] },
        }, data, this.element);
        this.tell();
    }

    // Click: go there. Keys: + and - zoom about the current time, arrows move.
    private prepare(u: uPlot): void {
        const { clock, parametric } = this.options, over = u.over;
        over.tabIndex = 0;
        over.setAttribute("role", "img");
        over.setAttribute("aria-label", `${this.options.label ?? this.options.yLabel} over ${this.options.xLabel}. Drag to zoom, double click for all, click to go to a time.`);
        if (clock && !parametric) {
            let down = 0;
            over.addEventListener("mousedown", (e) => (down = e.clientX));
            over.addEventListener("click", (e) => {
                if (Math.abs(e.clientX - down) < 3) clock.set(u.posToVal(e.clientX - over.getBoundingClientRect().left, "x"));
            });
        }
        over.addEventListener("keydown", (e) => {
            const low = u.scales.x.min!, high = u.scales.x.max!, t = clock ? clock.t : (low + high) / 2;
            const about = t > low && t < high ? t : (low + high) / 2;
            const zoom = e.key === "+" ? 0.7 : e.key === "-" ? 1 / 0.7 : 0;
            if (zoom) u.setScale("x", { min: about + (low - about) * zoom, max: about + (high - about) * zoom });
            else if (e.key === "0") u.setData(u.data, true);
            else return;
            e.preventDefault();
            e.stopPropagation();
        });
    }

    private mark(u: uPlot): void {
        const { clock, parametric, now } = this.options, g = u.ctx, { left, top, width, height } = u.bbox;
        g.save();
        if (clock && !parametric) {
            const x = u.valToPos(clock.t, "x", true);
            if (x >= left && x <= left + width) {
                g.fillStyle = theme("cursor");
                g.fillRect(x - 0.75 * devicePixelRatio, top, 1.5 * devicePixelRatio, height);
            }
        }
        for (const ys of now ? u.data.slice(1) : []) {
            const i = now!(), x = u.data[0][i], y = ys[i];
            if (x == null || y == null) continue;
            g.fillStyle = theme("cursor");
            g.beginPath();
            g.arc(u.valToPos(x, "x", true), u.valToPos(y, "y", true), 4.5 * devicePixelRatio, 0, 2 * Math.PI);
            g.fill();
        }
        g.restore();
    }
}
