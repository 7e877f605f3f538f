// A block, tilted above the floor, falls, rocks on its corners and comes to rest (Acary 2013, section 5.3).
#include <stdio.h>

#include <zn/zn.h>

static void print(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    fprintf(stderr, "%s\n", message);
}

static zn_status build(zn_log log, zn_model **model)
{
    const double height = 1.5, width = 1;
    zn_model_def def = zn_model_def_default();
    def.planar = true;
    def.gravity = zn_vec3_make(0, -9.81, 0);
    def.log = log;
    ZN_TRY(zn_model_create(&def, model));

    zn_node_id  node;
    zn_body_def block = zn_body_def_default();
    block.name = "block";
    block.mass = 1;
    block.inertia = (height * height + width * width) / 12;
    block.position = zn_vec3_make(0, 1, 0);
    block.angle = block.spin = 0.2;
    ZN_TRY(zn_model_add_body(*model, &block, &node));

    for (int side = -1; side <= 1; side += 2) { // a contact for each lower corner
        zn_contact_def corner = zn_contact_def_default();
        corner.name = side < 0 ? "left" : "right";
        corner.point = (zn_attachment){node, zn_vec3_make(side * width / 2, -height / 2, 0)};
        corner.normal = zn_vec3_make(0, 1, 0);
        corner.restitution = 0.5;
        ZN_TRY(zn_model_add_contact(*model, &corner));
    }
    return ZN_OK;
}

int main(void)
{
    zn_log     log = {print, NULL};
    zn_model  *model = NULL;
    zn_system *sys = NULL;
    zn_sim    *sim = NULL;
    zn_sim_def run = zn_sim_def_default();
    run.scheme.scheme = "combined_projection";
    run.step = 1e-2, run.until = 2, run.log = log;
    bool ok = build(log, &model) == ZN_OK && zn_system_create(model, &sys) == ZN_OK &&
              zn_sim_create(sys, &run, &sim) == ZN_OK && zn_sim_run(sim) == ZN_OK;
    if (ok) {
        const zn_certificate *c = zn_sim_certificate(sim);
        printf("penetration %.2g m, energy closure %.2g, %d impacts, energy %.6f -> %.6f J\n", c->penetration.value,
               c->closure.value, (int)c->impacts, c->energy_start, c->ledger[ZN_LEDGER_GRAVITY]);
        ok = c->penetration.value <= 1e-12;
    }
    zn_sim_destroy(sim), zn_system_destroy(sys), zn_model_destroy(model);
    return ok ? 0 : 1;
}
