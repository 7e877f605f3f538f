// Geometry of rigid bodies, in their own axes.
import {
    BoxGeometry, BufferAttribute, BufferGeometry, CircleGeometry, CylinderGeometry, ExtrudeGeometry, Quaternion, Shape, ShapeGeometry, SphereGeometry,
    Vector3,
} from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { Body, Vec } from "./data";

/// `marker`: radius of a body without size.
export function bodyGeometry(body: Body, planar: boolean, marker: number): BufferGeometry {
    const c = body.centre;
    switch (body.kind) {
        case "sphere":
            return (planar ? discWithMark(body.radius) : new SphereGeometry(body.radius, 40, 24)).translate(...c);
        case "box":
            return (planar ? polygon([[-1, -1], [1, -1], [1, 1], [-1, 1]].map(
                ([x, y]) => [0.5 * x * body.size[0], 0.5 * y * body.size[1]]))
                : new BoxGeometry(...body.size)).translate(...c);
        case "cylinder": {
            const axis = new Vector3(...body.axis).normalize();
            return new CylinderGeometry(body.radius, body.radius, body.size[0], 32)
                .applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), axis)).translate(...c);
        }
        case "polygon": {
            const points = body.points.map((p) => [p[0], p[1]]);
            return planar ? polygon(points) : plate(points, body.size[2]).translate(0, 0, c[2]);
        }
        case "hull": return new ConvexGeometry(body.points.map((p) => new Vector3(...p)));
        case "triangles": {
            const faces = new BufferGeometry();
            faces.setAttribute("position", new BufferAttribute(body.triangles!, 3));
            return toCreasedNormals(faces, 0.6);
        }
        default: return planar ? new CircleGeometry(marker, 40) : new SphereGeometry(marker, 32, 20);
    }
}

/// Points in the axes of the body; it reaches no farther from them than `pad`.
export function hold(body: Body): { points: Vec[]; pad: number } {
    const [x, y, z] = body.centre, half = body.size.map((a) => 0.5 * a), sides = [-1, 1];
    if (body.kind === "sphere") return { points: [body.centre], pad: body.radius };
    if (body.kind === "cylinder") return { points: [body.centre], pad: Math.hypot(body.radius, half[0]) };
    if (body.kind === "polygon" || body.kind === "hull") return { points: body.points, pad: half[2] };
    if (body.kind === "box")
        return { points: sides.flatMap((a) => sides.flatMap((b) => sides.map((c): Vec => [x + a * half[0], y + b * half[1], z + c * half[2]]))), pad: 0 };
    let square = 0;
    const t = body.triangles ?? [];
    for (let i = 0; i + 2 < t.length; i += 3) square = Math.max(square, t[i] ** 2 + t[i + 1] ** 2 + t[i + 2] ** 2);
    return { points: [[0, 0, 0]], pad: Math.sqrt(square) };
}

function outline(points: number[][]): Shape {
    const shape = new Shape();
    points.forEach(([x, y], i) => (i ? shape.lineTo(x, y) : shape.moveTo(x, y)));
    shape.closePath();
    return shape;
}

export function polygon(points: number[][]): BufferGeometry { return new ShapeGeometry(outline(points)); }

// With the middle of its thickness at z = 0.
function plate(points: number[][], thickness: number): BufferGeometry {
    return new ExtrudeGeometry(outline(points), { depth: thickness, bevelEnabled: false }).translate(0, 0, -0.5 * thickness);
}

// A disc with a notch, so that its turning can be seen.
function discWithMark(radius: number): BufferGeometry {
    const shape = new Shape();
    const gap = 0.06;
    shape.absarc(0, 0, radius, gap, 2 * Math.PI - gap, false);
    shape.lineTo(0.55 * radius, 0);
    shape.closePath();
    return new ShapeGeometry(shape, 64);
}
