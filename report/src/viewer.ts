// The scenes with their tools: which runs and how (one, side by side, upon each other), what is coloured, how far deformations
// are enlarged, ghosts, contacts. All scenes show the same time from the same place.
import { Vector3 } from "three";
import { Actor } from "./actor";
import type { Clock } from "./clock";
import { ColourBar } from "./colours";
import { largestImpulse, stateNames } from "./contacts";
import type { Run, Scene } from "./data";
import { h, palette, withUnit } from "./dom";
import { commonFields, commonRange, type FieldInfo } from "./fields";
import { extentOfAll, type Extent, type Look } from "./machine";
import { largestResultant, patchRange, strongest, type PatchRange } from "./patches";
import { Stage } from "./stage";

const most = 4; // scenes at once

interface Settings extends Look { ghosts: number; contacts: boolean; impulses: boolean; links: boolean; patches: boolean; resultants: boolean }

/// What the choice of scenes offers: all of several, or one.
interface Choice { label: string; runs: Run[]; overlaid: boolean }

function select(label: string, options: string[], chosen: number, change: (i: number) => void): HTMLElement {
    const box = h("select", { onchange: () => change(box.selectedIndex) }, ...options.map((o) => h("option", {}, o)));
    box.selectedIndex = chosen;
    return h("label", {}, label, box);
}

function check(label: string, on: boolean, change: (on: boolean) => void): HTMLElement {
    const box = h("input", { type: "checkbox", checked: on, onchange: () => change(box.checked) });
    const titles: Record<string, string> = {
        impulses: "since the frame before; lengths grow with the square root",
        patches: "contacts of the same two shapes in one plane: their convex hull, coloured by the mean pressure",
        resultants: "one arrow at the centre of pressure of a patch in place of those at its corners, which may not be unique",
    };
    return h("label", { title: titles[label] ?? "" }, box, label);
}

function choices(runs: Run[]): Choice[] {
    const list: Choice[] = [], first = runs.slice(0, most), only = runs.length > most ? ` (first ${most})` : "";
    if (runs.length > 1) list.push({ label: `side by side${only}`, runs: first, overlaid: false });
    if (runs.length > 1 && first.every((r) => r.scene!.planar === runs[0].scene!.planar))
        list.push({ label: `overlaid${only}`, runs: first, overlaid: true });
    return [...list, ...runs.map((r) => ({ label: r.label, runs: [r], overlaid: false }))];
}

export class Viewer {
    readonly element = h("section", { className: "viewer", "aria-label": "scene" });
    private readonly choices: Choice[];
    private choice = 0;
    private actors: Actor[] = [];
    private stages: Stage[] = [];
    private readonly bar = new ColourBar();
    private readonly patchBar = new ColourBar();
    private readonly patchText = h("span", { className: "patch" });
    private settings!: Settings;

    constructor(runs: Run[], private readonly clock: Clock) {
        const shown = runs.filter((r) => r.scene && r.scene.frames > 0), drawable = hasWebGL();
        this.choices = drawable ? choices(shown) : [];
        if (this.choices.length) this.show(0);
        else this.element.append(h("p", { className: "empty" }, shown.length && !drawable
            ? "This browser offers no WebGL: it cannot show the scene. Everything else on this page works without."
            : "These results hold no frames: there is no scene to show."));
        clock.watch(() => this.update(false));
        document.addEventListener("zeno-theme", () => this.build(true));
    }

    fit(direction?: Vector3): void {
        this.stages[0]?.fit(direction);
        this.stages.slice(1).forEach((s) => (s.planar === this.stages[0].planar ? s.follow(this.stages[0]) : s.fit(direction)));
    }

    private show(choice: number): void {
        this.choice = choice;
        const fields = commonFields(this.scenes), flexible = this.scenes.some((s) => s.cells > 0);
        const overlaid = this.choices[choice].overlaid; // then colours tell the runs apart
        this.settings = { field: fields[flexible && !overlaid ? Math.min(fields.length > 3 ? 3 : 2, fields.length - 1) : 0], range: [0, 1], scale: 1, ghosts: 0,
            contacts: true, impulses: true, links: true, patches: true, resultants: true };
        this.element.replaceChildren(this.tools(fields, flexible));
        this.build(false);
    }

    private get scenes(): Scene[] { return this.choices[this.choice].runs.map((r) => r.scene!); }

    // Stages and what is on them; the camera may stay where it is.
    private build(keep: boolean): void {
        if (!this.choices.length) return;
        const { runs, overlaid } = this.choices[this.choice], extent = extentOfAll(this.scenes), before = this.stages;
        const largest = Math.max(...this.scenes.flatMap((s) => [largestImpulse(s), largestResultant(s)])), range = patchRange(this.scenes), panes = h("div", { className: "panes" });
        this.element.querySelector(".panes")?.remove();
        this.element.append(panes);
        this.stages = (overlaid ? runs.slice(0, 1) : runs).map((run) => this.makeStage(run.scene!, extent, panes));
        this.actors = runs.map((run, k) => new Actor(run, this.stages[overlaid ? 0 : k], extent, largest, range,
            overlaid ? { tint: palette[k % palette.length], upon: k > 0 } : {}));
        panes.dataset.count = String(this.stages.length);
        panes.classList.toggle("stacked", this.stages.length === 2 && wide(extent, this.scenes[0].planar));
        this.stages.forEach((s, k) => s.element.append(this.legend(overlaid ? runs : [runs[k]], overlaid)));
        panes.lastElementChild!.append(h("div", { className: "bars" }, this.bar.element, this.patchBar.element));
        this.showPatchBar(range);
        if (keep) this.stages.forEach((s, k) => s.follow(before[k]));
        before.forEach((s) => s.dispose());
        this.applyChecks();
        this.recolour();
    }

