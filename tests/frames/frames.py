"""Impact of elastic bodies in the plane by contact frames: a second program, written apart from the library.

Miyazaki and Park, conserving impact by localized Lagrange multipliers; equation numbers (n) are theirs. Bodies of four-node
elements (St. Venant-Kirchhoff, plane stress), the energy-momentum step, frames of three nodes or the node-to-segment baseline,
friction, the discrete contact velocity. Nothing of libzeno is used: that two programs agree is what it is for.
"""
import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

GAUSS = 1 / np.sqrt(3.0)
OVERLAP = 0.1  # of a segment, by which a core node may be beyond its ends
SAME = 1e-4  # of a segment: nodes of both bodies at the same place
CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)


class Failed(Exception):
    pass


class Body:
    """A mesh with its material: nodes X (n,2), elements (m,4) counter-clockwise, contact chain with the body on its left."""

    def __init__(self, X, elements, chain, closed, young, poisson, density, thickness=1.0, velocity=(0, 0), spin=0.0):
        self.X, self.elements, self.chain, self.closed = X, elements, np.asarray(chain), closed
        self.young, self.poisson, self.density, self.thickness = young, poisson, density, thickness
        centre = X.mean(axis=0)
        turned = np.stack([-(X - centre)[:, 1], (X - centre)[:, 0]], axis=1)
        self.v = np.tile(np.asarray(velocity, float), (len(X), 1)) + spin * turned


