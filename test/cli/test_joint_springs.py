"""Springs and dampers at coordinates of joints, laws at the coordinates of universal, planar and ball joints, screws with friction,
couplings that open, and mechanisms with motors and dry pins: closed forms, orders in the step, laws that thud verify finds again, and
what is refused."""
import csv
import io
import math
import pathlib

from thudcli import close, end, example, folder, report, thud, thud_json

CHANNELS = ("t,position,velocity,spin,joint_force,joint_coordinate,joint_rate,joint_motor,joint_friction,joint_limit,joint_spring,"
            "ledger")


def run(here, scene, **settings):
    """Rows of a scene with changed settings (`__` of a key stands for `.`)."""
    changes = [f"--set={key.replace('__', '.')}={value}" for key, value in settings.items()]
    thud_json("run", scene, "--force", "-o", "motion.h5", *changes, cwd=here)
    done = thud("export", "motion.h5", "--no-units", "--channels", CHANNELS, cwd=here)
    return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(done.stdout))]


def text(here, scene, **settings):
    pathlib.Path(here, "scene.yaml").write_text(scene)
    return run(here, "scene.yaml", **settings)


def verified(here, name):
    done = thud("verify", "motion.h5", cwd=here)
    report(f"{name}: thud verify accepts it", done.returncode == 0, done.stdout[-1500:] + done.stderr)


def at(rows, t):
    return min(rows, key=lambda row: abs(row["t"] - t))


def impacts(rows, joint, least=1e-6):
    return [row for row in rows if abs(row[f"joint_limit[{joint}]"]) > least]


def of_order(name, errors, order, largest):
    """errors[k] at steps h/2^k."""
    found = math.log2(errors[0] / errors[-1]) / (len(errors) - 1)
    report(f"{name}: errors {', '.join(f'{e:.2g}' for e in errors)} are of order {order}", abs(found - order) < 0.3, found)
    report(f"{name}: the smallest step errs by at most {largest:g}", errors[-1] <= largest, errors)


def within_steps(name, pairs, step):
    """An event acts at the first midpoint behind it, and its row is the node behind that: up to 1.5 steps, and those of the events before."""
    for k, (found, wanted) in enumerate(pairs):
        close(f"{name}: event {k + 1} within 1.5 steps each", found, wanted, 1.5 * (k + 1) * step + 1e-9)


def door(here):
    """2 p'' + p' + 8 (p + 0.3) = 0 from 1.5 with a stop at 0, e = 0.4."""
    w = math.sqrt(4 - 1 / 16)
    smooth, hits, shut = [], [], []
    wanted = [.7534790352, 1.821119050, 2.374983124]
    for step in (0.004, 0.002, 0.001):
        rows = run(here, example("joints/door-closer"), simulate__step=step)
        row = at(rows, .7)
        exact = 1.8 * math.exp(-row["t"] / 4) * (math.cos(w * row["t"]) + math.sin(w * row["t"]) / (4 * w)) - .3
        smooth.append(abs(row["joint_coordinate[hinge]"] - exact))
        found = impacts(rows, "hinge", 0.05)[:3]
        hits.append(max(abs(row["t"] - t) for row, t in zip(found, wanted)))
        within_steps(f"door, step {step}", [(row["t"], t) for row, t in zip(found, wanted)], step)
        shut.append(abs(min(row["t"] for row in rows if row["t"] > 2 and abs(row["joint_rate[hinge]"]) < 1e-9) - 2.751018681))
    of_order("door: angle before the first impact", smooth, 2, 5e-7)
    report("door: times of three impacts get better with the step", hits[2] < 0.5 * hits[0], hits)
    verified(here, "door-closer")
    for row, speed in zip(found, (-2.996885208, -.972082684)):
        close("door: v+ = -e v-", row["joint_rate[hinge]"], -.4 * speed, 5e-3)
    of_order("door: it is shut from 2.751018681 s on", shut, 1, .045)
    last = rows[-1]
    report("door: then it neither hovers nor moves", all(abs(row["joint_rate[hinge]"]) < 1e-10 and
           abs(row["joint_coordinate[hinge]"]) < 1e-11 for row in rows if row["t"] > 2.8))
    close("door: the spring's torque at rest", last["joint_spring[hinge]"], -2.4, 1e-10)
    close("door: which the stop bears", last["joint_limit[hinge]"] / .001, 2.4, 1e-9)
    close("door: its energy then", last["potential"], .36, 1e-11)


