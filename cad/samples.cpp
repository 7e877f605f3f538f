// Writes the parts of tests/cad and docs/cad, whose mass and faces can be told by hand: samples FOLDER.
#include <cmath>
#include <cstdio>
#include <string>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <STEPControl_Controller.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_Shape.hxx>
#include <gp_Ax2.hxx>

static const gp_Dir X(1, 0, 0), Y(0, 1, 0), Z(0, 0, 1);

// 60 x 40 x 20 mm from the origin, bore of radius 8 along z through (40, 25)
static TopoDS_Shape block()
{
    TopoDS_Shape box = BRepPrimAPI_MakeBox(60, 40, 20).Shape();
    return BRepAlgoAPI_Cut(box, BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(40, 25, -1), Z), 8, 22).Shape()).Shape();
}

// along x from 0: radius 10 up to 50, cone to radius 6 up to 54, radius 6 up to 94, with a ball of that radius at its
// end
static TopoDS_Shape shaft()
{
    TopoDS_Shape thick = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, 0), X), 10, 50).Shape();
    TopoDS_Shape cone = BRepPrimAPI_MakeCone(gp_Ax2(gp_Pnt(50, 0, 0), X), 10, 6, 4).Shape();
    TopoDS_Shape thin = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(54, 0, 0), X), 6, 40).Shape();
    TopoDS_Shape ball = BRepPrimAPI_MakeSphere(gp_Ax2(gp_Pnt(94, 0, 0), X), 6).Shape();
    return BRepAlgoAPI_Fuse(BRepAlgoAPI_Fuse(BRepAlgoAPI_Fuse(thick, cone).Shape(), thin).Shape(), ball).Shape();
}

// radius 4, along z up to 30, of two halves, as many programs write cylinders
static TopoDS_Shape pin()
{
    const double half = std::acos(-1.0);
    TopoDS_Shape right = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, 0), Z, X), 4, 30, half).Shape();
    TopoDS_Shape left = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, 0), Z, -X), 4, 30, half).Shape();
    return TopExp_Explorer(BRepAlgoAPI_Fuse(left, right).Shape(), TopAbs_SOLID).Current();
}

static TopoDS_Shape moved(const TopoDS_Shape &shape, const gp_Ax1 &axis, double angle, const gp_Vec &by)
{
    gp_Trsf turn, shift;
    turn.SetRotation(axis, angle);
    shift.SetTranslation(by);
    return shape.Moved(TopLoc_Location(shift * turn));
}

struct Part {
    const char  *name;
    TopoDS_Shape shape;
};

static bool write(const std::string &path, const char *unit, std::initializer_list<Part> parts)
{
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    XCAFDoc_DocumentTool::SetLengthUnit(document, 1, UnitsMethods_LengthUnit_Millimeter);
    Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
    TDF_Label whole = parts.size() > 1 ? shapes->NewShape() : TDF_Label();
    if (!whole.IsNull())
        TDataStd_Name::Set(whole, "pair");
    for (const Part &part : parts) {
        TDF_Label label = shapes->AddShape(part.shape.Located(TopLoc_Location()), false);
        TDataStd_Name::Set(label, part.name);
        if (!whole.IsNull())
            shapes->AddComponent(whole, label, part.shape.Location());
    }
    shapes->UpdateAssemblies();
    STEPControl_Controller::Init(); // the settings exist from here on; a writer takes them when it is made
    Interface_Static::SetCVal("write.step.unit", unit);
    Interface_Static::SetIVal("write.surfacecurve.mode", 0);
    STEPCAFControl_Writer writer;
    if (!writer.Transfer(document, STEPControl_AsIs))
        return false;
    return writer.Write(path.c_str()) == IFSelect_RetDone;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: samples FOLDER\n");
        return 2;
    }
    Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
    std::string  to = std::string(argv[1]) + "/";
    TopoDS_Shape ring = BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, 0), Z), 12, 3).Shape();
    TopoDS_Shape bolt = moved(pin(), gp_Ax1(gp_Pnt(0, 0, 0), Y), 0.5, gp_Vec(100, -7, 3));
    bool         good = write(to + "block.step", "MM", {{"block", block()}}) &&
                write(to + "shaft.step", "M", {{"shaft", shaft()}}) &&
                write(to + "pair.step", "INCH", {{"ring", ring}, {"pin", bolt}});
    return good ? 0 : 1;
}
