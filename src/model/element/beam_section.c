// Cross sections of beams: area, areas in shear, second moments, torsion constant.
//     rectangle  shear 5/6 A,  J = a b^3/3 (1 - 192 b/(pi^5 a) sum_{odd k} tanh(k pi a/(2 b))/k^5),  a >= b
//     box        shear: the two walls along the force;  J = 4 A_m^2 t/s around the middle line of the wall (Bredt)
//     circle     shear 6/7 A,  tube of inner over outer radius r: 6 (1 + r^2)^2/(7 (1 + r^2)^2 + 20 r^2) A
//
// Reference: G. R. Cowper, J. Appl. Mech. 33 (1966) 335-340, with Poisson's ratio 0; S. P. Timoshenko, J. N. Goodier,
// Theory of Elasticity, 3rd ed., ch. 10.
#include "zn/model.h"

#define PI 3.14159265358979323846

static double rectangle_torsion(double width, double height)
{
    double a = fmax(width, height), b = fmin(width, height), sum = 0;
    for (int k = 1; k < 60; k += 2) // the rest is below 1e-8 of the sum
        sum += zn_tanh(0.5 * k * PI * a / b) / zn_pow(k, 5);
    return a * b * b * b / 3 * (1 - 192 * b / (zn_pow(PI, 5) * a) * sum);
}

static zn_beam_section box(double width, double height, double t)
{
    double inside = width - 2 * t, inner = height - 2 * t, middle = (width - t) * (height - t);
    return (zn_beam_section){
        .area = width * height - inside * inner,
        .shear_y = 2 * t * height,
        .shear_z = 2 * t * width,
        .moment_y = (height * zn_pow(width, 3) - inner * zn_pow(inside, 3)) / 12,
        .moment_z = (width * zn_pow(height, 3) - inside * zn_pow(inner, 3)) / 12,
        .torsion = 2 * t * middle * middle / (width + height - 2 * t),
        .shape = ZN_SECTION_RECTANGLE,
        .height = height,
        .width = width,
        .thickness = t,
    };
}

zn_beam_section zn_beam_section_rectangle(double width, double height, double thickness)
{
    if (thickness > 0 && 2 * thickness < fmin(width, height))
        return box(width, height, thickness);
    double area = width * height;
    return (zn_beam_section){
        .area = area,
        .shear_y = 5 * area / 6,
        .shear_z = 5 * area / 6,
        .moment_y = height * zn_pow(width, 3) / 12,
        .moment_z = width * zn_pow(height, 3) / 12,
        .torsion = rectangle_torsion(width, height),
        .shape = ZN_SECTION_RECTANGLE,
        .height = height,
        .width = width,
    };
}

zn_beam_section zn_beam_section_circle(double radius, double thickness)
{
    double inner = thickness > 0 && thickness < radius ? radius - thickness : 0, ratio = inner / radius;
    double area = PI * (radius - inner) * (radius + inner), moment = area * (radius * radius + inner * inner) / 4;
    double sum = zn_pow(1 + ratio * ratio, 2), shear = area * 6 * sum / (7 * sum + 20 * ratio * ratio);
    return (zn_beam_section){
        .area = area,
        .shear_y = shear,
        .shear_z = shear,
        .moment_y = moment,
        .moment_z = moment,
        .torsion = 2 * moment,
        .shape = ZN_SECTION_CIRCLE,
        .height = 2 * radius,
        .width = 2 * radius,
        .thickness = inner > 0 ? thickness : 0,
    };
}
