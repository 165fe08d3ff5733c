"""A rough height map from numpy: a block slides over it and stops, a ball rolls on, a membrane sinks onto it.

    python3 rough_surface.py [FOLDER for records]

The map is self-affine: its spectrum falls as a power of the wave number. The same array is the ground of rigid bodies and the obstacle
of a membrane.
"""
import os
import sys

import numpy as np

import thud


def rough(n: int, size: float, height: float, hurst: float = 0.8, seed: int = 1) -> np.ndarray:
    """[n, n] heights over a square, periodic, with mean 0 and this root mean square."""
    random = np.random.default_rng(seed)
    k = 2 * np.pi * np.fft.fftfreq(n, size / n)
    wave = np.hypot(*np.meshgrid(k, k))
    wave[0, 0] = np.inf
    spectrum = np.fft.fft2(random.normal(size=(n, n))) * wave ** -(1 + hurst)
    surface = np.fft.ifft2(spectrum).real
    return surface * (height / surface.std())


def slide(heights: np.ndarray, size: float, end: float = 2.0) -> thud.Run:
    """A block and a ball on the surface, both started with 1 m/s."""
    ground = thud.Bodies(title="A block and a ball on a rough surface")
    ground.material("rock", friction=0.4, rolling=1e-3, density=2600)
    ground.add_height_field(heights, size=[size, size], name="surface", material="rock")
    above = heights.max()
    ground.add_box([0.2, 0.12, 0.08], name="block", material="rock", position=[-0.6, 0.3, above + 0.05], velocity=[1, 0, 0])
    ground.add_sphere(0.06, name="ball", material="rock", position=[-0.6, -0.3, above + 0.07], velocity=[1, 0, 0])
    return thud.run(ground, end=end, step=2e-3, every=0.02, tolerance=1e-7)


def sink(heights: np.ndarray, size: float) -> thud.Run:
    """A stretched membrane under a growing pressure: how much of it touches."""
    box = [-size / 2, -size / 2, size / 2, size / 2]
    sheet = thud.membrane({"rectangle": box, "cells": [48, 48]}, tension=1, load=-1, load_factor="2*t",
                          obstacle={"heights": heights, "box": box}, title="A membrane sinks onto a rough surface",
                          edges={side: {"v": float(heights.max())} for side in ("left", "right", "bottom", "top")}, end=1, steps=8)
    return thud.run(sheet)


def main(folder: str = "") -> None:
    size = 2.0
    heights = rough(64, size, 0.01)
    run = slide(heights, size)
    print(run.verdict, "and verified:", run.verify().verdict)
    for name in ("block", "ball"):
        body = run.bodies[name]
        print(f"{name}: {np.linalg.norm(body.position[-1] - body.position[0]):.3f} m away, speed {np.linalg.norm(body.velocity[-1]):.3f} m/s")
    press = sink(heights, size)
    gap = press["v"][-1].min() - heights.min()
    print(f"membrane: {press.verdict}, verified: {press.verify().verdict}; lowest point {gap * 1000:.1f} mm above the deepest valley")
    for t, area in zip(press.t[::2], press["contact_area"][::2]):
        print(f"  load {2 * t:.2f}: {100 * area / size**2:.1f} % in contact")
    if folder:
        os.makedirs(folder, exist_ok=True)
        run.save(os.path.join(folder, "slide.h5"), overwrite=True)
        press.save(os.path.join(folder, "sink.h5"), overwrite=True)


if __name__ == "__main__":
    main(*sys.argv[1:2])
