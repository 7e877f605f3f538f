// Three controllers: an arm held by a PD law in C, a gripper that presses with a wanted force, a heater with a switch.
#include <math.h>
#include <stdio.h>

#include "zn/sim.h"

static char message[200];

static void take(zn_status status)
{
    if (status != ZN_OK)
        printf("%s %s\n", zn_status_text(status), message);
}

static zn_signal *feedback(zn_model *model, const char *text)
{
    zn_signal *signal = NULL;
    take(zn_signal_feedback(model, text, 0, NULL, NULL, message, sizeof message, &signal));
    return signal;
}

// One record at the end of a run.
static double run(zn_model *model, const char *path, double until)
{
    zn_system    *system = NULL;
    zn_sim       *sim = NULL;
    double        value = NAN;
    zn_record_def record = {.name = "it", .path = path};
    zn_sim_def    def = zn_sim_def_default();
    def.scheme.scheme = "moreau_jean";
    def.step = 1e-3;
    def.until = until;
    def.record_count = 1;
    def.records = &record;
    take(zn_system_create(model, &system));
    take(zn_sim_create(system, &def, &sim));
    take(zn_sim_run(sim));
    take(zn_sim_values(sim, &value));
    zn_sim_destroy(sim);
    zn_system_destroy(system);
    zn_model_destroy(model);
    return value;
}

static zn_model *planar(void)
{
    zn_model    *model = NULL;
    zn_model_def def = zn_model_def_default();
    def.planar = true;
    take(zn_model_create(&def, &model));
    return model;
}

// -50 phi - 3 phi': with the inertia 0.5 an oscillator of 10 rad/s with the damping ratio 0.3.
static double pd(void *user, double t, const double *sensors, double *gradient)
{
    const double *gain = user;
    (void)t;
    for (int i = 0; gradient && i < 2; i++)
        gradient[i] = -gain[i];
    return -gain[0] * sensors[0] - gain[1] * sensors[1];
}

static double arm(void)
{
    static double            gain[] = {50, 3};
    static const char *const sensors[] = {"arm.angle", "arm.rate"};
    zn_model                *model = planar();
    zn_body_def              body = zn_body_def_default();
    zn_motor_def             motor = zn_motor_def_default();
    body.name = "arm";
    body.mass = 2;
    body.inertia = 0.5;
    body.angle = 1;
    take(zn_model_add_body(model, &body, &motor.a.node));
    take(zn_signal_controller(model, 2, sensors, pd, gain, NULL, message, sizeof message, &motor.torque));
    take(zn_model_add_motor(model, &motor));
    return run(model, "arm.angle", 0.5);
}

// The force of the finger is that of the last step; the drive follows its error until there is none.
static double gripper(void)
{
    zn_model      *model = planar();
    zn_body_def    body = zn_body_def_default();
    zn_contact_def pad = zn_contact_def_default();
    zn_state_def   drive = zn_state_def_default();
    zn_force_def   load = zn_force_def_default();
    body.name = "finger";
    body.mass = 0.2;
    body.fixed = ZN_FIX_Y;
    take(zn_model_add_body(model, &body, &load.point.node));
    pad.name = "pad";
    pad.point = load.point;
    pad.normal.x = -1;
    pad.through.x = 0.01;
    take(zn_model_add_contact(model, &pad));
    drive.name = "drive";
    drive.start = 1;
    drive.rate = feedback(model, "20*(12 - pad.force)");
    take(zn_model_add_state(model, &drive));
    load.force[0] = feedback(model, "drive - 3*finger.velocity.x");
    take(zn_model_add_force(model, &load));
    return run(model, "pad.force", 2);
}

// T' = (10 - T)/5 + 4 heat: towards 30 with heat, towards 10 without. Between 19 and 21 the switch stays as it is.
static double heater(void)
{
    zn_model      *model = planar();
    zn_state_def   temperature = zn_state_def_default();
    zn_control_def heat = zn_control_def_default();
    temperature.name = "T";
    temperature.start = 15;
    take(zn_model_add_state(model, &temperature));
    heat.name = "heat";
    heat.value = feedback(model, "T");
    heat.on = 19;
    heat.off = 21;
    take(zn_model_add_control(model, &heat));
    take(zn_model_set_rate(model, "T", feedback(model, "(10 - T)/5 + 4*heat")));
    return run(model, "T", 2.5);
}

int main(void)
{
    double wd = 10 * sqrt(1 - 0.09), exact = exp(-1.5) * (cos(wd / 2) + 3 / wd * sin(wd / 2));
    printf("arm %.4f rad, exactly %.4f\n", arm(), exact);
    printf("finger presses with %.4f N\n", gripper());
    printf("temperature %.3f, exactly %.3f\n", heater(), 30 - 15 * exp(-2.5 / 5));
    return 0;
}
