// The lumped mass, found by probing M with vectors instead of asking every kind of element: one probe per rotation of a
// node, and one for its translations, gives the blocks of the nodes if M has no others, and a probe with a vector
// without pattern tells whether it has.
#include "system/lumped.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "system/system.h"

enum { SLOTS = 6 };

// What probing needs. A row of `block` holds what a degree of freedom feels of all of its node: SLOTS numbers.
// `inertia`: of each frame in space, in the order of the nodes, what this process gives.
typedef struct probe {
    double  *a, *f, *block;
    zn_mat3 *inertia;
} probe;

static double entry(const probe *p, const zn_layout_node *node, int r, int s)
{
    return node->dof[r] >= 0 ? p->block[(size_t)node->dof[r] * SLOTS + (size_t)s] : 0;
}

static void probe_free(probe *p)
{
    free(p->a);
    free(p->f);
    free(p->block);
    free(p->inertia);
}

static zn_status apply(const zn_system *sys, int part, const double *a, double *f)
{
    ZN_ASSERT(a && f && a != f && part < sys->info.parts);
    memset(f, 0, sizeof *f * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->inertia)
            ZN_TRY(sys->block[i].ops->inertia(&sys->block[i], sys->q0, part, a, f));
    return ZN_OK;
}

// What a motion of these places of all nodes is felt as there.
static zn_status probe_places(const zn_system *sys, int part, int first, int last, probe *p)
{
    bool any = false;
    memset(p->a, 0, sizeof *p->a * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->layout.nodes; i++)
        for (int s = first; s < last; s++)
            if (sys->layout.node[i].dof[s] >= 0) {
                p->a[sys->layout.node[i].dof[s]] = 1;
                any = true;
            }
    if (any)
        return apply(sys, part, p->a, p->f);
    memset(p->f, 0, sizeof *p->f * (size_t)sys->info.n_all);
    return ZN_OK;
}

// Translations are probed at once: what couples them is no diagonal, which the vector without pattern tells.
static zn_status fill_blocks(const zn_system *sys, int part, probe *p)
{
    memset(p->block, 0, sizeof *p->block * SLOTS * (size_t)sys->info.n_all);
    ZN_TRY(probe_places(sys, part, 0, 3, p));
    for (int i = 0; i < sys->layout.nodes; i++)
        for (int s = 0; s < 3; s++) {
            int dof = sys->layout.node[i].dof[s];
            if (dof >= 0)
                p->block[(size_t)dof * SLOTS + (size_t)s] = p->f[dof];
        }
    for (int s = 3; s < SLOTS; s++) {
        ZN_TRY(probe_places(sys, part, s, s + 1, p));
        for (int dof = 0; dof < sys->info.n_all; dof++)
            p->block[(size_t)dof * SLOTS + (size_t)s] += p->f[dof];
    }
    return ZN_OK;
}

// Numbers without a pattern, in (0.5, 1.5).
static double scramble(int i) { return 0.5 + fmod(0.6180339887498949 * (i + 1) * (1 + (i % 7)), 1.0); }

// Is M made of the blocks, and these of a diagonal and an inertia of rotation?
static bool blocks_suffice(const zn_system *sys, const probe *p)
{
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        const int            *dof = node->dof;
        for (int r = 0; r < SLOTS; r++) {
            double sum = 0, size = 0;
            for (int s = 0; s < SLOTS; s++) {
                if (dof[r] < 0 || dof[s] < 0)
                    continue;
                double own = entry(p, node, r, s);
                sum += own * p->a[dof[s]];
                size += fabs(own);
                if (r != s && (r < 3 || s < 3) && own != 0)
                    return false;
            }
            if (dof[r] >= 0 && !(fabs(sum - p->f[dof[r]]) <= 1e-12 * size))
                return false;
        }
    }
    return true;
}

static zn_status is_lumped(const zn_system *sys, int part, probe *p, bool *out)
{
    ZN_TRY(fill_blocks(sys, part, p));
    for (int i = 0; i < sys->info.n_all; i++)
        p->a[i] = scramble(i);
    ZN_TRY(apply(sys, part, p->a, p->f));
    *out = blocks_suffice(sys, p);
    return ZN_OK;
}

// --- refusals ------------------------------------------------------------------------------------

static zn_status refuse_varying(const zn_system *sys, const char *scheme)
{
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->varying_mass && sys->block[i].count > 0)
            return zn_fail(&sys->model->log, ZN_ERR_UNSUPPORTED,
                           "%s: the mass of '%s' depends on its position; an explicit scheme needs a constant lumped "
                           "mass",
                           scheme, sys->model->part_name[sys->block[i].part[0]]);
    return ZN_OK;
}

