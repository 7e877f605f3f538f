// Faces of a solid as planes, cylinders, bores, cones, spheres and tori with their extents. Which side is free follows
// from the normal out of the material: a cylinder whose normal points to its axis is a bore.
#include "surfaces.h"

#include <cmath>
#include <map>
#include <string>

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepGProp.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <ShapeUpgrade_UnifySameDomain.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>

namespace
{

struct Extent {
    double u0, u1, v0, v1; // of the parameters of the surface
};

std::string vector(const gp_XYZ &v, double scale, double rounding)
{
    char        text[128];
    std::string out = "[";
    for (int i = 1; i <= 3; i++) {
        double x = v.Coord(i);
        std::snprintf(text, sizeof text, "%s%.15g", i > 1 ? ", " : "", std::fabs(x) < rounding ? 0 : x * scale);
        out += text;
    }
    return out + "]";
}

std::string place(const gp_Pnt &p) { return vector(p.XYZ(), metre, 1e-10); }
std::string direction(const gp_Dir &d) { return vector(d.XYZ(), 1, 1e-14); }

std::string number(const char *key, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, ", %s: %.15g", key, value);
    return text;
}

double area_of(const TopoDS_Face &face)
{
    GProp_GProps properties;
    BRepGProp::SurfaceProperties(face, properties);
    return std::fabs(properties.Mass()) * metre * metre;
}

// Unit normal out of the material in the middle of the parameters, and the point there.
gp_Vec outward(const TopoDS_Face &face, const BRepAdaptor_Surface &surface, const Extent &e, gp_Pnt &point)
{
    gp_Vec du, dv;
    surface.D1(0.5 * (e.u0 + e.u1), 0.5 * (e.v0 + e.v1), point, du, dv);
    gp_Vec n = du.Crossed(dv);
    return face.Orientation() == TopAbs_REVERSED ? n.Reversed() : n;
}

// Does the normal point to `centre`: is the material around it?
bool is_hollow(const TopoDS_Face &face, const BRepAdaptor_Surface &surface, const Extent &e, const gp_Pnt &centre)
{
    gp_Pnt point;
    gp_Vec n = outward(face, surface, e, point);
    return n.Dot(gp_Vec(point, centre)) > 0;
}

gp_Pnt nearest_on(const gp_Ax1 &axis, const gp_Pnt &point)
{
    double along = gp_Vec(axis.Location(), point).Dot(gp_Vec(axis.Direction()));
    return axis.Location().Translated(along * gp_Vec(axis.Direction()));
}

bool is_hollow_about(const TopoDS_Face &face, const BRepAdaptor_Surface &surface, const Extent &e, const gp_Ax1 &axis)
{
    gp_Pnt point;
    outward(face, surface, e, point);
    return is_hollow(face, surface, e, nearest_on(axis, point));
}

// --- planes --------------------------------------------------------------------------------------

// Direction of the longest straight edge; of a face without one: x of its plane.
gp_Dir longest_edge(const TopoDS_Face &face, const gp_Pln &plane)
{
    gp_Dir best = plane.XAxis().Direction();
    double longest = 0;
    for (TopExp_Explorer e(face, TopAbs_EDGE); e.More(); e.Next()) {
        const TopoDS_Edge &edge = TopoDS::Edge(e.Current());
        if (BRep_Tool::Degenerated(edge))
            continue;
        BRepAdaptor_Curve curve(edge);
        gp_Vec            way(curve.Value(curve.FirstParameter()), curve.Value(curve.LastParameter()));
        if (curve.GetType() != GeomAbs_Line || way.Magnitude() < longest * (1 + 1e-9) + 1e-7)
            continue;
        longest = way.Magnitude();
        best = gp_Dir(way);
    }
    return best;
}

// The rectangle around the face: in axes along its longest edge, where its box is that rectangle.
std::string plane_text(const TopoDS_Face &face, const BRepAdaptor_Surface &surface, const Extent &e)
{
    gp_Pnt  point;
    gp_Dir  normal(outward(face, surface, e, point));
    gp_Dir  along = longest_edge(face, surface.Plane());
    gp_Trsf turn;
    turn.SetTransformation(gp_Ax3(point, normal, along)); // from the axes of the file to those of the rectangle
    Bnd_Box box;
    BRepBndLib::AddOptimal(BRepBuilderAPI_Transform(face, turn, true).Shape(), box, false, false);
    double low[3], high[3];
    box.SetGap(0);
    box.Get(low[0], low[1], low[2], high[0], high[1], high[2]);
    gp_Pnt middle(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0);
    middle.Transform(turn.Inverted());
    return "at: " + place(middle) + ", normal: " + direction(normal) + ", along: " + direction(along) +
           number("length", (high[0] - low[0]) * metre) + number("breadth", (high[1] - low[1]) * metre);
}

// --- round surfaces ------------------------------------------------------------------------------

