// The editable model: every check with its status and a message that names the object; a refused object leaves the
// model as it was; names.
#include "fixtures.h"

#include <time.h>

#include "model/model.h"

// A model with a rigid body 'rigid' and a point mass 'ball' (planar), or two point masses (spatial).
typedef struct scene {
    zn_model  *model;
    zn_node_id rigid, ball;
    bool       planar;
} scene;

static scene make_scene(bool planar, log_capture *log)
{
    scene       s = {.model = make_model(planar, zn_vec3_make(0, 0, 0), log), .planar = planar};
    zn_body_def body = zn_body_def_default();
    body.mass = 1;
    body.name = "ball";
    CHECK_OK(zn_model_add_body(s.model, &body, &s.ball));
    body.name = "rigid";
    body.inertia = planar ? 1 : 0;
    body.position = zn_vec3_make(1, 0, 0);
    CHECK_OK(zn_model_add_body(s.model, &body, &s.rigid));
    return s;
}

// --- good defs, each spoiled in one place by a case -----------------------------------------------

static zn_body_def good_body(void)
{
    zn_body_def def = zn_body_def_default();
    def.name = "thing";
    def.mass = 1;
    return def;
}

static zn_node_def good_node(const scene *s)
{
    zn_node_def def = zn_node_def_default();
    def.name = "thing";
    def.kind = s->planar ? ZN_FRAME2 : ZN_FRAME3;
    def.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    return def;
}

static zn_spring_def good_spring(const scene *s)
{
    zn_spring_def def = zn_spring_def_default();
    def.name = "thing";
    def.from.node = s->ball;
    def.to.node = s->rigid;
    def.stiffness = 1;
    return def;
}

static zn_bar_def good_bar(void)
{
    zn_bar_def def = zn_bar_def_default();
    def.name = "thing";
    def.to = zn_vec3_make(1, 0, 0);
    def.young = def.density = def.area = 1;
    return def;
}

static zn_force_def good_force(const scene *s)
{
    zn_force_def def = zn_force_def_default();
    def.name = "thing";
    def.point.node = s->rigid;
    CHECK_OK(zn_signal_constant(1, &def.force[0]));
    return def;
}

static zn_acceleration_def good_acceleration(void)
{
    zn_acceleration_def def = zn_acceleration_def_default();
    def.name = "thing";
    CHECK_OK(zn_signal_constant(1, &def.acceleration[1]));
    return def;
}

static zn_contact_def good_contact(const scene *s)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = "thing";
    def.point.node = s->rigid;
    def.normal = zn_vec3_make(0, 1, 0);
    return def;
}

// --- cases ---------------------------------------------------------------------------------------

// CASE(label, def with one or more changes, adder): a function that tries to add a spoiled object.
#define CASE(label, type, good, spoil, add)                                                                            \
    static zn_status label(const scene *s)                                                                             \
    {                                                                                                                  \
        zn_##type##_def def = good;                                                                                    \
        (void)s;                                                                                                       \
        spoil;                                                                                                         \
        return add;                                                                                                    \
    }
#define BODY(label, spoil)   CASE(label, body, good_body(), spoil, zn_model_add_body(s->model, &def, NULL))
#define NODE(label, spoil)   CASE(label, node, good_node(s), spoil, zn_model_add_node(s->model, &def, NULL))
#define SPRING(label, spoil) CASE(label, spring, good_spring(s), spoil, zn_model_add_spring(s->model, &def))
#define BAR(label, spoil)    CASE(label, bar, good_bar(), spoil, zn_model_add_bar(s->model, &def))
#define FORCE(label, spoil)  CASE(label, force, good_force(s), spoil, zn_model_add_force(s->model, &def))
#define FIELD(label, spoil)                                                                                            \
    CASE(label, acceleration, good_acceleration(), spoil, zn_model_add_acceleration(s->model, &def))
#define CONTACT(label, spoil) CASE(label, contact, good_contact(s), spoil, zn_model_add_contact(s->model, &def))

