// Arrows of impulses: lengths grow with the square root.
import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";

export class Arrows {
    readonly group = new Group();
    private readonly shafts: InstancedMesh;
    private readonly heads: InstancedMesh;

    /// At most so many; the largest impulse has 0.3 of the size of the scene. `through`: nothing hides them.
    constructor(most: number, private readonly size: number, private readonly largest: number, through = false) {
        const look = () => new MeshBasicMaterial(through ? { transparent: true, opacity: 0.8, depthTest: false } : {});
        this.shafts = new InstancedMesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), look(), most);
        this.heads = new InstancedMesh(new ConeGeometry(1, 1, 14).translate(0, 0.5, 0), look(), most);
        for (const mesh of [this.shafts, this.heads]) {
            mesh.frustumCulled = false;
            mesh.renderOrder = through ? 3 : 2;
            for (let i = 0; i < most; i++) mesh.setColorAt(i, new Color());
            this.group.add(mesh);
        }
    }

    set(k: number, from: Vector3, impulse: Vector3, colour: Color): void {
        const amount = impulse.length(), length = this.largest > 0 ? 0.3 * this.size * Math.sqrt(amount / this.largest) : 0;
        const thick = 0.0045 * this.size, head = Math.min(0.035 * this.size, 0.5 * length);
        if (length > 0) q.setFromUnitVectors(up, d.copy(impulse).divideScalar(amount));
        this.shafts.setMatrixAt(k, m.compose(from, q, s.set(thick, Math.max(length - head, 0), thick)));
        this.heads.setMatrixAt(k, m.compose(p.copy(from).addScaledVector(d, length > 0 ? length - head : 0), q, s.set(0.4 * head, head, 0.4 * head)));
        for (const mesh of [this.shafts, this.heads]) mesh.setColorAt(k, colour);
    }

    end(count: number): void {
        for (const mesh of [this.shafts, this.heads]) {
            mesh.count = count;
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }
}

const up = new Vector3(0, 1, 0), m = new Matrix4(), q = new Quaternion(), s = new Vector3(), p = new Vector3(), d = new Vector3();