SPRUNG = """thud: 1
gravity: [0, 0, -9.81]
bodies:
  - {name: cart, shape: {box: [0.2, 0.2, 0.2]}, mass: 2, position: [0.1, 0, 0]}
  - {name: arm, shape: {box: [1, 0.1, 0.1]}, mass: 1, position: [0.6, 0, 0]}
  - {name: weight, shape: {box: [0.3, 0.3, 0.3]}, mass: 1, position: [1.2, 0, 0]}
joints:
  - {joint: slider, name: rail, a: cart, at: [0, 0, 0], axis: [1, 0, 0], start: 0.1, spring: {stiffness: 200, damping: 4}}
  - {joint: hinge, name: pivot, a: arm, b: cart, at: [0.1, 0, 0], axis: [0, 1, 0], spring: {stiffness: 2e6, damping: 3, rest: 0.1}}
  - {joint: cylindrical, name: sleeve, a: weight, b: arm, at: [1.1, 0, 0], axis: [1, 0, 0], limits: [-0.1, 0.1], restitution: 0.3,
     spring: {stiffness: 300, rest: 0.02}, turning: {motor: {speed: 3, at_most: 2}, spring: {stiffness: 1, damping: 0.1}}}
simulate: {end: 1, step: 0.005}
"""

SLIDER = """thud: 1
planar: true
gravity: [0, 0]
bodies:
  - {name: wall, shape: {box: [0.1, 1]}, path: {position: ["0.1*sin(3*t)", 0]}}
  - {name: block, shape: {box: [0.2, 0.2]}, mass: 2, position: [1, 0], velocity: [0.3, 0]}
joints:
  - {joint: slider, name: rail, a: block, b: wall, at_a: [0, 0], at_b: [0, 0], axis: [1, 0], start: 0, spring: {stiffness: 50, damping: 0.8, rest: 0.2}}
simulate: {end: 2, step: 0.01}
"""


def slider_on_path(step):
    """2 x'' = -50 (x - x_wall - 0.2) - 0.8 (x' - x_wall') by Runge and Kutta, x from 1 where the coordinate counts from P_a - P_b."""
    def slope(t, x, v):
        return v, -25 * (x - .1 * math.sin(3 * t) - .2) - .4 * (v - .3 * math.cos(3 * t))
    t, x, v = 0.0, 1.0, .3
    while t < 2 - step / 2:
        a = slope(t, x, v)
        b = slope(t + step / 2, x + step / 2 * a[0], v + step / 2 * a[1])
        c = slope(t + step / 2, x + step / 2 * b[0], v + step / 2 * b[1])
        d = slope(t + step, x + step * c[0], v + step * c[1])
        x += step / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        v += step / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
        t += step
    return x


def springs(here):
    rows = text(here, SPRUNG)
    verified(here, "springs in space that the step resolves, and one that it does not")
    close("stiff hinge spring: it is a link at its rest, but for the weight", rows[-1]["joint_coordinate[pivot]"], .1, 1e-4)
    report("stiff hinge spring: its force is bounded", max(abs(row["joint_spring[pivot]"]) for row in rows[20:]) < 1e3)
    exact, errors = slider_on_path(1e-4), []
    for step in (0.02, 0.01, 0.005):
        rows = text(here, SLIDER, simulate__step=step)
        errors.append(abs(rows[-1]["block.x"] - exact))
        verified(here, f"a spring to a body on a path, step {step}")
    of_order("a spring to a body on a path", errors, 2, 1e-4)
    stiff = text(here, SLIDER, joints__0__spring__stiffness=1e9)
    verified(here, "a spring to a body on a path, as stiff as a rod")
    close("as stiff as a rod: it keeps its length", stiff[-1]["block.x"] - .1 * math.sin(6), .2, 1e-5)


