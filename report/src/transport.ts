// Play, pause, scrub, speed, frame by frame; below, the time line of contact events.
import { indexAt, type Clock } from "./clock";
import type { Run } from "./data";
import { h, number } from "./dom";
import { Timeline } from "./timeline";

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
