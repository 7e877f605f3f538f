#!/usr/bin/env python3
"""What frames.py promises, checked by mathematics: tangents by differences, the work and balance of a frame, the printed frame
of the paper, conservation on small impacts. Prints every check, exit status 1 when one fails."""
import sys

try:
    import numpy as np
    import scipy  # noqa: F401, what frames.py needs
except ImportError as missing:
    print(missing)
    sys.exit(77)  # skipped

import frames
import meshes

failed = []


def check(name, value, bound):
    print(f'{"ok  " if value <= bound else "FAIL"} {name}: {value:.2e} <= {bound:g}')
    if not value <= bound:
        failed.append(name)


def difference(f, x, e=1e-6):
    columns = []
    for i in range(x.size):
        d = np.zeros(x.size)
        d[i] = e
        columns.append((f(x + d.reshape(x.shape)) - f(x - d.reshape(x.shape))) / (2 * e))
    return np.stack(columns, -1)


def elements(rng):
    X, el, chain, closed = meshes.disc(2, 2, 2, (0, 0))
    s = frames.Solids([frames.Body(X, el, chain, closed, 10, 0.3, 1)])
    x0, x = (X + 0.2 * rng.standard_normal(X.shape) for _ in range(2))
    F0 = s.gradient(x0)
    f, K = s.force(F0, s.gradient(x), True)
    check('element tangent', np.abs(K - difference(lambda y: s.force(F0, s.gradient(y), False)[0], x)).max(), 1e-7)
    check('work of the element force', abs(f @ (x - x0).ravel() - (s.strain_energy(x) - s.strain_energy(x0))[0]), 1e-12)
    fb = f.reshape(-1, 2)
    xb = (x0 + x) / 2
    check('moment of the element force', abs((xb[:, 0] * fb[:, 1] - xb[:, 1] * fb[:, 0]).sum()), 1e-12)
    area = np.asarray(s.m.sum())
    polygon = np.vstack([X[[0, 1, 2]], X[[5, 8, 7]], X[[6, 3]]])
    y = np.roll(polygon, -1, axis=0)
    check('mass', abs(area - abs((polygon[:, 0] * y[:, 1] - polygon[:, 1] * y[:, 0]).sum()) / 2), 1e-12)


def one_frame(rng, rule, couple):
    x0 = np.array([[1., 0], [0.4, 0.1], [0., 0.1]]) + 0.1 * rng.standard_normal((3, 2))
    x = x0 + 0.2 * rng.standard_normal((3, 2))

    def at(y):
        f = frames.Frame(1, np.array([2, 0]), 0)
        f.evaluate(x0, y, rule, couple)
        return f

    f, name = at(x), f'{rule}{" with couple" if couple else ""}'
    for what, of in (('force rows', 'G'), ('friction rows', 'H'), ('gap', 'gap'), ('slip', 'slip')):
        by_differences = difference(lambda y: getattr(at(y), of), x)
        check(f'{name}: derivative of {what}', np.abs(getattr(f, 'd' + of) - by_differences).max(), 1e-8)
    xb, G, H, end = (x0 + x) / 2, f.G.reshape(3, 2), f.H.reshape(3, 2), f.end.reshape(3, 2)

    def moment(rows, place):
        return abs((place[:, 0] * rows[:, 1] - place[:, 1] * rows[:, 0]).sum())

    check(f'{name}: balance of force', np.abs(G.sum(0)).max() + np.abs(H.sum(0)).max() + np.abs(end.sum(0)).max(), 1e-14)
    check(f'{name}: balance of moment', moment(G, xb), 1e-14)
    if couple:
        check(f'{name}: balance of moment of friction', moment(H, xb), 1e-14)
    check(f'{name}: balance of moment of the jump', moment(end, x), 1e-14)
    if rule == 'frames':
        g0 = at(x0).gap
        check(f'{name}: work (62)', abs(f.G @ (x - x0).ravel() - (g0 - f.gap) / np.cos(f.theta / 2)), 1e-14)