class Solids:
    """All bodies in one numbering: masses, internal force between two states, its tangent, energies."""

    def __init__(self, bodies):
        self.bodies = bodies
        start = np.cumsum([0] + [len(b.X) for b in bodies])
        self.ranges = [slice(start[k], start[k + 1]) for k in range(len(bodies))]
        self.X = np.vstack([b.X for b in bodies])
        self.v = np.vstack([b.v for b in bodies])
        self.n = len(self.X)
        self.el = np.vstack([b.elements + start[k] for k, b in enumerate(bodies)])
        self.chains = [b.chain + start[k] for k, b in enumerate(bodies)]
        count = [len(b.elements) for b in bodies]
        young, poisson, density, thickness = (np.repeat([getattr(b, name) for b in bodies], count)
                                              for name in ('young', 'poisson', 'density', 'thickness'))
        self.element_of = np.repeat(np.arange(len(bodies)), count)
        self.C = np.zeros((len(self.el), 3, 3))
        c = young / (1 - poisson**2)
        self.C[:, 0, 0] = self.C[:, 1, 1] = c
        self.C[:, 0, 1] = self.C[:, 1, 0] = c * poisson
        self.C[:, 2, 2] = c * (1 - poisson) / 2
        self._rule(thickness, density)

    def _rule(self, thickness, density):
        grads, weights, mass = [], [], np.zeros((len(self.el), 4, 4))
        Xe = self.X[self.el]
        for q in GAUSS * CORNERS:
            N = (1 + CORNERS[:, 0] * q[0]) * (1 + CORNERS[:, 1] * q[1]) / 4
            dN = np.stack([CORNERS[:, 0] * (1 + CORNERS[:, 1] * q[1]), CORNERS[:, 1] * (1 + CORNERS[:, 0] * q[0])], 1) / 4
            J = np.einsum('eia,ib->eab', Xe, dN)
            det = np.linalg.det(J)
            if det.min() <= 0:
                raise Failed('an element is turned inside out')
            grads.append(np.einsum('ib,eba->eia', dN, np.linalg.inv(J)))
            weights.append(det * thickness)
            mass += (det * thickness * density)[:, None, None] * np.outer(N, N)
        self.g = np.stack(grads, 1)  # element, point, node, direction
        self.w = np.stack(weights, 1)
        i, j = np.repeat(self.el, 4, axis=1).ravel(), np.tile(self.el, (1, 4)).ravel()
        self.m = sparse.csr_matrix((mass.ravel(), (i, j)), shape=(self.n, self.n))
        self.M = sparse.kron(self.m, sparse.identity(2), format='csc')
        self.m_solve = splu(self.m.tocsc()).solve
        dof = np.stack([2 * self.el, 2 * self.el + 1], 2).reshape(-1, 8)
        self.rows, self.cols = np.repeat(dof, 8, axis=1).ravel(), np.tile(dof, (1, 8)).ravel()

    def gradient(self, x):
        return np.einsum('eia,eqib->eqab', x[self.el], self.g)

    @staticmethod
    def strain(F):
        return np.stack([(F[..., 0, 0]**2 + F[..., 1, 0]**2 - 1) / 2, (F[..., 0, 1]**2 + F[..., 1, 1]**2 - 1) / 2,
                         F[..., 0, 0] * F[..., 0, 1] + F[..., 1, 0] * F[..., 1, 1]], -1)

    def _B(self, F):
        """Strain increments (element, point, 3, 4 nodes, 2) of displacements at F."""
        g1, g2 = self.g[..., 0, None], self.g[..., 1, None]
        F1, F2 = F[..., None, :, 0], F[..., None, :, 1]
        return np.stack([g1 * F1, g2 * F2, g2 * F1 + g1 * F2], 2).reshape(*self.w.shape, 3, 8)

    def force(self, F0, F, tangent):
        """Algorithmic force at (F0+F)/2 with the mean stress, and d force/d x if asked for."""
        S = np.einsum('eab,eqb->eqa', self.C, (self.strain(F0) + self.strain(F)) / 2)
        Bb = self._B((F0 + F) / 2)
        fe = np.einsum('eq,eqam,eqa->em', self.w, Bb, S)
        f = np.zeros(2 * self.n)
        dof = np.stack([2 * self.el, 2 * self.el + 1], 2).reshape(-1, 8)
        np.add.at(f, dof.ravel(), fe.ravel())
        if not tangent:
            return f, None
        wC = self.w[:, :, None, None] * self.C[:, None]
        K = 0.5 * np.einsum('eqam,eqan->emn', Bb, wC @ self._B(F), optimize=True)
        S2 = np.stack([np.stack([S[..., 0], S[..., 2]], -1), np.stack([S[..., 2], S[..., 1]], -1)], -2)
        geo = 0.5 * np.einsum('eqia,eqab,eqjb->eij', self.g, self.w[..., None, None] * S2, self.g, optimize=True)
        K[:, 0::2, 0::2] += geo
        K[:, 1::2, 1::2] += geo
        return f, sparse.csc_matrix((K.ravel(), (self.rows, self.cols)), shape=(2 * self.n, 2 * self.n))

    def strain_energy(self, x):
        E = self.strain(self.gradient(x))
        e = 0.5 * np.einsum('eq,eqa,eab,eqb->e', self.w, E, self.C, E)
        return np.array([e[self.element_of == k].sum() for k in range(len(self.bodies))])

    def per_body(self, x, v):
        """kinetic, strain energy, momentum (2), angular momentum about the origin, centre of mass (2) of every body."""
        p = self.m @ v
        out = []
        for k, r in enumerate(self.ranges):
            weight = (self.m @ np.ones(self.n))[r]
            out.append(dict(kinetic=0.5 * (p[r] * v[r]).sum(), momentum=p[r].sum(0),
                            angular=(x[r, 0] * p[r, 1] - x[r, 1] * p[r, 0]).sum(), centre=weight @ x[r] / weight.sum()))
        for body, e in zip(out, self.strain_energy(x)):
            body['strain'] = e
        return out


class Ground:
    """The rigid line y = 0 under a node."""
    segment, second = None, False

    def __init__(self, a):
        self.nodes = np.array([a])
        self.key = (a, -1)

    def evaluate(self, x0, x, rule, couple):
        """rows G, gap and end rows; tangential rows H and slip; derivatives."""
        self.xi, self.theta = 0.5, 0.0
        self.G, self.dG = np.array([0., -1.]), np.zeros((2, 2))
        self.gap, self.dgap = x[self.nodes[0], 1], np.array([0., 1.])
        self.H, self.dH = np.array([1., 0.]), np.zeros((2, 2))
        self.slip, self.dslip = x[self.nodes[0], 0] - x0[self.nodes[0], 0], np.array([1., 0.])
        self.end = np.array([0., 1.])


