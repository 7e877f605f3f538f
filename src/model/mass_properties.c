// By the divergence theorem a closed surface is cut into tetrahedra between its triangles (a, b, c) and one point o.
// With d = (a - o).((b - o) x (c - o)) = 6 V of one of them and s = a + b + c, from o:
//     V = sum d/6,   int x dV = sum d/24 s,   int x x' dV = sum d/120 (s s' + a a' + b b' + c c')
// (quadratic functions on a tetrahedron). o is the middle of the points and not the origin, so that parts far away from
// the origin of their file lose no digits. Moments about the centre: C = int x x' - V c c', inertia trace(C) 1 - C.
// In the plane the same with triangles (a, b): area d/2, d/6 (a + b), d/24 (s s' + a a' + b b').
#include "model/mass_properties.h"

static const double pi = 3.14159265358979323846;

static void add_square(double scale, zn_vec3 a, zn_mat3 *sum) // + scale a a'
{
    const double v[3] = {a.x, a.y, a.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sum->m[i][k] += scale * v[i] * v[k];
}

static zn_mat3 inertia_of(const zn_mat3 *second)
{
    double  trace = second->m[0][0] + second->m[1][1] + second->m[2][2];
    zn_mat3 out;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out.m[i][k] = (i == k ? trace : 0) - 0.5 * (second->m[i][k] + second->m[k][i]);
    return out;
}

static zn_mass_properties diagonal(double volume, double xx, double yy, double zz)
{
    return (zn_mass_properties){volume, {0, 0, 0}, {{{xx, 0, 0}, {0, yy, 0}, {0, 0, zz}}}};
}

static zn_vec3 middle_of(int count, const zn_vec3 *point)
{
    zn_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < count; i++) {
        low = (zn_vec3){fmin(low.x, point[i].x), fmin(low.y, point[i].y), fmin(low.z, point[i].z)};
        high = (zn_vec3){fmax(high.x, point[i].x), fmax(high.y, point[i].y), fmax(high.z, point[i].z)};
    }
    return zn_vec3_scale(0.5, zn_vec3_add(low, high));
}

// Moments from o become those about the centre.
static zn_mass_properties finish(double volume, zn_vec3 first, zn_mat3 second, zn_vec3 o)
{
    zn_vec3 c = volume != 0 ? zn_vec3_scale(1 / volume, first) : (zn_vec3){0, 0, 0};
    add_square(-volume, c, &second);
    return (zn_mass_properties){volume, zn_vec3_add(o, c), inertia_of(&second)};
}

zn_mass_properties zn_mass_of_triangles(int points, const zn_vec3 *point, int triangles, const int *corner)
{
    zn_vec3 o = middle_of(points, point), first = {0, 0, 0};
    zn_mat3 second = {{{0}}};
    double  volume = 0;
    for (int i = 0; i < triangles; i++) {
        zn_vec3 a = zn_vec3_sub(point[corner[3 * i]], o), b = zn_vec3_sub(point[corner[3 * i + 1]], o),
                c = zn_vec3_sub(point[corner[3 * i + 2]], o), s = zn_vec3_add(a, zn_vec3_add(b, c));
        double d = zn_vec3_dot(a, zn_vec3_cross(b, c));
        volume += d / 6;
        first = zn_vec3_add(first, zn_vec3_scale(d / 24, s));
        add_square(d / 120, s, &second);
        add_square(d / 120, a, &second);
        add_square(d / 120, b, &second);
        add_square(d / 120, c, &second);
    }
    return finish(volume, first, second, o);
}

zn_mass_properties zn_mass_of_polygon(int count, const zn_vec3 *corner)
{
    zn_vec3 o = middle_of(count, corner), first = {0, 0, 0};
    zn_mat3 second = {{{0}}};
    double  area = 0;
    for (int i = 0; i < count; i++) {
        zn_vec3 a = zn_vec3_sub(corner[i], o), b = zn_vec3_sub(corner[(i + 1) % count], o), s = zn_vec3_add(a, b);
        double  d = a.x * b.y - a.y * b.x;
        area += d / 2;
        first = zn_vec3_add(first, zn_vec3_scale(d / 6, s));
        add_square(d / 24, s, &second);
        add_square(d / 24, a, &second);
        add_square(d / 24, b, &second);
    }
    return finish(area, first, second, o);
}

zn_mass_properties zn_mass_of_sphere(double r)
{
    double v = 4 * pi / 3 * r * r * r, i = 0.4 * v * r * r;
    return diagonal(v, i, i, i);
}

zn_mass_properties zn_mass_of_box(zn_vec3 s)
{
    double v = s.x * s.y * s.z;
    return diagonal(v, v / 12 * (s.y * s.y + s.z * s.z), v / 12 * (s.z * s.z + s.x * s.x),
                    v / 12 * (s.x * s.x + s.y * s.y));
}

zn_mass_properties zn_mass_of_cylinder(double r, double length)
{
    double v = pi * r * r * length, across = v * (r * r / 4 + length * length / 12);
    return diagonal(v, across, across, v * r * r / 2);
}

// Each end is half a sphere, its centre of mass 3/8 r from the middle of the sphere.
zn_mass_properties zn_mass_of_capsule(double r, double length)
{
    zn_mass_properties rod = zn_mass_of_cylinder(r, length), ends = zn_mass_of_sphere(r);
    double             away = length / 2 + 3 * r / 8;
    double             across = ends.inertia.m[0][0] + ends.volume * (away * away - 9 * r * r / 64);
    return diagonal(rod.volume + ends.volume, rod.inertia.m[0][0] + across, rod.inertia.m[0][0] + across,
                    rod.inertia.m[2][2] + ends.inertia.m[2][2]);
}

zn_mass_properties zn_mass_of_disc(double r) { return zn_mass_of_cylinder(r, 1); }

zn_mass_properties zn_mass_of_rectangle(double x, double y) { return zn_mass_of_box((zn_vec3){x, y, 1}); }

// A rectangle and two halves of a disc, whose centres of mass are 4 r / (3 pi) from the middle of the disc.
zn_mass_properties zn_mass_of_stadium(double r, double length)
{
    double centre = 4 * r / (3 * pi), away = length / 2 + centre, disc = pi * r * r, plate = 2 * r * length;
    double turn = plate / 12 * (length * length + 4 * r * r) + disc * (r * r / 2 - centre * centre + away * away);
    return diagonal(plate + disc, 0, 0, turn);
}

zn_mass_properties zn_mass_moved(const zn_mass_properties *mass, zn_quat rotation, zn_vec3 at)
{
    zn_mat3 R = zn_quat_matrix(rotation);
    return (zn_mass_properties){mass->volume, zn_vec3_add(at, zn_quat_rotate(rotation, mass->centre)),
                                zn_mat3_product(zn_mat3_product(R, mass->inertia), zn_mat3_transpose(R))};
}
