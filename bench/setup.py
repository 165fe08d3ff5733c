#!/usr/bin/env python3
"""Time of setting up scenes that grow: columns of balls, blocks with friction,
parameters, bodies, steps.

setup.py PROGRAM [--limit SECONDS]   CSV: kind, size, command, seconds, exponent of growth from the row before
setup.py --scene KIND SIZE           prints the scene (spheres, column, blocks, parameters, steps)
"""
import math
import os
import signal
import subprocess
import sys
import tempfile
import time


def column(n):
    """n balls of radius r upon each other."""
    names = [f"x{i}" for i in range(n)]
    lines = ["thud: 1", "parameters: {m: 1, g: 9.81, r: 0.5}", "system:"]
    lines.append(f"  coordinates: [{', '.join(names)}]")
    lines.append("  kinetic_energy: \"" + " + ".join(f"0.5*m*{x}'^2" for x in names) + '"')
    lines.append("  potential_energy: m*g*(" + " + ".join(names) + ")")
    lines.append("  constraints:\n    - {name: floor, gap: x0 - r}")
    lines += [f"    - {{name: gap{i}, gap: x{i} - x{i - 1} - 2*r}}" for i in range(1, n)]
    lines.append("initial: {" + ", ".join(f"{x}: {i + 0.5}" for i, x in enumerate(names)) + "}")
    return lines + ["simulate: {method: moreau-jean, end: 0.001, steps: 1}"]


def blocks(n):
    """n planar blocks with friction upon each other, pushed sideways."""
    names = [f"{c}{i}" for i in range(n) for c in "xy"]
    lines = ["thud: 1", "parameters: {m: 1, g: 9.81, mu: 0.3}", "system:"]
    lines.append(f"  coordinates: [{', '.join(names)}]")
    lines.append("  kinetic_energy: \"" + " + ".join(f"0.5*m*{x}'^2" for x in names) + '"')
    lines.append("  potential_energy: m*g*(" + " + ".join(f"y{i}" for i in range(n)) + ")")
    lines.append("  forces: {" + ", ".join(f"x{i}: 0.5*sin(3*t + {i})" for i in range(n)) + "}")
    lines.append("  constraints:\n    - {name: c0, gap: y0 - 0.5, friction: {mu: mu, slip: [\"x0'\"]}}")
    lines += [f"    - {{name: c{i}, gap: y{i} - y{i - 1} - 1, friction: {{mu: mu, slip: [\"x{i}' - x{i - 1}'\"]}}}}"
              for i in range(1, n)]
    lines.append("initial: {" + ", ".join(f"x{i}: 0, y{i}: {i + 0.5}" for i in range(n)) + "}")
    return lines + ["simulate: {method: moreau-jean, end: 0.1, steps: 100}"]


def ball():
    return ["system:", "  coordinates: [z]", "  kinetic_energy: \"0.5*z'^2\"", "  constraints:",
            "    - {name: floor, gap: z}", "initial: {z: 1}"]


def parameters(n):
    """One ball and n parameters, each made of the one before."""
    values = ["  p0: 1"] + [f"  p{i}: p{i - 1} + 1" for i in range(1, n)]
    return ["thud: 1", "parameters:"] + values + ball() + ["simulate: {method: moreau-jean, end: 1, steps: 1}"]


def steps(n):
    """A point in a moving slot, n steps; the run is interrupted."""
    return ["thud: 1", "sweeping:", "  coordinates: [u]",
            "  set: {interval: {lower: sin(t) - 1, upper: sin(t) + 1}}", "initial: {u: 0}",
            f"simulate: {{method: catching-up, end: 1, steps: {n}}}", "record: {every: 0.5}"]


def spheres(n):
    """A lattice of n spheres above a floor; the step is thud's choice."""
    return ["thud: 1", "materials: {stone: {friction: 0.3, density: 1000}}", "bodies:",
            "  - {name: floor, fixed: true, shape: plane, material: stone}",
            f"  - {{generate: grid, name: ball, counts: [100, 10, {n // 1000}], spacing: 0.3, position: [0, 0, 1], "
            "body: {shape: {sphere: 0.1}, material: stone}}", "simulate: {end: 1}"]


SCENES = {"spheres": spheres, "column": column, "blocks": blocks, "parameters": parameters, "steps": steps}
ROWS = [("column", "check", [100, 200, 400, 800, 1600, 3200, 5000, 20000]),
        ("column", "run", [100, 200, 400, 800, 5000, 20000]),
        ("blocks", "run", [100, 200, 400, 800, 1600]),
        ("parameters", "check", [2000, 20000, 50000, 100000, 200000, 400000]),
        ("spheres", "check", [10**4, 2 * 10**4, 10**5]),
        ("steps", "check", [10**6, 10**9])]


def measure(program, command, path, limit):
    call = [program, command, path]
    if command == "run":
        call += ["--force", "-o", path + ".h5"]
    best = math.inf
    for _ in range(3):
        start = time.perf_counter()
        with subprocess.Popen(call, stdout=subprocess.DEVNULL) as run:
            try:
                code = run.wait(limit)
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                run.wait()
                return math.nan
        if code > 1:
            sys.exit(f"setup.py: {' '.join(call)}: status {code}")
        best = min(best, time.perf_counter() - start)
    return best


def main(arguments):
    if arguments[:1] == ["--scene"] and len(arguments) == 3:
        print("\n".join(SCENES[arguments[1]](int(arguments[2]))))
        return
    if len(arguments) not in (1, 3):
        sys.exit(__doc__)
    limit = float(arguments[2]) if len(arguments) == 3 else 60
    print("kind,size,command,seconds,exponent")
    with tempfile.TemporaryDirectory() as folder:
        for kind, command, sizes in ROWS:
            last = None
            for size in sizes:
                path = os.path.join(folder, f"{kind}{size}.yaml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write("\n".join(SCENES[kind](size)) + "\n")
                seconds = measure(arguments[0], command, path, limit)
                growth = f"{math.log(seconds / last[1]) / math.log(size / last[0]):.2f}" if last else ""
                print(f"{kind},{size},{command},{seconds:.3f},{growth}", flush=True)
                last = (size, seconds)


main(sys.argv[1:])
