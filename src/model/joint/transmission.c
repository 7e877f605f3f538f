// Drives, stops and gears on travels of joints. See transmission.h.
//     equation   g = w - motion(t) - value,  dg/dt at fixed q is -d motion/dt
//     stops      g = w - value - low,  g = high - w + value
// Rows are those of the travels times their factors.
#include "model/joint/transmission.h"

#include "base/assert.h"
#include "model/joint/joint.h"
#include "model/signal.h"

enum { ENTRIES = ZN_TRANSMISSION_TRAVELS * ZN_TRAVEL_ENTRIES };

// sign * w with its row.
static double sum(const zn_transmission *p, const zn_layout *layout, const double *q, double sign,
                  zn_contact_product *out)
{
    double w = 0;
    out->entries = 0;
    for (int i = 0; i < p->count; i++) {
        w += p->factor[i] * zn_travel_value(&p->travel[i], layout, q);
        if (!out->dof)
            continue;
        int first = out->entries;
        out->entries += zn_travel_row(&p->travel[i], layout, q, out->dof + first, out->value + first);
        for (int k = first; k < out->entries; k++)
            out->value[k] *= sign * p->factor[i];
    }
    return sign * w;
}

static void change(const zn_transmission *p, const zn_layout *layout, const double *q, double scale, const double *x,
                   double *y)
{
    for (int i = 0; i < p->count; i++)
        zn_travel_change(&p->travel[i], layout, q, scale * p->factor[i], x, y);
}

// --- equations -----------------------------------------------------------------------------------

static zn_status evaluate_drive(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                double t, zn_contact_product *out)
{
    (void)key;
    const zn_transmission *p = rule;
    out->restitution = 0;
    out->gap = sum(p, layout, q, 1, out) - p->value;
    return p->motion ? zn_joint_follow(p->motion, p->name, p->log, t, out) : ZN_OK;
}

static zn_status drive_curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                 double t, const double *lambda, const double *x, double *y)
{
    (void)key, (void)t;
    change(rule, layout, q, *lambda, x, y);
    return ZN_OK;
}

static const char *one_component(const void *rule)
{
    (void)rule;
    return "";
}

static bool angular(const void *rule, int equation)
{
    (void)equation;
    return ((const zn_transmission *)rule)->travel[0].turn;
}

static bool driven(const void *rule) { return ((const zn_transmission *)rule)->motion != NULL; }

// --- stops ---------------------------------------------------------------------------------------

static zn_status evaluate_stop(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                               zn_contact_product *out)
{
    int number = (int)key.number;
    (void)t;
    const zn_transmission *p = rule;
    ZN_ASSERT(number >= 0 && number < p->stops);
    bool high = p->side[number];
    out->restitution = p->restitution;
    out->gap = sum(p, layout, q, high ? -1 : 1, out);
    out->gap += high ? p->bound[1] + p->value : -p->bound[0] - p->value;
    return ZN_OK;
}

static zn_status stop_curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                double t, const double *lambda, const double *x, double *y)
{
    (void)t;
    const zn_transmission *p = rule;
    change(p, layout, q, p->side[key.number] ? -*lambda : *lambda, x, y);
    return ZN_OK;
}

// --- both ----------------------------------------------------------------------------------------

static bool grounded(const void *rule, zn_vec3 *along)
{
    (void)along;
    const zn_transmission *p = rule;
    bool                   ground = false;
    for (int i = 0; i < p->count; i++)
        ground |= p->travel[i].a.node.value == 0 || p->travel[i].b.node.value == 0;
    return ground;
}

// They are seen in their joints.
static bool link_of(const void *rule, zn_link *out)
{
    (void)rule, (void)out;
    return false;
}

static zn_status locate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out)
{
    const zn_transmission *p = rule;
    *out = (zn_contact_location){.surface = -1, .carrier = p->travel[0].b.node, .point = p->travel[0].a.node};
    zn_travel_place(&p->travel[0], layout, q, &out->position, &out->normal);
    if (p->side[key.number])
        out->normal = zn_vec3_scale(-1, out->normal);
    zn_contact_tangents(out->normal, false, out->tangent);
    return ZN_OK;
}

const zn_contact_ops zn_drive_ops = {
    .name = "drive",
    .max_entries = ENTRIES,
    .bilateral = true,
    .evaluate = evaluate_drive,
    .curvature = drive_curvature,
    .grounded = grounded,
    .components = one_component,
    .angular = angular,
    .driven = driven,
    .link = link_of,
};

const zn_contact_ops zn_stops_ops = {
    .name = "stops",
    .max_entries = ENTRIES,
    .evaluate = evaluate_stop,
    .curvature = stop_curvature,
    .locate = locate,
    .grounded = grounded,
    .angular = angular,
};
