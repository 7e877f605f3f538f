#ifndef ZN_SCHEME_SPARSE_SWEEP_H
#define ZN_SCHEME_SPARSE_SWEEP_H
#include "zn/friction.h"
zn_status zn_sparse_sweep(const zn_fc_problem *p, const zn_fc_settings *s, double *r, double *u, zn_fc_info *info);
#endif
