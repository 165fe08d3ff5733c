"""Joints between rigid bodies: motions with known outcomes at falling steps (second order), their forces, and what is refused.
References: minimal coordinates and elliptic functions, to the digits that are given here and in the examples."""
import math
import pathlib

from jointruns import at, distance, run, second_order, turned, verified
from thudcli import close, end, folder, report, thud


def hinged_rods(here):
    wanted = {1: (-.14751941, -1.25618211), 2: (.40535091, .06107284), 5: (.08686601, 1.16999920)}
    errors = {t: [] for t in wanted}
    for step in (0.01, 0.005, 0.0025):
        found = run(here, "hinged-rods", simulate__step=step)
        for t, (upper, lower) in wanted.items():
            row = at(found, t)
            errors[t].append(math.hypot(row["upper.angle"] - upper, row["lower.angle"] - lower))
    for t in wanted:
        second_order(f"two hinged rods at t = {t}", errors[t], 5e-5)
    verified(here, "hinged-rods")
    report("joints are closed to rounding", max(row["joint_gap"] for row in found) < 1e-12)
    first = run(here, "hinged-rods", simulate__step=0.001, simulate__end=0.01)[1]
    close("force at the pivot", first["pivot.Fx"], -5.75804348, 1e-7)
    close("force at the pivot, upwards", first["pivot.Fy"], 8.10391304, 1e-7)
    close("force at the elbow", first["elbow.Fx"], -1.91934783, 1e-7)
    close("force at the elbow, upwards", first["elbow.Fy"], 2.13260870, 1e-7)
    start = found[0]["kinetic"] + found[0]["potential"]
    left = max(abs(row["kinetic"] + row["potential"] - start - row["lift"]) for row in found)
    report("joints do no work: the energy changes by what closing them lifts, and that is little",
           left < 1e-11 and abs(found[-1]["lift"]) < 1e-3, (left, found[-1]["lift"]))


def top_and_pendulum(here):
    errors = [distance(at(run(here, "heavy-top", simulate__step=h), 1), "top", (-.07633968, .17529398, .05868795))
              for h in (2e-3, 1e-3, 5e-4)]
    second_order("heavy top at t = 1", errors, 5e-5)
    verified(here, "heavy-top")
    found = {h: run(here, "spherical-pendulum", simulate__step=h) for h in (0.02, 0.01, 0.005)}
    for t, place in ((1, (-.73831666, -.43149204, -.51836582)), (3, (-.01694092, -.76086420, -.64868997))):
        second_order(f"spherical pendulum at t = {t}", [distance(at(found[h], t), "mass", place) for h in found], 6e-5)
    verified(here, "spherical-pendulum")