class Frame:
    """Core node a against the segment from p_o to p_e of the other body, outward normal on the left of p_o -> p_e.

    Two nodes at the same place are core of one frame each, the same constraint: the deeper one is taken, the second one only
    when it penetrates all the same."""
    second = False

    def __init__(self, a, chain, j):
        self.chain, self.segment = chain, j
        self.key = (a, id(chain))
        m = len(chain)
        self.nodes = np.array([chain[(j + 1) % m], a, chain[j]])

    def evaluate(self, x0, x, rule, couple):
        po, a, pe = x[self.nodes]
        d1, l1 = pe - po, np.hypot(*(pe - po))
        e1 = d1 / l1
        n1 = np.array([-e1[1], e1[0]])
        d0 = x0[self.nodes[2]] - x0[self.nodes[0]]
        e0 = d0 / np.hypot(*d0)
        xb = (x0[self.nodes] + x[self.nodes]) / 2
        mean, reach = xb[2] - xb[0], xb[1] - xb[0]
        dd, da = np.zeros((2, 6)), np.zeros((2, 6))
        dd[:, 0:2], dd[:, 4:6] = -np.eye(2), np.eye(2)
        da[:, 0:2], da[:, 2:4] = -np.eye(2), np.eye(2)
        dphi1 = n1 @ dd / l1
        if rule == 'frames':
            em = (e0 + e1) / np.hypot(*(e0 + e1))
            dphm = dphi1 / 2
        else:  # node_to_segment: direction of the mean chord
            em = mean / np.hypot(*mean)
            dphm = np.array([-em[1], em[0]]) @ dd / (2 * np.hypot(*mean))
        nm = np.array([-em[1], em[0]])
        A, D = reach @ em, mean @ em
        xi = A / D
        dA, dD = em @ da / 2 + (reach @ nm) * dphm, em @ dd / 2 + (mean @ nm) * dphm
        dxi = (dA - xi * dD) / D
        w, dw = np.array([1 - xi, -1, xi]), np.stack([-dxi, 0 * dxi, dxi])
        self.xi = xi
        self.theta = np.arctan2(e0[0] * e1[1] - e0[1] * e1[0], e0 @ e1)
        self.G = np.outer(w, nm).ravel()
        self.dG = (np.einsum('k,c,m->kcm', w, -em, dphm) + np.einsum('c,km->kcm', nm, dw)).reshape(6, 6)
        self.gap = (a - po) @ n1
        self.dgap = n1 @ da - ((a - po) @ e1) * dphi1
        wt, dwt = -w, -dw
        self.H = np.outer(wt, em).ravel()
        self.dH = (np.einsum('k,c,m->kcm', wt, nm, dphm) + np.einsum('c,km->kcm', em, dwt)).reshape(6, 6)
        if couple:  # forces across the segment that balance the moment of the friction
            pn, qn = reach @ nm, mean @ nm
            k = (pn - xi * qn) / D
            dpn, dqn = nm @ da / 2 - A * dphm, nm @ dd / 2 - D * dphm
            dk = (dpn - dxi * qn - xi * dqn - k * dD) / D
            s = np.array([-1., 0, 1.])
            self.H += np.outer(k * s, nm).ravel()
            self.dH += (np.einsum('k,c,m->kcm', k * s, -em, dphm) + np.einsum('k,c,m->kcm', s, nm, dk)).reshape(6, 6)
        d = (x - x0)[self.nodes].ravel()
        self.slip, self.dslip = self.H @ d, self.H + d @ self.dH
        z = ((a - po) @ e1) / l1
        self.end = np.outer([-(1 - z), 1, -z], n1).ravel()


