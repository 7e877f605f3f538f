// Modes in a result file. See modes_result.h.
#include "modes_result.h"

#include <math.h>
#include <stdlib.h>

enum { PICTURES = 24 }; // of one swing

static const double two_pi = 6.283185307179586;

static zn_status write_swing(const zn_recorder *r, const zn_system *sys, const double *q0, const zn_mode *mode, int k,
                             double *q, double *move)
{
    zn_system_info info = zn_system_get_info(sys);
    const double   ledger[ZN_LEDGER_LINES] = {0}, effort[ZN_EFFORT_COLUMNS] = {0};
    for (int p = 0; p < PICTURES; p++) {
        double phase = (p + 0.5) / PICTURES; // none at the border to another mode
        for (int i = 0; i < info.n_all; i++)
            move[i] = mode->amplitude * sin(two_pi * phase) * mode->shape[i];
        zn_system_retract(sys, q0, move, q);
        for (int i = 0; i < info.n_all; i++)
            move[i] = mode->amplitude * two_pi * cos(two_pi * phase) * mode->shape[i];
        zn_frame frame = {.t = k - 0.5 + phase,
                          .nq = info.nq,
                          .n_all = info.n_all,
                          .q = q,
                          .v = move,
                          .ledger = ledger,
                          .effort = effort};
        ZN_TRY(r->frame(r->user, &frame));
    }
    return ZN_OK;
}

static zn_status write_all(const zn_recorder *r, const zn_system *sys, const double *q0, const zn_modes *modes)
{
    zn_system_info  info = zn_system_get_info(sys);
    const zn_series series[] = {{"frequency", "frequency", "Hz", "", 0, 1}, {"square", "square", "1/s^2", "", 1, 1}};
    double         *q = calloc((size_t)info.nq + 1, sizeof *q), *move = calloc((size_t)info.n_all + 1, sizeof *move);
    zn_status       status = q != NULL && move != NULL ? r->begin(r->user, 2, series, 2) : ZN_ERR_MEMORY;
    for (int k = 0; k < modes->count && status == ZN_OK; k++) {
        const zn_mode *mode = &modes->mode[k];
        status = r->row(r->user, k + 1, (double[]){mode->frequency, mode->square});
        if (status == ZN_OK)
            status = write_swing(r, sys, q0, mode, k + 1, q, move);
    }
    free(q);
    free(move);
    return status;
}

zn_status modes_write(const char *path, const simulation *s, const double *q, const zn_modes *modes,
                      const char *command, zn_log log)
{
    zn_sim_def        def = s->def;
    zn_result_writer *writer;
    zn_certificate    none = {.steps = modes->count, .negative = modes->negative, .unstable_from = NAN};
    def.scheme.scheme = "modes";
    def.statics = true;
    def.start = 0;
    def.step = 1;
    def.until = modes->count;
    def.record_every = 1;
    def.frames = -1;
    ZN_TRY(zn_result_writer_create(path, s->problem, &def, command, log, &writer));
    zn_recorder r = zn_result_writer_recorder(writer);
    zn_status   status = write_all(&r, s->sys, q, modes), end = r.end(r.user, &none, status);
    zn_result_writer_destroy(writer);
    return status != ZN_OK ? status : end;
}
