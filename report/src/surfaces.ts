// Obstacles: planes with hatching or as a plate, circles, holes, slots, cylinders; rims that meet them. In the axes of the node that carries them.
import {
    BufferGeometry, CircleGeometry, Color, CylinderGeometry, DoubleSide, GridHelper, Group, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh,
    MeshBasicMaterial, PlaneGeometry, SphereGeometry, Vector3,
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

function hatchedLine(s: Surface, through: Vector3, n: Vector3, extent: Extent): Group {
    const along = new Vector3(-n.y, n.x, 0), middle = middleOf(s, through, n, extent), group = new Group();
    const half = s.half[0] || (s.node >= 0 ? 0.25 : 0.62) * extent.size, tick = 0.018 * extent.size;
    const count = Math.max(4, Math.round(half / (0.0155 * extent.size)));
    const at = (k: number) => middle.clone().addScaledVector(along, -half + (2 * half * k) / count);
    const hatch: Vector3[] = [];
    for (let k = 0; k <= count; k++) hatch.push(at(k), at(k).addScaledVector(n, -tick).addScaledVector(along, -tick));
    group.add(lines([at(0), at(count)], 1), lines(hatch, 0.5));
    return group;
}

function plate(s: Surface, through: Vector3, n: Vector3, extent: Extent): Group {
    const group = new Group(), open = (s.node >= 0 ? 0.4 : 1.3) * extent.size;
    const width = 2 * s.half[0] || open, height = 2 * s.half[1] || open;
    const sheet = new Mesh(new PlaneGeometry(width, height),
        new MeshBasicMaterial({ color: theme("surface"), transparent: true, opacity: 0.12, side: DoubleSide, depthWrite: false }));
    const grid = new GridHelper(1, 16, theme("surface"), theme("surface"));
    grid.rotateX(Math.PI / 2);
    grid.scale.set(width, 1, height);
    grid.material.transparent = true;
    grid.material.opacity = 0.25;
    group.add(sheet, grid);
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
