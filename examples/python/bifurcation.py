"""Bifurcation diagram of a ball on a vibrating table, one process per processor; the period doubling is where theory says.

    python3 bifurcation.py [picture.png]

The orbit with one impact per period 2 pi/w of the table z = A sin(w t) has the speed g pi/w at its impacts. Linearised there, the
map from impact to impact has the determinant e^2 and the trace 1 + e^2 - (1 + e)^2 A w^2 sin(phi)/g; it is -1 - e^2 where
A w^2/g = sqrt((2 (1 + e^2)/(1 + e)^2)^2 + (pi (1 - e)/(1 + e))^2): the orbit doubles its period.
thud.sweep makes such diagrams in one call; this is the way for anything that a run can be asked.
"""
import multiprocessing
import sys

import numpy as np

import thud

G, A, E = 9.81, 0.01, 0.5
TABLE = thud.Scene({
    "thud": 1, "title": "Ball on a vibrating table", "parameters": {"w": 40},
    "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -G},
               "constraints": [{"name": "table", "gap": f"z - {A}*sin(w*t)", "restitution": E}]},
    "initial": {"z": 0.01, "z'": f"pi*{G}/w"},
    "simulate": {"method": "event-driven", "end": 24}})


def impacts(w):
    """Speeds of arrival at the table, after the transient."""
    run = TABLE.run(w=w)
    return np.array([-event["before"]["z'"] for event in run.events.of("impact") if event.t > 20])


def main(picture=None):
    values = np.linspace(36, 42, 31)
    with multiprocessing.Pool() as pool:
        speeds = pool.map(impacts, values)
    single = [w for w, found in zip(values, speeds) if np.ptp(found) < 1e-5]
    double = min(w for w, found in zip(values, speeds) if np.ptp(found) > 1e-3)
    theory = np.sqrt(G / A * np.hypot(2 * (1 + E**2) / (1 + E)**2, np.pi * (1 - E) / (1 + E)))
    worst = max(abs(found.mean() - G * np.pi / w) for w, found in zip(values, speeds) if w in single)
    print(f"one impact per period: speeds are g pi/w up to {worst:.1e} (w <= {max(single):.1f})")
    print(f"two from w = {double:.1f} on; theory: {theory:.3f}")
    assert worst < 1e-6 and abs(double - theory) <= 0.2
    if picture:
        thud.sweep(TABLE, "w", (36, 60, 200), "-z'", after=20).plot(path=picture, overwrite=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
