// 3 x 3 matrices by value.
#include "zn/math.h"

zn_mat3 zn_mat3_product(zn_mat3 a, zn_mat3 b)
{
    zn_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}

zn_mat3 zn_mat3_transpose(zn_mat3 a)
{
    zn_mat3 t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[i][j] = a.m[j][i];
    return t;
}

zn_mat3 zn_mat3_skew(zn_vec3 a) { return (zn_mat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}}; }
