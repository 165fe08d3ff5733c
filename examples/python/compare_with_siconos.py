"""The same contact problems solved by thud and by Siconos (Debian's python3-siconos), judged by one residual.

Random problems in space, W = H'H + 0.1 I. Both solvers start from zero and stop at the same tolerance, each by its own test;
times are the least of five runs with the set-up of the problem, residuals are those of thud's independent evaluation. Without
Siconos thud's rows stand alone.
"""
import time

import numpy as np

import thud

try:
    import siconos.numerics as numerics
except ImportError:
    numerics = None
    print("Siconos is not installed (apt-get install python3-siconos)")

TOLERANCE, RUNS = 1e-8, 5


def pile(contacts, seed=1):
    """W, q and mu of random contacts that approach each other."""
    random = np.random.default_rng(seed)
    H = random.standard_normal((2 * contacts, 3 * contacts)) * (random.random((2 * contacts, 3 * contacts)) < 4 / contacts)
    W = H.T @ H + 0.1 * np.eye(3 * contacts)
    q = random.standard_normal(3 * contacts)
    q[::3] = -np.abs(q[::3])
    return W, q, np.full(contacts, 0.5)


def least(work):
    """The least time of some runs, and the last result."""
    times = []
    for _ in range(RUNS):
        begin = time.process_time()
        result = work()
        times.append(time.process_time() - begin)
    return min(times), result


def by_siconos(W, q, mu):
    problem = numerics.FrictionContactProblem(3, len(mu), W, q, mu)
    options = numerics.SolverOptions(numerics.SICONOS_FRICTION_3D_NSGS)
    options.dparam[numerics.SICONOS_DPARAM_TOL] = TOLERANCE
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 20000
    r, u = np.zeros(len(q)), np.zeros(len(q))
    numerics.fc3d_driver(problem, r, u, options)
    return r


def main():
    print("contacts  solver    ms      residual")
    for contacts in (5, 20, 50):
        W, q, mu = pile(contacts)
        problem = thud.ContactProblem(W=W, q=q, mu=mu)
        solvers = {"thud": lambda: thud.solve(problem, tolerance=TOLERANCE).r}
        if numerics is not None:
            solvers["siconos"] = lambda: by_siconos(W, q, mu)
        for name, work in solvers.items():
            seconds, r = least(work)
            residual = float(problem.evaluate(r))
            print(f"{contacts:8d}  {name:8s}  {1e3 * seconds:6.2f}  {residual:.1e}")
            assert name != "thud" or residual <= TOLERANCE


if __name__ == "__main__":
    main()