GONE = """thud: 1
planar: true
gravity: [0, 0]
bodies:
  - {name: block, shape: {box: [0.2, 0.2]}, mass: 2, position: [0.5, 0]}
joints:
  - {joint: slider, name: rail, a: block, at_a: [0, 0], at_b: [0, 0], axis: [1, 0], start: 0, spring: {stiffness: 8}}
  - {joint: slider, name: other, a: block, at_a: [0, 0], at_b: [0, 0], axis: [1, 0], spring: {stiffness: 18, rest: 1}, absent: true}
changes:
  - {at: 0.5, do: detach, joint: rail}
  - {at: 1, do: attach, joint: other}
simulate: {end: 2, step: 0.01}
"""


def come_and_go(here):
    rows = text(here, GONE)
    verified(here, "springs that come and go with their joints")
    before, after = at(rows, .5), at(rows, .51)
    close("a joint goes with the energy of its spring", after["work"] - before["work"], -before["potential"], 1e-12)
    close("and the block goes on as it was", after["block.vx"], before["block.vx"], 1e-12)
    x, row = at(rows, 1)["block.x"], at(rows, 1.01)
    close("another one comes with its energy", row["work"] - at(rows, 1)["work"], 9 * (x - 1) ** 2, 1e-12)
    speed = at(rows, 1)["block.vx"]
    amplitude, phase = math.hypot(x - 1, speed / 3), math.atan2(-speed / 3, x - 1)
    close("and the block oscillates about its rest", rows[-1]["block.x"], 1 + amplitude * math.cos(3 * 1 + phase), 1e-3)


def gimbal(here):
    errors = []
    for step in (0.004, 0.002, 0.001):
        rows = run(here, example("joints/sprung-gimbal"), simulate__step=step)
        errors.append(max(abs(row["joint_coordinate[gimbal]"] - math.cos(2 * math.pi * row["t"])) for row in rows))
        found = impacts(rows, "gimbal.second")[:4]
        within_steps(f"gimbal, step {step}", [(row["t"], .125 + .25 * k) for k, row in enumerate(found)], step)
    of_order("gimbal: the first angle, however far both turn", errors, 2, 1e-5)
    for k, wanted in enumerate((.4, .2, .1)):
        close(f"gimbal: the second one rebounds to {wanted}", max(row["joint_coordinate[gimbal.second]"] for row in rows
              if found[k]["t"] < row["t"] < found[k + 1]["t"]), wanted, 3e-4)
    verified(here, "sprung-gimbal")
    rows = run(here, example("joints/sprung-gimbal"), **{"joints.0.second.limits": "[null, null]", "joints.0.second.motor":
               "{position: 0.8*cos(4*t), at_most: 5}"})
    close("gimbal: a motor leads the second angle", max(abs(row["joint_coordinate[gimbal.second]"] - .8 * math.cos(4 * row["t"]))
          for row in rows), 0, 2e-3)
    verified(here, "sprung-gimbal with a motor")


def socket(here):
    rows = run(here, example("joints/ball-in-socket"))
    found = impacts(rows, "socket")
    within_steps("socket", [(row["t"], t) for row, t in zip(found, (.25, 1.25, 3.25))], 0.002)
    for row, speed in zip(found, (-1, -.5, -.25)):
        close("socket: rate after an impact", row["joint_rate[socket]"], speed, 1e-12)
    report("socket: never beyond the cone", max(row["joint_coordinate[socket]"] for row in rows) <= .5 + 1e-12)
    verified(here, "ball-in-socket")
    rows = run(here, example("joints/ball-in-socket"), **{"bodies.0.spin": "[0, 0, 0.5]", "joints.0.limits": "[null, 1]",
               "joints.0.turning": "{friction: {bound: 0.002}}"})
    close("socket: friction of 0.002 N m stops the twist", at(rows, 2.5)["joint_rate[socket.turning]"], 0, 1e-12)
    close("socket: after 0.625 rad", rows[-1]["joint_coordinate[socket.turning]"], .625, 1e-12)
    report("socket: not before", at(rows, 2.49)["joint_rate[socket.turning]"] > 1e-3)
    verified(here, "a socket that twists")


