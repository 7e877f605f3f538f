// The section `parts` of a model file: bars and beams. Each kind of element has keys of its own.
#include "io/bind.h"

enum { BAR, BEAM }; // choices of 'element'

// Keys that the kind does not have, or needs: false after a message.
static bool check_keys(zn_reader *r, const zn_yaml_node *node, const char *kind, const char *others, const char *needed)
{
    bool good = true;
    char word[64];
    while (zn_next_word(&others, word)) {
        const zn_yaml_node *key = zn_yaml_get(node, word);
        if (key != NULL)
            zn_complain_key(r, key, "'%s' does not go with 'element: %s'", word, kind);
        good = good && key == NULL;
    }
    while (zn_next_word(&needed, word))
        if (zn_yaml_get(node, word) == NULL) {
            zn_complain_key(r, node, "key '%s' is missing", word);
            good = false;
        }
    return good;
}

// --- beams -----------------------------------------------------------------------------------------

static double or_else(double value, double standard) { return value > 0 ? value : standard; }

// One shape, or area and second moments; false after a message.
static bool check_section(zn_builder *b, const zn_yaml_node *node, const zn_section_entry *e)
{
    zn_reader *r = &b->reader;
    bool       rectangle = e->width > 0 || e->height > 0, circle = e->radius > 0;
    bool       own = e->own.area > 0 || e->own.moment_y > 0 || e->own.moment_z > 0;
    double     room = circle ? e->radius : 0.5 * (e->width < e->height ? e->width : e->height);
    if (rectangle + circle + own != 1)
        zn_complain_key(r, node, "give one of 'width' with 'height', 'radius', and 'area' with second moments");
    else if (rectangle && !(e->width > 0 && e->height > 0))
        zn_complain_key(r, node, "key '%s' is missing", e->width > 0 ? "height" : "width");
    else if (own && e->thickness > 0)
        zn_complain_key(r, zn_yaml_get(node, "thickness"), "'thickness' goes with 'width' and 'height' or 'radius'");
    else if (e->thickness >= room && e->thickness > 0)
        zn_complain(r, zn_yaml_get(node, "thickness"), "'thickness' leaves no hole");
    else
        return true;
    return false;
}

// Of the shape; what is given beside it holds.
static zn_beam_section section_of(const zn_section_entry *e)
{
    zn_beam_section s = e->own;
    if (s.area > 0)
        return s;
    s = e->radius > 0 ? zn_beam_section_circle(e->radius, e->thickness)
                      : zn_beam_section_rectangle(e->width, e->height, e->thickness);
    s.torsion = or_else(e->own.torsion, s.torsion);
    s.shear_y = or_else(e->own.shear_y, s.shear_y);
    s.shear_z = or_else(e->own.shear_z, s.shear_z);
    s.rotary_x = e->own.rotary_x;
    s.rotary_y = e->own.rotary_y;
    s.rotary_z = e->own.rotary_z;
    return s;
}

static bool check_beam(zn_builder *b, const zn_yaml_node *node, const zn_part_entry *e)
{
    zn_reader          *r = &b->reader;
    const zn_yaml_node *arc = zn_yaml_get(node, "arc"), *to = zn_yaml_get(node, "to");
    if (!check_keys(r, node, "beam", "area", arc != NULL ? "section" : "section to"))
        return false;
    if (arc != NULL && to != NULL)
        zn_complain_key(r, to, "'to' does not go with 'arc'");
    else if (r->planar && arc != NULL && zn_yaml_get(arc, "axis") != NULL)
        zn_complain_key(r, zn_yaml_get(arc, "axis"),
                        "'axis' is for models in space; in the plane the sign of the angle tells the side");
    else if (r->planar && zn_yaml_get(node, "y_axis") != NULL)
        zn_complain_key(r, zn_yaml_get(node, "y_axis"), "'y_axis' is for models in space");
    else
        return check_section(b, zn_yaml_get(node, "section"), &e->section);
    return false;
}

