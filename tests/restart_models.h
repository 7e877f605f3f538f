/// Models with contacts that come and go, on which restarts are tested.
#ifndef ZN_TESTS_RESTART_MODELS_H
#define ZN_TESTS_RESTART_MODELS_H

#include "scheme_fixtures.h"

/// Scheme i of the list; multirate gets something to do.
static inline zn_scheme_def restart_scheme(int i, const char *linear_solver)
{
    zn_scheme_def def = scheme_named(zn_scheme_name(i), 0.5);
    if (zn_option_belongs(zn_option_find(zn_scheme_options(), "linear_solver"), def.scheme))
        def.linear_solver = linear_solver;
    def.within = strcmp(def.scheme, "multirate") == 0 ? 0.04 : 0;
    def.ratio = def.within > 0 ? 3 : 0;
    return def;
}

#define HEAD "zeno: 1\nrun: {step: 1 ms, until: 1 s}\n"

// A soft cube comes down on its edge, one node after the other, and slides.
static const char cube[] =
    HEAD "gravity: [1, 0.3, -9.81]\n"
         "parameters: {mu: 0.3}\n"
         "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n"
         "parts:\n"
         "  cube: {element: solid, material: soft, velocity: [0.2, 0, -1], mass: lumped,\n"
         "    mesh: {box: {from: [0, 0, 0.001], to: [0.1, 0.1, 0.101], elements: [3, 3, 3]}}}\n"
         "contacts:\n"
         "  floor: {points: cube.zmin, surface: {plane: [0.03, 0.04, 1]}, restitution: 0.3, friction: mu}\n";

// One soft block falls on another that yields: its nodes wander from facet to facet.
static const char blocks[] = HEAD
    "gravity: [0, 0, -9.81]\n"
    "parameters: {mu: 0.3}\n"
    "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n"
    "parts:\n"
    "  lower: {element: solid, material: soft, model: saint_venant_kirchhoff, mass: lumped,\n"
    "    mesh: {box: {from: [0, 0, -0.05], to: [0.1, 0.1, 0], elements: [2, 2, 1]}}}\n"
    "  upper: {element: solid, material: soft, model: saint_venant_kirchhoff, velocity: [1.5, 0.7, -1], mass: lumped,\n"
    "    mesh: {box: {from: [0.021, 0.017, 0.001], to: [0.087, 0.081, 0.05], elements: [3, 2, 1]}}}\n"
    "contacts:\n"
    "  rub: {points: upper.zmin, surface: {part: lower, face: zmax}, friction: mu}\n";

// A rod in a journal with a ball at its end and a block in a guide: joints with play.
static const char journals[] =
    HEAD "gravity: [1, 0.3, -9.81]\n"
         "parameters: {mu: 0.1}\n"
         "bodies:\n"
         "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}\n"
         "  bob: {mass: 1, inertia: [0.01, 0.01, 0.02], position: [1, 0, -0.2]}\n"
         "  block: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 2, 0], velocity: [0, 0, 1], spin: [1, 2, 0]}\n"
         "joints:\n"
         "  pin: {type: revolute, body: rod, at: [-0.5, 0, 0], axis: [0, 1, 0],\n"
         "    play: {radius: 1e-4, length: 0.02, friction: mu}}\n"
         "  ball: {type: spherical, body: bob, at: [0, 0, 0.2], to: rod,\n"
         "    play: {radius: 1e-4, pin_radius: 0.01, friction: mu}}\n"
         "  slide: {type: prismatic, body: block, axis: [0, 0, 1], play: {radius: 1e-4, length: 0.1, friction: mu}}\n";

// The same in the plane by both surfaces, for schemes that have no restitution as well.
static const char surfaces[] =
    HEAD "planar: true\n"
         "gravity: [0, -9.81]\n"
         "parameters: {mu: 0.3}\n"
         "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n"
         "parts:\n"
         "  lower: {element: solid, material: soft, model: saint_venant_kirchhoff, mass: lumped,\n"
         "    mesh: {rectangle: {from: [0, -0.05], to: [0.1, 0], elements: [4, 2]}}}\n"
         "  upper: {element: solid, material: soft, model: saint_venant_kirchhoff, velocity: [1.5, -1], mass: lumped,\n"
         "    mesh: {rectangle: {from: [0.021, 0.001], to: [0.087, 0.05], elements: [5, 2]}}}\n"
         "contacts:\n"
         "  rub: {surfaces: [upper, lower], friction: mu}\n";