def lemke(q, W):
    """Complementary pivoting with an artificial variable: finds a solution where W has lost the P-property."""
    n = len(q)
    if (q >= 0).all():
        return np.zeros(n)
    scale = np.abs(W).max()  # columns: w, z, z0, right side
    T = np.hstack([np.eye(n), -W / scale, -np.ones((n, 1)), q[:, None]])
    basis = list(range(n))
    row, enter = int(np.argmin(q)), 2 * n
    for _ in range(50 * n):
        T[row] /= T[row, enter]
        for i in range(n):
            if i != row:
                T[i] -= T[i, enter] * T[row]
        left, basis[row] = basis[row], enter
        if left == 2 * n:
            z = np.zeros(2 * n + 1)
            z[basis] = T[:, -1]
            return np.maximum(0, z[n:2 * n]) / scale
        enter = left + n if left < n else left - n
        column = T[:, enter]
        ratio = np.where(column > 1e-12, T[:, -1] / np.where(column > 1e-12, column, 1), np.inf)
        if not np.isfinite(ratio).any():
            break
        row = int(np.argmin(ratio))
        if 2 * n in basis and ratio[basis.index(2 * n)] <= ratio[row] * (1 + 1e-12):
            row = basis.index(2 * n)
    raise Failed('the contact problem has no solution that pivoting finds')


def solve_lcp(q, W, counts):
    """Q >= 0, w = q + W Q >= 0, w Q = 0: primal-dual active set; when a set repeats, Lemke's pivoting."""
    n = len(q)
    active, seen, Q = q < 0, set(), np.zeros(n)
    small = 1e-14 * np.abs(q).max(initial=0)
    while active.tobytes() not in seen:
        seen.add(active.tobytes())
        Q[:] = 0
        if active.any():
            Q[active] = np.linalg.solve(W[np.ix_(active, active)], -q[active])
        wrong = (active & (Q < 0)) | (~active & (q + W @ Q < -small))
        if not wrong.any():
            return Q
        active = active ^ wrong
    counts['pivoted'] += 1
    active = lemke(q, W) > 0
    Q[:] = 0
    if active.any():
        Q[active] = np.linalg.solve(W[np.ix_(active, active)], -q[active])
    return np.maximum(Q, 0)


