// Critical step of central differences with lumped mass M:  4 M - 2 h C - h^2 K >= 0  keeps the scheme stable.
//
// Bound by elements. Let the masses be shared, M = sum_e D_e. Then x'K x = sum x'K_e x <= max_e l_e x'M x with l_e the
// largest eigenvalue of (K_e, D_e), whatever the shares. They are taken in proportion to the row sums of |K_e|, so that
// springs between bodies get a share as well, and equal elements of a mesh get their own mass.
// I. Fried, AIAA J. 10 (1972) 219-221; T. Belytschko, W. K. Liu, B. Moran, Nonlinear finite elements (2000), 6.2.
//
// Own masses are another partition: D_e is the mass of the element itself at its nodes, wherever all stiff elements of
// a node have one. It splits with the mesh (levels.c): parts that share nodes are bounded one by one.
//
// The largest eigenvalue of an element: reduction to tridiagonal form by Householder's reflections, then bisection with
// the signs of Sturm's sequence, ended from above.
#include "system/critical.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "model/element/inertia.h"
#include "system/lumped.h"
#include "system/system.h"

// --- largest eigenvalue of a small symmetric matrix --------------------------------------------------

// A (n x n, row-major, overwritten) to tridiagonal form: diagonal d, side s (n - 1).
static void tridiagonalize(int n, double *A, double *d, double *s, double *p)
{
    for (int k = 0; k + 2 < n; k++) {
        double *v = A + k * n, norm = 0; // row k beyond the diagonal
        for (int i = k + 1; i < n; i++)
            norm += v[i] * v[i];
        norm = sqrt(norm);
        double alpha = v[k + 1] > 0 ? -norm : norm, first = v[k + 1] - alpha, square = norm * norm - alpha * v[k + 1];
        d[k] = A[k * n + k];
        s[k] = alpha;
        if (!(square > 0))
            continue;
        v[k + 1] = first; // A <- A - v q' - q v',  q = p - (v'p / 2 square) v,  p = A v / square
        double dot = 0;
        for (int i = k + 1; i < n; i++) {
            p[i] = 0;
            for (int j = k + 1; j < n; j++)
                p[i] += A[i * n + j] * v[j] / square;
            dot += p[i] * v[i];
        }
        for (int i = k + 1; i < n; i++)
            p[i] -= 0.5 * dot / square * v[i];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= v[i] * p[j] + p[i] * v[j];
    }
    for (int k = n > 2 ? n - 2 : 0; k < n; k++) {
        d[k] = A[k * n + k];
        if (k + 1 < n)
            s[k] = A[k * n + k + 1];
    }
}

// Is every eigenvalue of the tridiagonal matrix below x?
static bool all_below(int n, const double *d, const double *s, double x)
{
    double pivot = d[0] - x;
    for (int i = 1; i < n && pivot < 0; i++)
        pivot = d[i] - x - s[i - 1] * s[i - 1] / pivot;
    return pivot < 0;
}

static double largest_eigenvalue(int n, double *A, double *work)
{
    ZN_ASSERT(n > 0);
    double *d = work, *s = d + n, *p = s + n, low = -INFINITY, high = -INFINITY;
    tridiagonalize(n, A, d, s, p);
    for (int i = 0; i < n; i++) {
        low = fmax(low, d[i]);
        high = fmax(high, d[i] + (i > 0 ? fabs(s[i - 1]) : 0) + (i + 1 < n ? fabs(s[i]) : 0));
    }
    for (int k = 0; k < 60 && high - low > 1e-13 * fabs(high); k++) {
        double middle = 0.5 * (low + high);
        *(all_below(n, d, s, middle) ? &high : &low) = middle;
    }
    return high;
}

// --- elements one by one -----------------------------------------------------------------------------

struct zn_critical_search {
    const zn_system *sys;
    zn_at            at;
    double           damping, stiffness; // which operator: b C + c K
    bool             own;                // shares: the elements' own masses, where they are known
    zn_lumped_mass   lumped;
    const double    *mass;     // n_all, a lower bound of M
    double          *rows;     // n_all: sum of the row sums of |K_e|
    int              size;     // largest number of degrees of freedom of an element
    int             *identity; // places of a dense matrix
    double          *K, *A, *D, *last, *work, *element_mass;
    double          *scale;  // of all elements, block after block: factors of their masses; NULL: 1
    double          *base;   // n_all: the lower bound of M without what scaling adds; NULL: there is nothing
    bool            *shared; // n_all: some stiff element has no diagonal mass of its own here
    double          *flag;   // n_all: the same as numbers, where there are other parts; NULL: there are none
    double           largest;
    const char      *part;
};