    private makeStage(scene: Scene, extent: Extent, panes: HTMLElement): Stage {
        const place = h("div", { className: "stage" });
        panes.append(place);
        const stage = new Stage(place, scene.planar, extent, !scene.planar);
        stage.moved = () => this.stages.forEach((other) => { if (other !== stage) other.follow(stage); });
        return stage;
    }

    private legend(runs: Run[], overlaid: boolean): HTMLElement {
        const several = this.choices[this.choice].runs.length > 1;
        const seen = new Set(runs.flatMap((r) => [...new Set(r.scene!.contactState)]));
        const names = several ? runs.map((r) => h("span", { className: "run" },
            overlaid ? h("i", { className: "dot", style: `background:${palette[this.choices[this.choice].runs.indexOf(r) % palette.length]}` }) : null, r.label)) : [];
        const thinned = runs.flatMap((r) => r.scene!.bodies.filter((b) => b.left_out > 0)).slice(0, 3);
        return h("div", { className: "legend", hidden: !seen.size && !names.length && !thinned.length }, ...names,
            ...stateNames.filter((_, i) => seen.has(i)).map((s) => h("span", {}, h("i", { className: `dot contact-${s}` }), s)),
            ...thinned.map((b) => h("span", { className: "note" },
                `${b.name}: drawn without ${b.left_out} of its triangles`)), runs[0] === this.choices[this.choice].runs[0] ? this.patchText : null);
    }

    private tools(fields: FieldInfo[], flexible: boolean): HTMLElement {
        const { settings } = this, bar = h("div", { className: "tools" });
        const scale = h("input", { type: "number", value: "1", min: "0", step: "any", title: "deformations times",
            onchange: () => { settings.scale = Number(scale.value) || 0; this.makeGhosts(); this.update(true); } });
        if (this.choices.length > 1)
            bar.append(select("scenes", this.choices.map((c) => c.label), this.choice, (i) => this.show(i)));
        bar.append(select("colour", fields.map((f) => (f.field === "none" && this.choices[this.choice].overlaid ? "run" : f.label)), fields.indexOf(settings.field),
            (i) => { settings.field = fields[i]; this.recolour(); }));
        if (flexible) bar.append(h("label", {}, "deformation ×", scale));
        bar.append(select("ghosts", ["none", "3", "5", "9"], 0, (i) => { settings.ghosts = [0, 3, 5, 9][i]; this.makeGhosts(); this.update(true); }),
            check("contacts", true, (on) => { settings.contacts = on; this.applyChecks(); }),
            check("impulses", true, (on) => { settings.impulses = on; this.applyChecks(); }));
        if (this.scenes.some((s) => s.patchFirst.length))
            bar.append(check("patches", true, (on) => { settings.patches = on; this.applyChecks(); this.update(true); }),
                check("resultants", true, (on) => { settings.resultants = on; this.applyChecks(); this.update(true); }));
        if (this.scenes.some((s) => s.links.length)) bar.append(check("joints", true, (on) => { settings.links = on; this.applyChecks(); }));
        bar.append(h("button", { type: "button", title: "fit (f)", onclick: () => this.fit() }, "fit"));
        if (this.scenes.some((s) => !s.planar))
            for (const [name, d] of [["x", [1, 0, 0]], ["y", [0, -1, 0]], ["z", [0, -1e-3, 1]]] as [string, number[]][])
                bar.append(h("button", { type: "button", title: `look along ${name}`, onclick: () => this.fit(new Vector3(...d)) }, name));
        return bar;
    }

    private applyChecks(): void {
        for (const a of this.actors) {
            a.contacts.group.visible = this.settings.contacts;
            a.contacts.arrows = this.settings.impulses;
            a.contacts.resultants = this.settings.resultants;
            a.patches.group.visible = this.settings.patches || this.settings.resultants;
            a.patches.faces = this.settings.patches;
            a.patches.resultants = this.settings.impulses && this.settings.resultants;
            a.machine.showLinks = this.settings.links;
            a.stage.draw();
        }
    }

    private showPatchBar({ polygon, line }: PatchRange): void {
        this.patchBar.hide();
        if (polygon > 0) this.patchBar.show("mean pressure of patches [Pa]", 0, polygon);
        else if (line > 0) this.patchBar.show("load of patches [N/m]", 0, line);
    }

    private recolour(): void {
        const { settings } = this;
        settings.range = commonRange(this.scenes, settings.field);
        if (settings.field.field === "none") this.bar.hide();
        else this.bar.show(withUnit(settings.field.label, settings.field.unit), ...settings.range);
        this.makeGhosts();
        this.update(true);
    }

    private makeGhosts(): void {
        for (const a of this.actors) a.makeGhosts(this.settings.ghosts, this.settings);
    }

    private update(force: boolean): void {
        this.actors.forEach((a, k) => {
            const frame = a.update(this.clock.t, this.settings, force);
            if (k > 0) return;
            this.element.dataset.frame = String(frame);
            const text = strongest(a.scene, frame);
            this.patchText.textContent = text ? `strongest patch: ${text}` : "";
        });
    }
}

function hasWebGL(): boolean {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
}

// Machines that are wide are better seen one above the other.
function wide(extent: Extent, planar: boolean): boolean {
    return planar && extent.high.x - extent.low.x > 1.2 * (extent.high.y - extent.low.y);
}
