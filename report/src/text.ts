// The model text and the command that made the run.
import type { Run } from "./data";
import { h } from "./dom";

export function modelPanel(runs: Run[]): HTMLElement {
    return h("div", { className: "panel" }, ...runs.flatMap((r) => [
        h("h2", {}, runs.length > 1 ? `${r.label}: command` : "Command"), h("pre", { tabIndex: 0 }, r.command || "–"),
        h("h2", {}, "Model ", h("small", {}, r.path)), h("pre", { tabIndex: 0, className: "model" }, r.model || "–")]));
}
