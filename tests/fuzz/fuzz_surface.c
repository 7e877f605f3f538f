// libFuzzer target: any bytes as an STL and as an OBJ file. Whatever they are, the reader returns a status, leaks
// nothing and does nothing undefined; what it accepts becomes a mesh that can be asked, or a message.
#include <math.h>

#include "io/mesh_file.h"
#include "model/contact/mesh_shape.h"
#include "model/mass_properties.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_mesh(const zn_triangles *t)
{
    char           message[500];
    zn_mesh_shape *mesh = NULL;
    int            lost = 0;
    if (zn_mesh_shape_make(t->points, t->point, t->count, t->corner, &mesh, &lost, message, sizeof message) != ZN_OK)
        return;
    zn_mass_properties mass = zn_mass_of_triangles(t->points, t->point, t->count, t->corner);
    if (!(mass.volume > 0) || isnan(zn_mesh_distance(mesh, mesh->centre, mesh->extent)))
        __builtin_trap();
    zn_mesh_shape_destroy(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        const char *name, *group;
    } ways[] = {{"input.stl", NULL}, {"input.obj", NULL}, {"input.obj", "sides"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char         message[400];
        zn_triangles t;
        if (zn_mesh_file_parse((const char *)data, size, ways[i].name, ways[i].group, 1e-3, &t, message,
                               sizeof message) != ZN_OK)
            continue;
        try_mesh(&t);
        zn_triangles_clear(&t);
    }
    return 0;
}