static const char long_name[] = "a_name_of_sixty_four_characters_is_one_character_longer_than_all";
static const char longest_name[] = "a_name_of_sixty_three_characters_is_just_short_enough_for_names";

_Static_assert(sizeof long_name == 64 + 1 && sizeof longest_name == 63 + 1, "one too long, one just not");

BODY(body_size, def.size = 0)
BODY(body_mass_zero, def.mass = 0)
BODY(body_mass_negative, def.mass = -1)
BODY(body_mass_nan, def.mass = NAN)
BODY(body_mass_infinite, def.mass = INFINITY)
BODY(body_inertia_negative, def.inertia = -1)
BODY(body_inertia_nan, def.inertia = NAN)
BODY(body_inertia, def.inertia = 1)
BODY(body_angle_of_point, def.angle = 0.1)
BODY(body_spin_of_point, def.spin = 0.1)
BODY(body_position_nan, def.position.y = NAN)
BODY(body_velocity_infinite, def.velocity.x = INFINITY)
BODY(body_position_z, def.position.z = 1)
BODY(body_velocity_z, def.velocity.z = 1)
BODY(body_name_twice, def.name = "ball")
BODY(body_name_long, def.name = long_name)
BODY(body_name_empty, def.name = "")
NODE(node_size, def.size = 1)
NODE(node_kind, def.kind = s->planar ? ZN_POINT3 : ZN_POINT2)
NODE(node_angle_nan, def.angle = NAN)
NODE(node_origin_nan, def.origin.x = NAN)
NODE(node_spin, def.spin.x = 1)
NODE(node_quaternion, def.rotation.w = 2)
NODE(node_quaternion_nan, def.rotation.z = NAN)
NODE(node_name_twice, def.name = "rigid")
SPRING(spring_size, def.size = 0)
SPRING(spring_unknown_node, def.to.node.value = 3)
SPRING(spring_negative_node, def.from.node.value = -1)
SPRING(spring_offset_on_point, def.from.at.x = 0.5)
SPRING(spring_point_nan, def.to.at.x = NAN)
SPRING(spring_point_z, def.to.at.z = 1)
SPRING(spring_ground_z, (def.from = (zn_attachment){.at = {0, 0, 1}}))
SPRING(spring_coincide, (def.to = (zn_attachment){.at = {0, 0, 0}}))
SPRING(spring_stiffness_negative, def.stiffness = -1)
SPRING(spring_stiffness_nan, def.stiffness = NAN)
SPRING(spring_damping_negative, def.damping = -1)
SPRING(spring_rest_negative, def.rest_length = -1)
SPRING(spring_name_twice, def.name = "ball")
BAR(bar_size, def.size = 0)
BAR(bar_length_zero, def.to = def.from)
BAR(bar_end_nan, def.to.x = NAN)
BAR(bar_young_zero, def.young = 0)
BAR(bar_density_negative, def.density = -1)
BAR(bar_area_nan, def.area = NAN)
BAR(bar_no_elements, def.elements = 0)
BAR(bar_negative_elements, def.elements = -5)
BAR(bar_end_z, def.to.z = 1)
BAR(bar_velocity_nan, def.velocity.x = NAN)
BAR(bar_velocity_z, def.velocity.z = 1)
BAR(bar_name_twice, def.name = "rigid")
CASE(force_size, force, {0}, def.point.node = s->rigid, zn_model_add_force(s->model, &def))
CASE(field_size, acceleration, {0}, def.name = "thing", zn_model_add_acceleration(s->model, &def))
FORCE(force_on_ground, def.point.node.value = 0)
FORCE(force_unknown_node, def.point.node.value = 9)
FORCE(force_offset_on_point, (def.point = (zn_attachment){s->ball, {1, 0, 0}}))
FORCE(force_torque_on_point, (def.point.node = s->ball, CHECK_OK(zn_signal_constant(1, &def.torque))))
FORCE(force_z, CHECK_OK(zn_signal_constant(1, &def.force[2])))
FORCE(force_name_twice, def.name = "rigid")
FIELD(field_z, CHECK_OK(zn_signal_constant(1, &def.acceleration[2])))
FIELD(field_unknown_part, (def.part_count = 1, def.parts = (const char *const[]){"nobody"}))
FIELD(field_name_twice, def.name = "rigid")
CONTACT(contact_size, def.size = 0)
CONTACT(contact_on_ground, def.point.node.value = 0)
CONTACT(contact_unknown_node, def.point.node.value = 77)
CONTACT(contact_offset_on_point, (def.point = (zn_attachment){s->ball, {0, 1, 0}}))
CONTACT(contact_normal_zero, def.normal.y = 0)
CONTACT(contact_normal_nan, def.normal.x = NAN)
CONTACT(contact_through_nan, def.through.x = NAN)
CONTACT(contact_normal_z, def.normal.z = 1)
CONTACT(contact_restitution_large, def.restitution = 1.001)
CONTACT(contact_restitution_negative, def.restitution = -0.001)
CONTACT(contact_restitution_nan, def.restitution = NAN)
CONTACT(contact_name_twice, def.name = "ball")