def blocks(step, friction=0.0, couple=False, rule='frames', nx=(4, 3), spin=0.3):
    """Two blocks of unequal meshes that meet face to face, obliquely."""
    X, el, chain, closed = meshes.strip(2, 1, nx[0], 2, (0, 0))
    up = frames.Body(-X + (0.2, 1.02), el, chain, closed, 100, 0.3, 1, velocity=(0.3, -1), spin=spin)
    X, el, chain, closed = meshes.strip(3, 1, nx[1], 2, (0, 0))
    down = frames.Body(X, el, chain, closed, 100, 0.3, 1, velocity=(0, 0.2))
    return frames.Impact(frames.Solids([up, down]), step, pairs=[(0, 1)], friction=friction, couple=couple, rule=rule)


def conserves(name, impact, steps, angular):
    def totals():
        bodies = impact.s.per_body(impact.x, impact.v)
        return (sum(b['kinetic'] + b['strain'] for b in bodies) + impact.friction_work + impact.debt,
                sum(b['momentum'] for b in bodies), sum(b['angular'] for b in bodies))
    start, worst, touched, work = totals(), np.zeros(3), 0, 0.0
    for _ in range(steps):
        impact.advance()
        now = totals()
        worst = np.maximum(worst, [abs(now[0] - start[0]), np.abs(now[1] - start[1]).max(), abs(now[2] - start[2])])
        touched += bool(impact.frames)
        work = max(work, -impact.friction_work)
    check(f'{name}: touched for too few steps', float(touched < 5), 0)
    check(f'{name}: energy', worst[0], 1e-12)
    check(f'{name}: momentum', worst[1], 1e-12)
    check(f'{name}: angular momentum', worst[2], angular)
    check(f'{name}: friction work is negative', work, 1e-14)


def printed_frame(impact):
    """A converged step in the unknowns of the paper: frame nodes y, offsets, forces; (C2')-(C6), (36), (37)."""
    worst = dict.fromkeys(('core on the frame', 'rigid frame', 'force', 'moment', 'tangential force', 'work (62)'), 0.0)
    count = 0
    for _ in range(40):
        x0 = impact.x
        impact.advance()
        for f in impact.frames:
            count += 1
            X, x = x0[f.nodes], impact.x[f.nodes]
            length0 = np.hypot(*(X[2] - X[0]))
            e1 = (x[2] - x[0]) / np.hypot(*(x[2] - x[0]))
            n1 = np.array([-e1[1], e1[0]])
            y = np.array([x[0], x[0] + length0 * e1])  # (C5), (C6): the length and the coordinate of p_o are kept
            normals = np.array([n1 @ (p - y[0]) for p in x])
            worst['core on the frame'] = max(worst['core on the frame'], *np.abs(normals - [0, f.target, 0]))
            worst['rigid frame'] = max(worst['rigid frame'], abs(np.hypot(*(y[1] - y[0])) - length0))
            forces, e0 = f.Q * f.G.reshape(3, 2), (X[2] - X[0]) / length0
            em = (e0 + e1) / np.hypot(*(e0 + e1))
            worst['force'] = max(worst['force'], np.abs(forces.sum(0)).max())
            worst['tangential force'] = max(worst['tangential force'], np.abs(forces @ em).max())
            eta, nm = np.array([1., -1, 1]), np.array([-em[1], em[0]])
            Q = eta * (forces @ nm)  # lambda = eta Q n
            delta = np.array([0, -(f.gap0 - f.target), 0])  # offsets at the start: the ends are on the frame
            s = ((X - X[0]) @ e0 + (x - x[0]) @ e1 + eta * delta * np.tan(f.theta / 2)) / 2  # mean coordinates, (57)
            worst['moment'] = max(worst['moment'], abs((eta * Q * s).sum()))
            work = f.Q * (f.gap0 - f.target) / np.cos(f.theta / 2)
            worst['work (62)'] = max(worst['work (62)'], abs(f.work - work))
    check('printed frame: steps in contact', float(count < 20), 0)
    for key, value in worst.items():
        check(f'printed frame: {key}', value, 1e-11)


def main():
    rng = np.random.default_rng(7)
    elements(rng)
    for rule in ('frames', 'node_to_segment'):
        for couple in (False, True):
            one_frame(rng, rule, couple)
    conserves('blocks', blocks(0.02), 60, 1e-12)
    conserves('blocks, node to segment', blocks(0.02, rule='node_to_segment'), 60, 1e-12)
    conserves('blocks with friction', blocks(0.02, 0.4), 60, 1e-2)
    conserves('blocks with friction and couple', blocks(0.02, 0.4, True), 60, 1e-12)
    printed_frame(blocks(0.02))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
