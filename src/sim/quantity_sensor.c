// Recordable quantities that sensors read: those of points, spans, springs, beams and coordinates of joints. What is
// the derivative of a velocity is its change in the last step over its length, as for nodes: at an impact it holds the
// jump, over the length of the step.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/sensor.h"
#include "sim/quantity.h"

#define SENSED(owner, name, unit, help)                                                                                \
    {                                                                                                                  \
        owner, name, unit, help, NULL, NULL                                                                            \
    }

static const zn_quantity_kind of_points[] = {
    SENSED("point", "position", "m", "position in world axes"),
    SENSED("point", "velocity", "m/s", "velocity in world axes"),
    SENSED("point", "acceleration", "m/s^2", "change of velocity in the last step over its length"),
    SENSED("span", "position", "m", "from its first point to its second, in its axes"),
    SENSED("span", "velocity", "m/s", "rate of its position, as seen by who turns with its axes"),
    SENSED("span", "acceleration", "m/s^2", "change of that velocity in the last step over its length"),
    SENSED("span", "length", "m", "distance of its points"),
    SENSED("span", "rate", "m/s", "rate of its length"),
};

static const zn_quantity_kind of_elements[] = {
    SENSED("spring", "length", "m", "distance of its ends"),
    SENSED("spring", "rate", "m/s", "rate of its length"),
    SENSED("spring", "force", "N", "force of spring and damper, positive when it pulls"),
    SENSED("torsion spring", "angle", "rad", "angle of `to` against `from`, over many turns"),
    SENSED("torsion spring", "rate", "rad/s", "rate of the angle"),
    SENSED("torsion spring", "moment", "N m", "moment of spring and damper, positive when it turns `to` back"),
    SENSED("spring of a prismatic joint", "displacement", "m", "displacement of the joint"),
    SENSED("spring of a prismatic joint", "rate", "m/s", "rate of the displacement"),
    SENSED("spring of a prismatic joint", "force", "N",
           "force of spring and damper, positive when it pushes `body` back"),
    SENSED("bushing", "shift_x", "m", "displacement of `to` against `from`, along x of the bush"),
    SENSED("bushing", "shift_y", "m", "likewise along y"),
    SENSED("bushing", "shift_z", "m", "likewise along z"),
    SENSED("bushing", "turn_x", "rad", "rotation of `to` against `from`, part of its vector about x of the bush"),
    SENSED("bushing", "turn_y", "rad", "likewise about y"),
    SENSED("bushing", "turn_z", "rad", "likewise about z"),
    SENSED("bushing", "force_x", "N", "force on `from`, along x of the bush"),
    SENSED("bushing", "force_y", "N", "likewise along y"),
    SENSED("bushing", "force_z", "N", "likewise along z"),
    SENSED("bushing", "moment_x", "N m", "moment on `from` that goes with the rotation vector, about x of the bush"),
    SENSED("bushing", "moment_y", "N m", "likewise about y"),
    SENSED("bushing", "moment_z", "N m", "likewise about z"),
    SENSED("beam, bar", "axial", "N",
           "force of the section in the middle of each element, along the beam, positive when it pulls; one element: "
           "`name[0].axial`"),
    SENSED("beam", "shear", "N", "planar: shear force there along y of the section"),
    SENSED("beam", "shear_y", "N", "in space: shear force there along y of the section"),
    SENSED("beam", "shear_z", "N", "in space: likewise along z"),
    SENSED("beam", "torsion", "N m", "in space: moment there about the axis of the beam"),
    SENSED("beam", "bending", "N m", "planar: bending moment there"),
    SENSED("beam", "bending_y", "N m", "in space: bending moment there about y of the section"),
    SENSED("beam", "bending_z", "N m", "in space: likewise about z"),
};

const zn_quantity_list zn_quantity_of_points = {sizeof of_points / sizeof *of_points, of_points};
const zn_quantity_list zn_quantity_of_elements = {sizeof of_elements / sizeof *of_elements, of_elements};

// --- from names to sensors -------------------------------------------------------------------------

static const zn_quantity_kind *find_in(zn_quantity_list list, const char *owner, const char *quantity)
{
    for (int i = 0; i < list.count; i++)
        if (strcmp(list.kind[i].name, quantity) == 0 && (!owner || strcmp(list.kind[i].owner, owner) == 0))
            return &list.kind[i];
    return NULL;
}