// Nodes of others that are its ends.
static bool bind_ends(zn_builder *b, const zn_part_entry *e, zn_node_id *first, zn_node_id *last)
{
    return (!e->first_node.name || zn_bind_node(b, "first_node", &e->first_node, false, first)) &&
           (!e->last_node.name || zn_bind_node(b, "last_node", &e->last_node, false, last));
}

// y of the section where the file says nothing: perpendicular to z (for a beam along z: y) in the axes of its group.
static zn_vec3 section_axis(const zn_reader *r, const zn_part_entry *e)
{
    if (r->planar || r->level == NULL || !r->level->frame.turned || e->arc.radius > 0 || zn_vec3_norm(e->y_axis) > 0)
        return e->y_axis;
    zn_quat back = zn_quat_conjugate(r->level->frame.turn);
    zn_vec3 span = zn_quat_rotate(back, zn_vec3_sub(e->def.to, e->def.from));
    zn_vec3 y = zn_vec3_cross((zn_vec3){0, 0, 1}, span);
    bool    along = zn_vec3_norm(y) <= 1e-9 * zn_vec3_norm(span);
    return zn_axes_direction(&r->level->frame, along ? zn_vec3_cross((zn_vec3){-1, 0, 0}, span) : y);
}

static zn_status add_beam(zn_builder *b, const char *name, const zn_part_entry *e, const zn_material_entry *material)
{
    zn_beam_def def = zn_beam_def_default();
    def.name = name;
    def.from = e->def.from;
    def.to = e->def.to;
    def.radius = e->arc.radius;
    def.angle = e->arc.angle;
    def.tangent = e->arc.tangent;
    def.arc_axis = e->arc.axis;
    def.y_axis = section_axis(&b->reader, e);
    def.elements = e->def.elements;
    def.young = material->young;
    def.poisson = material->poisson;
    def.density = material->density;
    def.section = section_of(&e->section);
    def.mass = e->def.mass;
    def.velocity = e->def.velocity;
    def.fixed = e->def.fixed;
    def.fix_first = e->fix_first;
    def.fix_last = e->fix_last;
    def.theory = e->theory;
    def.mass_damping = e->damping.mass;
    def.stiffness_damping = e->damping.stiffness;
    if (!bind_ends(b, e, &def.first_node, &def.last_node))
        return ZN_ERR_MODEL;
    return zn_model_add_beam(b->model, &def);
}

static zn_status add_bar(zn_builder *b, zn_part_entry *e)
{
    if (!bind_ends(b, e, &e->def.first_node, &e->def.last_node))
        return ZN_ERR_MODEL;
    return zn_model_add_bar(b->model, &e->def);
}

// --- all -------------------------------------------------------------------------------------------

void zn_bind_part(zn_builder *b, const zn_yaml_node *node)
{
    zn_part_entry e;
    if (zn_bind_is_solid(node)) {
        zn_bind_solid(b, node);
        return;
    }
    if (!zn_bind_entry(b, &zn_schema_part, node, &e, NULL))
        return;
    bool                     good = e.element == BEAM
                                        ? check_beam(b, node, &e)
                                        : check_keys(&b->reader, node, "bar", "section arc y_axis fix_first fix_last theory", "area to");
    const zn_named_material *m = good ? zn_bind_material(b, &e.material) : NULL;
    if (m == NULL ||
        !zn_bind_room(b, node, "elements", e.def.elements, e.element == BEAM ? ZN_ROOM_BEAM : ZN_ROOM_BAR))
        return;
    e.def.name = node->key;
    e.def.young = m->entry.young;
    e.def.density = m->entry.density;
    e.def.mass_damping = e.damping.mass;
    e.def.stiffness_damping = e.damping.stiffness;
    int before = b->reader.faults->count;
    zn_bind_check(b, e.element == BEAM ? add_beam(b, node->key, &e, &m->entry) : add_bar(b, &e), before);
}
