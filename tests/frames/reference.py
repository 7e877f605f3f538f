#!/usr/bin/env python3
"""Reference values of the impacts of Miyazaki and Park, section 7, by the program frames.py.

    reference.py [--out FOLDER] [--step H] [--scale K] [--rule frames|node_to_segment] [PROBLEM ...]
    reference.py --msh FOLDER            the meshes as Gmsh files, bodies "body", chains "contact"
"""
import argparse
import csv
import os
import time

import numpy as np

import frames
import meshes


def disc(nu, nv, below=False):
    sign = -1 if below else 1
    X, elements, chain, closed = meshes.disc(4, nu, nv, (0, 4 * sign), below)
    return frames.Body(X, elements, chain, closed, 1000, 0.2, 1.0, velocity=(0, -2 * sign))


def hertz_1(h, k, **options):
    """7.1, model-1: a disc on the rigid line y = 0."""
    return frames.Impact(frames.Solids([disc(round(32 * k), round(24 * k))]), h, ground=[0], **options), 1.2


def hertz_2(h, k, **options):
    """7.1, model-2: two discs, the lower one with a coarser mesh.

    Newton's method does not settle when nodes that nearly coincide are all taken: the second ones wait."""
    bodies = [disc(round(32 * k), round(24 * k)), disc(round(20 * k), round(15 * k), True)]
    return frames.Impact(frames.Solids(bodies), h, pairs=[(0, 1)], same=0.3, **options), 1.2


def rings(h, k, **options):
    """7.2: a ring hits a ring at rest."""
    n = round(40 * k)
    bodies = [frames.Body(*meshes.fine_ring(10, 0.3, c, centre, n, n), 1000, 1 / 6, 0.1, velocity=v)
              for c, centre, v in ((30, (0, 0), (4, 0)), (210, (20, 10), (0, 0)))]
    return frames.Impact(frames.Solids(bodies), h, pairs=[(0, 1)], **options), 2.0


def strip(h, k, **options):
    """7.3: a ring hits a strip at rest."""
    angles = 2 * np.pi * np.arange(round(48 * k)) / round(48 * k)
    bodies = [frames.Body(*meshes.ring(2.9, 0.2, angles, 3, (-3.125, 3.125)), 500, 0.3, 1.0, velocity=(2, -1)),
              frames.Body(*meshes.strip(8, 0.25, round(32 * k), 3, (0, 0)), 500, 0.3, 1.0)]
    return frames.Impact(frames.Solids(bodies), h, pairs=[(0, 1)], reach=0.3, **options), 4.0


PROBLEMS = {
    'hertz-model-1': (hertz_1, {}), 'hertz-model-2': (hertz_2, {}), 'two-rings': (rings, {}),
    'ring-on-strip-0': (strip, {}), 'ring-on-strip-05': (strip, {'friction': 0.5}),
    'ring-on-strip-05-couple': (strip, {'friction': 0.5, 'couple': True}),
}


def row(impact, force):
    """`normal`, `tangent`: sums over the frames in the step just made; `force`: see run."""
    bodies = impact.s.per_body(impact.x, impact.v)
    out = {'t': impact.t, 'force.x': force[0], 'force.y': force[1]}
    for k, b in enumerate(bodies, 1):
        out.update({f'kinetic{k}': b['kinetic'], f'strain{k}': b['strain'], f'momentum{k}.x': b['momentum'][0],
                    f'momentum{k}.y': b['momentum'][1], f'angular{k}': b['angular'], f'centre{k}.x': b['centre'][0],
                    f'centre{k}.y': b['centre'][1]})
    out.update(normal=sum(c.Q for c in impact.frames), tangent=sum(c.T for c in impact.frames))
    out.update(energy=sum(b['kinetic'] + b['strain'] for b in bodies), angular=sum(b['angular'] for b in bodies),
               friction_work=impact.friction_work, length=impact.contact_length(), touching=len(impact.frames))
    return out


def run(name, step=0.01, scale=1.0, until=None, **options):
    """Rows at every step; force by (81), the mean of the steps before and after."""
    make, own = PROBLEMS[name]
    impact, end = make(step, scale, **{**own, **options})
    rows, forces, shots = [row(impact, np.zeros(2))], [], []
    for _ in range(round((until or end) / step)):
        impact.advance()
        forces.append(impact.force_on(0))
        rows.append(row(impact, np.zeros(2)))
        shots.append(impact.pressure(0))
    for n in range(1, len(rows)):
        mean = (forces[n - 1] + forces[min(n, len(forces) - 1)]) / 2
        rows[n]['force.x'], rows[n]['force.y'] = mean
    return impact, rows, shots


