// The judges: both measures of an answer, computed from r alone with the caller's matrix.
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "solve/friction.h"

// d: mean |W_ii| of the rows [first, last), or their largest entry when that is zero, or 1 when they are empty.
static inline double block_size(const zn_fc_problem *p, int first, int last)
{
    ZN_ASSERT(first >= 0 && first < last && last <= p->n);
    double sum = 0, largest = 0;
    for (int i = first; i < last; i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        if (row.column == NULL)
            sum += fabs(row.value[i]);
        for (int k = 0; k < row.count && row.column != NULL; k++)
            sum += row.column[k] == i ? fabs(row.value[k]) : 0;
    }
    if (sum > 0)
        return sum / (last - first);
    for (int i = first; i < last; i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        for (int k = 0; k < row.count; k++)
            largest = fabs(row.value[k]) > largest ? fabs(row.value[k]) : largest;
    }
    return largest > 0 ? largest : 1;
}

double zn_fc_block_size(const zn_fc_problem *p, int first, int last) { return block_size(p, first, last); }

// u_i, the size of what was summed, and |W_ii|.
static inline double row_value(const zn_fc_problem *p, int i, const double *r, double *size, double *diagonal)
{
    zn_fc_row row = zn_fc_row_of(p, i);
    double    sum = p->q[i], total = fabs(sum), own = 0;
    for (int k = 0; k < row.count; k++) {
        int    column = row.column != NULL ? row.column[k] : k;
        double term = row.value[k] * r[column];
        sum += term;
        total += fabs(term);
        own += column == i ? fabs(row.value[k]) : 0;
    }
    *size = total;
    *diagonal = own;
    return sum;
}

// |r - P(x)| with x = r - (u_N + mu |u_T|, u_T) / d and P the projection on |x_T| <= mu x_N.
static inline double natural_map(int rows, double mu, double d, const double *r, const double *u)
{
    ZN_ASSERT(rows >= 1 && rows <= 3 && !(d <= 0));
    double rho = 1 / d, slip = 0, length = 0, x[3];
    if (rows == 1 || mu == 0) { // P(x) = (max(x_N, 0), 0)
        double part[3] = {r[0] - rho * u[0] > 0 ? rho * u[0] : r[0], rows > 1 ? r[1] : 0, rows > 2 ? r[2] : 0};
        return rows == 1 ? fabs(part[0]) : sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2]);
    }
    for (int k = 1; k < rows; k++) {
        x[k] = r[k] - rho * u[k];
        length += x[k] * x[k];
        slip += u[k] * u[k];
    }
    length = rows == 2 ? fabs(x[1]) : sqrt(length);
    slip = rows == 2 ? fabs(u[1]) : sqrt(slip);
    double normal = u[0] + mu * slip, factor = 1;
    x[0] = r[0] - rho * normal;
    if (x[0] >= 0 && length <= mu * x[0]) // P(x) = x; large reactions shall not swallow what is left
        return rho * sqrt(normal * normal + slip * slip);
    if (mu * length <= -x[0])
        factor = x[0] = 0;
    else {
        x[0] = (x[0] + mu * length) / (1 + mu * mu);
        factor = mu * x[0] / length;
    }
    double sum = (r[0] - x[0]) * (r[0] - x[0]);
    for (int k = 1; k < rows; k++)
        sum += (r[k] - factor * x[k]) * (r[k] - factor * x[k]);
    return sqrt(sum);
}

double zn_fc_natural_map(int rows, double mu, double d, const double *r, const double *u)
{
    return natural_map(rows, mu, d, r, u);
}

double zn_fc_disk_map(int rows, double radius, double d, const double *r, const double *u)
{
    ZN_ASSERT(rows >= 1 && rows <= 2 && radius >= 0 && !(d <= 0));
    double x[2] = {r[0] - u[0] / d, rows > 1 ? r[1] - u[1] / d : 0};
    double length = rows > 1 ? sqrt(x[0] * x[0] + x[1] * x[1]) : fabs(x[0]), factor = radius / length;
    if (length <= radius)
        return (rows > 1 ? sqrt(u[0] * u[0] + u[1] * u[1]) : fabs(u[0])) / d;
    double first = r[0] - factor * x[0], second = rows > 1 ? r[1] - factor * x[1] : 0;
    return sqrt(first * first + second * second);
}

