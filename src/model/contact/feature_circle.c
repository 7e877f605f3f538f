#include "model/contact/feature_circle.h"
bool zn_feature_circle_normal(const zn_feature *a, const zn_feature *b, zn_vec3 *n)
{
    (void)a;
    (void)b;
    (void)n;
    return false;
}
