/// Models of the gallery on the rig of scheme_fixtures.h.
#ifndef ZN_TESTS_GALLERY_FIXTURES_H
#define ZN_TESTS_GALLERY_FIXTURES_H

#include "scheme_fixtures.h"
#include "zn/io.h"

typedef struct gallery_rig {
    zn_problem *problem; ///< owns the model
    rig         r;
} gallery_rig;

static inline void gallery_print(void *user, zn_severity severity, const char *message)
{
    (void)user;
    if (severity == ZN_LOG_ERROR)
        print_error("%s\n", message);
}

/// A model of a folder, with up to four overrides "name=value" (NULL: no more), under a scheme.
static inline gallery_rig gallery_open_file(const char *folder, const char *file, const char *const *overrides,
                                            zn_scheme_def def)
{
    gallery_rig g = {0};
    char        path[512];
    int         count = 0;
    snprintf(path, sizeof path, "%s/gallery/%s/%s", ZN_SOURCE_DIR, folder, file);
    while (overrides && count < 4 && overrides[count])
        count++;
    CHECK_OK(zn_problem_read(path, count, overrides, (zn_log){gallery_print, NULL}, &g.problem));
    g.r = rig_open(g.problem->model, def);
    return g;
}

static inline gallery_rig gallery_open(const char *folder, const char *const *overrides, zn_scheme_def def)
{
    return gallery_open_file(folder, "model.yaml", overrides, def);
}

static inline void gallery_close(gallery_rig *g)
{
    g->r.model = NULL; // the problem's
    rig_close(&g->r);
    g->problem = zn_problem_destroy(g->problem);
}

/// The contact of that name, as it stands in the set.
static inline int gallery_contact(const gallery_rig *g, const char *name)
{
    const zn_contact_set *set = g->r.state->contacts;
    for (int i = 0; i < set->count; i++)
        if (strcmp(zn_contact_name(g->r.sys, set->id[i]), name) == 0)
            return i;
    fail_msg("no contact '%s'", name);
    return -1;
}

#endif