static zn_status refuse_consistent(const zn_system *sys, const char *scheme, probe *p)
{
    bool lumped = true;
    for (int part = 0; part < sys->info.parts; part++) {
        ZN_TRY(is_lumped(sys, part, p, &lumped));
        if (!lumped)
            return zn_fail(&sys->model->log, ZN_ERR_UNSUPPORTED,
                           "%s: part '%s' has a consistent mass matrix; set 'mass: lumped' there", scheme,
                           sys->model->part_name[part]);
    }
    return zn_fail(&sys->model->log, ZN_ERR_UNSUPPORTED, "%s: the mass matrix is not lumped", scheme);
}

static zn_status refuse_massless(const zn_system *sys, const char *scheme, int node, int slot)
{
    ZN_ASSERT(slot >= 0 && slot < SLOTS);
    static const char *const word[SLOTS] = {"along x", "along y", "along z", "about x", "about y", "about z"};
    char                     name[128];
    return zn_fail(&sys->model->log, ZN_ERR_MODEL,
                   "%s: node '%s' has no mass %s, so its acceleration is not defined; give it mass or fix it", scheme,
                   zn_model_node_name(sys->model, node, name, sizeof name), word[slot]);
}

// --- creation ------------------------------------------------------------------------------------

static bool is_diagonal(const probe *p, const zn_layout_node *node)
{
    for (int r = 3; r < SLOTS; r++)
        for (int s = 3; s < SLOTS; s++)
            if (r != s && entry(p, node, r, s) != 0)
                return false;
    return true;
}

static zn_mat3 inertia_of(const probe *p, const zn_layout_node *node)
{
    zn_mat3 inertia;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia.m[i][j] = entry(p, node, 3 + i, 3 + j);
    return inertia;
}

// By cofactors; the inertia is symmetric. False when it is not positive.
static bool invert(const zn_mat3 *J, zn_mat3 *out)
{
    const double(*a)[3] = J->m;
    double det = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out->m[i][j] = a[j1][i1] * a[j2][i2] - a[j1][i2] * a[j2][i1];
        }
    for (int j = 0; j < 3; j++)
        det += a[0][j] * out->m[j][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out->m[i][j] /= det;
    return det > 0 && isfinite(det);
}

static zn_status take_triad(const zn_system *sys, const char *scheme, const probe *p, int node, zn_mat3 own,
                            zn_lumped_mass *m)
{
    ZN_ASSERT(m->triads < sys->frames3);
    zn_lumped_triad *triad = &m->triad[m->triads];
    const int       *dof = sys->layout.node[node].dof;
    for (int i = 0; i < 3; i++)
        triad->dof[i] = dof[3 + i];
    triad->inertia = inertia_of(p, &sys->layout.node[node]);
    triad->own = own;
    if (!invert(&triad->inertia, &triad->inverse))
        return refuse_massless(sys, scheme, node, 3);
    for (int i = 0; i < 3; i++) // of the triad alone
        m->mass[dof[3 + i]] = m->own[dof[3 + i]] = m->inverse[dof[3 + i]] = 0;
    m->triads++;
    return ZN_OK;
}

static zn_status take_blocks(const zn_system *sys, const char *scheme, const probe *p, zn_lumped_mass *m)
{
    for (int i = 0, frame = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        const int            *dof = node->dof;
        for (int s = 0; s < SLOTS; s++) {
            if (dof[s] < 0)
                continue;
            double mass = m->mass[dof[s]] = entry(p, node, s, s);
            if (dof[s] < m->n && !(mass > 0))
                return refuse_massless(sys, scheme, i, s);
            m->inverse[dof[s]] = dof[s] < m->n ? 1 / mass : 0;
        }
        if (node->kind == ZN_FRAME3 && dof[3] < m->n && !is_diagonal(p, node))
            ZN_TRY(take_triad(sys, scheme, p, i, p->inertia[frame], m));
        frame += node->kind == ZN_FRAME3;
    }
    return ZN_OK;
}

// What this process gives, before the blocks become those of the whole.
static void take_own(const zn_system *sys, const probe *p, zn_lumped_mass *m)
{
    for (int i = 0, frame = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        for (int s = 0; s < SLOTS; s++)
            if (node->dof[s] >= 0)
                m->own[node->dof[s]] = entry(p, node, s, s);
        if (node->kind == ZN_FRAME3)
            p->inertia[frame++] = inertia_of(p, node);
    }
}

static zn_status find_own(const zn_system *sys, const char *scheme, probe *p, zn_lumped_mass *m)
{
    bool lumped;
    ZN_TRY(refuse_varying(sys, scheme));
    ZN_TRY(is_lumped(sys, -1, p, &lumped));
    if (!lumped)
        return refuse_consistent(sys, scheme, p);
    take_own(sys, p, m);
    return ZN_OK;
}

