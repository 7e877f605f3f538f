// Obstacles: planes, with ends as a sheet or a hatched line, without as one that fades; circles, holes, slots, cylinders; rims that meet them. In the axes of the node that carries them.
import {
    BufferAttribute, BufferGeometry, CircleGeometry, Color, CylinderGeometry, DoubleSide, Group, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh,
    MeshBasicMaterial, PlaneGeometry, RingGeometry, SphereGeometry, Vector3,
} from "three";
import type { Surface } from "./data";
import { theme } from "./dom";
import type { Extent } from "./machine";

export function surfaceObject(s: Surface, planar: boolean, extent: Extent): Group {
    const group = new Group(), through = new Vector3(...s.through), n = new Vector3(...s.direction);
    group.name = s.name;
    if (s.kind === "plane") group.add(planar ? hatchedLine(s, through, n, extent) : plate(s, through, n, extent));
    else if (s.kind === "slot")
        for (const side of [-1, 1]) {
            const wall = through.clone().addScaledVector(n, side * s.size);
            group.add(hatchedLine(s, wall, n.clone().multiplyScalar(-side), extent));
        }
    else if (s.kind === "cylinder" || s.kind === "bore") group.add(tube(s, through, n, extent));
    else if (s.kind === "rim") group.add(circle(s.size, through, n));
    else group.add(ring(s, planar).translateX(through.x).translateY(through.y).translateZ(through.z));
    return group;
}

function lines(points: Vector3[], opacity: number): LineSegments {
    return new LineSegments(new BufferGeometry().setFromPoints(points),
        new LineBasicMaterial({ color: new Color(theme("surface")), transparent: true, opacity }));
}

// Middle and half length of what is drawn of a plane: the part near the motion.
function middleOf(s: Surface, through: Vector3, n: Vector3, extent: Extent): Vector3 {
    if (s.node >= 0 || s.half[0] > 0) return through.clone();
    const middle = extent.low.clone().add(extent.high).multiplyScalar(0.5);
    return middle.addScaledVector(n, n.dot(through) - n.dot(middle));
}

// What has no end fades: opacity at a part of the way from the middle to where it stops being drawn.
const faded = (part: number) => Math.max(0, 1 - part * part) ** 2;

// Lines that fade, each of as many pieces as its points.
function fading(points: Vector3[], opacity: number[]): LineSegments {
    const geometry = new BufferGeometry().setFromPoints(points), c = new Color(theme("surface")), rgba = new Float32Array(4 * points.length);
    points.forEach((_, i) => rgba.set([c.r, c.g, c.b, opacity[i]], 4 * i));
    geometry.setAttribute("color", new BufferAttribute(rgba, 4));
    return new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
}

function hatchedLine(s: Surface, through: Vector3, n: Vector3, extent: Extent): Group {
    const along = new Vector3(-n.y, n.x, 0), middle = middleOf(s, through, n, extent), group = new Group(), ends = s.half[0] > 0;
    const half = s.half[0] || (s.node >= 0 ? 0.3 : 0.75) * extent.size, tick = 0.018 * extent.size;
    const count = Math.max(4, Math.round(half / (0.0155 * extent.size)));
    const at = (k: number) => middle.clone().addScaledVector(along, -half + (2 * half * k) / count);
    const bold = (k: number) => (ends ? 1 : faded(Math.max(0, Math.abs(2 * k / count - 1) - 0.5) * 2));
    const line: Vector3[] = [], hatch: Vector3[] = [], strong: number[] = [], weak: number[] = [];
    for (let k = 0; k <= count; k++) {
        if (k < count) {
            line.push(at(k), at(k + 1));
            strong.push(bold(k), bold(k + 1));
        }
        hatch.push(at(k), at(k).addScaledVector(n, -tick).addScaledVector(along, -tick));
        weak.push(0.5 * bold(k), 0.5 * bold(k));
    }
    group.add(fading(line, strong), fading(hatch, weak));
    return group;
}

