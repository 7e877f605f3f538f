// Renderer, camera and mouse. Draws when something changed.
import {
    AmbientLight, Box3, DirectionalLight, HemisphereLight, OrthographicCamera, PerspectiveCamera, Scene, Vector3,
    WebGLRenderer, MOUSE,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Extent } from "./machine";

export class Stage {
    readonly scene = new Scene();
    readonly camera: PerspectiveCamera | OrthographicCamera;
    private readonly renderer: WebGLRenderer;
    private readonly controls: OrbitControls;
    private readonly observer: ResizeObserver;
    private readonly relayout = () => {
        this.resize();
        this.renderer.render(this.scene, this.camera);
    };
    private pending = false;
    private fitted = false;
    private following = false;
    /// Called when someone moved the camera.
    moved: () => void = () => {};

    constructor(readonly element: HTMLElement, readonly planar: boolean, private extent: Extent, upZ: boolean) {
        this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        const canvas = this.renderer.domElement;
        canvas.tabIndex = 0;
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", "The machine. Drag to " + (planar ? "move" : "turn") + ", wheel to zoom, f to fit.");
        element.append(canvas);
        this.camera = planar ? new OrthographicCamera() : new PerspectiveCamera(35);
        if (upZ) this.camera.up.set(0, 0, 1);
        this.scene.add(new AmbientLight(0xffffff, 1.3), new HemisphereLight(0xffffff, 0x8899aa, 1.0));
        const sun = new DirectionalLight(0xffffff, 1.6);
        sun.position.set(0.5, -0.7, 1).multiplyScalar(10);
        this.scene.add(sun);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableRotate = !planar;
        this.controls.zoomToCursor = true;
        if (planar) this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
        this.controls.addEventListener("change", () => {
            this.draw();
            if (!this.following) this.moved();
        });
        canvas.addEventListener("keydown", (e) => this.key(e));
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(element);
        document.addEventListener("zeno-layout", this.relayout);
    }

    dispose(): void {
        this.observer.disconnect();
        document.removeEventListener("zeno-layout", this.relayout);
        this.controls.dispose();
        this.renderer.dispose();
        this.renderer.forceContextLoss(); // browsers allow few of them
        this.element.remove();
    }

    /// Look from where another stage looks.
    follow(other: Stage): void {
        if (this.planar !== other.planar) return;
        this.fitted = this.following = true;
        this.camera.position.copy(other.camera.position);
        this.camera.quaternion.copy(other.camera.quaternion);
        Object.assign(this.camera, { zoom: other.camera.zoom, near: other.camera.near, far: other.camera.far });
        if (this.camera instanceof OrthographicCamera && other.camera instanceof OrthographicCamera)
            Object.assign(this.camera, { top: other.camera.top, bottom: other.camera.bottom });
        this.controls.target.copy(other.controls.target);
        this.controls.update();
        this.resize();
        this.following = false;
    }

    draw(): void {
        if (this.pending) return;
        this.pending = true;
        requestAnimationFrame(() => {
            this.pending = false;
            this.renderer.render(this.scene, this.camera);
        });
    }

    private resize(): void {
        const w = Math.max(this.element.clientWidth, 10), h = Math.max(this.element.clientHeight, 10);
        this.renderer.setSize(w, h);
        if (!this.fitted && this.element.clientWidth > 0) {
            this.fitted = true;
            this.fit();
        }
        if (this.camera instanceof PerspectiveCamera) this.camera.aspect = w / h;
        else {
            const half = (this.camera.top - this.camera.bottom) / 2;
            this.camera.left = (-half * w) / h;
            this.camera.right = (half * w) / h;
        }
        this.camera.updateProjectionMatrix();
        this.draw();
    }

    /// Look at everything along `direction` (default: from where one looks now).
    fit(direction?: Vector3): void {
        const box = new Box3(this.extent.low.clone(), this.extent.high.clone());
        const middle = box.getCenter(new Vector3()), size = box.getSize(new Vector3()), aspect = this.element.clientWidth / Math.max(this.element.clientHeight, 1);
        const margin = 0.06 * this.extent.size;
        if (this.camera instanceof OrthographicCamera) {
            const half = 0.53 * Math.max(size.y + 2 * margin, (size.x + 2 * margin) / aspect, 0.05 * this.extent.size);
            Object.assign(this.camera, { top: half, bottom: -half, left: -half * aspect, right: half * aspect, zoom: 1,
                near: 0.01 * this.extent.size, far: 40 * this.extent.size });
            this.camera.position.copy(middle).setZ(10 * this.extent.size);
        } else {
            const radius = 0.5 * size.length() + margin, away = direction ?? new Vector3(0.55, -0.8, 0.42);
            const distance = (radius / Math.sin((0.5 * 35 * Math.PI) / 180)) / Math.min(1, aspect);
            this.camera.position.copy(middle).addScaledVector(away.clone().normalize(), 0.92 * distance);
            this.camera.near = 0.01 * distance;
            this.camera.far = 20 * distance;
        }
        this.controls.target.copy(middle);
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.draw();
    }

    // Arrows and plus and minus do what the mouse does.
    private key(e: KeyboardEvent): void {
        const zoom = e.key === "+" || e.key === "=" ? 1.2 : e.key === "-" ? 1 / 1.2 : 0;
        if (zoom && this.camera instanceof OrthographicCamera) this.camera.zoom *= zoom;
        else if (zoom) this.camera.position.sub(this.controls.target).divideScalar(zoom).add(this.controls.target);
        else if (e.shiftKey && e.key.startsWith("Arrow")) {
            const sign = e.key === "ArrowLeft" || e.key === "ArrowDown" ? 1 : -1;
            const arm = this.camera.position.clone().sub(this.controls.target);
            if (this.planar) arm.set(0, 0, 0);
            const axis = e.key === "ArrowLeft" || e.key === "ArrowRight" ? this.camera.up.clone()
                : arm.clone().cross(this.camera.up).normalize();
            this.camera.position.copy(this.controls.target).add(arm.applyAxisAngle(axis, sign * 0.12));
        } else return;
        e.preventDefault();
        e.stopPropagation();
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.draw();
        this.moved();
    }
}