// Blocks of all parts of the whole.
static zn_status assemble_blocks(const zn_system *sys, probe *p)
{
    for (int s = 0; s < SLOTS && sys->halo; s++) {
        for (int dof = 0; dof < sys->info.n_all; dof++)
            p->f[dof] = p->block[(size_t)dof * SLOTS + (size_t)s];
        ZN_TRY(zn_system_assemble(sys, ZN_OK, p->f));
        for (int dof = 0; dof < sys->info.n_all; dof++)
            p->block[(size_t)dof * SLOTS + (size_t)s] = p->f[dof];
    }
    return ZN_OK;
}

static zn_status create(const zn_system *sys, const char *scheme, probe *p, zn_lumped_mass *m)
{
    ZN_TRY(zn_system_agree(sys, find_own(sys, scheme, p, m)));
    ZN_TRY(assemble_blocks(sys, p));
    return zn_system_agree(sys, take_blocks(sys, scheme, p, m));
}

zn_status zn_lumped_mass_create(const zn_system *sys, const char *scheme, zn_lumped_mass *out)
{
    ZN_ASSERT(scheme && out);
    size_t         n = (size_t)sys->info.n_all;
    probe          p = {ZN_NEW(double, n), ZN_NEW(double, n), ZN_NEW(double, n *SLOTS), ZN_NEW(zn_mat3, sys->frames3)};
    zn_lumped_mass m = {.n = sys->info.n,
                        .n_all = sys->info.n_all,
                        .mass = ZN_NEW(double, n),
                        .inverse = ZN_NEW(double, n),
                        .triad = ZN_NEW(zn_lumped_triad, sys->frames3)};
    m.own = sys->halo ? ZN_NEW(double, n) : m.mass;
    bool      room = p.a && p.f && p.block && p.inertia && m.mass && m.own && m.inverse && m.triad;
    zn_status status = room ? create(sys, scheme, &p, &m) : ZN_ERR_MEMORY;
    probe_free(&p);
    if (status != ZN_OK)
        zn_lumped_mass_destroy(&m);
    else
        *out = m;
    return status;
}

void zn_lumped_mass_destroy(zn_lumped_mass *m)
{
    if (m->own != m->mass)
        free(m->own);
    free(m->mass);
    free(m->inverse);
    free(m->triad);
    *m = (zn_lumped_mass){0};
}

// --- use -----------------------------------------------------------------------------------------

static void apply_triad(const int dof[3], zn_mat3 A, const double *x, double *y)
{
    ZN_ASSERT(dof[0] >= 0 && dof[1] >= 0 && dof[2] >= 0);
    zn_vec3 r = zn_mat3_apply(A, (zn_vec3){x[dof[0]], x[dof[1]], x[dof[2]]});
    y[dof[0]] = r.x;
    y[dof[1]] = r.y;
    y[dof[2]] = r.z;
}

zn_status zn_lumped_mass_add(zn_lumped_mass *m, const double *diagonal)
{
    ZN_ASSERT(diagonal);
    for (int i = 0; i < m->n; i++)
        if (m->inverse[i] > 0) {
            m->mass[i] += diagonal[i];
            m->inverse[i] = 1 / m->mass[i];
        }
    for (int k = 0; k < m->triads; k++) {
        zn_lumped_triad *triad = &m->triad[k];
        for (int i = 0; i < 3; i++)
            triad->inertia.m[i][i] += diagonal[triad->dof[i]];
        triad->own = triad->inertia; // of one process
        if (!invert(&triad->inertia, &triad->inverse))
            return ZN_NOT_FINITE;
    }
    return ZN_OK;
}

void zn_lumped_mass_multiply(const zn_lumped_mass *m, const double *x, double *y)
{
    ZN_ASSERT(m->n_all == 0 || (x && y && x != y));
    for (int i = 0; i < m->n_all; i++)
        y[i] = m->mass[i] * x[i];
    for (int k = 0; k < m->triads; k++)
        apply_triad(m->triad[k].dof, m->triad[k].inertia, x, y);
}

double zn_lumped_mass_square(const zn_lumped_mass *m, const double *x)
{
    ZN_ASSERT(m->n == 0 || x);
    double sum = 0;
    for (int i = 0; i < m->n; i++)
        sum += m->own[i] * x[i] * x[i];
    for (int k = 0; k < m->triads; k++) {
        const int *dof = m->triad[k].dof;
        zn_vec3    own = {x[dof[0]], x[dof[1]], x[dof[2]]};
        sum += zn_vec3_dot(own, zn_mat3_apply(m->triad[k].own, own));
    }
    return sum;
}

void zn_lumped_mass_solve(const zn_lumped_mass *m, const double *x, double *y)
{
    ZN_ASSERT(m->n_all == 0 || (x && y && x != y));
    for (int i = 0; i < m->n_all; i++)
        y[i] = m->inverse[i] * x[i];
    for (int k = 0; k < m->triads; k++)
        apply_triad(m->triad[k].dof, m->triad[k].inverse, x, y);
}