// An acceleration of something that is neither a body nor a bar.
static zn_status field_part_is_no_body(const scene *s)
{
    zn_contact_def contact = good_contact(s);
    contact.name = "floor";
    CHECK_OK(zn_model_add_contact(s->model, &contact));
    zn_acceleration_def def = good_acceleration();
    def.part_count = 1;
    def.parts = (const char *const[]){"floor"};
    return zn_model_add_acceleration(s->model, &def);
}

typedef enum plane { PLANAR = 1, SPATIAL = 2, BOTH = 3 } plane;

static const struct {
    const char *label;
    zn_status (*attempt)(const scene *s);
    plane       where;
    zn_status   expected;
    const char *message; // a piece of it
} table[] = {
#define ROW(label, where, expected, message)                                                                           \
    {                                                                                                                  \
#label, label, where, expected, message                                                                        \
    }
    ROW(body_size, BOTH, ZN_ERR_ARGUMENT, "zn_body_def: not made by its default function"),
    ROW(body_mass_zero, BOTH, ZN_ERR_MODEL, "body 'thing': mass 0 kg"),
    ROW(body_mass_negative, BOTH, ZN_ERR_MODEL, "body 'thing': mass -1 kg"),
    ROW(body_mass_nan, BOTH, ZN_ERR_MODEL, "body 'thing': mass nan kg"),
    ROW(body_mass_infinite, BOTH, ZN_ERR_MODEL, "body 'thing': mass inf kg"),
    ROW(body_inertia_negative, PLANAR, ZN_ERR_MODEL, "body 'thing': inertia -1"),
    ROW(body_inertia_nan, PLANAR, ZN_ERR_MODEL, "body 'thing': inertia nan"),
    ROW(body_inertia, SPATIAL, ZN_ERR_MODEL, "body 'thing': in space it has a tensor of inertia"),
    ROW(body_angle_of_point, PLANAR, ZN_ERR_MODEL, "body 'thing': a point mass has no angle"),
    ROW(body_spin_of_point, PLANAR, ZN_ERR_MODEL, "body 'thing': a point mass has no angle"),
    ROW(body_position_nan, BOTH, ZN_ERR_MODEL, "'thing': a value is not finite"),
    ROW(body_velocity_infinite, BOTH, ZN_ERR_MODEL, "'thing': a value is not finite"),
    ROW(body_position_z, PLANAR, ZN_ERR_MODEL, "'thing': a component out of the plane"),
    ROW(body_velocity_z, PLANAR, ZN_ERR_MODEL, "'thing': a component out of the plane"),
    ROW(body_name_twice, BOTH, ZN_ERR_MODEL, "the name 'ball' is used twice"),
    ROW(body_name_long, BOTH, ZN_ERR_MODEL, "1 to 63 characters: 'a_name_of_sixty_four"),
    ROW(body_name_empty, BOTH, ZN_ERR_MODEL, "1 to 63 characters: ''"),
    ROW(node_size, BOTH, ZN_ERR_ARGUMENT, "zn_node_def: not made"),
    ROW(node_kind, PLANAR, ZN_ERR_MODEL, "node 'thing': a spatial node in a planar model"),
    ROW(node_kind, SPATIAL, ZN_ERR_MODEL, "node 'thing': a planar node in a spatial model"),
    ROW(node_angle_nan, BOTH, ZN_ERR_MODEL, "node 'thing': a value is not finite"),
    ROW(node_origin_nan, BOTH, ZN_ERR_MODEL, "node 'thing': a value is not finite"),
    ROW(node_spin, PLANAR, ZN_ERR_MODEL, "node 'thing': a component out of the plane"),
    ROW(node_quaternion, SPATIAL, ZN_ERR_MODEL, "node 'thing': the rotation is not a unit quaternion"),
    ROW(node_quaternion_nan, SPATIAL, ZN_ERR_MODEL, "node 'thing': the rotation is not a unit quaternion"),
    ROW(node_name_twice, BOTH, ZN_ERR_MODEL, "the name 'rigid' is used twice"),
    ROW(spring_size, BOTH, ZN_ERR_ARGUMENT, "zn_spring_def: not made"),
    ROW(spring_unknown_node, BOTH, ZN_ERR_MODEL, "spring 'thing': no such node"),
    ROW(spring_negative_node, BOTH, ZN_ERR_MODEL, "spring 'thing': no such node"),
    ROW(spring_offset_on_point, BOTH, ZN_ERR_MODEL, "spring 'thing': a point mass has no other point"),
    ROW(spring_point_nan, BOTH, ZN_ERR_MODEL, "spring 'thing': its point is not finite"),
    ROW(spring_point_z, PLANAR, ZN_ERR_MODEL, "spring 'thing': a z component in a planar model"),
    ROW(spring_ground_z, PLANAR, ZN_ERR_MODEL, "spring 'thing': a z component in a planar model"),
    ROW(spring_coincide, BOTH, ZN_ERR_MODEL, "spring 'thing': its ends coincide"),
    ROW(spring_stiffness_negative, BOTH, ZN_ERR_MODEL, "spring 'thing': stiffness and damping"),
    ROW(spring_stiffness_nan, BOTH, ZN_ERR_MODEL, "spring 'thing': stiffness and damping"),
    ROW(spring_damping_negative, BOTH, ZN_ERR_MODEL, "spring 'thing': stiffness and damping"),
    ROW(spring_rest_negative, BOTH, ZN_ERR_MODEL, "spring 'thing': rest length -1 m"),
    ROW(spring_name_twice, BOTH, ZN_ERR_MODEL, "the name 'ball' is used twice"),
    ROW(bar_size, BOTH, ZN_ERR_ARGUMENT, "zn_bar_def: not made"),
    ROW(bar_length_zero, BOTH, ZN_ERR_MODEL, "bar 'thing': length 0"),
    ROW(bar_end_nan, BOTH, ZN_ERR_MODEL, "bar 'thing': length nan"),
    ROW(bar_young_zero, BOTH, ZN_ERR_MODEL, "bar 'thing': Young's modulus 0"),
    ROW(bar_density_negative, BOTH, ZN_ERR_MODEL, "bar 'thing': density -1"),
    ROW(bar_area_nan, BOTH, ZN_ERR_MODEL, "bar 'thing': area nan"),
    ROW(bar_no_elements, BOTH, ZN_ERR_MODEL, "bar 'thing': 0 elements"),
    ROW(bar_negative_elements, BOTH, ZN_ERR_MODEL, "bar 'thing': -5 elements"),
    ROW(bar_end_z, PLANAR, ZN_ERR_MODEL, "bar 'thing': a z component in a planar model"),
    ROW(bar_velocity_nan, BOTH, ZN_ERR_MODEL, "bar 'thing': its velocity is not finite"),
    ROW(bar_velocity_z, PLANAR, ZN_ERR_MODEL, "bar 'thing': a z component in a planar model"),
    ROW(bar_name_twice, BOTH, ZN_ERR_MODEL, "the name 'rigid' is used twice"),
    ROW(force_size, BOTH, ZN_ERR_ARGUMENT, "zn_force_def: not made"),
    ROW(field_size, BOTH, ZN_ERR_ARGUMENT, "zn_acceleration_def: not made"),
    ROW(force_on_ground, BOTH, ZN_ERR_MODEL, "load 'thing': it acts on the ground"),
    ROW(force_unknown_node, BOTH, ZN_ERR_MODEL, "load 'thing': no such node"),
    ROW(force_offset_on_point, BOTH, ZN_ERR_MODEL, "load 'thing': a point mass has no other point"),
    ROW(force_torque_on_point, BOTH, ZN_ERR_MODEL, "load 'thing': a torque needs a planar rigid body"),
    ROW(force_z, PLANAR, ZN_ERR_MODEL, "load 'thing': a z component in a planar model"),
    ROW(force_name_twice, BOTH, ZN_ERR_MODEL, "the name 'rigid' is used twice"),
    ROW(field_z, PLANAR, ZN_ERR_MODEL, "load 'thing': a z component in a planar model"),
    ROW(field_unknown_part, BOTH, ZN_ERR_MODEL, "load 'thing': there is no body or part 'nobody'"),
    ROW(field_part_is_no_body, BOTH, ZN_ERR_MODEL, "load 'thing': there is no body or part 'floor'"),
    ROW(field_name_twice, BOTH, ZN_ERR_MODEL, "the name 'rigid' is used twice"),
    ROW(contact_size, BOTH, ZN_ERR_ARGUMENT, "zn_contact_def: not made"),
    ROW(contact_on_ground, BOTH, ZN_ERR_MODEL, "contact 'thing': its point is on the ground"),
    ROW(contact_unknown_node, BOTH, ZN_ERR_MODEL, "contact 'thing': no such node"),
    ROW(contact_offset_on_point, BOTH, ZN_ERR_MODEL, "contact 'thing': a point mass has no other point"),
    ROW(contact_normal_zero, BOTH, ZN_ERR_MODEL, "contact 'thing': the plane has no direction"),
    ROW(contact_normal_nan, BOTH, ZN_ERR_MODEL, "contact 'thing': the plane has no direction"),
    ROW(contact_through_nan, BOTH, ZN_ERR_MODEL, "contact 'thing': "),
    ROW(contact_normal_z, PLANAR, ZN_ERR_MODEL, "contact 'thing': a z component in a planar model"),
    ROW(contact_restitution_large, BOTH, ZN_ERR_MODEL, "contact 'thing': restitution 1.001 is not in [0, 1]"),
    ROW(contact_restitution_negative, BOTH, ZN_ERR_MODEL, "contact 'thing': restitution -0.001"),
    ROW(contact_restitution_nan, BOTH, ZN_ERR_MODEL, "contact 'thing': restitution nan"),
    ROW(contact_name_twice, BOTH, ZN_ERR_MODEL, "the name 'ball' is used twice"),
#undef ROW
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int planar = 0; planar < 2; planar++) {
            if (!(table[i].where & (planar ? PLANAR : SPATIAL)))
                continue;
            log_capture log = {0};
            scene       s = make_scene(planar, &log);
            zn_status   status = table[i].attempt(&s);
            if (status != table[i].expected || !strstr(log.text, table[i].message) || log.count != 1)
                fail_msg("%s (%s): '%s', log: '%s'", table[i].label, planar ? "planar" : "spatial",
                         zn_status_text(status), log.text);
            // nothing is left of the refused object: the model compiles, and its name is free
            assert_int_equal(s.model->nodes, 2);
            assert_int_equal(s.model->parts, 2);
            assert_false(zn_model_has_name(s.model, "thing"));
            zn_body_def body = good_body();
            CHECK_OK(zn_model_add_body(s.model, &body, NULL));
            fixture f = compile_fixture(s.model);
            assert_int_equal(zn_system_get_info(f.sys).nodes, 3);
            destroy_fixture(&f);
        }
}