def table(here):
    errors = []
    for step in (0.008, 0.004, 0.002):
        rows = run(here, example("joints/air-table"), simulate__step=step)
        errors.append(max(abs(row["puck.x"] - .3 * math.cos(2 * math.pi * row["t"])) for row in rows if row["t"] < 1))
        found = impacts(rows, "table.second")
        within_steps(f"air table, step {step}", [(row["t"], t) for row, t in zip(found, (.2, .7, 1.325))], step)
    of_order("air table: the springs' way", errors, 2, 4e-5)
    for row, speed in zip(found, (.8, .64, .512)):
        close("air table: speed after a wall", abs(row["puck.vy"]), speed, 1e-12)
    close("air table: friction stops the turn after 1 rad", rows[-1]["joint_coordinate[table.turning]"], 1, 1e-10)
    report("air table: at t = 2, not before", abs(at(rows, 2.002)["puck.wz"]) < 1e-12 and at(rows, 1.99)["puck.wz"] > 1e-3)
    verified(here, "air-table")


def screw(here):
    tangent = lambda lead, sign: math.tan(math.atan(.1) + sign * math.atan(lead / (2 * math.pi * .01)))
    for lead, up, down in ((.004, 1.647105572, .3610815113), (.01, 2.633462285, -.5822821231)):
        close("screw: the closed form", 10 * tangent(lead, 1), up, 1e-9)
        close("screw: the closed form", 10 * tangent(lead, -1), down, 1e-9)
        rows = run(here, example("joints/screw-jack"), parameters__lead=lead)
        close(f"screw, lead {lead}: torque to lift", at(rows, .1)["joint_motor[thread]"], up, 1e-9)
        close(f"screw, lead {lead}: torque to lower", -rows[-1]["joint_motor[thread]"], down, 1e-9)
        close(f"screw, lead {lead}: the thread bears the load", at(rows, .1)["thread.Fz"], 1000, 1e-8)
        rests = abs(at(rows, .28)["nut.wz"]) < 1e-14
        report(f"screw, lead {lead}: {'it holds itself' if lead < .005 else 'it runs down'}", rests == (lead < .005), at(rows, .28))
        if rests:
            close("screw: by the friction W lead/(2 pi)", abs(at(rows, .28)["joint_friction[thread]"]), 4 / (2 * math.pi), 1e-9)
        else:
            report("screw: faster and faster", at(rows, .29)["nut.wz"] < at(rows, .25)["nut.wz"] < 0)
        verified(here, f"screw-jack, lead {lead}")


def slack_rope(here):
    """An inelastic limit is met at the end of a step, with the step's share of the impact, and the rest in the next one."""
    times, speeds, impulses = [], [], []
    for step in (0.004, 0.002, 0.001):
        rows = run(here, example("joints/slack-rope"), simulate__step=step)
        first = next(k for k, row in enumerate(rows) if abs(row["joint_limit[rope-right]"]) > .1)
        times.append(abs(rows[first]["t"] - math.sqrt(1 / 9.81)))
        after = rows[first + 1]
        speeds.append(max(abs(after["light.vy"] - 1.044030651), abs(after["heavy.vy"] + 1.044030651)))
        light, heavy = (sum(abs(row[f"joint_limit[{rope}]"]) for row in rows[first:first + 2]) for rope in ("rope-left", "rope-right"))
        impulses.append(max(abs(light - 1.044030651), abs(heavy - 3.132091953)))
        report(f"slack rope, step {step}: taut within two steps", times[-1] <= 2 * step, times)
        report(f"slack rope, step {step}: the common speed up to gravity in three steps", speeds[-1] <= 3 * 1.09 * step, speeds)
        report(f"slack rope, step {step}: both impulses up to the weights in three steps", impulses[-1] <= 3 * 13.08 * step, impulses)
    last, later, h = rows[-1], at(rows, .5), 0.001
    close("slack rope: loss", last["impact_loss"], 4.905, 3 * 13.08 * h)
    close("slack rope: then 1.09 m/s^2", (last["light.vy"] - later["light.vy"]) / (last["t"] - later["t"]), 1.09, 1e-9)
    close("slack rope: with 10.9 N in the light part", abs(last["joint_limit[rope-left]"]) / h, 10.9, 1e-8)
    close("slack rope: and 13.08 N in the heavy one", abs(last["joint_limit[rope-right]"]) / h, 13.08, 1e-8)
    report("slack rope: the light weight stood still before", all(abs(row["light.vy"]) < 1e-12 for row in rows[:first]))
    verified(here, "slack-rope")