def linkages(here):
    def joint(row):
        w, x, y, z = (row[f"rod-2.q{c}"] for c in "wxyz")
        axis = (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
        return [row[f"rod-2.{k}"] - 0.5 * a for k, a in zip("xyz", axis)]
    wanted = (.27448132, -.88670794, -.46233000)
    errors = [math.dist(joint(at(run(here, "bricard-linkage", simulate__step=h, simulate__end=2), 1)), wanted) for h in (0.02, 0.01, 0.005)]
    second_order("Bricard's mechanism at t = 1, thirty equations of rank 29", errors, 2e-6)
    verified(here, "bricard-linkage")
    last = run(here, "bricard-linkage")[-1]
    close("Bricard's mechanism at t = 10", math.dist(joint(last), (.99973099, -.99999996, -.00026898)), 0, 1e-6)
    errors = []
    for step in (2e-5, 1e-5, 5e-6):
        row = run(here, "andrews-squeezer", simulate__step=step)[-1]
        errors.append(abs(turned(row["crank.angle"] - 15.81077119630)))
    second_order("Andrews' mechanism at t = 0.03", errors, 1.2e-5)
    close("Andrews' mechanism: spin", row["crank.w"], 1139.920302, 2e-4)
    for component, force in (("x", 199.17535), ("y", -29.75531)):
        close(f"Andrews' mechanism: force of K2 on K3, {component}", row[f"F3.F{component}"], force, 0.5)
    verified(here, "andrews-squeezer")
    last = run(here, "n-four-bar", simulate__step=0.001)[-1]
    close("four-bar through five singular positions: angle", turned(-last["post-1.angle"] - 31.75059719), 0, 1e-4)
    close("four-bar through five singular positions: spin", -last["post-1.w"], 1.506642181, 2e-4)
    verified(here, "n-four-bar")


def chain_and_door(here):
    found = run(here, "rod-chain")
    row = at(found, 0.25)
    a = row["link-20.angle"] - math.pi / 2
    tip = (row["link-20.x"] + 0.025 * math.cos(a), row["link-20.y"] + 0.025 * math.sin(a))
    close("chain: tip at t = 0.25", math.dist(tip, (.87731475, -.30656324)), 0, 2e-6)
    close("chain: the pivot's force at the start", found[1]["pin-1.Fy"], .14159515, 1e-7)
    verified(here, "rod-chain")
    row = run(here, "two-hinge-door")[1]
    close("door: both joints carry its weight", row["top.Fz"] + row["bottom.Fz"], 196.2, 1e-9)
    x, y = row["door.x"], row["door.y"]
    outwards = [(row[f"{k}.Fx"] * x + row[f"{k}.Fy"] * y) / math.hypot(x, y) for k in ("top", "bottom")]
    close("door: the top pulls towards the post", outwards[0], -61.3125 - 5, 1e-3)
    close("door: the bottom pushes away from it", outwards[1], 61.3125 - 5, 1e-3)
    verified(here, "two-hinge-door")


def slider_crank(here):
    found = run(here, "slider-crank")
    row, after = found[100], found[101]
    close("slider-crank at 30 degrees: piston", row["piston.x"], .38240653, 1e-6)
    for joint, component, sign, force in (("crank-pin", "x", 1, -607.36901), ("crank-pin", "y", 1, -9.938478),
                                          ("wrist-pin", "x", 1, -130.28755), ("wrist-pin", "y", 1, 95.441522),
                                          ("guide", "y", 1, -90.536522)):
        key = f"{joint}.F{component}"
        close(f"slider-crank: force {key}", sign * 0.5 * (row[key] + after[key]), force, 0.01)
    verified(here, "slider-crank")


SCENE = """thud: 1
bodies:
  - {name: ground, fixed: true, shape: {box: [1, 1, 1]}, position: [5, 5, 5]}
  - {name: a, shape: {box: [1, 0.1, 0.1]}, mass: 1, position: [0.5, 0, 0]}
  - {name: b, shape: {box: [1, 0.1, 0.1]}, mass: 1, position: [1.5, 0, 0]}
joints:
%s
simulate: {end: 0.1, step: 0.01}
"""

REFUSED = [
    ("an open start", ["{joint: ball, name: far, a: a, b: b, at_a: [0.5, 0, 0], at_b: [-0.6, 0, 0]}"], ["'far' by 0.1", "relax"]),
    ("a body joined to itself", ["{joint: ball, name: own, a: a, b: a, at: [0, 0, 0]}"], ["itself"]),
    ("an axis of length 0", ["{joint: hinge, a: a, at: [0, 0, 0], axis: [0, 0, 0]}"], ["no direction"]),
    ("a hinge without an axis", ["{joint: hinge, a: a, at: [0, 0, 0]}"], ["which axis"]),
    ("a joint without a place", ["{joint: ball, a: a}"], ["where is"]),
    ("a rod of length 0", ["{joint: rod, a: a, b: b, at_a: [0.5, 0, 0], at_b: [-0.5, 0, 0]}"], ["no direction"]),
    ("two names", ["{joint: ball, name: j, a: a, at: [0, 0, 0]}", "{joint: ball, name: j, a: b, b: a, at: [1, 0, 0]}"], ["'j'"]),
    ("an unknown kind", ["{joint: hing, a: a, at: [0, 0, 0]}"], ["hinge"]),
    ("an axis of a ball joint", ["{joint: ball, a: a, at: [0, 0, 0], axis: [1, 0, 0]}"], ["no axis"]),
    ("one axis of a universal joint", ["{joint: universal, a: a, at: [0, 0, 0], axis: [1, 0, 0]}"], ["across"]),
    ("a length of a hinge", ["{joint: hinge, a: a, at: [0, 0, 0], axis: [1, 0, 0], length: 1}"], ["length"]),
    ("two places", ["{joint: ball, a: a, at: [0, 0, 0], at_a: [0, 0, 0]}"], ["not both"]),
]


def bad_input(here):
    for name, joints, says in REFUSED:
        (here / "bad.yaml").write_text(SCENE % "\n".join(f"  - {joint}" for joint in joints))
        done = thud("run", "bad.yaml", "--force", cwd=here)
        report(f"refused: {name}", done.returncode not in (0, -11) and all(text in done.stderr for text in says), done.stderr)
    (here / "bad.yaml").write_text(SCENE.replace("position: [1.5, 0, 0]", "position: [1.5, 0, 0], velocity: [0, 1, 0]") %
                                   "  - {joint: ball, name: pin, a: a, b: b, at: [1, 0, 0]}")
    done = thud("run", "bad.yaml", "--force", cwd=here)
    report("refused: velocities that a joint contradicts", "'pin' by 1" in done.stderr, done.stderr)
    done = thud("run", "bad.yaml", "--force", "--set", "simulate.relax=true", cwd=here)
    report("relax: the velocities become those of a joint", done.returncode == 0, done.stdout + done.stderr)
    verified(here, "relaxed velocities", "bad")
    (here / "bad.yaml").write_text(SCENE % "\n".join(f"  - {joint}" for joint in (
        "{joint: ball, name: left, a: a, at_a: [-0.5, 0, 0], at_b: [0, 0, 0]}", "{joint: ball, name: right, a: a, at_a: [0.5, 0, 0], at_b: [3, 0, 0]}")))
    done = thud("run", "bad.yaml", "--force", "--set", "simulate.relax=true", cwd=here)
    report("refused: a loop that cannot close", "cannot be closed" in done.stderr, done.stderr)


def main():
    with folder() as here:
        hinged_rods(here)
        top_and_pendulum(here)
        linkages(here)
        chain_and_door(here)
        slider_crank(here)
        bad_input(pathlib.Path(here))
    end()


main()
