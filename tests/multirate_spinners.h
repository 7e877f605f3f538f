/// A hub that tumbles with a rope of exact beams on it: every node turns at will.
#ifndef ZN_TESTS_MULTIRATE_SPINNERS_H
#define ZN_TESTS_MULTIRATE_SPINNERS_H

static const char spinner[] =
    "zeno: 1\nmaterials: {m: {young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies: {hub: {mass: 2, inertia: [[0.1, 0.02, 0], [0.02, 0.2, 0.03], [0, 0.03, 0.25]], position: [0, 0, 0],\n"
    "  spin: [3, 5, 2], velocity: [0.1, 0.2, 0]}}\n"
    "parts: {rope: {element: beam, material: m, section: {width: 0.1, height: 0.05}, mass: lumped, from: [0, 0, 0],\n"
    "  to: [1, 0, 0], elements: 6, first_node: hub}}\n";

/// The same brought from rest to some turns a second within a second, by a moment that begins and ends smoothly.
static const char twirl[] =
    "zeno: 1\nmaterials: {m: {young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies: {hub: {mass: 2, inertia: [[0.1, 0.02, 0], [0.02, 0.2, 0.03], [0, 0.03, 0.25]], position: [0, 0, 0]}}\n"
    "parts: {rope: {element: beam, material: m, section: {width: 0.1, height: 0.05}, mass: lumped, from: [0, 0, 0],\n"
    "  to: [1, 0, 0], elements: 6, first_node: hub}}\n"
    "loads: {twist: {body: hub, moment: [\"4*sin(pi*t)^2*(t < 1)\", \"6*sin(pi*t)^2*(t < 1)\", "
    "\"9*sin(pi*t)^2*(t < 1)\"]}}\n";

#endif
