// zeno-cad PART.step DATA TRIANGLES [DEFLECTION]: what the solids of a STEP file are, for `zeno cad`, which starts it.
// Writes their volumes, centres, moments and faces as YAML to DATA and their triangles as binary STL to TRIANGLES, both
// in metres and in the axes of the file; DEFLECTION [m] bounds the distance of triangles from the surface. A reason for
// failing is one line on standard error, with exit status 1.
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <BRepBndLib.hxx>
#include <BRepCheck_Analyzer.hxx>
#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Poly_Triangulation.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <StepShape_ManifoldSolidBrep.hxx>
#include <TDF_Label.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <TransferBRep.hxx>
#include <Transfer_Binder.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <Interface_InterfaceModel.hxx>

#include "surfaces.h"

namespace
{

struct Solid {
    std::string  name;
    TopoDS_Shape shape;
};

struct Triangle {
    float corner[3][3];
};

[[noreturn]] void fail(const std::string &why) { throw std::runtime_error(why); }

// --- reading -------------------------------------------------------------------------------------

// A name of the file as one of a model: letters, digits, '_' and '-', at most 40.
std::string plain_name(const TDF_Label &label)
{
    Handle(TDataStd_Name) name;
    std::string out;
    if (!label.FindAttribute(TDataStd_Name::GetID(), name))
        return out;
    const TCollection_ExtendedString &text = name->Get();
    for (int i = 1; i <= text.Length() && out.size() < 40; i++) {
        unsigned c = text.Value(i);
        bool     good = c < 128 && (std::isalnum(static_cast<int>(c)) || c == '_' || c == '-');
        out += good ? static_cast<char>(c) : '_';
    }
    if (out.find_first_not_of("_-") == std::string::npos)
        return "";
    return std::isalpha(static_cast<unsigned char>(out[0])) || out[0] == '_' ? out : "_" + out;
}

std::string unused(const std::string &wish, std::set<std::string> &taken)
{
    std::string base = wish.empty() ? "solid" : wish, name = base;
    for (int i = 2; !taken.insert(name).second; i++)
        name = base + "-" + std::to_string(i);
    return name;
}

struct Collector {
    std::vector<Solid>    solids;
    std::set<std::string> taken{"ground", "t", "pi"};