const zn_quantity_kind *zn_quantity_find_sensor(const zn_sim *sim, const char *object, const char *quantity)
{
    const zn_named *entry = zn_names_find(&sim->sys->model->names, object);
    char            name[160], message[200];
    zn_sensor       sensor;
    if (entry && entry->kind == ZN_NAMED_POINT)
        return find_in(zn_quantity_of_points, "point", quantity);
    if (entry && entry->kind == ZN_NAMED_SPAN)
        return find_in(zn_quantity_of_points, "span", quantity);
    snprintf(name, sizeof name, "%s.%s", object, quantity);
    if (entry ? zn_sensor_elements(sim->sys->model, object, quantity) == 0
              : zn_sensor_find(sim->sys->model, name, &sensor, message, sizeof message) != ZN_OK)
        return NULL;
    return find_in(zn_quantity_of_elements, NULL, quantity);
}

// Names of the columns: the one that is given, the number itself, its axes, or elements of a part.
static int list_columns(const zn_sim *sim, char word[3][64], const char *quantity, const char **components)
{
    int elements = zn_sensor_elements(sim->sys->model, word[0], quantity);
    *components = "";
    if (elements > 1)
        return elements;
    char      name[200], message[200];
    zn_sensor sensor;
    snprintf(name, sizeof name, "%s.%s", word[0], quantity);
    if (word[2][0] || zn_sensor_find(sim->sys->model, name, &sensor, message, sizeof message) == ZN_OK)
        return 1;
    *components = sim->sys->info.planar ? "x y" : "x y z";
    return sim->sys->info.planar ? 2 : 3;
}

static void name_column(char word[3][64], const char *quantity, bool elements, const char *components, int i,
                        char *name, size_t size)
{
    if (elements)
        snprintf(name, size, "%s[%d].%s", word[0], i, quantity);
    else if (*components)
        snprintf(name, size, "%s.%s.%c", word[0], quantity, components[2 * i]);
    else
        snprintf(name, size, "%s.%s%s%s", word[0], quantity, word[2][0] ? "." : "", word[2]);
}

zn_status zn_quantity_sense(const zn_sim *sim, const zn_record_def *record, char word[3][64], zn_quantity *out,
                            int *columns, const char **components)
{
    char        name[200], message[200];
    bool        change = strcmp(word[1], "acceleration") == 0;
    const char *quantity = change ? "velocity" : word[1];
    *columns = list_columns(sim, word, quantity, components);
    out->sensor = ZN_NEW(zn_sensor, *columns);
    out->change = change;
    if (!out->sensor)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < *columns; i++) {
        name_column(word, quantity, *columns > 1 && !**components, *components, i, name, sizeof name);
        if (zn_sensor_find(sim->sys->model, name, &out->sensor[i], message, sizeof message) == ZN_OK)
            continue;
        free(out->sensor);
        out->sensor = NULL;
        return zn_fail(&sim->def.log, ZN_ERR_MODEL, "%srecord '%s': %s", record->place ? record->place : "",
                       record->name, message);
    }
    return ZN_OK;
}

// --- values ----------------------------------------------------------------------------------------

// The coarse part of multirate is not known at the start of the last step.
static bool is_late(const zn_sim *sim, const zn_sensor *sensor, zn_at at)
{
    int    dof[ZN_SENSOR_DOFS];
    double dq[ZN_SENSOR_DOFS], dv[ZN_SENSOR_DOFS];
    int    count = sim->late ? zn_sensor_gradient(sensor, &sim->sys->layout, at, dof, dq, dv) : 0;
    for (int i = 0; i < count; i++)
        if (sim->late[dof[i]])
            return true;
    return false;
}

void zn_quantity_read(const zn_sim *sim, const zn_quantity *quantity, int columns, double *values)
{
    const zn_layout *layout = &sim->sys->layout;
    zn_at            now = {.q = sim->state->q, .v = sim->state->v, .t = sim->state->t};
    zn_at            before = {.q = sim->last_q, .v = sim->last_v, .t = sim->last_t};
    for (int i = 0; i < columns; i++) {
        const zn_sensor *sensor = &quantity->sensor[i];
        values[i] = zn_sensor_value(sensor, layout, now);
        if (quantity->change && is_late(sim, sensor, now))
            values[i] = NAN;
        else if (quantity->change)
            values[i] = zn_quantity_rate(
                sim->last_h > 0 ? values[i] - zn_sensor_value(sensor, layout, before) : values[i], sim->last_h);
    }
}