// Of contact c, in units where the mean diagonal is d.
static inline double law_map(const zn_fc_problem *p, int c, double d, const double *r, const double *u)
{
    int first = p->first[c], rows = p->first[c + 1] - first;
    if (zn_fc_leader(p, c) >= 0)
        return zn_fc_disk_map(rows, zn_fc_radius(p, c, r), d, r + first, u);
    return natural_map(rows, p->mu[c], d, r + first, u);
}

typedef zn_fc_terms verdict;

static inline void add_squares(verdict *v, double q, double r, double u)
{
    v->q += q * q;
    v->r += r * r;
    v->u += u * u;
}

// One contact (or bilateral row, c < 0) of a problem scaled by s. Both measures, or one.
static inline void judge_block(const zn_fc_problem *p, int c, double s, bool natural, bool fclib, const double *r,
                               double *u, verdict *v)
{
    ZN_ASSERT(c >= -p->bilateral && c < p->contacts);
    int    first = c < 0 ? c + p->bilateral : p->first[c], last = c < 0 ? first + 1 : p->first[c + 1];
    double y[3] = {0}, size = 0, data = 0, sum = 0;
    for (int i = first; i < last; i++) {
        double row, diagonal;
        data = fabs(p->q[i]) > data ? fabs(p->q[i]) : data;
        y[i - first] = row_value(p, i, r, &row, &diagonal);
        sum += diagonal;
        size = row > size ? row : size;
        v->total += row;
        if (u != NULL)
            u[i] = y[i - first];
    }
    v->total += c < 0 ? 0 : p->mu[c];
    double d = sum > 0 ? sum / (last - first) : block_size(p, first, last), root = sqrt(d);
    v->scale = size / root > v->scale ? size / root : v->scale;
    v->data = data / root > v->data ? data / root : v->data;
    if (fclib) {
        double violation = c < 0 ? fabs(y[0]) / s : s * law_map(p, c, s * s, r, y);
        v->squares += violation * violation;
        for (int i = first; i < last; i++)
            add_squares(v, p->q[i] / s, s * r[i], y[i - first] / s);
    }
    if (natural) {
        double violation = c < 0 ? fabs(y[0]) / root : root * law_map(p, c, d, r, y);
        v->worst = violation > v->worst ? violation : v->worst;
    }
}

// `only_data`: the answer does not count.
static double fclib_scale(const verdict *v, bool only_data)
{
    double scale = sqrt(v->q), answer = sqrt(v->r > v->u ? v->r : v->u);
    scale = !only_data && answer > scale ? answer : scale;
    return scale > DBL_EPSILON ? scale : 1;
}

static bool runs_away(const verdict *v) { return v->data > 0 && v->scale > ZN_FC_MOST_GROWTH * v->data; }

static double hidden(const verdict *v) { return runs_away(v) ? zn_fc_hidden(v->scale, v->data) : 0; }

static double natural_measure(const verdict *v)
{
    double scale = runs_away(v) ? ZN_FC_MOST_GROWTH * v->data : v->scale;
    return scale > 0 ? v->worst / scale + hidden(v) / ZN_FC_MOST_GROWTH : 0;
}

static double fclib_measure(const verdict *v) { return sqrt(v->squares) / fclib_scale(v, runs_away(v)) + hidden(v); }

// False: something is not a number or infinite, which comparisons may have missed.
static bool look_at(const zn_fc_problem *p, const double *scale, bool natural, bool fclib, const double *r, double *u,
                    verdict *v)
{
    *v = (verdict){0};
    for (int c = -p->bilateral; c < p->contacts; c++) // negative: the bilateral rows
        judge_block(p, c, scale != NULL ? scale[c < 0 ? c + p->bilateral : p->first[c]] : 1, natural, fclib, r, u, v);
    return v->total <= DBL_MAX;
}

double zn_fc_judge(const zn_fc_problem *p, const double *scale, zn_fc_measure measure, const double *r, double *u)
{
    ZN_ASSERT(r != u);
    verdict v;
    bool    fclib = measure == ZN_FC_MEASURE_FCLIB;
    if (!look_at(p, scale, !fclib, fclib, r, u, &v))
        return INFINITY;
    return fclib ? fclib_measure(&v) : natural_measure(&v);
}

