// Lets a user look at the problems a scheme solves.
#include "constraint/observe.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

zn_status zn_observe(const zn_observer *observer, const zn_fc_problem *problem, const char *level, double t,
                     zn_status status)
{
    ZN_ASSERT(level);
    if (observer->problem != NULL && problem->contacts > 0) // equations alone are a linear system
        observer->problem(observer->user, problem, level, t, status);
    return status;
}

// Only a run that is looked at comes here, and it may use the heap.
zn_status zn_observe_shown_lcp(const zn_observer *observer, const zn_lcp_problem *problem, const char *level, double t,
                               zn_status status)
{
    int     contacts = problem->n - problem->bilateral;
    int    *first = ZN_NEW(int, contacts + 1);
    double *mu = ZN_NEW(double, contacts);
    if (first != NULL && mu != NULL) {
        for (int c = 0; c <= contacts; c++)
            first[c] = problem->bilateral + c;
        zn_fc_problem same = {problem->n, problem->bilateral, contacts, first, problem->A, problem->b, mu, NULL, NULL};
        zn_observe(observer, &same, level, t, status);
    }
    free(first);
    free(mu);
    return status;
}
