// Memory of contacts with facets: a step allocates nothing, and when memory runs out while one is added or its set
// made, that is said and nothing leaks.
#include "allocation_wrap.h"

#include "solid_models.h"

static void add_block(zn_model *model, const char *name, double z, double size)
{
    zn_mesh     *mesh = make_mesh(ZN_HEX8, zn_vec3_make(size, size, size), 2, 2, 1);
    zn_solid_def def = soft_solid((solid_case){ZN_HEX8, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i].z += z;
    def.name = name;
    def.velocity = zn_vec3_make(0, 0, z > 0 ? -0.2 : 0);
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

static zn_contact_def make_contact(void)
{
    zn_contact_def def = zn_contact_def_default();
    def.surface = ZN_SURFACE_FACETS;
    def.part = "lower";
    def.face = "lower.zmax";
    def.points = "upper.zmin";
    return def;
}

// The same by both surfaces.
static zn_surfaces_def make_pair(bool self)
{
    zn_surfaces_def def = zn_surfaces_def_default();
    def.part_a = "upper";
    def.part_b = self ? NULL : "lower";
    def.reach = 0.2;
    return def;
}

static zn_model *make_blocks(void)
{
    zn_model *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    add_block(model, "lower", 0, 1);
    add_block(model, "upper", 1.01, 0.7);
    CHECK_OK(zn_model_fix_node_set(model, "lower.zmin", ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z));
    return model;
}

static void test_steps_allocate_nothing(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "combined_projection", "nsga", "energy_momentum"};
    for (int s = 0; s < 7; s++) { // the last of them has two surfaces only
        const char     *name = schemes[s < 3 ? s : s - 3];
        zn_model       *model = make_blocks();
        zn_contact_def  def = make_contact();
        zn_surfaces_def pair = make_pair(false);
        if (s < 4)
            CHECK_OK(zn_model_add_contact(model, &def));
        else
            CHECK_OK(zn_model_add_surfaces(model, &pair));
        fixture       f = compile_fixture(model);
        zn_scheme_def scheme_def = zn_scheme_def_default();
        zn_scheme    *scheme = NULL;
        zn_state     *now = NULL;
        zn_step_info  info = {0};
        bool          touched = false;
        scheme_def.scheme = name;
        CHECK_OK(zn_scheme_create(&scheme_def, f.sys, &scheme));
        CHECK_OK(zn_state_create(f.sys, &now));
        CHECK_OK(zn_scheme_step(scheme, now, 5e-3, &info));
        long before = allocations;
        for (int k = 0; k < 40; k++) {
            CHECK_OK(zn_scheme_step(scheme, now, 5e-3, &info));
            if (s % 4 == 3 && !touched) // factors of the mass are made at the first impact
                before = allocations;
            touched |= info.active > 0;
        }
        if (!touched || allocations != before)
            fail_msg("%s: %ld allocations, touched: %d", name, allocations - before, touched);
        zn_state_destroy(now);
        zn_scheme_destroy(scheme);
        destroy_fixture(&f);
    }
}

// kind 0: points on a surface, 1: two surfaces, 2: one of them
static void run_out(int kind)
{
    bool done = false;
    for (long n = 1; !done; n++) {
        zn_model       *model = make_blocks();
        zn_contact_def  def = make_contact();
        zn_surfaces_def pair = make_pair(kind == 2);
        zn_system      *sys = NULL;
        zn_contact_set *set = NULL;
        allocations = 0;
        failing = n;
        zn_status status = kind == 0 ? zn_model_add_contact(model, &def) : zn_model_add_surfaces(model, &pair);
        if (status == ZN_OK)
            status = zn_system_create(model, &sys);
        if (status == ZN_OK)
            status = zn_contact_set_create(sys, &set);
        if (status == ZN_OK)
            status = zn_contact_set_refresh(set, sys, sys->q0, 0);
        done = allocations < n;
        failing = 0;
        assert_int_equal(status, done ? ZN_OK : ZN_ERR_MEMORY);
        zn_contact_set_destroy(set);
        zn_system_destroy(sys);
        zn_model_destroy(model);
    }
}

static void test_running_out(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        run_out(kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_allocate_nothing),
        cmocka_unit_test(test_running_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
