/// Parts from CAD in the words of a model file.
#ifndef ZENO_CAD_PRINT_H
#define ZENO_CAD_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "zn/cad.h"

typedef struct cad_look {
    const char *step;    ///< name of the file
    double      density; ///< [kg/m^3]
    const char *stl;     ///< file with the triangles; NULL: none
    bool        ground;  ///< surfaces are of the ground, not of bodies
} cad_look;

void cad_print(FILE *out, const zn_cad *cad, const cad_look *look);

#endif