typedef zn_critical_search search;

// Element e alone, writing into a dense matrix.
static zn_element_block single(const search *s, const zn_element_block *b, int e)
{
    ZN_ASSERT(e >= 0 && e < b->count && b->ops->dofs <= s->size);
    zn_element_block one = *b;
    one.count = 1;
    one.part = b->part + e;
    one.node = b->node + (size_t)e * (size_t)b->ops->nodes;
    one.dof = b->dof + (size_t)e * (size_t)b->ops->dofs;
    one.parameter = (const char *)b->parameter + (size_t)e * b->ops->parameter_size;
    one.scatter = s->identity;
    return one;
}

// s->K = the symmetric part of the operator of element e, without rows that have no equation.
static zn_status element_matrix(search *s, const zn_element_block *b, int e)
{
    int              n = b->ops->dofs;
    zn_element_block one = single(s, b, e);
    memset(s->A, 0, sizeof *s->A * (size_t)(n * n));
    ZN_TRY(b->ops->operators(&one, s->at, 0, s->damping, s->stiffness, s->A));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            bool free =
                one.dof[i] >= 0 && one.dof[i] < s->sys->info.n && one.dof[j] >= 0 && one.dof[j] < s->sys->info.n;
            s->K[i * n + j] = free ? 0.5 * (s->A[i * n + j] + s->A[j * n + i]) : 0;
        }
    return ZN_OK;
}

static double row_sum(const double *K, int n, int i)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += fabs(K[i * n + j]);
    return sum;
}

// Do the same rows of two elements have an equation?
static bool same_rows(const search *s, const zn_element_block *b, int e, int other)
{
    ZN_ASSERT(e < b->count && other >= 0 && other < b->count);
    int        n = b->ops->dofs, equations = s->sys->info.n;
    const int *mine = b->dof + (size_t)e * (size_t)n, *its = b->dof + (size_t)other * (size_t)n;
    for (int i = 0; i < n; i++)
        if ((mine[i] >= 0 && mine[i] < equations) != (its[i] >= 0 && its[i] < equations))
            return false;
    return true;
}

// The matrix of element e in s->K, kept from element `*like` where it is the same.
static zn_status next_matrix(search *s, const zn_element_block *b, int e, int *like, bool *same)
{
    *same = *like >= 0 && b->ops->alike && b->ops->alike(b, s->at.q, e, *like) && same_rows(s, b, e, *like);
    if (*same)
        return ZN_OK;
    *like = e;
    return element_matrix(s, b, e);
}

static zn_status add_rows(search *s, const zn_element_block *b)
{
    int like = -1, n = b->ops->dofs;
    for (int e = 0; e < b->count; e++) {
        const int *dof = b->dof + (size_t)e * (size_t)n;
        bool       same;
        ZN_TRY(next_matrix(s, b, e, &like, &same));
        for (int i = 0; i < n; i++) {
            if (!same)
                s->last[i] = row_sum(s->K, n, i);
            if (dof[i] >= 0)
                s->rows[dof[i]] += s->last[i];
        }
    }
    return ZN_OK;
}

// The mass of element e itself, its diagonal in s->element_mass; negative where it is none.
static zn_status own_masses(search *s, const zn_element_block *b, int e)
{
    int              n = b->ops->dofs;
    zn_element_block one = single(s, b, e);
    memset(s->A, 0, sizeof *s->A * (size_t)(n * n));
    ZN_TRY(b->ops->operators(&one, s->at, 1, 0, 0, s->A));
    for (int i = 0; i < n; i++) {
        double mass = s->A[i * n + i];
        s->element_mass[i] = mass > 0 && row_sum(s->A, n, i) <= mass * (1 + 1e-12) ? mass : -1;
    }
    return ZN_OK;
}

// Degrees of freedom where some stiff element has no mass of its own: there all of them share by stiffness.
static zn_status find_shared(search *s, const zn_element_block *b)
{
    int like = -1, n = b->ops->dofs;
    for (int e = 0; e < b->count; e++) {
        const int *dof = b->dof + (size_t)e * (size_t)n;
        bool       same;
        ZN_TRY(next_matrix(s, b, e, &like, &same));
        if (!same)
            ZN_TRY(own_masses(s, b, e));
        for (int i = 0; i < n; i++)
            if (dof[i] >= 0 && s->element_mass[i] < 0 && row_sum(s->K, n, i) > 0)
                s->shared[dof[i]] = true;
    }
    return ZN_OK;
}