// The good defs are good: what the table refuses is refused for its one fault.
static void test_good(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++) {
        log_capture         log = {0};
        scene               s = make_scene(planar, &log);
        zn_body_def         body = good_body();
        zn_node_def         node = good_node(&s);
        zn_spring_def       spring = good_spring(&s);
        zn_bar_def          bar = good_bar();
        zn_force_def        force = good_force(&s);
        zn_acceleration_def field = good_acceleration();
        zn_contact_def      contact = good_contact(&s);
        body.name = longest_name;
        node.name = "node";
        spring.name = "spring";
        bar.name = "bar";
        force.name = "force";
        field.name = "field";
        contact.restitution = 1;
        CHECK_OK(zn_model_add_body(s.model, &body, NULL));
        CHECK_OK(zn_model_add_node(s.model, &node, NULL));
        CHECK_OK(zn_model_add_spring(s.model, &spring));
        CHECK_OK(zn_model_add_bar(s.model, &bar));
        CHECK_OK(zn_model_add_force(s.model, &force));
        CHECK_OK(zn_model_add_acceleration(s.model, &field));
        CHECK_OK(zn_model_add_contact(s.model, &contact));
        fixture        f = compile_fixture(s.model);
        zn_system_info info = zn_system_get_info(f.sys);
        assert_int_equal(info.nodes, 2 + 1 + 1 + 2);
        assert_int_equal(info.elements, 3 + 1 + 1 + 1); // masses, spring, bar, force
        assert_int_equal(info.contacts_max, 1);
        assert_int_equal(info.planar, planar);
        assert_false(info.linear);
        assert_int_equal(log.count, 0);
        destroy_fixture(&f);
    }
}

