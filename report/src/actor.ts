// One run on a stage: its machine, its contacts and their patches, its ghosts.
import { indexAt } from "./clock";
import { Contacts } from "./contacts";
import type { Run, Scene } from "./data";
import { Machine, type Extent, type Look, type Style } from "./machine";
import { Patches, type PatchRange } from "./patches";
import type { Stage } from "./stage";

export class Actor {
    readonly scene: Scene;
    readonly machine: Machine;
    readonly contacts: Contacts;
    readonly patches: Patches;
    private ghosts: Machine[] = [];
    private frame = -1;

    constructor(readonly run: Run, readonly stage: Stage, private readonly extent: Extent, largest: number, range: PatchRange,
        private readonly style: Style) {
        this.scene = run.scene!;
        this.machine = new Machine(this.scene, extent, style);
        this.contacts = new Contacts(this.scene, extent.size, largest);
        this.patches = new Patches(this.scene, extent.size, largest, range);
        stage.scene.add(this.machine.group, this.contacts.group, this.patches.group);
    }

    /// The frame that is shown at time t; drawn if it changed or must be.
    update(t: number, look: Look, force: boolean): number {
        const frame = indexAt(this.scene.time, t);
        if (frame === this.frame && !force) return frame;
        this.frame = frame;
        this.machine.update(frame, look);
        this.contacts.update(frame, this.machine.pose);
        this.patches.update(frame);
        this.stage.draw();
        return frame;
    }

    /// Shapes at times spread evenly over the run.
    makeGhosts(count: number, look: Look): void {
        this.ghosts.forEach((g) => g.dispose());
        this.ghosts = Array.from({ length: count }, (_, k) => {
            const ghost = new Machine(this.scene, this.extent, { ...this.style, ghost: true });
            ghost.update(Math.round((k * (this.scene.frames - 1)) / Math.max(count - 1, 1)), look);
            this.stage.scene.add(ghost.group);
            return ghost;
        });
    }
}