RACKED = """thud: 1
planar: true
bodies:
  - {name: wheel, shape: {disc: 0.1}, mass: 4, inertia: 0.02, group: 1}
  - {name: load, shape: {disc: 0.04}, mass: 1, position: [-0.1, -1.5], group: 1}
joints:
  - {joint: hinge, name: pin, a: wheel, at: [0, 0]}
  - {joint: slider, name: guide, a: load, at: [-0.1, 0], axis: [0, 1]}
  - {joint: rack, name: belt, a: wheel, b: load, at: [0, 0], along: [0, 1], radius: 0.1, spring: {stiffness: 100}}
simulate: {end: 0.4, step: 0.001}
"""

STILL = """thud: 1
bodies:
  - {name: arm, shape: {box: [0.9, 0.04, 0.1]}, mass: 2, position: [0.45, 0, 0]}
joints:
  - {joint: universal, name: cross, a: arm, at: [0, 0, 0], axis: [1, 0, 0], across: [0, 1, 0], second: {spring: {stiffness: 50, damping: 0.1}}}
gravity: [0, 0, -9.81]
simulate: {end: 0.1, step: 0.001}
"""


def near_zero(here):
    """Coordinates are counted from the start, and energies, losses and moments that vanish are known up to rounding of their terms."""
    rows = text(here, RACKED)
    verified(here, "a belt at right angles to the pinion's axis of the frame")
    close("belt: no force at first", rows[0]["joint_spring[belt]"], 0, 1e-12)
    square = 100 * (1 / 1 + .1 ** 2 / .02)  # s'' = -k (1/m + r^2/J) s - g
    close("belt: s = -(g/w^2) (1 - cos(w t))", max(abs(row["joint_coordinate[belt]"] + 9.81 / square * (1 - math.cos(math.sqrt(square) *
          row["t"]))) for row in rows), 0, 1e-5)
    for stiffness in (50, 1e8):
        text(here, STILL, joints__0__second__spring__stiffness=stiffness)
        verified(here, f"a spring at the second angle of a cross, {stiffness:g} N m")
    rows = run(here, example("joints/sprung-gimbal"), **{"joints.0.second.limits": "[0.8, null]"})
    close("gimbal: it stays at a stop where it starts", max(abs(row["joint_coordinate[gimbal.second]"] - .8) for row in rows), 0, 1e-9)
    verified(here, "sprung-gimbal on its stop from the start")
    run(here, example("joints/sprung-gimbal"), simulate__end=11)
    verified(here, "sprung-gimbal until the second angle rests")
    rows = run(here, example("joints/slack-rope"), **{"joints.3.limits": "[null, null]", "joints.3.spring": "{stiffness: 100, damping: 1}"})
    report("elastic rope: it is stretched", max(abs(row["joint_spring[rope-left]"]) for row in rows) > 10)
    verified(here, "slack-rope with an elastic part")


