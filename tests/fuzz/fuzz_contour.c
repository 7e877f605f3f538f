// libFuzzer target: any bytes as a DXF file and as a CSV file of points. Whatever they are, the readers return a
// status, leak nothing and do nothing undefined; what they accept is judged as a contour, rounded and turned round.
#include "io/profile.h"
#include "model/contact/contour.h"
#include "model/contact/contour_check.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(zn_profile *p)
{
    char         message[ZN_PROFILE_MESSAGE], text[ZN_CONTOUR_FAULT];
    zn_shape_def def = zn_shape_def_default();
    zn_contour   c;
    zn_profile_orient(p, false);
    if (zn_contour_check(p->count, p->side, false, false, text) != ZN_OK)
        return;
    zn_profile_round(p, 1e-3, message);
    def.side_count = p->count;
    def.sides = p->side;
    if (zn_contour_make(&def, &c) == ZN_OK) {
        free((void *)c.edge);
        free((void *)c.box);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char       message[ZN_PROFILE_MESSAGE];
    zn_profile p = {0};
    if (zn_profile_dxf((const char *)data, size, "input", NULL, 1e-6, &p, message) == ZN_OK)
        judge(&p);
    zn_profile_clear(&p);
    if (zn_profile_csv((const char *)data, size, "input", &p, message) == ZN_OK)
        judge(&p);
    zn_profile_clear(&p);
    return 0;
}
