// The scene with its tools: what is coloured, how far deformations are enlarged, ghosts, contacts.
import { Vector3 } from "three";
import { ColourBar } from "./colours";
import { indexAt, type Clock } from "./clock";
import { Contacts, stateNames } from "./contacts";
import type { Run, Scene } from "./data";
import { h, withUnit } from "./dom";
import { fieldsOf, rangeOf, type FieldInfo } from "./fields";
import { extentOf, Machine } from "./machine";
import { Stage } from "./stage";

interface Settings { field: FieldInfo; scale: number; ghosts: number }

function select(label: string, options: string[], chosen: number, change: (i: number) => void): HTMLElement {
    const box = h("select", { onchange: () => change(box.selectedIndex) }, ...options.map((o) => h("option", {}, o)));
    box.selectedIndex = chosen;
    return h("label", {}, label, box);
}

function check(label: string, on: boolean, change: (on: boolean) => void): HTMLElement {
    const box = h("input", { type: "checkbox", checked: on, onchange: () => change(box.checked) });
    return h("label", { title: label === "impulses" ? "since the frame before; lengths grow with the square root" : "" }, box, label);
}

export class Viewer {
    readonly element = h("section", { className: "viewer", "aria-label": "scene" });
    private machine: Machine | null = null;
    private contacts: Contacts | null = null;
    private ghosts: Machine[] = [];
    private stage: Stage | null = null;
    private frame = -1;
    private readonly bar = new ColourBar();
    private settings!: Settings;

    constructor(private readonly runs: Run[], private readonly clock: Clock) {
        const first = runs.find((r) => r.scene && r.scene.frames > 0);
        if (first) this.show(first);
        else this.element.append(h("p", { className: "empty" }, "These results hold no frames: there is no scene to show."));
        clock.watch(() => this.update(false));
    }

    fit(): void { this.stage?.fit(); }

    private show(run: Run): void {
        const scene = run.scene!, extent = extentOf(scene), place = h("div", { className: "stage" });
        const fields = fieldsOf(scene);
        const flexible = scene.cells > 0;
        this.settings = { field: fields[flexible ? (fields.length > 3 ? 3 : 2) : 0], scale: 1, ghosts: 0 };
        this.bar.hide();
        this.element.replaceChildren(this.tools(run, fields, flexible), place);
        this.stage = new Stage(place, scene.planar, extent, !scene.planar);
        this.machine = new Machine(scene, extent);
        this.contacts = new Contacts(scene, extent.size);
        this.ghosts = [];
        this.frame = -1;
        this.stage.scene.add(this.machine.group, this.contacts.group);
        place.append(this.bar.element, this.legend(scene));
        this.recolour();
    }

    private legend(scene: Scene): HTMLElement {
        const seen = new Set(scene.contactState);
        return h("div", { className: "legend", hidden: !seen.size }, ...stateNames.filter((_, i) => seen.has(i)).map(
            (s) => h("span", {}, h("i", { className: `dot contact-${s}` }), s)));
    }

    private tools(run: Run, fields: FieldInfo[], flexible: boolean): HTMLElement {
        const redo = (change: () => void) => { change(); this.frame = -1; this.update(true); };
        const scale = h("input", { type: "number", value: "1", min: "0", step: "any", title: "deformations times",
            onchange: () => redo(() => { this.settings.scale = Number(scale.value) || 0; this.makeGhosts(this.settings.ghosts); }) });
        const scenes = this.runs.filter((r) => r.scene && r.scene.frames > 0), bar = h("div", { className: "tools" });
        if (scenes.length > 1)
            bar.append(select("run", scenes.map((r) => r.label), scenes.indexOf(run), (i) => this.show(scenes[i])));
        bar.append(select("colour", fields.map((f) => f.label), fields.indexOf(this.settings.field), (i) => {
            this.settings.field = fields[i];
            this.recolour();
        }));
        if (flexible) bar.append(h("label", {}, "deformation ×", scale));
        bar.append(
            select("ghosts", ["none", "3", "5", "9"], 0, (i) => redo(() => this.makeGhosts([0, 3, 5, 9][i]))),
            check("contacts", true, (on) => { this.contacts!.group.visible = on; this.stage!.draw(); }),
            check("impulses", true, (on) => { this.contacts!.arrows = on; this.stage!.draw(); }));
        if (run.scene!.links.length)
            bar.append(check("joints", true, (on) => { this.machine!.showLinks = on; this.stage!.draw(); }));
        bar.append(h("button", { type: "button", title: "fit (f)", onclick: () => this.fit() }, "fit"));
        if (!run.scene!.planar)
            for (const [name, d] of [["x", [1, 0, 0]], ["y", [0, -1, 0]], ["z", [0, -1e-3, 1]]] as [string, number[]][])
                bar.append(h("button", { type: "button", title: `look along ${name}`, onclick: () => this.stage!.fit(new Vector3(...d)) }, name));
        return bar;
    }

    private recolour(): void {
        const { field } = this.settings, scene = this.machine!.scene;
        if (field.field === "none") this.bar.hide();
        else this.bar.show(withUnit(field.label, field.unit), ...rangeOf(scene, field));
        this.frame = -1;
        this.makeGhosts(this.settings.ghosts);
        this.update(true);
    }

    // Shapes at times spread evenly over the run.
    private makeGhosts(count: number): void {
        const { scene, extent } = this.machine!;
        this.settings.ghosts = count;
        this.ghosts.forEach((g) => g.dispose());
        this.ghosts = Array.from({ length: count }, (_, k) => {
            const ghost = new Machine(scene, extent, true);
            ghost.update(Math.round((k * (scene.frames - 1)) / Math.max(count - 1, 1)), this.settings.scale, this.settings.field);
            this.stage!.scene.add(ghost.group);
            return ghost;
        });
    }

    private update(force: boolean): void {
        if (!this.machine) return;
        const frame = indexAt(this.machine.scene.time, this.clock.t);
        if (frame === this.frame && !force) return;
        this.frame = frame;
        this.machine.update(frame, this.settings.scale, this.settings.field);
        this.contacts!.update(frame);
        this.element.dataset.frame = String(frame);
        this.stage!.draw();
    }
}
