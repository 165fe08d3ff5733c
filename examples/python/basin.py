"""Basins of attraction of a damped particle in a double well between two walls, on all processors.

    python3 basin.py [points per axis]

Each start (x, v) ends in the left well or in the right one. thud.sweep runs a row of starts, on all processors at once, and keeps
the last position. The system is its own mirror image: the start (-x, -v) ends in the other well. That is checked for every pair.
"""
import sys

import numpy as np

import thud

WELLS = {
    "thud": 1, "title": "Double well between walls", "parameters": {"x0": 0, "v0": 0},
    "system": {"coordinates": ["x"], "kinetic_energy": "x'^2/2", "potential_energy": "x^4/4 - x^2/2", "forces": {"x": "-0.15*x'"},
               "constraints": [{"name": "left", "gap": "x + 1.3", "restitution": 0.8},
                               {"name": "right", "gap": "1.3 - x", "restitution": 0.8}]},
    "initial": {"x": "x0", "x'": "v0"},
    "simulate": {"method": "moreau-jean", "end": 40, "step": 0.01}}


def basin(count=24):
    """[v, x] -1 or 1: the well in which the start ends; an even count leaves the saddle out."""
    v = np.linspace(-2, 2, count)
    return np.array([np.sign(thud.sweep(WELLS, "x0", (-1.25, 1.25, count), "x", v0=speed, section="end").quantity) for speed in v])


def main(count="24"):
    wells = basin(int(count))
    for row in wells[::-1]:
        print("".join("#" if well > 0 else "." for well in row))
    mirrored = (wells == -wells[::-1, ::-1]).mean()
    print(f"{wells.size} starts, {(wells > 0).mean():.3f} of them end on the right; {mirrored:.4f} have their mirror image")
    assert (wells > 0).mean() == 0.5 and mirrored == 1


if __name__ == "__main__":
    main(*sys.argv[1:])
