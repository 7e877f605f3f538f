// Many equal bodies on a lattice, each a little out of place.
#include <stdio.h>

#include "base/alive.h"
#include "base/def.h"
#include "math/finite.h"
#include "model/model.h"

ZN_DEFINE_DEF_WITH(zn_lattice_def, (ZN_INNER_DEF(zn_lattice_def, body)), .body = zn_body_def_default(),
                   .count = {1, 1, 1}, .seed = 1)

static zn_status check_lattice(const zn_model *model, const zn_lattice_def *def, int *total)
{
    const zn_log *log = &model->log;
    const char   *name = def->body.name;
    double        product = 1;
    if (!name)
        return zn_fail(log, ZN_ERR_MODEL, "a lattice of bodies has no name");
    for (int i = 0; i < 3; i++) {
        product *= def->count[i];
        if (def->count[i] < 1 || (model->planar && i == 2 && def->count[i] > 1))
            return zn_fail(log, ZN_ERR_MODEL, "body '%s': %d bodies along %c", name, def->count[i], "xyz"[i]);
    }
    if (product > 10000000)
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': %g bodies are too many", name, product);
    if (!zn_finite3(def->spacing) || !zn_finite3(def->jitter) ||
        !(def->jitter.x >= 0 && def->jitter.y >= 0 && def->jitter.z >= 0))
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': spacing or jitter is not finite, or jitter is negative", name);
    if (model->planar && (def->spacing.z != 0 || def->jitter.z != 0))
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': a z component in a planar model", name);
    if (def->limit < 0 || def->limit > product)
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': %d of %g bodies", name, def->limit, product);
    if (def->sphere != 0 && def->shape)
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': a lattice has a sphere or a shape, not both", name);
    *total = def->limit > 0 ? def->limit : (int)product;
    return ZN_OK;
}

// Uniform in [-1, 1], xorshift64*.
static double random_step(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) / 4503599627370496.0 - 1;
}

static zn_status add_member(zn_model *model, const zn_lattice_def *def, int index, uint64_t *random)
{
    char        name[80];
    zn_body_def body = def->body;
    zn_node_id  id;
    int         nx = def->count[0], ny = def->count[1];
    snprintf(name, sizeof name, "%s[%d]", def->body.name, index);
    body.name = name;
    body.position.x += def->spacing.x * (index % nx) + def->jitter.x * random_step(random);
    body.position.y += def->spacing.y * (index / nx % ny) + def->jitter.y * random_step(random);
    body.position.z += def->spacing.z * (index / nx / ny) + def->jitter.z * random_step(random);
    ZN_TRY(zn_model_add_body(model, &body, &id));
    if (def->sphere == 0 && !def->shape)
        return ZN_OK;
    zn_shape_def shape = zn_shape_def_default();
    if (def->shape)
        shape = *def->shape;
    else
        shape.radius = def->sphere;
    shape.name = def->body.name;
    shape.at.node = id;
    shape.material = def->material;
    return zn_model_add_shape(model, &shape);
}

zn_status zn_model_add_lattice(zn_model *model, const zn_lattice_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_lattice_def, def, &model->log);
    int      total = 0;
    uint64_t random = (uint64_t)def->seed * UINT64_C(11400714819323198485) ^ UINT64_C(88172645463325252);
    random = random ? random : 1;
    ZN_TRY(check_lattice(model, def, &total));
    for (int i = 0; i < total; i++)
        ZN_TRY(add_member(model, def, i, &random));
    return ZN_OK;
}
