// libFuzzer target: any bytes as a mesh file. Whatever they are, the reader returns a status, leaks nothing and does
// nothing undefined; what it accepts becomes a mesh or a message.
#include "io/msh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char    message[400];
    zn_msh *msh = NULL;
    if (zn_msh_parse((const char *)data, size, "input", &msh, message, sizeof message) != ZN_OK)
        return 0;
    for (int i = 0; i < 4; i++) { // in the plane and in space, all of it and its first group
        zn_mesh    *mesh = NULL;
        const char *group = i % 2 != 0 && msh->group_count > 0 ? msh->group[0].name : NULL;
        if (zn_msh_mesh(msh, group, i < 2, "input", &mesh, message, sizeof message) == ZN_OK)
            zn_mesh_destroy(mesh);
    }
    zn_msh_destroy(msh);
    return 0;
}
