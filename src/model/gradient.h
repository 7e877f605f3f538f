/// Derivatives of a number that is a function of (q, v, t): pairs of a degree of freedom and d/dq (along the tangent
/// space of the configuration, as zn_system_retract moves it) and d/dv.
#ifndef ZN_MODEL_GRADIENT_H
#define ZN_MODEL_GRADIENT_H

/// Room belongs to the caller. No degree of freedom occurs twice; those that cannot move are listed as any other.
typedef struct zn_gradient {
    int     count;
    int    *dof;
    double *dq, *dv;
} zn_gradient;

/// dq += on_q * row, dv += on_v * row.
static inline void zn_gradient_add(zn_gradient *g, int count, const int *dof, const double *row, double on_q,
                                   double on_v)
{
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < g->count && g->dof[k] != dof[i])
            k++;
        if (k == g->count) {
            g->dof[k] = dof[i];
            g->dq[k] = g->dv[k] = 0;
            g->count++;
        }
        g->dq[k] += on_q * row[i];
        g->dv[k] += on_v * row[i];
    }
}

#endif