    // Parts of assemblies at their places. `name`: of the one above, for parts without a name.
    void walk(const TDF_Label &label, const TopLoc_Location &at, const std::string &above, int depth)
    {
        TDF_Label         referred;
        TDF_LabelSequence parts;
        std::string       own = plain_name(label), name = own.empty() ? above : own;
        if (depth > 100)
            fail("assemblies are nested more than 100 deep");
        if (XCAFDoc_ShapeTool::GetReferredShape(label, referred))
            walk(referred, at * XCAFDoc_ShapeTool::GetLocation(label), name, depth + 1);
        else if (XCAFDoc_ShapeTool::IsAssembly(label) && XCAFDoc_ShapeTool::GetComponents(label, parts))
            for (int i = 1; i <= parts.Length(); i++)
                walk(parts.Value(i), at, name, depth + 1);
        else
            for (TopExp_Explorer s(XCAFDoc_ShapeTool::GetShape(label).Moved(at), TopAbs_SOLID); s.More(); s.Next())
                solids.push_back({unused(name, taken), s.Current()});
    }
};

// A solid that could not be made must not be missing in silence.
void check_complete(const STEPCAFControl_Reader &reader)
{
    const Handle(XSControl_WorkSession) &session = reader.Reader().WS();
    Handle(Transfer_TransientProcess) made = session->TransferReader()->TransientProcess();
    Handle(Interface_InterfaceModel) model = session->Model();
    for (int i = 1; i <= model->NbEntities(); i++) {
        Handle(Standard_Transient) entity = model->Value(i);
        if (!entity->IsKind(STANDARD_TYPE(StepShape_ManifoldSolidBrep)))
            continue;
        TopoDS_Shape shape = TransferBRep::ShapeResult(made->Find(entity));
        if (shape.IsNull() || !TopExp_Explorer(shape, TopAbs_SOLID).More())
            fail("the solid #" + std::to_string(i) + " of the STEP file is damaged, or belongs to no part");
    }
}

std::vector<Solid> read_solids(const char *path)
{
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    XCAFDoc_DocumentTool::SetLengthUnit(document, 1, UnitsMethods_LengthUnit_Millimeter);
    STEPCAFControl_Reader reader;
    reader.SetNameMode(true);
    reader.SetColorMode(false);
    reader.SetLayerMode(false);
    reader.SetPropsMode(false);
    if (reader.ReadFile(path) != IFSelect_RetDone)
        fail("no STEP file, or one that is damaged");
    if (reader.NbRootsForTransfer() < 1)
        fail("the STEP file holds no shape");
    if (!reader.Transfer(document))
        fail("the shapes of the STEP file cannot be made");
    check_complete(reader);
    TDF_LabelSequence roots;
    Collector         all;
    XCAFDoc_DocumentTool::ShapeTool(document->Main())->GetFreeShapes(roots);
    for (int i = 1; i <= roots.Length(); i++)
        all.walk(roots.Value(i), TopLoc_Location(), "", 0);
    if (all.solids.empty())
        fail("the STEP file holds no solid, only surfaces or curves");
    return all.solids;
}

// --- mass ----------------------------------------------------------------------------------------

// A shell with a hole has no volume; what would be computed depends on the origin.
void check_closed(const Solid &solid)
{
    for (TopExp_Explorer s(solid.shape, TopAbs_SHELL); s.More(); s.Next())
        if (!BRep_Tool::IsClosed(s.Current()))
            fail("solid '" + solid.name + "' is not closed: it has no volume");
    if (!BRepCheck_Analyzer(solid.shape).IsValid())
        fail("solid '" + solid.name + "' is not valid (faces that do not fit together); repair it where it was drawn");
}

// Moments about the origin of the file lose digits of parts that are far from it: again about the centre. Gauss's rule
// of OpenCASCADE is exact to rounding on analytic faces, its adaptive ones are not.
GProp_GProps volume_of(const Solid &solid)
{
    GProp_GProps first;
    BRepGProp::VolumeProperties(solid.shape, first, true);
    GProp_GProps about(first.CentreOfMass());
    BRepGProp::VolumeProperties(solid.shape, about, true);
    if (!(about.Mass() > 0))
        fail("solid '" + solid.name + "' is inside out: its volume is not positive");
    return about;
}

double area_of(const Solid &solid)
{
    GProp_GProps properties;
    BRepGProp::SurfaceProperties(solid.shape, properties);
    return std::fabs(properties.Mass());
}

Bnd_Box box_of(const Solid &solid)
{
    Bnd_Box box;
    BRepBndLib::AddOptimal(solid.shape, box, false, false);
    box.SetGap(0);
    if (box.IsVoid() || box.IsOpen())
        fail("solid '" + solid.name + "' has no finite size");
    return box;
}

// --- triangles -----------------------------------------------------------------------------------

void add_face(const TopoDS_Face &face, std::vector<Triangle> &out)
{
    TopLoc_Location at;
    Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, at);
    if (mesh.IsNull())
        return;
    bool swap = (face.Orientation() == TopAbs_REVERSED) != at.Transformation().IsNegative();
    for (int i = 1; i <= mesh->NbTriangles(); i++) {
        int n[3];
        mesh->Triangle(i).Get(n[0], n[1], n[2]);
        Triangle t;
        for (int k = 0; k < 3; k++) {
            gp_Pnt p = mesh->Node(n[swap ? 2 - k : k]).Transformed(at.Transformation());
            for (int c = 0; c < 3; c++)
                t.corner[k][c] = static_cast<float>(p.Coord(c + 1) * metre);
        }
        out.push_back(t);
    }
}

// By the theorem of divergence, relative to a point of the solid.
double enclosed(const std::vector<Triangle> &all, size_t first)
{
    double sum = 0;
    for (size_t i = first; i < all.size(); i++) {
        double a[3][3];
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                a[k][c] = static_cast<double>(all[i].corner[k][c]) - static_cast<double>(all[first].corner[0][c]);
        sum += a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) + a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
               a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    }
    return sum / 6;
}

// Triangles of a solid, which must enclose its volume: a second opinion on both.
void triangulate(const Solid &solid, double volume, double area, double deflection, std::vector<Triangle> &out)
{
    size_t                   first = out.size();
    BRepMesh_IncrementalMesh mesh(solid.shape, deflection, false, 0.3, false);
    for (TopExp_Explorer f(solid.shape, TopAbs_FACE); f.More(); f.Next())
        add_face(TopoDS::Face(f.Current()), out);
    if (out.size() == first)
        fail("solid '" + solid.name + "' cannot be triangulated");
    double other = enclosed(out, first) / (metre * metre * metre);
    if (!(std::fabs(other - volume) <= 2 * area * deflection + 1e-5 * volume)) {
        char text[160];
        std::snprintf(text, sizeof text, "' has %.6g m^3, but its triangles enclose %.6g m^3", volume * 1e-9,
                      other * 1e-9);
        fail("solid '" + solid.name + text);
    }
}