// Balls between walls.
static const char balls[] =
    HEAD "gravity: [0, 0, -9.81]\n"
         "parameters: {mu: 0.3, side: 2}\n"
         "bodies:\n"
         "  ball: {mass: 1, inertia: 0.004, position: [0.11, 0.11, 0.1005], sphere: 0.1, velocity: [0.5, 0.2, -1],\n"
         "    lattice: {count: [side, side, side], spacing: [0.2002, 0.2003, 0.2004], jitter: [1e-4, 1e-4, 0]}}\n"
         "shapes:\n"
         "  floor: {plane: [0, 0, 1]}\n"
         "  step: {box: [0.3, 0.3, 0.02], at: [0.11, 0.11, -0.01]}\n"
         "contacts:\n"
         "  pile: {between: [ball], restitution: 0.2, friction: mu}\n"
         "  base: {between: [ball], against: [floor, step], friction: mu}\n";

// The same with friction against rolling and spinning, which a ball of wood has not.
static const char rolling_balls[] = HEAD
    "gravity: [0, 0, -9.81]\n"
    "parameters: {mu: 0.3, side: 2}\n"
    "bodies:\n"
    "  ball: {mass: 1, inertia: 0.004, position: [0.11, 0.11, 0.1005], sphere: 0.1, velocity: [0.5, 0.2, -1],\n"
    "    spin: [3, 1, 5], lattice: {count: [side, side, side], spacing: [0.2002, 0.2003, 0.2004],\n"
    "    jitter: [1e-4, 1e-4, 0]}, material: steel}\n"
    "  wood: {mass: 1, inertia: 0.004, position: [2, 0, 0.1], sphere: 0.1, velocity: [0.5, 0.2, 0], material: wood}\n"
    "shapes: {floor: {plane: [0, 0, 1], material: stone}}\n"
    "materials:\n"
    "  steel-stone: {friction: mu, rolling_friction: mu/100}\n"
    "  wood-stone: {friction: mu}\n"
    "contacts:\n"
    "  pile: {between: [ball], restitution: 0.2, friction: mu, rolling_friction: mu/100, spinning_friction: mu/200}\n"
    "  base: {between: [ball, wood], against: [floor], friction: mu}\n";

// A double pendulum of bodies and a beam whose tip slides along a wall.
static const char chain[] =
    HEAD "gravity: [0, 0, -9.81]\n"
         "parameters: {mu: 0.2}\n"
         "materials: {soft: {young: 1e7, poisson: 0.3, density: 1000}}\n"
         "bodies:\n"
         "  arm: {mass: 1, inertia: [0.01, 0.02, 0.015], position: [0.1, 0, 0], spin: [0, 0, 1]}\n"
         "parts:\n"
         "  beam: {element: beam, material: soft, section: {width: 0.02, height: 0.03}, from: [0.2, 0, 0], to: [0.2, "
         "0.3, 0],\n"
         "    elements: 6, velocity: [0.1, 0, 0]}\n"
         "joints:\n"
         "  hinge: {type: revolute, body: arm, at: [-0.1, 0, 0], axis: [0, 0, 1]}\n"
         "  pin: {type: spherical, body: 'beam[0]', to: arm, to_at: [0.1, 0, 0]}\n"
         "contacts:\n"
         "  wall: {point: 'beam[6]', surface: {plane: [-1, 0, 0.05], at: [0.2005, 0, 0]}, friction: mu}\n";

// Angles of joints over several turns: a driven wheel, one that follows with backlash and dry friction, an arm on a
// stop.
static const char turning[] =
    HEAD "gravity: [0, 0, -9.81]\n"
         "parameters: {mu: 0.2}\n"
         "bodies:\n"
         "  wheel: {mass: 1, inertia: [0.01, 0.02, 0.01], position: [0, 1, 0], spin: [0, 400, 0]}\n"
         "  pinion: {mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0.3, 1, 0]}\n"
         "  arm: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.5, 0, 0], spin: [0, 1, 0]}\n"
         "joints:\n"
         "  hub: {type: revolute, body: wheel, axis: [0, 1, 0], angle: '400*t'}\n"
         "  axle: {type: revolute, body: pinion, axis: [0, 1, 0], dry_friction: mu}\n"
         "  mesh: {type: coupling, joints: {hub: 2, axle: 1}, backlash: 0.1}\n"
         "  pin: {type: revolute, body: arm, at: [-0.5, 0, 0], axis: [0, 1, 0], limits: [none, 1 deg]}\n";

#endif
