// The page: data, scene, time, panels.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { certificatePanel, isBroken } from "./certificate";
import { Clock } from "./clock";
import { readRuns, readStudies, type Run } from "./data";
import { h, number } from "./dom";
import { effortPanel } from "./effort";
import { energyPanel } from "./energy";
import { plotsPanel } from "./plots";
import { pressurePanel } from "./pressure";
import { printing } from "./print";
import { studyPanel } from "./study";
import { tabs, type Tab } from "./tabs";
import { modelPanel } from "./text";
import { Transport } from "./transport";
import { Viewer } from "./viewer";
import { wavesPanel } from "./waves";

function themeButton(): HTMLElement {
    const root = document.documentElement;
    const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
    return h("button", { type: "button", title: "light or dark", "aria-label": "light or dark", onclick: () => {
        root.dataset.theme = dark() ? "light" : "dark";
        document.dispatchEvent(new Event("zeno-theme"));
    } }, "◐");
}

function help(): HTMLElement {
    return h("details", { className: "help" }, h("summary", {}, "keys"), h("dl", {}, ...([
        ["space", "play, pause"], ["← →", "one frame"], ["Home End", "start, end"], ["n p", "next, previous event"], ["f", "fit"],
        ["+ −", "zoom the scene or plot that has the focus"], ["shift + arrows", "turn the scene"], ["0", "whole plot"]] as const)
        .flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])));
}

function badges(runs: Run[]): HTMLElement[] {
    const badge = (kind: "good" | "bad" | "none", text: string) => h("span", { className: `badge ${kind}` }, text);
    const keys = (r: Run) => Object.keys(r.worst), whose = (r: Run) => (runs.length > 1 ? `${r.label}: ` : "");
    const limited = runs.some((r) => keys(r).some((k) => r.worst[k].limit !== null)), broken = runs.filter((r) => keys(r).some((k) => isBroken(r, k)));
    return [...runs.filter((r) => !r.finished).map((r) => badge("bad", `${whose(r)}run not finished`)),
        ...runs.filter((r) => r.finished && r.outcome && r.outcome !== "ok").map((r) => badge("bad", `${whose(r)}stopped: ${r.outcome}`)),
        ...broken.map((r) => badge("bad", `✗ ${whose(r)}a limit was broken`)),
        ...runs.filter((r) => r.created).map((r) => badge("bad", `⚠ ${whose(r)}energy from nowhere`)),
        ...runs.filter((r) => r.turned).map((r) => badge("bad", `⚠ ${whose(r)}energy lost or gained by turning`)),
        ...runs.filter((r) => r.far).map((r) => badge("bad", `⚠ ${whose(r)}moved by position corrections`)),
        ...runs.filter((r) => (r.numbers.negative ?? 0) > 0).map((r) => badge("bad", `⚠ ${whose(r)}unstable equilibrium`)),
        ...(broken.length ? [] : [limited ? badge("good", "✓ no limit broken") : badge("none", "no limits set")])];
}

function header(runs: Run[], title: string): HTMLElement {
    const run = runs[0];
    return h("header", {}, h("h1", {}, title),
        h("p", {}, runs.length > 1 ? `${runs.length} runs: ${runs.map((r) => r.label).join(", ")}` : run ? `${run.scheme}, step ${number(run.step, 4)} s` : "",
            ...(run ? badges(runs) : [])),
        h("span", { className: "grow" }), ...(run ? [help()] : []), themeButton(), h("span", { className: "mark" }, "Zeno"));
}

function keys(clock: Clock, transport: Transport, viewer: Viewer): void {
    document.addEventListener("keydown", (e) => {
        const target = e.target as HTMLElement;
        if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== "range") return;
        const actions: Record<string, () => void> = {
            " ": () => clock.toggle(), ArrowLeft: () => transport.step(-1), ArrowRight: () => transport.step(1),
            Home: () => clock.set(clock.start), End: () => clock.set(clock.end),
            n: () => transport.timeline.jump(1), p: () => transport.timeline.jump(-1), f: () => viewer.fit(),
        };
        if (e.key === " " && target.tagName === "BUTTON" || !actions[e.key] || e.shiftKey) return;
        e.preventDefault();
        actions[e.key]();
    });
}

function start(): void {
    const runs = readRuns(), studies = readStudies();
    const title = runs[0]?.title || runs[0]?.label || studies[0]?.title || "Zeno report";
    document.title = `${title} – Zeno`;
    const list: Tab[] = [];
    const body = h("main", { className: runs.length ? "" : "single" });
    if (runs.length) {
        const ends = runs.flatMap((r) => [...(r.scene?.time.length ? [r.scene.time[r.scene.time.length - 1]] : []), r.time[r.time.length - 1] ?? 0]);
        const clock = new Clock(Math.min(...runs.map((r) => r.time[0] ?? r.start)), Math.max(...ends));
        const viewer = new Viewer(runs, clock), transport = new Transport(runs, clock);
        keys(clock, transport, viewer);
        const waves = wavesPanel(runs, clock), pressure = pressurePanel(runs, clock);
        list.push({ name: "Plots", make: () => plotsPanel(runs, clock) }, { name: "Energy", make: () => energyPanel(runs, clock) });
        if (waves) list.push({ name: "Waves", make: () => waves });
        if (pressure) list.push({ name: "Pressure", make: pressure });
        list.push({ name: "Certificate", make: () => certificatePanel(runs) }, { name: "Iterations", make: () => effortPanel(runs, clock) },
            { name: "Model", make: () => modelPanel(runs) });
        body.append(h("div", { className: "left" }, viewer.element, transport.element));
        (window as unknown as { zeno: unknown }).zeno = { clock, runs, viewer };
    }
    if (studies.length) list.push({ name: "Convergence", make: () => studyPanel(studies) });
    body.append(tabs(list));
    document.body.replaceChildren(...[header(runs, title), body]);
    printing();
}

start();
