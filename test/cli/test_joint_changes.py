"""Joints that let go, hold and switch their motors while a motion runs: examples with known outcomes, and what is refused."""
import math
import pathlib

from jointruns import at, rows, verified
from thudcli import close, end, example, folder, report, thud, thud_json


def run(here, name, **settings):
    changes = [f"--set={key.replace('__', '.')}={value}" for key, value in settings.items()]
    thud_json("run", example(f"joints/{name}"), "--force", "-o", "motion.h5", *changes, cwd=here)
    return rows(here)


def trebuchet(here):
    """Rates of joints at nodes are off by second order, and change their sign from step to step."""
    g = 9.81
    for step in (0.004, 0.002, 0.001):
        found = run(here, "trebuchet", simulate__step=step)
        k = next(i for i, row in enumerate(found) if row["arm.angle"] >= math.pi / 2)
        angle = found[k]["arm.angle"]
        inertia, moment = 1.4 + 11 * 0.25**2 + 0.1 * 1.2**2, 11 * 0.25 - 0.1 * 1.2
        speed = 1.2 * math.sqrt(2 * moment * g * (math.sin(angle) + math.sqrt(0.5)) / inertia)
        stone = [math.hypot(row["stone.vx"], row["stone.vy"]) for row in found]
        turn = speed / 1.2 * step
        close(f"trebuchet: speed of the stone at the step {step}, up to (h w)^2", stone[k], speed, speed * turn**2)
        report("trebuchet: the claw has a force until it lets go, then none",
               abs(found[k]["claw.Fx"]) > 1e-3 and all(row["claw.Fx"] == 0 for row in found[k + 1:]))
        report("trebuchet: the stone flies on", all(abs(row["stone.vx"] - found[k]["stone.vx"]) < 1e-12
                                                   for row in found[k + 1:]))
    verified(here, "trebuchet")


def motor(here):
    found = run(here, "motor-off")
    for t, wanted in ((1, 6), (2.5, 3), (4, 0), (4.9, 0), (6, -2), (6.5, -3), (7, -3)):
        close(f"motor-off: speed at t = {t}", at(found, t)["rotor.w"], wanted, 1e-11)
    verified(here, "motor-off")


def door(here):
    found = run(here, "spring-door")
    held = at(found, 0.2)
    close("spring-door: the motor holds it", held["door.angle"], math.pi / 2, 1e-12)
    moving = max(found, key=lambda row: abs(row["door.w"]))
    wanted = math.sqrt(50 * math.cos(moving["door.angle"]))
    close("spring-door: speed by the energy of the spring", abs(moving["door.w"]), wanted, 2e-2)
    close("spring-door: the stop takes that energy", found[-1]["impact_loss"], 50, 2e-2)
    report("spring-door: the stop holds it", abs(found[-1]["door.angle"]) < 1e-12 and abs(found[-1]["door.w"]) < 1e-12)
    verified(here, "spring-door")


SCENE = """thud: 1
planar: true
bodies:
  - {name: floor, fixed: true, shape: half_plane}
  - {name: ball, shape: {disc: 0.1}, mass: 1, position: [0, 0.1]}
  - {name: lamp, shape: {disc: 0.1}, mass: 1, position: [1, 0.5]}
joints:
  - {joint: hinge, name: hook, a: lamp, b: floor, at: [1, 0.5]}
  - {joint: hinge, name: pin, a: ball, at: [5, 5], absent: true}
changes:
  - %s
simulate: {end: 1, step: 0.002}
"""


def refused(here):
    for name, change, text in (
            ("an unknown joint", "{at: 0.1, do: detach, joint: hock}", "hook"),
            ("no joint", "{at: 0.1, do: detach}", "joint"),
            ("keys of another change", "{at: 0.1, do: detach, joint: hook, speed: 1}", "speed"),
            ("a motor without numbers", "{at: 0.1, do: motor, joint: hook}", "at_most"),
            ("a negative bound", "{at: 0.1, do: motor, joint: hook, at_most: -1}", "not negative"),
            ("a coordinate that it has not", "{at: 0.1, do: motor, joint: hook, coordinate: sliding, at_most: 1}", "no coordinate"),
            ("a joint that acts", "{at: 0.1, do: attach, joint: hook}", "acts already"),
            ("a joint that does not act", "{at: 0.1, do: detach, joint: pin}", "is detached"),
            ("a motor without a law", "{at: 0.1, do: motor, joint: hook, speed: 1, at_most: 1}", "no law")):
        pathlib.Path(here, "scene.yaml").write_text(SCENE % change)
        done = thud("run", "scene.yaml", "-o", "no.h5", "--force", cwd=here)
        report(f"refused: {name}", done.returncode != 0 and text in done.stdout + done.stderr, done.stdout + done.stderr)


def touches(here):
    """Bodies of a joint do not touch each other; once it has let go they do."""
    pathlib.Path(here, "scene.yaml").write_text(SCENE % "{when: t >= 0.1, do: detach, joint: hook}")
    thud_json("run", "scene.yaml", "-o", "motion.h5", "--force", cwd=here)
    found = rows(here)
    close("touch: it hangs", at(found, 0.1)["lamp.y"], 0.5, 1e-12)
    close("touch: then it falls", at(found, 0.3)["lamp.y"], 0.5 - 9.81 * 0.2**2 / 2, 5e-3)
    close("touch: and lies on the floor", found[-1]["lamp.y"], 0.1, 1e-3)
    verified(here, "touch")


def main():
    with folder() as here:
        trebuchet(here)
        motor(here)
        door(here)
        refused(here)
        touches(here)
    end()


main()