static void test_gravity(void **state)
{
    (void)state;
    log_capture  log = {0};
    zn_model    *model = NULL;
    zn_model_def def = zn_model_def_default();
    def.log = log_into(&log);
    def.gravity = zn_vec3_make(0, NAN, 0);
    CHECK_STATUS(zn_model_create(&def, &model), ZN_ERR_ARGUMENT);
    CHECK_LOGGED(&log, "gravity is not finite");
    def.gravity = zn_vec3_make(0, 0, -9.81);
    def.planar = true;
    CHECK_STATUS(zn_model_create(&def, &model), ZN_ERR_ARGUMENT);
    CHECK_LOGGED(&log, "gravity has a z component");
    def.size = 0;
    CHECK_STATUS(zn_model_create(&def, &model), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_model_create(NULL, &model), ZN_ERR_ARGUMENT);
    assert_null(model); // set on success alone
    assert_null(zn_model_destroy(NULL));
}

// --- the model as a whole ------------------------------------------------------------------------

static void test_massless_nodes(void **state)
{
    (void)state;
    log_capture log = {0};
    scene       s = make_scene(true, &log);
    zn_node_def node = good_node(&s);
    zn_system  *sys = NULL;
    node.name = "loose";
    node.fixed = ZN_FIX_X | ZN_FIX_Y; // may still turn
    CHECK_OK(zn_model_add_node(s.model, &node, NULL));
    node.name = "held";
    node.fixed |= ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(s.model, &node, NULL));
    node.name = "astray";
    node.kind = ZN_POINT2;
    node.fixed = ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(s.model, &node, NULL));
    CHECK_STATUS(zn_system_create(s.model, &sys), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "node 'loose': it can move but has no mass");
    CHECK_LOGGED(&log, "node 'astray': it can move but has no mass");
    assert_int_equal(log.count, 2); // each fault once, and the held node is none
    assert_null(sys);
    zn_model_destroy(s.model);
}

