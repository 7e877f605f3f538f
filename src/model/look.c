// Words for what is seen.
#include "model/look.h"

#define WORD(table, kind) ((size_t)(kind) < sizeof(table) / sizeof *(table) ? (table)[kind] : NULL)

const char *zn_link_word(zn_link_kind kind)
{
    static const char *const words[] = {[ZN_LINK_SPRING] = "spring", [ZN_LINK_ROD] = "rod", [ZN_LINK_JOINT] = "joint"};
    return WORD(words, kind);
}

const char *zn_surface_word(zn_surface_kind kind)
{
    static const char *const words[] = {
        [ZN_SURFACE_PLANE] = "plane", [ZN_SURFACE_CIRCLE] = "circle", [ZN_SURFACE_HOLE] = "hole",
        [ZN_SURFACE_SLOT] = "slot",   [ZN_SURFACE_FACETS] = "facets", [ZN_SURFACE_CYLINDER] = "cylinder",
        [ZN_SURFACE_BORE] = "bore",   [ZN_SURFACE_SHAPE] = "shape"};
    return WORD(words, kind);
}

const char *zn_drawing_word(zn_drawing_kind kind)
{
    static const char *const words[] = {
        [ZN_DRAWING_NONE] = "none",           [ZN_DRAWING_SPHERE] = "sphere",   [ZN_DRAWING_BOX] = "box",
        [ZN_DRAWING_CYLINDER] = "cylinder",   [ZN_DRAWING_POLYGON] = "polygon", [ZN_DRAWING_HULL] = "hull",
        [ZN_DRAWING_TRIANGLES] = "triangles", [ZN_DRAWING_CAPSULE] = "capsule", [ZN_DRAWING_MESH] = "mesh"};
    return WORD(words, kind);
}