class Impact:
    """Solids and how they touch: pairs of chains, or chains and the ground."""

    def __init__(self, solids, step, pairs=(), ground=(), friction=0.0, reach=0.5, rule='frames', two_sided=True,
                 velocity_jump=True, couple=False, same=SAME):
        self.s, self.h, self.pairs, self.ground, self.mu, self.reach = solids, step, pairs, ground, friction, reach
        self.rule, self.two_sided, self.jump, self.couple, self.same = rule, two_sided, velocity_jump, couple, same
        self.x, self.v, self.t = solids.X.copy(), solids.v.copy(), 0.0
        self.increment = step * self.v
        self.friction_work, self.debt, self.states, self.active, self.frames = 0.0, 0.0, {}, {}, []
        mass = np.asarray(solids.m.sum(axis=1)).ravel()
        chains = [solids.chains[k] for pair in pairs for k in pair] + [solids.chains[k] for k in ground]
        self.eps = 1e-12 * step**2 / (2 * mass[np.concatenate(chains)].min()) if chains else 0.0
        self.counts = dict(newton=[], segment=0, late=0, pivoted=0)

    # -- search, section 4 of the specification

    def _chain(self, k, x):
        chain, closed = self.s.chains[k], self.s.bodies[k].closed
        second = np.roll(chain, -1) if closed else chain[1:]
        first = chain if closed else chain[:-1]
        d = x[second] - x[first]
        normal = np.stack([d[:, 1], -d[:, 0]], 1) / np.hypot(d[:, 0], d[:, 1])[:, None]
        node = np.zeros((len(chain), 2))
        node[:len(normal)] += normal
        node[(np.arange(len(normal)) + 1) % len(chain)] += normal
        return chain, closed, first, second, normal, node

    def _candidates(self, k, other, x):
        chain, _, _, _, _, node_normal = self._chain(k, x)
        target, closed, first, second, normal, _ = self._chain(other, x)
        d = x[second] - x[first]
        r = x[chain][:, None] - x[first][None]
        s = np.einsum('nmc,mc->nm', r, d) / (d * d).sum(1)
        distance = np.linalg.norm(r - np.clip(s, 0, 1)[..., None] * d[None], axis=2)
        distance[node_normal @ normal.T >= 0] = np.inf
        found = {}
        for i, j in enumerate(distance.argmin(axis=1)):
            beyond = not closed and ((j == 0 and s[i, j] < 0) or (j == len(first) - 1 and s[i, j] > 1))
            beyond = beyond or not -OVERLAP <= s[i, j] <= 1 + OVERLAP  # around a corner: that is a node of its own
            if distance[i, j] < self.reach and not beyond:
                # frame, coordinate from p_o to p_e, gap
                found[chain[i]] = (Frame(chain[i], target, j), 1 - s[i, j], r[i, j] @ normal[j])
        return found

    def candidates(self):
        x = self.x + self.h * self.v / 2
        frames = [Ground(a) for k in self.ground for a in self.s.chains[k] if x[a, 1] < self.reach]
        for k, other in self.pairs:
            one = self._candidates(k, other, x)
            two = self._candidates(other, k, x) if self.two_sided else {}
            for a, (frame, z, gap) in one.items():
                b = frame.nodes[0] if z < 0.5 else frame.nodes[2]
                if min(abs(z), abs(1 - z)) < self.same and b in two:
                    back, zb, other_gap = two[b]
                    near = back.nodes[0] if zb < 0.5 else back.nodes[2]
                    if near == a and min(abs(zb), abs(1 - zb)) < self.same:
                        (back if gap <= other_gap else frame).second = True
            frames += [f for f, *_ in one.values()] + [f for f, *_ in two.values()]
        return frames

    # -- one step

    def _enter(self, frame):
        """A frame gets its target gap (the gap at the start if that is negative) and its state of friction."""
        frame.evaluate(self.x, self.x, self.rule, self.couple)
        frame.gap0, frame.target = frame.gap, min(0.0, frame.gap)
        frame.Q = frame.T = 0.0
        frame.changes, frame.moved = 0, 0
        frame.evaluate(self.x, self.x + self.h * self.v, self.rule, self.couple)
        frame.state = self.states.get(frame.key, float(np.sign(frame.slip) or 1.0))  # 0: sticks, +-1: slips
        return frame

    def _small_problem(self, solve, base, frames):
        """Columns of the rows in hand, sticking frames eliminated, then the LCP of the normal forces."""
        n, size = len(frames), 2 * self.s.n
        G, H, dg, du = (np.zeros((size, n)) for _ in range(4))
        for i, f in enumerate(frames):
            dof = np.stack([2 * f.nodes, 2 * f.nodes + 1], 1).ravel()
            G[dof, i], H[dof, i], dg[dof, i], du[dof, i] = f.G, f.H, f.dgap, f.dslip
        stick = np.array([self.mu > 0 and f.state == 0 for f in frames], bool)
        pull = np.array([self.mu * f.state for f in frames])
        columns = -solve(np.hstack([(G + H * pull), H[:, stick]]))
        XG, XH = columns[:, :n], columns[:, n:]
        q = np.array([f.gap - f.target for f in frames]) + dg.T @ base
        W = dg.T @ XG + self.eps * np.eye(n)
        if stick.any():
            u = np.array([f.slip for f in frames])[stick] + du[:, stick].T @ base
            S = du[:, stick].T @ XH
            back, from_q = np.linalg.solve(S, u), np.linalg.solve(S, du[:, stick].T @ XG)
            Q = solve_lcp(q - dg.T @ (XH @ back), W - dg.T @ (XH @ from_q), self.counts)
            T = -back - from_q @ Q
        else:
            Q, T = solve_lcp(q, W, self.counts), np.zeros(0)
        dx = base + XG @ Q + XH @ T
        full = pull * Q
        full[stick] = T
        return dx, Q, full

    def _friction_states(self, frames, converged):
        changed = False
        if self.mu == 0:
            return False
        for f in frames:
            if f.changes >= 6:
                continue
            if f.state == 0 and abs(f.T) > self.mu * f.Q * (1 + 1e-12):
                f.state, changed = float(np.sign(f.T)), True
            elif converged and f.Q > 0 and f.state != 0 and f.slip * f.state < -1e-13:
                f.state, changed = 0.0, True
            else:
                continue
            f.changes += 1
        return changed

    def _late(self, frames, waiting, x):
        """Segments that the core node has left, and candidates that now penetrate."""
        changed = False
        for i, f in enumerate(frames):
            if f.Q <= 0 or f.segment is None or f.moved or 0 <= f.xi <= 1:
                continue
            m, closed = len(f.chain), any(f.chain is self.s.chains[k] and b.closed for k, b in enumerate(self.s.bodies))
            j = f.segment + (1 if f.xi < 0 else -1)  # p_o is the later node of the chain
            if not closed and not 0 <= j < m - 1:
                continue
            new = self._enter(Frame(f.nodes[1], f.chain, j % m))
            new.evaluate(self.x, x, self.rule, self.couple)
            if not 0 <= new.xi <= 1:
                f.moved = 1  # over a corner: outside both
                continue
            new.moved, new.state, new.changes, new.Q, new.T = 1, f.state, f.changes, f.Q, f.T
            frames[i], changed = new, True
            self.counts['segment'] += 1
        for f in list(waiting):
            f.evaluate(self.x, x, self.rule, self.couple)
            if f.gap - f.target < -1e-12 and -1e-9 <= f.xi <= 1 + 1e-9:
                waiting.remove(f)
                frames.append(f)
                changed = True
                self.counts['late'] += 1
        return changed

    def advance(self):
        s, h = self.s, self.h
        x0, v0 = self.x, self.v
        frames, waiting = [], []
        for f in map(self._enter, self.candidates()):
            g = f.gap
            f.evaluate(x0, x0 + self.increment, self.rule, self.couple)
            near = min(g, f.gap) < 0.02 or f.key in self.active
            (frames if near and not f.second else waiting).append(f)
        for f in frames:
            f.Q, f.T = self.active.get(f.key, (0.0, 0.0))
        F0 = s.gradient(x0)
        x = x0 + self.increment
        last, solved, solves = np.inf, False, 0
        for _ in range(80):
            f, K = s.force(F0, s.gradient(x), True)
            base = s.M @ (((x - x0 - h * v0) * (2 / h**2)).ravel()) + f
            r = base.copy()
            A = K + (2 / h**2) * s.M
            rows, cols, values = [], [], []
            for c in frames:
                c.evaluate(x0, x, self.rule, self.couple)
                dof = np.stack([2 * c.nodes, 2 * c.nodes + 1], 1).ravel()
                np.add.at(r, dof, c.Q * c.G + c.T * c.H)
                if c.Q or c.T:
                    rows.append(np.repeat(dof, len(dof)))
                    cols.append(np.tile(dof, len(dof)))
                    values.append((c.Q * c.dG + c.T * c.dH).ravel())
            size = max(np.abs(s.M @ v0.ravel()).max() * 2 / h, np.abs(f).max())
            small = np.abs(r).max() / size
            gaps = all((abs(c.gap - c.target + self.eps * c.Q) if c.Q > 0 else c.target - c.gap) <= 1e-12
                       and (c.Q == 0 or self.mu == 0 or c.state != 0 or abs(c.slip) <= 1e-12) for c in frames)
            if gaps and solved and (small <= 1e-12 or (small < 1e-10 and small >= 0.5 * last)):
                changed = self._friction_states(frames, True)
                if not (self._late(frames, waiting, x) or changed):
                    break
                last, solved = np.inf, False
                continue
            last, solved = small, True
            if rows:
                A = A + sparse.csc_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))), shape=A.shape)
            lu = splu(A.tocsc())
            dx = -lu.solve(base)
            if frames:
                dx, Q, T = self._small_problem(lu.solve, dx, frames)
                for c, normal, tangential in zip(frames, Q, T):
                    c.Q, c.T = normal, tangential
                solved = not self._friction_states(frames, False)
            solves += 1
            x = x + dx.reshape(-1, 2)
        else:
            raise Failed('Newton does not converge at t = %g, residual %.1e' % (self.t, small))
        self.counts['newton'].append(solves)
        self._commit(x, frames)

    def _commit(self, x, frames):
        h, x0 = self.h, self.x
        v = 2 * (x - x0) / h - self.v
        touching = [c for c in frames if c.Q > 0]
        d = x - x0
        for c in touching:
            c.work = c.Q * (c.G @ d[c.nodes].ravel())
            self.friction_work += c.T * (c.H @ d[c.nodes].ravel())
        if self.jump and touching:
            v = self._contact_velocity(v, touching)
        self.states = {c.key: c.state for c in touching} if self.mu > 0 else {}
        self.active = {c.key: (c.Q, c.T) for c in touching}
        self.frames = touching
        self.increment, self.x, self.v, self.t = d, x, v, self.t + h

    def _contact_velocity(self, v, touching):
        """(65)-(74): one energy equation for every frame, impulses along the rows at the end."""
        h, n = self.h, len(touching)
        J = np.zeros((self.s.n, 2, n))
        for i, c in enumerate(touching):
            J[c.nodes, :, i] = c.Q * c.end.reshape(-1, 2)
        u = np.stack([h * self.s.m_solve(J[:, k, :]) for k in range(2)], 1)
        A = h * np.einsum('aci,acj->ij', J, u) / 2
        B = h * np.einsum('aci,ac->i', J, v)
        work = np.array([c.work for c in touching])
        b = np.zeros(n)
        live = np.abs(work) >= 1e-14
        for sweep in range(200):
            before = b.copy()
            for i in np.flatnonzero(live):
                rest = B[i] + A[i] @ b - A[i, i] * b[i]
                inside = rest**2 + 4 * A[i, i] * work[i]
                b[i] = 2 * work[i] / (rest + (1 if B[i] >= 0 else -1) * np.sqrt(max(0.0, inside)))
            if np.abs(b - before).max() <= 1e-14 * max(1e-300, np.abs(b).max()):
                break
        else:
            b = live.astype(float)
        total = work.sum() + self.debt
        if not live.any():
            self.debt = total
            return v
        a, beta = b @ A @ b, B @ b
        inside = beta**2 + 4 * a * total
        side = beta + 2 * a if sweep < 199 else beta
        factor = 2 * total / (beta + (1 if side >= 0 else -1) * np.sqrt(max(0.0, inside)))
        b *= factor
        self.debt = total - (b @ A @ b + B @ b)
        return v + u @ b

    # -- what is reported

    def force_on(self, k):
        """Total contact force on body k in the step just made (constant in it)."""
        total = np.zeros(2)
        r = self.s.ranges[k]
        for c in self.frames:
            f = -(c.Q * c.G + c.T * c.H).reshape(-1, 2)
            total += f[(c.nodes >= r.start) & (c.nodes < r.stop)].sum(0)
        return total

    def pressure(self, k):
        """Nodal normal forces over the length that belongs to the node, along the chain of body k: place, pressure."""
        chain = self.s.chains[k]
        force = {a: np.zeros(2) for a in chain}
        for c in self.frames:
            for a, f in zip(c.nodes, -(c.Q * c.G).reshape(-1, 2)):
                if a in force:
                    force[a] += f
        x = self.x[chain]
        seg = np.hypot(*np.diff(np.vstack([x, x[:1]]) if self.s.bodies[k].closed else x, axis=0).T)
        length = np.zeros(len(chain))
        length[:len(seg)] += seg / 2
        length[(np.arange(len(seg)) + 1) % len(chain)] += seg / 2
        return x, np.array([np.hypot(*force[a]) for a in chain]) / length

    def contact_length(self):
        """Distance of the outermost core nodes that carry force."""
        if len(self.frames) < 2:
            return 0.0
        x = self.x[[c.nodes[len(c.nodes) // 2] for c in self.frames]]
        return np.hypot(*(x[:, None] - x[None]).reshape(-1, 2).T).max()
