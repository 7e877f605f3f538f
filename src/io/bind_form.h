/// From the form of a shape or a body in a model file to a zn_shape_def, and to what it weighs.
#ifndef ZN_IO_BIND_FORM_H
#define ZN_IO_BIND_FORM_H

#include "io/profile.h"
#include "io/schema_form.h"
#include "model/mass_properties.h"
#include "model/triangles.h"

enum { ZN_FORM_NONE = -1 };

typedef struct zn_form {
    zn_shape_def def;     ///< kind and sizes; its arrays are those of the surface
    zn_triangles surface; ///< of a hull or a mesh
    zn_profile   profile; ///< of a contour, cam or gear
} zn_form;

/// The kind of the first of the keys of forms (zn_shape_kind) that an object has, planes among them; contours are also
/// cams and gears.
int         zn_form_find(const zn_yaml_node *node);
const char *zn_form_word(int kind);
/// Is there at most one of them, and one that is in the plane where the model is? False after a message.
bool        zn_form_check(zn_reader *reader, const zn_yaml_node *node);
/// Sizes of `kind`, which is not a plane or a contour, on top of what `out` holds; to be cleared whatever happens.
/// False after a message.
bool zn_form_take(zn_reader *reader, const zn_yaml_node *node, int kind, const zn_form_entry *entry, zn_form *out);
void zn_form_clear(zn_form *form);
/// For density 1, in the plane for a thickness of 1 m, about the middle or the origin of the file. False after a
/// message.
bool zn_form_mass(zn_reader *reader, const zn_yaml_node *node, const zn_form *form, zn_mass_properties *out);

#endif