// A plane with ends: a sheet with a rim and a grid of its own size.
function sheet(width: number, height: number): Group {
    const group = new Group(), grid: Vector3[] = [], cells = 12, x = width / 2, y = height / 2;
    for (let k = 1; k < cells; k++) {
        const u = (2 * k) / cells - 1;
        grid.push(new Vector3(u * x, -y, 0), new Vector3(u * x, y, 0), new Vector3(-x, u * y, 0), new Vector3(x, u * y, 0));
    }
    const rim = [[-x, -y], [x, -y], [x, y], [-x, y]].map(([a, b]) => new Vector3(a, b, 0));
    group.add(new Mesh(new PlaneGeometry(width, height),
        new MeshBasicMaterial({ color: theme("surface"), transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false })),
    lines(grid, 0.2), lines(rim.flatMap((p, i) => [p, rim[(i + 1) % 4]]), 0.9));
    return group;
}

// A plane without end: a disc and a grid that fade away.
function endless(radius: number): Group {
    const group = new Group(), rings = new RingGeometry(0, radius, 72, 12), c = new Color(theme("surface"));
    const place = rings.getAttribute("position"), rgba = new Float32Array(4 * place.count);
    for (let i = 0; i < place.count; i++) rgba.set([c.r, c.g, c.b, 0.16 * faded(Math.hypot(place.getX(i), place.getY(i)) / radius)], 4 * i);
    rings.setAttribute("color", new BufferAttribute(rgba, 4));
    const cells = 20, pieces = 10, points: Vector3[] = [], opacity: number[] = [];
    for (let k = 1; k < cells; k++) {
        const u = radius * ((2 * k) / cells - 1), reach = Math.sqrt(radius * radius - u * u);
        for (let i = 0; i < pieces; i++)
            for (const turned of [false, true])
                for (const end of [i, i + 1]) {
                    const w = reach * ((2 * end) / pieces - 1);
                    points.push(turned ? new Vector3(w, u, 0) : new Vector3(u, w, 0));
                    opacity.push(0.3 * faded(Math.hypot(u, w) / radius));
                }
    }
    group.add(new Mesh(rings, new MeshBasicMaterial({ vertexColors: true, transparent: true, side: DoubleSide, depthWrite: false })), fading(points, opacity));
    return group;
}

function plate(s: Surface, through: Vector3, n: Vector3, extent: Extent): Group {
    const group = s.half[0] > 0 ? sheet(2 * s.half[0], 2 * (s.half[1] || s.half[0])) : endless((s.node >= 0 ? 0.35 : 1.1) * extent.size);
    group.position.copy(middleOf(s, through, n, extent));
    const x = new Vector3(...s.along);
    if (x.lengthSq() > 0.5) group.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(x, n.clone().cross(x), n));
    else group.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), n);
    return group;
}

// A closed line around an axis.
function circle(radius: number, centre: Vector3, axis: Vector3): Line {
    const points: Vector3[] = [];
    for (let i = 0; i <= 72; i++) points.push(new Vector3(Math.cos(i * Math.PI / 36), Math.sin(i * Math.PI / 36), 0).multiplyScalar(radius));
    const line = new Line(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: new Color(theme("surface")) }));
    line.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), axis);
    line.position.copy(centre);
    return line;
}

// A cylinder or bore with circles at its ends; what has no end is drawn as far as the machine goes.
function tube(s: Surface, through: Vector3, axis: Vector3, extent: Extent): Group {
    const group = new Group(), half = s.half[0] || Math.max(2 * s.size, (s.node >= 0 ? 0.1 : 0.5) * extent.size);
    const grows = half * Math.tan(s.taper);
    const wall = new Mesh(new CylinderGeometry(s.size + grows, s.size - grows, 2 * half, 48, 1, true),
        new MeshBasicMaterial({ color: theme("surface"), transparent: true, opacity: 0.15, side: DoubleSide, depthWrite: false }));
    wall.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), axis);
    wall.position.copy(through);
    group.add(wall);
    if (s.half[0] > 0) for (const side of [-1, 1]) group.add(circle(s.size + side * grows, through.clone().addScaledVector(axis, side * half), axis));
    return group;
}

function ring(s: Surface, planar: boolean): Line | Mesh {
    const colour = new Color(theme("surface"));
    if (!planar)
        return new Mesh(new SphereGeometry(s.size, 40, 24), new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.15, depthWrite: false }));
    const outline = new CircleGeometry(s.size, 72).getAttribute("position"), points: Vector3[] = [];
    for (let i = 1; i < outline.count; i++) points.push(new Vector3().fromBufferAttribute(outline, i));
    return new Line(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: colour }));
}
