// Faces of a solid as named analytic surfaces.
#ifndef ZENO_CAD_SURFACES_H
#define ZENO_CAD_SURFACES_H

#include <cstdio>

#include <TopoDS_Shape.hxx>

// Lengths of the model are millimetres, whatever the file declares; what is written is in metres.
constexpr double metre = 1e-3;

// The faces as entries of a YAML map, each line indented by `indent`.
void write_faces(std::FILE *out, const TopoDS_Shape &solid, const char *indent);

#endif