zn_fc_verdict zn_fc_judge_both(const zn_fc_problem *p, zn_fc_measure measure, const double *r, double *u)
{
    ZN_ASSERT(r != u);
    verdict v;
    zn_fc_judge_terms(p, r, u, &v);
    return zn_fc_judge_all(measure, &v);
}

void zn_fc_judge_terms(const zn_fc_problem *p, const double *r, double *u, zn_fc_terms *out)
{
    look_at(p, NULL, true, true, r, u, out);
}

void zn_fc_add_terms(const zn_fc_terms *more, zn_fc_terms *sum)
{
    sum->worst = more->worst > sum->worst ? more->worst : sum->worst;
    sum->scale = more->scale > sum->scale ? more->scale : sum->scale;
    sum->data = more->data > sum->data ? more->data : sum->data;
    sum->squares += more->squares;
    sum->total += more->total;
    sum->q += more->q;
    sum->r += more->r;
    sum->u += more->u;
}

zn_fc_verdict zn_fc_judge_all(zn_fc_measure measure, const zn_fc_terms *v)
{
    if (!(v->total <= DBL_MAX))
        return (zn_fc_verdict){INFINITY, INFINITY, INFINITY};
    zn_fc_verdict out = {.natural = natural_measure(v), .fclib = sqrt(v->squares) / fclib_scale(v, false)};
    out.asked = measure == ZN_FC_MEASURE_NATURAL ? out.natural : fclib_measure(v);
    return out;
}

zn_fc_weights zn_fc_weigh_velocities(const zn_fc_problem *p, const double *size, const double *r, const double *u)
{
    zn_fc_weights v = {0};
    for (int c = -p->bilateral; c < p->contacts; c++) {
        int    first = c < 0 ? c + p->bilateral : p->first[c], last = c < 0 ? first + 1 : p->first[c + 1];
        double d = size[first], root = sqrt(d);
        for (int i = first; i < last; i++) {
            double terms = fabs(p->q[i]) + fabs(u[i] - p->q[i]);
            v.total += terms + fabs(r[i]);
            v.scale = fmax(v.scale, terms / root);
            v.data = fmax(v.data, fabs(p->q[i]) / root);
        }
        v.worst = fmax(v.worst, c < 0 ? fabs(u[first]) / root : root * law_map(p, c, d, r, u + first));
    }
    return v;
}

double zn_fc_judge_weights(const zn_fc_weights *w)
{
    const verdict v = {.worst = w->worst, .scale = w->scale, .data = w->data};
    return w->total <= DBL_MAX ? natural_measure(&v) : INFINITY;
}

double zn_fc_judge_zero(const zn_fc_problem *p, zn_fc_measure measure)
{
    ZN_ASSERT(p->bilateral == 0);
    static const double none[3] = {0};
    verdict             v = {0};
    bool                fclib = measure == ZN_FC_MEASURE_FCLIB;
    for (int c = 0; c < p->contacts; c++) {
        int           first = p->first[c], rows = p->first[c + 1] - first;
        const double *q = p->q + first;
        double        d = fclib ? 1 : block_size(p, first, first + rows), root = fclib ? 1 : sqrt(d), largest = 0;
        for (int i = 0; i < rows; i++) {
            v.q += q[i] * q[i];
            largest = fabs(q[i]) > largest ? fabs(q[i]) : largest;
        }
        if (!fclib)
            v.data = largest / root > v.data ? largest / root : v.data;
        if (q[0] >= 0 || zn_fc_leader(p, c) >= 0) // r = 0 is right for a contact that parts, and without a normal
            continue;
        double violation = root * natural_map(rows, p->mu[c], d, none, q);
        v.worst = violation > v.worst ? violation : v.worst;
        v.squares += violation * violation;
    }
    if (!(v.q <= DBL_MAX))
        return INFINITY;
    if (fclib)
        return sqrt(v.squares) / fclib_scale(&v, true);
    return v.data > 0 ? v.worst / v.data : 0;
}

double zn_fc_residual(const zn_fc_problem *p, const double *r)
{
    return zn_fc_judge(p, NULL, ZN_FC_MEASURE_NATURAL, r, NULL);
}

double zn_fc_residual_fclib(const zn_fc_problem *p, const double *r)
{
    verdict v;
    return look_at(p, NULL, false, true, r, NULL, &v) ? sqrt(v.squares) / fclib_scale(&v, false) : INFINITY;
}