HOIST = """thud: 1
planar: true
bodies:
  - {name: one, shape: {disc: 0.05}, mass: 1, position: [-1, -1], velocity: [0, 2], group: 1}
  - {name: two, shape: {disc: 0.05}, mass: 2, position: [1, -1], velocity: [0, -2], group: 1}
joints:
  - {joint: slider, name: left, a: one, at: [-1, 0], axis: [0, 1]}
  - {joint: slider, name: right, a: two, at: [1, 0], axis: [0, 1]}
  - {joint: pulley, name: rope, a: one, b: two, over_a: [-1, 3], over_b: [1, 3], length: 8.1, limits: [null, 0], restitution: 0.5}
simulate: {end: 2, step: 0.001}
"""

LOOSE = """thud: 1
planar: true
bodies:
  - {name: small, shape: {disc: 0.1}, mass: 4, inertia: 0.02, group: 1, torque: 0.3*sin(5*t)}
  - {name: large, shape: {disc: 0.2}, position: [0.3, 0], mass: 4, inertia: 0.05, group: 1}
  - {name: bar, shape: {box: [1, 0.02]}, position: [0, 0.1], mass: 1, group: 1}
  - {name: one, shape: {disc: 0.05}, position: [-1, -1], mass: 1, group: 1}
  - {name: two, shape: {disc: 0.05}, position: [-0.6, -1], mass: 1.5, group: 1}
joints:
  - {joint: hinge, name: p, a: small, at: [0, 0]}
  - {joint: hinge, name: q, a: large, at: [0.3, 0]}
  - {joint: slider, name: guide, a: bar, at: [0, 0.1], axis: [1, 0]}
  - {joint: gear, name: teeth, a: small, b: large, radius_a: 0.1, radius_b: 0.2, clearance: 0.004, restitution: 0.3}
  - {joint: rack, name: belt, a: small, b: bar, at: [0, 0], along: [1, 0], radius: -0.1, spring: {stiffness: 3000, damping: 3}}
  - {joint: pulley, name: rope, a: one, b: two, over_a: [-1, 0.5], over_b: [-0.6, 0.5], length: 3.2, limits: [null, 0]}
simulate: {end: 1, step: 0.001}
"""


def loose(here):
    rows = text(here, HOIST)
    # equal and opposite speeds keep the rope's length: both fall until it is taut, at g t^2 = 0.1
    hit = impacts(rows, "rope", 0.1)[0]
    close("hoist: taut", hit["t"], math.sqrt(.1 / 9.81), 0.002)
    before = rows[rows.index(hit) - 1]
    rate = before["joint_rate[rope]"]
    close("hoist: the rope rebounds, but for gravity in the step", hit["joint_rate[rope]"], -.5 * rate, 2.1e-2)
    reduced = 1 / (1 / 1 + 1 / 2)
    close("hoist: its impulse is that of the reduced mass", abs(hit["joint_limit[rope]"]), 1.5 * reduced * rate, 2e-2)
    report("hoist: never longer than it is", max(row["joint_coordinate[rope]"] for row in rows) < 1e-11)
    taut = [row for row in rows if row["t"] > 1.9]
    close("hoist: taut for good it accelerates by a third of g", (taut[-1]["one.vy"] - taut[0]["one.vy"]) / (taut[-1]["t"] - taut[0]["t"]),
          9.81 / 3, 1e-6)
    verified(here, "a rope over two pulleys that can be slack")
    rows = text(here, LOOSE)
    verified(here, "teeth with play, an elastic belt and a slack rope")
    report("play: the teeth use all of it and no more", .0019 < max(abs(row["joint_coordinate[teeth]"]) for row in rows) <= .002 + 1e-12)


