"""A coefficient of restitution fitted to the times of a bouncing ball's impacts, by scipy.optimize.

    python3 restitution.py

The data are MADE here, not measured: impacts heard with an error of 2 ms, of a ball with known height and restitution. The fit
must find these within its own error bars. Put times of your own in the place of `heard`.
"""
import numpy as np
from scipy.optimize import least_squares

import thud

BALL = thud.Scene({
    "thud": 1, "title": "Bouncing ball", "parameters": {"h": 1, "e": 0.8},
    "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -9.81},
               "constraints": [{"name": "floor", "gap": "z", "restitution": "e"}]},
    "initial": {"z": "h", "z'": 0}, "simulate": {"method": "event-driven", "end": 10}})
COUNT, NOISE, TRUE = 10, 0.002, (0.85, 0.74)


def times(parameters):
    """Of the first impacts, for (height, restitution)."""
    h, e = map(float, parameters)
    return BALL.run(h=h, e=e).events.of("impact").t[:COUNT]


def main():
    heard = times(TRUE) + np.random.default_rng(7).normal(0, NOISE, COUNT)
    fit = least_squares(lambda p: (times(p) - heard) / NOISE, x0=(1.0, 0.6), bounds=((0.1, 0.3), (3, 0.99)))
    errors = np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))
    for name, value, error, true in zip(("height", "restitution"), fit.x, errors, TRUE):
        print(f"{name:12} {value:.4f} +- {error:.4f} (made with {true})")
        assert abs(value - true) < 3 * error
    print(f"chi^2 {2 * fit.cost:.1f} for {COUNT - 2} degrees of freedom, {fit.nfev} steps")


if __name__ == "__main__":
    main()