def worst(rows, key):
    values = np.array([r[key] for r in rows])
    return np.abs(values - values[0]).max()


def summary(impact, rows):
    series = {k: np.array([r[k] for r in rows]) for k in rows[0]}
    bodies = len(impact.s.bodies)
    momentum = sum(np.stack([series[f'momentum{k}.x'], series[f'momentum{k}.y']]) for k in range(1, bodies + 1))
    force = np.hypot(series['force.x'], series['force.y'])
    touching = np.flatnonzero(series['touching'])
    total = series['energy'] + series['friction_work']
    lines = {'energy': np.abs(total - total[0]).max() / total[0], 'momentum': np.abs(momentum - momentum[:, :1]).max(),
             'angular': worst(rows, 'angular'), 'debt': impact.debt, 'peak force': force.max(),
             'at': series['t'][force.argmax()], 'contact from': series['t'][touching[0]] if len(touching) else np.nan,
             'contact to': series['t'][touching[-1]] if len(touching) else np.nan, 'longest': series['length'].max(),
             'newton mean': np.mean(impact.counts['newton']), 'newton max': max(impact.counts['newton']),
             'segments': impact.counts['segment'], 'late': impact.counts['late'],
             'pivoted': impact.counts['pivoted'], 'friction work': impact.friction_work}
    for k in range(1, bodies + 1):
        mass = (impact.s.m @ np.ones(impact.s.n))[impact.s.ranges[k - 1]].sum()
        lines[f'body {k}'] = 'kinetic %.6f strain %.6f velocity %.6f %.6f angular %.6f' % (
            rows[-1][f'kinetic{k}'], rows[-1][f'strain{k}'], rows[-1][f'momentum{k}.x'] / mass,
            rows[-1][f'momentum{k}.y'] / mass, rows[-1][f'angular{k}'])
    return lines


def write(path, rows, every=1):
    with open(path, 'w', newline='') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(rows[0])
        for r in rows[::every]:
            out.writerow(['%.9g' % v for v in r.values()])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('problems', nargs='*', default=list(PROBLEMS))
    parser.add_argument('--out')
    parser.add_argument('--step', type=float, default=0.01)
    parser.add_argument('--scale', type=float, default=1.0, help='elements along a side times this')
    parser.add_argument('--until', type=float)
    parser.add_argument('--rule', default='frames', choices=['frames', 'node_to_segment'])
    parser.add_argument('--one-sided', action='store_true')
    parser.add_argument('--every', type=int, default=1, help='rows written')
    parser.add_argument('--msh', help='write the meshes instead')
    args = parser.parse_args()
    if args.msh:
        os.makedirs(args.msh, exist_ok=True)
        for name in args.problems:
            for k, body in enumerate(PROBLEMS[name][0](args.step, args.scale)[0].s.bodies, 1):
                meshes.write_msh(os.path.join(args.msh, f'{name}-{k}.msh'), body.X, body.elements, body.chain, body.closed)
        return
    for name in args.problems:
        begin = time.time()
        impact, rows, shots = run(name, args.step, args.scale, args.until, rule=args.rule, two_sided=not args.one_sided)
        print(f'{name}, step {args.step:g}, {impact.s.n} nodes, {time.time() - begin:.0f} s')
        for key, value in summary(impact, rows).items():
            print(f'    {key:14s} {value if isinstance(value, str) else format(value, ".6g")}')
        if args.out:
            os.makedirs(args.out, exist_ok=True)
            write(os.path.join(args.out, name + '.csv'), rows, args.every)
            nearest = np.argmin([r['centre1.y'] - r.get('centre2.y', 0) for r in rows[1:]]) if 'hertz' in name else \
                np.argmax([r['length'] for r in rows[1:]])
            with open(os.path.join(args.out, name + '-pressure.csv'), 'w') as file:
                file.write('t,x,y,pressure\n')
                for p, pressure in zip(*shots[nearest]):
                    if pressure > 0:
                        file.write('%.9g,%.9g,%.9g,%.9g\n' % (rows[1:][nearest]['t'], *p, pressure))


if __name__ == '__main__':
    main()