SPACE = """thud: 1
bodies:
  - {name: a, shape: {box: [0.4, 0.1, 0.2]}, mass: 1, position: [0.2, 0, 0], spin: [1, 2, 0.5], velocity: [0, 0.1, -0.4]}
  - {name: b, shape: {box: [0.4, 0.1, 0.1]}, mass: 1, position: [-0.2, 0, 0]}
  - {name: table, shape: {box: [2, 2, 0.1]}, path: {angle: 0.3*sin(2*t), axis: [0.2, 0.1, 1], position: [0, 0, "2 + 0.1*sin(t)"]}}
  - {name: puck, shape: {box: [0.2, 0.1, 0.05]}, mass: 1, position: [0.1, 0.2, 2.1], velocity: [1, -0.4, 0.1]}
joints:
  - {joint: ball, name: hang, a: b, at: [-0.4, 0, 0], axis: [1, 0, 0], limits: [null, 0.5], restitution: 0.3,
     turning: {limits: [-0.3, 0.3], spring: {stiffness: 2, damping: 0.01}, friction: {bound: 0.05}}}
  - {joint: universal, name: cross, a: a, b: b, at: [0, 0, 0], axis: [0, 1, 0.3], across: [1, 0, 0], limits: [-0.4, 0.6], restitution: 0.5,
     spring: {stiffness: 3, damping: 0.1, rest: 0.1}, second: {motor: {speed: 2, at_most: 0.2}, friction: {mu: 0.1, radius: 0.02}}}
  - {joint: planar, name: slide, a: puck, b: table, at_a: [0.02, 0, -0.02], axis: [0, 0, 1], along: [1, 0.2, 0], limits: [-0.5, 0.5], start: 0.1,
     restitution: 0.6, second: {limits: [-0.4, 0.4], spring: {stiffness: 20, damping: 0.5}},
     turning: {spring: {stiffness: 0.1}, motor: {position: sin(3*t), at_most: 0.01, time: 0.05}, friction: {bound: 0.002}}}
changes:
  - {at: 0.5, do: motor, joint: cross, coordinate: second, speed: -1}
  - {at: 0.6, do: motor, joint: slide, coordinate: turning, at_most: 0.02}
simulate: {end: 1.2, step: 0.002, relax: true}
"""


def in_space(here):
    rows = text(here, SPACE)
    verified(here, "limits, motors, friction and springs of ball, universal and planar joints on a table that moves")
    report("in space: limits are met and not passed", .5 - 1e-9 < max(row["joint_coordinate[hang]"] for row in rows) <= .5 + 1e-9 and
           max(abs(row["joint_coordinate[hang.turning]"]) for row in rows) <= .3 + 1e-9)