// Middle, direction and length of what lies between two places on the axis.
std::string axis_text(const gp_Ax1 &axis, double from, double to)
{
    gp_Pnt middle = axis.Location().Translated(0.5 * (from + to) * gp_Vec(axis.Direction()));
    return "at: " + place(middle) + ", axis: " + direction(axis.Direction()) +
           number("length", std::fabs(to - from) * metre);
}

std::string cylinder_text(const gp_Cylinder &c, const Extent &e)
{
    return axis_text(c.Axis(), e.v0, e.v1) + number("radius", c.Radius() * metre) + number("angle", e.u1 - e.u0);
}

// Radii at the beginning and the end of the axis. v runs along the slant.
std::string cone_text(const gp_Cone &c, const Extent &e)
{
    double s = std::sin(c.SemiAngle()), k = std::cos(c.SemiAngle());
    return axis_text(c.Axis(), e.v0 * k, e.v1 * k) + number("radius", std::fabs(c.RefRadius() + e.v0 * s) * metre) +
           number("end_radius", std::fabs(c.RefRadius() + e.v1 * s) * metre) + number("angle", e.u1 - e.u0);
}

// From and to: heights along the axis between which the sphere is.
std::string sphere_text(const gp_Sphere &s, const Extent &e)
{
    return "at: " + place(s.Location()) + ", axis: " + direction(s.Position().Direction()) +
           number("radius", s.Radius() * metre) + number("from", s.Radius() * std::sin(e.v0) * metre) +
           number("to", s.Radius() * std::sin(e.v1) * metre) + number("angle", e.u1 - e.u0);
}

std::string torus_text(const gp_Torus &t, const Extent &e)
{
    return "at: " + place(t.Location()) + ", axis: " + direction(t.Axis().Direction()) +
           number("radius", t.MajorRadius() * metre) + number("tube", t.MinorRadius() * metre) +
           number("angle", e.u1 - e.u0) + number("tube_angle", e.v1 - e.v0);
}

// --- one face ------------------------------------------------------------------------------------

const char *other_word(GeomAbs_SurfaceType type)
{
    switch (type) {
    case GeomAbs_BezierSurface:
        return "bezier";
    case GeomAbs_BSplineSurface:
        return "bspline";
    case GeomAbs_SurfaceOfRevolution:
        return "revolution";
    case GeomAbs_SurfaceOfExtrusion:
        return "extrusion";
    case GeomAbs_OffsetSurface:
        return "offset";
    default:
        return "other";
    }
}

// Word of the surface, and what there is to tell of it.
std::string describe(const TopoDS_Face &face, std::string &word)
{
    BRepAdaptor_Surface surface(face, true);
    Extent              e;
    BRepTools::UVBounds(face, e.u0, e.u1, e.v0, e.v1);
    bool        hollow = false;
    std::string text;
    switch (surface.GetType()) {
    case GeomAbs_Plane:
        word = "plane";
        return plane_text(face, surface, e);
    case GeomAbs_Cylinder:
        word = is_hollow_about(face, surface, e, surface.Cylinder().Axis()) ? "bore" : "cylinder";
        return cylinder_text(surface.Cylinder(), e);
    case GeomAbs_Cone:
        word = "cone";
        hollow = is_hollow_about(face, surface, e, surface.Cone().Axis());
        text = cone_text(surface.Cone(), e);
        break;
    case GeomAbs_Sphere:
        word = "sphere";
        hollow = is_hollow(face, surface, e, surface.Sphere().Location());
        text = sphere_text(surface.Sphere(), e);
        break;
    case GeomAbs_Torus: {
        word = "torus";
        gp_Torus t = surface.Torus();
        gp_Vec   to(gp_Dir(t.Position().XDirection().Rotated(t.Axis(), 0.5 * (e.u0 + e.u1))));
        hollow = is_hollow(face, surface, e, t.Location().Translated(t.MajorRadius() * to));
        text = torus_text(t, e);
        break;
    }
    default:
        word = other_word(surface.GetType());
        return "";
    }
    return text + ", hollow: " + (hollow ? "true" : "false");
}

// Halves of a cylinder and the like as one face; the solid as it is where that fails.
TopoDS_Shape united(const TopoDS_Shape &solid)
{
    try {
        ShapeUpgrade_UnifySameDomain unify(solid, true, true, false);
        unify.Build();
        return unify.Shape().IsNull() ? solid : unify.Shape();
    } catch (const Standard_Failure &) {
        return solid;
    }
}

} // namespace

void write_faces(std::FILE *out, const TopoDS_Shape &solid, const char *indent)
{
    std::map<std::string, int> count;
    for (TopExp_Explorer f(united(solid), TopAbs_FACE); f.More(); f.Next()) {
        const TopoDS_Face &face = TopoDS::Face(f.Current());
        std::string        word, text = describe(face, word);
        std::fprintf(out, "%s%s%d: {kind: %s, area: %.15g%s%s}\n", indent, word.c_str(), ++count[word], word.c_str(),
                     area_of(face), text.empty() ? "" : ", ", text.c_str());
    }
}
