/// The functions whose roots semi-smooth Newton methods look for, one contact at a time.
#ifndef ZN_SOLVE_FRICTION_NEWTON_H
#define ZN_SOLVE_FRICTION_NEWTON_H

#include "solve/friction.h"

/// Radius of the friction disk: mu (r_N - rho u_N)+, or mu r_N+.
typedef enum zn_fc_function { ZN_FC_ALART_CURNIER, ZN_FC_JEAN_MOREAU } zn_fc_function;

/// rho of a block's normal and of its tangents: one over the diagonal of W.
void zn_fc_newton_rho(const zn_fc_blocks *b, int c, double rho[2]);

/// F(r, u) of a block and one element of its derivative, dF = A du + B dr (stride 3). mu < 0: bilateral, F = rho u.
/// `rho`: of the normal and of the tangents. Returns false when A = 0 (F = r: the contact is open).
bool zn_fc_newton_function(zn_fc_function kind, int rows, double mu, const double rho[2], const double *r,
                           const double *u, double *F, double *A, double *B);

/// The same for a follower, rho of its rows; `pressure` is r_N - rho_N u_N of its leader. `couple`: dF also has couple
/// (dr_N - rho_N du_N) of the leader. Returns false when F = r: the leader is open.
bool zn_fc_newton_follower(int rows, double mu, double rho, double pressure, const double *r, const double *u,
                           double *F, double *A, double *B, double couple[2]);

/// Newton with line search from task->r, `limit` iterations; `shift` is the e to begin with. `patience`: steps in a row
/// that may bring it no nearer.
zn_status            zn_fc_newton_within(zn_fc_task *task, zn_fc_function kind, double shift, int limit, int patience);
/// The same with the usual patience.
zn_status            zn_fc_newton(zn_fc_task *task, zn_fc_function kind, double shift, int limit);
/// Proximal points from task->r, for contacts that repeat each other: slower, where Newton's method has stalled.
zn_status            zn_fc_proximal(zn_fc_task *task);
/// A good e for the n-th trial.
static inline double zn_fc_newton_shift(int trial) { return trial % 4 < 2 ? 1e-9 : 1e-3; }

#endif