def slider_crank(here):
    means, nodes, places = [], [], []
    for steps in (600, 1200, 2400):
        rows = run(here, example("joints/slider-crank-motor"), simulate__steps=steps)
        row, after = rows[steps // 12], rows[steps // 12 + 1]
        means.append(abs(row["joint_motor[shaft]"] - 29.932539))
        nodes.append(abs(.5 * (row["joint_motor[shaft]"] + after["joint_motor[shaft]"]) - 29.932539))
        places.append(abs(row["piston.x"] - .38240653))
    of_order("slider-crank: torque of the motor, mean over a step", means, 1, .3)
    of_order("slider-crank: torque at a node, mean of two steps", nodes, 2, 2e-3)
    close("slider-crank: piston", places[-1], 0, 1e-6)
    report("slider-crank: the motor keeps its speed", max(abs(row["joint_rate[shaft]"] - 50) for row in rows) < 1e-9)
    wanted = {"shaft.Fx": -715.62219, "shaft.Fy": -62.628478, "crank-pin.Fx": -607.36901, "crank-pin.Fy": -9.938478,
              "wrist-pin.Fx": -130.28755, "wrist-pin.Fy": 95.441522, "guide.Fy": -90.536522}
    for key, force in wanted.items():
        close(f"slider-crank: force {key}", .5 * (row[key] + after[key]), force, 2e-2)
    acceleration = (after["piston.vx"] - rows[steps // 12 - 1]["piston.vx"]) / (2 * rows[1]["t"])
    close("slider-crank: acceleration of the piston", acceleration, -260.5751085, 5e-3)
    verified(here, "slider-crank-motor")


def dry_four_bar(here):
    last = run(here, example("joints/dry-four-bar"))[-1]
    close("four-bar on dry pins: torque of the crank", last["joint_motor[O]"], 4.028058911, 1e-3)
    close("four-bar on dry pins: force of a pin", math.hypot(last["B.Fx"], last["B.Fy"]), 5.428179752, 1e-3)
    verified(here, "dry-four-bar")
    last = run(here, example("joints/dry-four-bar"), parameters__rho=0)[-1]
    close("four-bar without friction: torque of the crank", last["joint_motor[O]"], 3.200372753, 1e-3)


PLANE = "thud: 1\nplanar: true\nbodies:\n  - {name: a, shape: {box: [1, 0.1]}, mass: 1, position: [0.5, 0]}\n  - {name: b, shape: " \
        "{box: [1, 0.1]}, mass: 1, position: [0.5, 2]}\njoints:\n  - %s\nsimulate: {end: 0.1, step: 0.01}\n"
SOLID = PLANE.replace("planar: true\n", "").replace("0.1]}", "0.1, 0.1]}").replace("0]}", "0, 0]}").replace("2]}", "2, 0]}")
REFUSED = [
    ("a spring of nothing", PLANE, "{joint: hinge, a: a, at: [0, 0], spring: {rest: 1}}", "'stiffness', a 'damping' or both"),
    ("a negative stiffness", PLANE, "{joint: hinge, a: a, at: [0, 0], spring: {stiffness: -1}}", "stiffness"),
    ("a spring of a rope", PLANE, "{joint: rope, a: a, length: 1, spring: {stiffness: 1}}", "a rope has no spring"),
    ("a spring of a swing", SOLID, "{joint: ball, a: a, at: [0, 0, 0], axis: [0, 0, 1], spring: {stiffness: 1}}", "twist"),
    ("a spring of a rod", PLANE, "{joint: rod, a: a, spring: {stiffness: 1}}", "no coordinate"),
    ("a motor of a gear", PLANE, "{joint: gear, a: a, b: b, radius_a: 1, radius_b: 1, motor: {speed: 1, at_most: 1}}", "takes limits and a spring"),
    ("friction of a pulley", PLANE, "{joint: pulley, a: a, b: b, over_a: [0, 5], over_b: [1, 5], friction: {bound: 1}}", "takes limits and a spring"),
    ("a rope over pulleys that is too short", PLANE, "{joint: pulley, name: r, a: a, b: b, over_a: [0.5, 5], over_b: [0.5, 5], length: 7.9, "
     "limits: [null, 0]}", "'r' by 0.1"),
    ("'second' of a slider", PLANE, "{joint: slider, a: a, at: [0, 0], axis: [1, 0], second: {limits: [0, 1]}}", "'second'"),
    ("friction of a planar joint across its axis", SOLID, "{joint: planar, a: a, at: [0, 0, 0], axis: [0, 0, 1], friction: {bound: 1}}", "depend on its axes"),
    ("a planar joint along its axis", SOLID, "{joint: planar, a: a, at: [0, 0, 0], axis: [0, 0, 1], along: [0, 0, 2]}", "across its axis"),
    ("limits of a ball without an axis", SOLID, "{joint: ball, a: a, at: [0, 0, 0], limits: [null, 1]}", "which axis"),
    ("friction of a screw without a radius", SOLID, "{joint: screw, a: a, at: [0, 0, 0], axis: [0, 0, 1], lead: 1, friction: {mu: 0.1}}", "radius"),
    ("a thread that jams", SOLID, "{joint: screw, a: a, at: [0, 0, 0], axis: [0, 0, 1], lead: 1, friction: {mu: 0.9, radius: 0.01}}", "2 pi radius/lead"),
]


def bad_input(here):
    for name, scene, joint, says in REFUSED:
        pathlib.Path(here, "bad.yaml").write_text(scene % joint)
        done = thud("run", "bad.yaml", "--force", cwd=here)
        report(f"refused: {name}", done.returncode not in (0, -11) and says in done.stderr and "[" in done.stderr, done.stderr)


def main():
    with folder() as here:
        door(here)
        springs(here)
        come_and_go(here)
        gimbal(here)
        socket(here)
        table(here)
        screw(here)
        slack_rope(here)
        near_zero(here)
        loose(here)
        in_space(here)
        slider_crank(here)
        dry_four_bar(here)
        bad_input(here)
    end()


main()
