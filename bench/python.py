#!/usr/bin/env python3
"""bench/python.py PROGRAM: what Python costs, as ratios and differences of processor times measured in one run.

  import      s that `import thud` takes beyond `import numpy`
  run         steps per second of a bouncing ball, thud.run over `thud run` (both with a record), less the start of each
  force       us per call that a Python force adds to the same formula (its own work, `return -9.81`, included), n = 1
  force-3     the same with a function that returns three numbers
  step        us that motion.step() adds to a step in the library
  poses       part of a step that reading all poses of 10000 bodies costs
  solve       us that thud.solve on arrays adds to the C call, thud_answer_find, for a contact in space; solve-30: for ten
  solve-c     us of that C call (for one contact)

Prints CSV: name, value, unit. PYTHONPATH names the module."""
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

import thud

REPEATS, STEPS, SOLVES = 7, 200_000, 5000


def ball(steps, force="-9.81", method="moreau", coordinates=("z",)):
    first = coordinates[0]
    return {"coordinates": list(coordinates), "mass": [1] * len(coordinates),
            "forces": force if callable(force) else {name: force for name in coordinates},
            "constraints": [{"name": "floor", "gap": first, "restitution": 0.7}], "initial": {first: 1},
            "simulate": {"method": method, "end": 20, "steps": steps}}


def as_scene(parts):
    parts = dict(parts)
    return {"thud": 1, "initial": {name: parts["initial"].get(name, 0) for name in parts["coordinates"]},
            "simulate": parts["simulate"],
            "system": {key: parts[key] for key in ("coordinates", "mass", "forces", "constraints")}}


def best(function, clock=time.process_time):
    times = []
    for _ in range(REPEATS):
        begin = clock()
        function()
        times.append(clock() - begin)
    return min(times)


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def import_time():
    def start(modules):
        subprocess.run([sys.executable, "-c", f"import {modules}"], check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
    start("numpy, thud")  # compiled files are there from now on
    return best(lambda: start("numpy, thud"), children) - best(lambda: start("numpy"), children)


def solve_times(contacts):
    """us of thud.solve and of the C call on the same problem: contacts in space with friction, coupled, some sliding."""
    n = 3 * contacts
    random = np.random.default_rng(1)
    A = random.standard_normal((n, n))
    W, q, mu = A @ A.T / n + np.eye(n), random.standard_normal(n), np.full(contacts, 0.5)
    ffi, lib = thud._library.ffi, thud._library.lib
    problem, context = thud.ContactProblem(W, q, mu), thud._library.Context()
    options, found = ffi.new("thud_answer_options *"), ffi.new("thud_answer **")
    lib.thud_options_init(lib.thud_answer_option_table(), options, ffi.sizeof("thud_answer_options"))
    options.solver.tolerance = 1e-8
    pointer, stated = context.pointer, problem._c

    def in_c():
        for _ in range(SOLVES // contacts):
            lib.thud_answer_find(pointer, stated, options, found)
            lib.thud_answer_destroy(found[0])

    def in_python():
        for _ in range(SOLVES // contacts):
            thud.solve(W, q, mu)
    return [best(one) / (SOLVES // contacts) * 1e6 for one in (in_python, in_c)]


def run_ratio(program):
    with tempfile.TemporaryDirectory() as folder:
        def run_program(steps):
            scene = os.path.join(folder, f"ball-{steps}.json")
            with open(scene, "w", encoding="utf-8") as stream:
                json.dump(as_scene(ball(steps)), stream)
            subprocess.run([program, "run", scene, "-q", "-f", "-o", os.path.join(folder, "ball.h5")], check=steps > 10,
                           capture_output=steps == 10)
        program_time = best(lambda: run_program(STEPS), children) - best(lambda: run_program(10), children)
        module_time = best(lambda: thud.run(as_scene(ball(STEPS)))) - best(lambda: thud.run(as_scene(ball(10))))
    return program_time / module_time


def motion_time(system):
    def go():
        thud.Motion(system).run()
    return best(go)


def force_cost(coordinates):
    if len(coordinates) == 1:
        def force(t, q, v):
            return -9.81
        given = {"z": force}
    else:
        def given(t, q, v):
            return (-9.81, -9.81, -9.81)
    with_function = {**ball(STEPS, coordinates=coordinates), "forces": given}
    calls = STEPS  # one evaluation of the force per step
    return (motion_time(thud.System(**with_function)) - motion_time(thud.System(**ball(STEPS,
                                                                                       coordinates=coordinates)))) / calls * 1e6


def step_cost():
    steps = 20_000
    scene = as_scene(ball(steps))

    def by_hand():
        for _ in thud.Motion(scene):
            pass
    return (best(by_hand) - motion_time(scene)) / steps * 1e6


def poses_part():
    scene = {"thud": 1, "bodies": [{"name": "floor", "shape": "plane", "fixed": True},
                                   {"generate": "grid", "name": "ball", "counts": [100, 100, 1], "spacing": 0.25,
                                    "position": [0, 0, 0.1], "body": {"shape": {"sphere": 0.1}, "mass": 1}}],
             "simulate": {"end": 1, "step": 0.001}}
    motion = thud.Motion(scene)
    motion.run(steps=5)
    step = best(lambda: motion.run(steps=1))

    def read():
        for _ in range(100):
            motion.poses.sum()  # the view alone would cost nothing: every number is read
    return best(read) / 100 / step


def main():
    warnings.simplefilter("ignore")
    one, ten = solve_times(1), solve_times(10)
    rows = [("import", import_time(), "s"), ("run", run_ratio(sys.argv[1]), "ratio"), ("force", force_cost(["z"]), "us"),
            ("force-3", force_cost(["z", "x", "y"]), "us"),
            ("step", step_cost(), "us"), ("poses", poses_part(), "part"),
            ("solve", one[0] - one[1], "us"), ("solve-30", ten[0] - ten[1], "us"), ("solve-c", one[1], "us")]
    writer = csv.writer(sys.stdout)
    writer.writerow(("name", "value", "unit"))
    for name, value, unit in rows:
        writer.writerow((name, f"{value:.4g}", unit))


if __name__ == "__main__":
    main()