void write_triangles(const char *path, const std::vector<Triangle> &all)
{
    std::FILE    *file = std::fopen(path, "wb");
    char          head[80] = "triangles by zeno cad, in metres";
    std::uint32_t count = static_cast<std::uint32_t>(all.size()); // little endian, as the format wants
    const float   normal[3] = {0, 0, 0};                          // readers take it from the corners
    const char    attribute[2] = {0, 0};
    if (file == nullptr || all.size() > 0x7fffffff)
        fail("the triangulation cannot be written");
    bool good = std::fwrite(head, 80, 1, file) == 1 && std::fwrite(&count, 4, 1, file) == 1;
    for (const Triangle &t : all)
        good = good && std::fwrite(normal, 12, 1, file) == 1 && std::fwrite(t.corner, 36, 1, file) == 1 &&
               std::fwrite(attribute, 2, 1, file) == 1;
    if (std::fclose(file) != 0 || !good)
        fail("the triangulation cannot be written");
}

// --- writing -------------------------------------------------------------------------------------

void write_vector(std::FILE *out, const double v[3]) { std::fprintf(out, "[%.15g, %.15g, %.15g]", v[0], v[1], v[2]); }

// Products of inertia that are rounding only are none.
void write_inertia(std::FILE *out, const gp_Mat &J)
{
    double largest = std::fmax(J.Value(1, 1), std::fmax(J.Value(2, 2), J.Value(3, 3))), m5 = std::pow(metre, 5);
    std::fprintf(out, "    inertia: [");
    for (int i = 1; i <= 3; i++) {
        double row[3];
        for (int k = 1; k <= 3; k++) {
            double x = 0.5 * (J.Value(i, k) + J.Value(k, i));
            row[k - 1] = std::fabs(x) < 1e-13 * largest ? 0 : x * m5;
        }
        std::fprintf(out, "%s", i > 1 ? ", " : "");
        write_vector(out, row);
    }
    std::fprintf(out, "]\n");
}

void write_solid(std::FILE *out, const Solid &solid, double deflection, std::vector<Triangle> &triangles)
{
    check_closed(solid);
    GProp_GProps g = volume_of(solid);
    Bnd_Box      box = box_of(solid);
    double       area = area_of(solid), low[3], high[3], centre[3];
    size_t       first = triangles.size();
    box.Get(low[0], low[1], low[2], high[0], high[1], high[2]);
    double size = std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    triangulate(solid, g.Mass(), area, deflection > 0 ? deflection / metre : 1e-3 * size, triangles);
    for (int c = 0; c < 3; c++) {
        double x = g.CentreOfMass().Coord(c + 1);
        centre[c] = std::fabs(x) < 1e-13 * size ? 0 : x * metre;
        low[c] *= metre;
        high[c] *= metre;
    }
    std::fprintf(out, "  %s:\n    volume: %.15g\n    area: %.15g\n    centre: ", solid.name.c_str(), g.Mass() * 1e-9,
                 area * 1e-6);
    write_vector(out, centre);
    std::fprintf(out, "\n");
    write_inertia(out, g.MatrixOfInertia());
    std::fprintf(out, "    low: ");
    write_vector(out, low);
    std::fprintf(out, "\n    high: ");
    write_vector(out, high);
    std::fprintf(out, "\n    first_triangle: %zu\n    triangles: %zu\n    faces:\n", first, triangles.size() - first);
    write_faces(out, solid.shape, "      ");
}

void extract(const char *step, const char *data, const char *stl, double deflection)
{
    std::vector<Solid>    solids = read_solids(step);
    std::vector<Triangle> triangles;
    std::FILE            *out = std::fopen(data, "w");
    if (out == nullptr)
        fail("the data cannot be written");
    std::fprintf(out, "solids:\n");
    for (const Solid &solid : solids)
        write_solid(out, solid, deflection, triangles);
    if (std::ferror(out) | std::fclose(out))
        fail("the data cannot be written");
    write_triangles(stl, triangles);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        std::fprintf(stderr, "usage: zeno-cad PART.step DATA TRIANGLES [DEFLECTION]  (started by 'zeno cad')\n");
        return 2;
    }
    Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer)); // it has its own mind of what to tell
    try {
        extract(argv[1], argv[2], argv[3], argc == 5 ? std::atof(argv[4]) : 0);
        return 0;
    } catch (const Standard_Failure &e) {
        const char *why = e.GetMessageString();
        std::fprintf(stderr, "%s: %s\n", e.DynamicType()->Name(), why != nullptr ? why : "");
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
    }
    return 1;
}