// D_e^-1/2 of element e in s->D; false when none is smaller than in `bound`, so that no eigenvalue is larger.
static bool share_masses(search *s, const zn_element_block *b, int first, int e, const double *bound)
{
    int           n = b->ops->dofs;
    const int    *dof = b->dof + (size_t)e * (size_t)n;
    const double *mass = s->own && s->base ? s->base : s->mass;
    bool          news = false;
    for (int i = 0; i < n; i++) {
        double sum = row_sum(s->K, n, i), D = sum > 0 ? mass[dof[i]] * sum / s->rows[dof[i]] : INFINITY;
        if (sum > 0 && s->own && !s->shared[dof[i]])
            D = s->element_mass[i];
        if (sum > 0 && s->own && s->scale && (s->stiffness != 0 || !s->shared[dof[i]]))
            D *= s->scale[first + e]; // shares are added by stiffness alone
        s->D[i] = sum > 0 ? 1 / sqrt(D) : 0;
        news |= !(s->D[i] <= bound[i] * (1 + 1e-9));
    }
    return news;
}

// `each`: eigenvalues of the elements, larger than they are where another one of the same kind is; NULL: nobody asks.
static zn_status search_block(search *s, const zn_element_block *b, int first, double *each)
{
    int    like = -1, n = b->ops->dofs;
    double own = 0;
    for (int e = 0; e < b->count; e++) {
        bool same;
        ZN_TRY(next_matrix(s, b, e, &like, &same));
        if (!same) {
            memset(s->last, 0, sizeof *s->last * (size_t)n);
            own = 0;
        }
        if (!same && s->own)
            ZN_TRY(own_masses(s, b, e));
        bool news = share_masses(s, b, first, e, s->last);
        if (each && !news)
            each[e] = own;
        if (!news)
            continue;
        memcpy(s->last, s->D, sizeof *s->D * (size_t)n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                s->A[i * n + j] = s->K[i * n + j] * s->D[i] * s->D[j];
        own = largest_eigenvalue(n, s->A, s->work);
        if (!isfinite(own))
            return ZN_NOT_FINITE;
        if (each)
            each[e] = own;
        if (own > s->largest) {
            s->largest = own;
            s->part = s->sys->model->part_name[b->part[e]];
        }
    }
    return ZN_OK;
}

enum { ROWS, SHARED, EIGENVALUES }; // passes over all elements

static zn_status run_pass(search *s, int pass, double *each)
{
    for (int i = 0, first = 0; i < s->sys->blocks; first += s->sys->block[i++].count) {
        const zn_element_block *b = &s->sys->block[i];
        if (!b->ops->operators || (s->stiffness == 0 && s->sys->velocity[i] != ZN_VELOCITY_DAMPER))
            continue;
        if (pass == ROWS)
            ZN_TRY(add_rows(s, b));
        else if (pass == SHARED)
            ZN_TRY(find_shared(s, b));
        else
            ZN_TRY(search_block(s, b, first, each ? each + first : NULL));
    }
    return ZN_OK;
}

// Where one part of the whole shares by stiffness all of them do.
static zn_status assemble_shared(search *s, zn_status own)
{
    int n = s->sys->info.n_all;
    for (int i = 0; s->flag && i < n; i++)
        s->flag[i] = s->shared[i];
    ZN_TRY(zn_system_assemble(s->sys, own, s->flag));
    for (int i = 0; s->flag && i < n; i++)
        s->shared[i] = s->flag[i] > 0;
    return ZN_OK;
}

// Largest eigenvalue of b C + c K of any element; `each` (may be NULL) gets those of all.
static zn_status search_all(search *s, double damping, double stiffness, double *each)
{
    s->damping = damping;
    s->stiffness = stiffness;
    s->largest = 0;
    s->part = NULL;
    memset(s->rows, 0, sizeof *s->rows * (size_t)s->sys->info.n_all);
    memset(s->shared, 0, sizeof *s->shared * (size_t)s->sys->info.n_all);
    ZN_TRY(zn_system_assemble(s->sys, run_pass(s, ROWS, NULL), s->rows));
    ZN_TRY(assemble_shared(s, s->own ? run_pass(s, SHARED, NULL) : ZN_OK));
    ZN_TRY(zn_system_agree(s->sys, run_pass(s, EIGENVALUES, each)));
    s->largest = zn_system_max(s->sys, s->largest);
    return ZN_OK;
}

static const double WORTH = 0.05; // what another partition must gain to be taken

// --- the bound ---------------------------------------------------------------------------------------

double zn_critical_step_of(double frequency, double damping)
{
    ZN_ASSERT(!(frequency < 0) && !(damping < 0));
    double w = frequency, c = damping;
    return w > 0 ? 4 / (c + sqrt(c * c + 4 * w * w)) : c > 0 ? 2 / c : INFINITY;
}

// A diagonal below M: that of the mass, and the smallest principal moment of triads whose inertia is no diagonal.
static void lower_mass(zn_lumped_mass *m)
{
    for (int k = 0; k < m->triads; k++) {
        double moment[3];
        zn_inertia_principal(m->triad[k].inertia, moment);
        for (int i = 0; i < 3; i++)
            m->mass[m->triad[k].dof[i]] = moment[0];
    }
}

static zn_status allocate(search *s)
{
    for (int i = 0; i < s->sys->blocks; i++)
        if (s->sys->block[i].ops->dofs > s->size)
            s->size = s->sys->block[i].ops->dofs;
    size_t n = (size_t)s->size, square = n * n;
    s->rows = ZN_NEW(double, s->sys->info.n_all);
    s->identity = ZN_NEW(int, square);
    s->K = ZN_NEW(double, 2 * square + 6 * n);
    s->shared = ZN_NEW(bool, s->sys->info.n_all);
    s->flag = s->sys->halo ? ZN_NEW(double, s->sys->info.n_all) : NULL;
    if (!s->rows || !s->identity || !s->K || !s->shared || (s->sys->halo && !s->flag))
        return ZN_ERR_MEMORY;
    s->A = s->K + square;
    s->D = s->A + square;
    s->last = s->D + n;
    s->work = s->last + n;
    s->element_mass = s->work + 3 * n;
    for (size_t i = 0; i < square; i++)
        s->identity[i] = (int)i;
    return ZN_OK;
}

zn_status zn_critical_search_create(const zn_system *sys, const char *scheme, zn_critical_search **out)
{
    ZN_ASSERT(scheme && out);
    search *s = ZN_NEW(search, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    s->sys = sys;
    zn_status status = zn_lumped_mass_create(sys, scheme, &s->lumped);
    if (status == ZN_OK)
        status = allocate(s);
    if (status != ZN_OK) {
        zn_critical_search_destroy(s);
        return status;
    }
    lower_mass(&s->lumped);
    s->mass = s->lumped.mass;
    *out = s;
    return ZN_OK;
}

zn_critical_search *zn_critical_search_destroy(zn_critical_search *s)
{
    if (!s)
        return NULL;
    zn_lumped_mass_destroy(&s->lumped);
    free(s->rows);
    free(s->identity);
    free(s->K);
    free(s->shared);
    free(s->flag);
    free(s->scale);
    free(s->base);
    free(s);
    return NULL;
}

// The bound with the shares by stiffness, or the elements' own masses.
static zn_status run_shares(search *s, bool own, zn_critical *out)
{
    s->own = own;
    ZN_TRY(search_all(s, 1, 0, NULL));
    double damping = s->largest;
    ZN_TRY(search_all(s, 0, 1, NULL));
    *out = (zn_critical){zn_critical_step_of(sqrt(s->largest), damping), sqrt(s->largest), damping, s->part};
    return ZN_OK;
}

// Largest |M^-1/2 C M^-1/2| of the inertia forces of rotation, C = -df/dv at the present spin: the fixed-point
// iteration that takes them at the mean of two velocities halves its error while h times it is at most 1.
static zn_status find_spin(search *s, const zn_element_block *b, double *spin, const char **part)
{
    int n = b->ops->dofs;
    for (int e = 0; e < b->count; e++) {
        zn_element_block one = single(s, b, e);
        memset(s->A, 0, sizeof *s->A * (size_t)(n * n));
        memset(s->K, 0, sizeof *s->K * (size_t)(n * n));
        ZN_TRY(b->ops->operators(&one, s->at, 0, 1, 0, s->A));
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                bool free =
                    one.dof[i] >= 0 && one.dof[i] < s->sys->info.n && one.dof[j] >= 0 && one.dof[j] < s->sys->info.n;
                s->A[i * n + j] = free ? s->A[i * n + j] / sqrt(s->mass[one.dof[i]] * s->mass[one.dof[j]]) : 0;
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                    s->K[i * n + j] += s->A[k * n + i] * s->A[k * n + j];
        double own = sqrt(fmax(0, largest_eigenvalue(n, s->K, s->work)));
        *part = own > *spin ? s->sys->model->part_name[b->part[e]] : *part;
        *spin = own > *spin || isnan(own) ? own : *spin;
    }
    return isfinite(*spin) ? ZN_OK : ZN_NOT_FINITE;
}

zn_status zn_critical_search_run(zn_critical_search *s, zn_at at, zn_critical *out)
{
    ZN_ASSERT(at.q && at.v && out);
    s->at = at;
    ZN_TRY(run_shares(s, false, out));
    zn_critical own;
    ZN_TRY(run_shares(s, true, &own));
    if (own.step > (s->scale ? 1 : 1 + WORTH) * out->step)
        *out = own;
    double      spin = 0;
    const char *part = NULL; // of the fastest body
    zn_status   status = ZN_OK;
    for (int i = 0; i < s->sys->blocks && status == ZN_OK; i++)
        if (s->sys->velocity[i] == ZN_VELOCITY_GYROSCOPIC && s->sys->block[i].ops->operators)
            status = find_spin(s, &s->sys->block[i], &spin, &part);
    ZN_TRY(zn_system_agree(s->sys, status));
    spin = zn_system_max(s->sys, spin);
    if (spin * out->step > 1) {
        out->step = 1 / spin;
        out->part = part;
    }
    return ZN_OK;
}

zn_status zn_critical_search_elements(zn_critical_search *s, zn_at at, double *stiffness, double *damping, bool *shared)
{
    ZN_ASSERT(at.q && at.v && stiffness && damping && shared);
    s->at = at;
    s->own = true;
    for (int e = 0; e < s->sys->info.elements; e++)
        stiffness[e] = damping[e] = 0;
    memset(shared, 0, sizeof *shared * (size_t)s->sys->info.n_all);
    for (int pass = 0; pass < 2; pass++) {
        ZN_TRY(search_all(s, pass == 0, pass == 1, pass == 0 ? damping : stiffness));
        for (int i = 0; i < s->sys->info.n_all; i++)
            shared[i] |= s->shared[i];
    }
    return ZN_OK;
}

// What the elements of a block take beyond their own masses or shares, with their factors.
static zn_status add_masses(search *s, const zn_element_block *b, int first, double *added)
{
    int n = b->ops->dofs, like = -1;
    for (int e = 0; e < b->count; e++) {
        bool same;
        ZN_TRY(next_matrix(s, b, e, &like, &same));
        if (!same)
            ZN_TRY(own_masses(s, b, e));
        memset(s->last, 0, sizeof *s->last * (size_t)n);
        share_masses(s, b, first, e, s->last);
        double     factor = s->scale[first + e];
        const int *dof = b->dof + (size_t)e * (size_t)n;
        for (int i = 0; i < n && factor > 1; i++)
            if (dof[i] >= 0 && !s->shared[dof[i]] && s->element_mass[i] > 0)
                added[dof[i]] += (factor - 1) * s->element_mass[i];
            else if (s->D[i] > 0) // D^-1/2 with the factor in it
                added[dof[i]] += (factor - 1) / factor / (s->D[i] * s->D[i]);
    }
    return ZN_OK;
}

// Factors of the masses that take eigenvalues down to what a step of h bears: h^2 w^2 + 2 h c <= 4 in each element.
static void find_factors(search *s, double h, const double *stiffness, const double *damping)
{
    for (int e = 0; e < s->sys->info.elements; e++)
        s->scale[e] = stiffness[e] == 0 ? 1 : fmax(1, 0.25 * (h * h * stiffness[e] + 2 * h * damping[e]));
}

zn_status zn_critical_search_scale(zn_critical_search *s, zn_at at, double h, double *added)
{
    ZN_ASSERT(h > 0 && added && !s->scale);
    size_t  elements = (size_t)s->sys->info.elements, n = (size_t)s->sys->info.n_all;
    double *value = ZN_NEW(double, 2 * elements);
    bool   *shared = ZN_NEW(bool, n);
    s->base = ZN_NEW(double, n);
    s->scale = ZN_NEW(double, elements);
    zn_status status = value && shared && s->base && s->scale ? ZN_OK : ZN_ERR_MEMORY;
    for (size_t e = 0; e < elements && status == ZN_OK; e++)
        s->scale[e] = 1;
    if (status == ZN_OK) {
        memcpy(s->base, s->mass, sizeof *s->base * n);
        status = zn_critical_search_elements(s, at, value, value + elements, shared);
    }
    if (status == ZN_OK)
        find_factors(s, h, value, value + elements);
    for (int i = 0, first = 0; i < s->sys->blocks && status == ZN_OK; first += s->sys->block[i++].count)
        if (s->sys->block[i].ops->operators)
            status = add_masses(s, &s->sys->block[i], first, added);
    for (size_t i = 0; i < n && status == ZN_OK; i++)
        s->lumped.mass[i] += added[i];
    free(value);
    free(shared);
    return status;
}
