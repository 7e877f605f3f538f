"""The static contact law of Hertz with the inertia of rigid cylinders, (82) and (83), with the reduced mass (pi/2) R^2 h rho."""
import numpy as np


def force_of(approach, eta, R, h):
    """Force of an approach 2 R - d_r: inverse of 2 (eta F/h)(2/3 + log(R h/(eta F))), on its rising branch."""
    if approach <= 0:
        return 0.0
    y = 1e-3
    for _ in range(100):  # y = eta F/(R h)
        f, df = 2 * R * y * (2 / 3 - np.log(y)) - approach, 2 * R * (-1 / 3 - np.log(y))
        new = y - f / df
        new = y / 10 if new <= 0 else new
        if abs(new - y) <= 1e-15 * y:
            break
        y = new
    return y * R * h / eta


def impact(plane_strain, R=4.0, v0=2.0, young=1000.0, poisson=0.2, h=1.0, density=1.0, step=1e-4, until=1.2):
    """Rows t, d_r, its rate, F, contact length a; Runge-Kutta of order four."""
    eta = (1 - poisson**2 if plane_strain else 1) / (np.pi * young)
    mass = np.pi / 2 * R**2 * h * density
    y, rows = np.array([2 * R, -2 * v0]), []

    def rate(y):
        return np.array([y[1], force_of(2 * R - y[0], eta, R, h) / mass])

    for n in range(round(until / step) + 1):
        F = force_of(2 * R - y[0], eta, R, h)
        rows.append((n * step, y[0], y[1], F, 4 * np.sqrt(eta * R * F / h)))
        k1 = rate(y)
        k2 = rate(y + step / 2 * k1)
        k3 = rate(y + step / 2 * k2)
        y = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + rate(y + step * k3))
    return np.array(rows)


def main():
    for name, strain in (('plane stress', False), ('plane strain', True)):
        r = impact(strain)
        touching = r[r[:, 3] > 0]
        top = r[r[:, 3].argmax()]
        print('%s: largest force %.4f at %.4f, contact until %.4f, smallest distance %.5f, longest contact %.5f, pressure %.4f'
              % (name, top[3], top[0], touching[-1, 0], r[:, 1].min(), top[4], 4 * top[3] / np.pi / top[4]))


if __name__ == '__main__':
    main()