static void test_empty_and_fixed(void **state)
{
    (void)state;
    log_capture log = {0};
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), &log);
    zn_system  *sys = NULL;
    CHECK_STATUS(zn_model_validate(model), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "no bodies and no parts");
    CHECK_STATUS(zn_system_create(model, &sys), ZN_ERR_MODEL);
    zn_body_def body = good_body();
    body.fixed = ZN_FIX_X | ZN_FIX_Y;
    CHECK_OK(zn_model_add_body(model, &body, NULL));
    CHECK_OK(zn_model_validate(model)); // in itself consistent, but there is nothing to compute
    log_capture_clear(&log);
    CHECK_STATUS(zn_system_create(model, &sys), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, "nothing in the model can move");
    assert_null(sys);
    zn_model_destroy(model);
}

// --- names ---------------------------------------------------------------------------------------

static void test_names(void **state)
{
    (void)state;
    scene      s = make_scene(true, NULL);
    zn_bar_def bar = good_bar();
    bar.name = "rod";
    bar.elements = 3;
    CHECK_OK(zn_model_add_bar(s.model, &bar));
    assert_int_equal(zn_model_find_node(s.model, "ball").value, s.ball.value);
    assert_int_equal(zn_model_find_node(s.model, "rigid").value, s.rigid.value);
    assert_int_equal(zn_model_find_node(s.model, "rod[0]").value, 3);
    assert_int_equal(zn_model_find_node(s.model, "rod[3]").value, 6);
    static const char *const unknown[] = {"",        "rod",     "rod[4]",  "rod[-1]",  "rod[]",
                                          "rod[1",   "rod[1]x", "rod[ 1]", "rod[+1]",  "rod[99999999999999999999]",
                                          "ball[0]", "nobody",  "[0]",     "nobody[0]"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (zn_model_find_node(s.model, unknown[i]).value != 0)
            fail_msg("'%s' is no node", unknown[i]);
    assert_int_equal(zn_model_find_node(s.model, NULL).value, 0);
    assert_true(zn_model_has_name(s.model, "rod"));
    assert_false(zn_model_has_name(s.model, "nobody"));
    // one space of names for all kinds of objects: a spring may not be called like a bar
    zn_spring_def spring = good_spring(&s);
    spring.name = "rod";
    CHECK_STATUS(zn_model_add_spring(s.model, &spring), ZN_ERR_MODEL);
    zn_model_destroy(s.model);
}

// Objects without a name get one that is free, even when somebody has taken the obvious one.
static void test_generated_names(void **state)
{
    (void)state;
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = good_body();
    zn_node_id  id[4];
    body.name = "body_2";
    CHECK_OK(zn_model_add_body(model, &body, &id[0]));
    body.name = NULL;
    for (int i = 1; i < 4; i++)
        CHECK_OK(zn_model_add_body(model, &body, &id[i]));
    assert_int_equal(model->names.count, 4);
    for (int i = 0; i < 4; i++) {
        char text[80];
        zn_model_node_name(model, id[i].value - 1, text, sizeof text);
        assert_int_equal(zn_model_find_node(model, text).value, id[i].value);
    }
    zn_model_destroy(model);
}

// Hashed: ten thousand bodies and as many look-ups take milliseconds, not the 1e8 comparisons of a list.
static void test_many_names(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = good_body();
    char        name[32];
    clock_t     start = clock();
    body.name = name;
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "body number %d", i);
        CHECK_OK(zn_model_add_body(model, &body, NULL));
    }
    for (int i = COUNT - 1; i >= 0; i--) {
        snprintf(name, sizeof name, "body number %d", i);
        assert_int_equal(zn_model_find_node(model, name).value, i + 1);
    }
    CHECK_STATUS(zn_model_add_body(model, &body, NULL), ZN_ERR_MODEL);
    CHECK_BELOW((double)(clock() - start) / CLOCKS_PER_SEC, 1);
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),          cmocka_unit_test(test_good),
        cmocka_unit_test(test_gravity),         cmocka_unit_test(test_massless_nodes),
        cmocka_unit_test(test_empty_and_fixed), cmocka_unit_test(test_names),
        cmocka_unit_test(test_generated_names), cmocka_unit_test(test_many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
