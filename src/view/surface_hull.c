// Convex hull of points as faces: model/contact/hull.c.
#include <stdlib.h>

#include "model/contact/hull.h"
#include "view/surface.h"

void zn_surface_hull(zn_surface_mesh *m)
{
    zn_hull     hull = {0};
    const char *why;
    zn_status   status = zn_hull_create(m->point_count, m->points, &hull, &why);
    if (status == ZN_ERR_MEMORY)
        m->status = status;
    for (int i = 0; i < hull.count && m->status == ZN_OK; i++)
        zn_surface_face(m, hull.triangle[i][0], hull.triangle[i][1], hull.triangle[i][2], -1);
    free(hull.triangle);
}
