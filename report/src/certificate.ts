// The certificate: what was kept and what was not, of all runs beside each other.
import type { Run } from "./data";
import { h, number } from "./dom";

/// Lines that few runs need: shown where there is something to say.
const rare = /^(joint|coulomb|capture|shift|reach|projection|halved_steps|failed_solves|linear_|angular_|spin_|debt|contact_frames|segment|repeated|unfinished|late|rolling|rounding|step_changes|added_mass)/;

const facts: [string, (r: Run) => string][] = [
    ["outcome", (r) => (r.finished ? r.outcome : "the run has not ended, or was stopped: this is what it had written")],
    ["scheme", (r) => r.scheme],
    ["step", (r) => `${number(r.step, 6)} s`],
    ["time", (r) => `${number(r.start, 6)} s to ${number(r.time[r.time.length - 1], 6)} s`],
    ["steps", (r) => number(r.numbers.steps, 12)],
    ["repeated with half the step", (r) => number(r.numbers.retries, 12)],
    ["energy that moved", (r) => `${number(r.numbers.energy_moved)} J`],
    ["contacts, projection, scheme gave", (r) => ["contact", "projection", "numerical"].map((k) => number(r.numbers[`gave_${k}`])).join(", ") + " J"],
    ["lost in failed solves", (r) => `${number(r.numbers.failed_iterations, 12)} iterations`],
    ["negative eigenvalues at equilibrium", (r) => number(r.numbers.negative, 12) + ((r.numbers.negative ?? 0) > 0 ? ": unstable" : "")],
    ["Newton iterations", (r) => perStep(r, "newton")],
    ["projection iterations", (r) => perStep(r, "projection")],
    ["activation iterations", (r) => perStep(r, "activation")],
    ["contact solver iterations", (r) => perStep(r, "solver")],
    ["impacts", (r) => number(r.numbers.impacts, 12)],
    ["lasting contacts", (r) => number(r.numbers.lasting_contacts, 12)],
    ["linear momentum [N s]", (r) => change(r, "momentum")],
    ["angular momentum [N m s]", (r) => change(r, "angular")],
    ["linear solver", (r) => r.linear_backend || "–"],
    ["time loop", (r) => `${number(r.numbers.loop_seconds)} s`],
    ["recorded rows", (r) => r.rows.toLocaleString("en")],
    ["frames", (r) => (r.scene ? `${r.scene.frames} of ${r.scene.frames_recorded} recorded` : "none")],
    ["program", (r) => `Zeno ${r.version}`],
];

function perStep(r: Run, stage: string): string {
    const total = r.numbers[`${stage}_iterations`], steps = r.numbers.steps, most = r.numbers[`${stage}_iterations_max`];
    return total != null && steps ? `${number(total / steps, 3)} a step, at most ${number(most)}` : "–";
}

function change(r: Run, name: string): string {
    const v = (when: string) => "(" + ["x", "y", "z"].map((k) => number(r.numbers[`${name}${when}_${k}`], 4)).join(", ") + ")";
    return `${v("_start")} → ${v("")}`;
}

/// A limit that is not known to be kept, unless the run goes on.
export function isBroken(r: Run, key: string): boolean {
    const { value, limit } = r.worst[key];
    return limit !== null && (value === null ? r.finished : value > limit);
}

function verdict(r: Run, key: string): HTMLElement {
    const w = r.worst[key], { value, limit } = w;
    const where = value && value > 0 ? [w.contact, w.time == null ? "" : `t = ${number(w.time, 5)} s`].filter(Boolean).join(", ") : "";
    const cell = h("td", {}, h("span", { className: "value" }, number(value, 3)), where ? h("small", {}, ` ${where}`) : null);
    if (isBroken(r, key)) cell.append(h("span", { className: "badge bad" }, `✗ limit ${number(limit, 3)} BROKEN`));
    else if (limit !== null && value !== null) cell.append(h("span", { className: "badge good" }, `✓ limit ${number(limit, 3)} kept`));
    else if (key === "energy_created" && r.created) cell.append(h("span", { className: "badge bad" }, "⚠ energy from nowhere, no limit set"));
    else if (key === "constraint" && r.turned) cell.append(h("span", { className: "badge bad" }, "⚠ lost or gained by turning, no limit set"));
    else if (key === "reach" && r.far) cell.append(h("span", { className: "badge bad" }, "⚠ moved far, no limit set"));
    else if (value !== null) cell.append(h("span", { className: "badge none" }, "no limit set"));
    else cell.append(h("span", { className: "badge none" }, "not measured"));
    return cell;
}

export function certificatePanel(runs: Run[]): HTMLElement {
    const head = () => h("thead", {}, h("tr", {}, h("th", {}, ""), ...runs.map((r) => h("th", {}, r.label))));
    const keys = [...new Set(runs.flatMap((r) => Object.keys(r.worst)))];
    const shown = keys.filter((key) => !rare.test(key) || runs.some((r) => (r.worst[key]?.value ?? 0) > 0 || r.worst[key]?.limit != null));
    const line = (key: string) => runs.find((r) => r.worst[key])!.worst[key];
    return h("div", { className: "panel" }, h("h2", {}, "Worst of all steps"),
        h("table", { className: "certificate" }, head(), h("tbody", {}, ...shown.map((key) =>
            h("tr", {}, h("th", { scope: "row", title: line(key).help }, line(key).label, line(key).unit ? h("small", {}, ` [${line(key).unit}]`) : null),
                ...runs.map((r) => verdict(r, key)))))),
        h("h2", {}, "The run"),
        h("table", {}, head(), h("tbody", {}, ...facts.map(([label, of]) =>
            h("tr", {}, h("th", { scope: "row" }, label), ...runs.map((r) => h("td", {}, of(r))))))));
}
