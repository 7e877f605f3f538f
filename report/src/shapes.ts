// Geometry of rigid bodies, in their own axes.
import {
    BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CircleGeometry, CylinderGeometry, ExtrudeGeometry, Quaternion, Shape, ShapeGeometry,
    SphereGeometry, Vector3,
} from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { Body, Vec } from "./data";

const crease = 0.6; // [rad] sharper edges are edges

/// `marker`: radius of a body without size.
export function bodyGeometry(body: Body, planar: boolean, marker: number): BufferGeometry {
    const c = body.centre;
    switch (body.kind) {
        case "sphere":
            return (planar ? discWithMark(body.radius) : new SphereGeometry(body.radius, 40, 24)).translate(...c);
        case "box":
            return (planar ? polygon([[-1, -1], [1, -1], [1, 1], [-1, 1]].map(
                ([x, y]) => [0.5 * x * body.size[0], 0.5 * y * body.size[1]]))
                : new BoxGeometry(...body.size)).applyQuaternion(turnOf(body)).translate(...c);
        case "cylinder": {
            const shape = body.size[0] > 0 ? new CylinderGeometry(body.radius, body.radius, body.size[0], 48)
                : new CircleGeometry(body.radius, 48).rotateX(-Math.PI / 2);
            return shape.applyQuaternion(alongAxis(body)).translate(...c);
        }
        case "capsule":
            return new CapsuleGeometry(body.radius, body.size[0], 12, 32).applyQuaternion(alongAxis(body)).translate(...c);
        case "polygon": {
            const points = pointsOf(body).map((p) => [p[0], p[1]]);
            return planar ? polygon(points) : plate(points, body.size[2]).translate(0, 0, c[2]);
        }
        case "hull": return body.triangle_count ? facets(body) : new ConvexGeometry(pointsOf(body).map((p) => new Vector3(...p)));
        case "triangles": case "mesh": return facets(body);
        default: return planar ? new CircleGeometry(marker, 40) : new SphereGeometry(marker, 32, 20);
    }
}

/// Rotation of a box against its body.
export function turnOf(body: Body): Quaternion {
    return body.rotation.some((x) => x !== 0) ? new Quaternion(...body.rotation) : new Quaternion();
}

/// Turns y into the axis of a cylinder or capsule.
export function alongAxis(body: Body): Quaternion {
    return new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...body.axis).normalize());
}

/// Triangles of a body: how many.
export function triangleCount(body: Body): number {
    return body.kind === "triangles" ? body.point_count / 3 : body.triangle_count;
}

function pointsOf(body: Body): Vec[] {
    return Array.from({ length: body.point_count }, (_, i): Vec => [body.points[3 * i], body.points[3 * i + 1], body.points[3 * i + 2]]);
}

// With edges where they are sharp.
function facets(body: Body): BufferGeometry {
    const faces = new BufferGeometry();
    faces.setAttribute("position", new BufferAttribute(body.points, 3));
    if (body.kind !== "triangles") faces.setIndex(new BufferAttribute(new Uint32Array(body.triangles), 1));
    return toCreasedNormals(faces, crease);
}

/// Points in the axes of the body; it reaches no farther from them than `pad`.
export function hold(body: Body): { points: Vec[]; pad: number } {
    const half = body.size.map((a) => 0.5 * a), sides = [-1, 1], centre = new Vector3(...body.centre);
    if (body.kind === "sphere") return { points: [body.centre], pad: body.radius };
    if (body.kind === "cylinder" || body.kind === "capsule") {
        const axis = new Vector3(...body.axis).normalize().multiplyScalar(half[0]);
        return { points: sides.map((s): Vec => centre.clone().addScaledVector(axis, s).toArray() as Vec), pad: body.radius };
    }
    if (body.kind === "polygon") return { points: pointsOf(body), pad: half[2] };
    if (body.kind === "box") {
        const turn = turnOf(body);
        return { points: sides.flatMap((a) => sides.flatMap((b) => sides.map((c): Vec =>
            new Vector3(a * half[0], b * half[1], c * half[2]).applyQuaternion(turn).add(centre).toArray() as Vec))), pad: 0 };
    }
    return { points: corners(body), pad: 0 };
}

// Of the box around all points.
function corners(body: Body): Vec[] {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], p = body.points;
    for (let i = 0; i < p.length; i++) {
        low[i % 3] = Math.min(low[i % 3], p[i]);
        high[i % 3] = Math.max(high[i % 3], p[i]);
    }
    if (!p.length) return [[0, 0, 0]];
    return [low[0], high[0]].flatMap((x) => [low[1], high[1]].flatMap((y) => [low[2], high[2]].map((z): Vec => [x, y, z])));
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
