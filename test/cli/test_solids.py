"""Elastic solids: the shipped scenes against closed forms, the contact patch test, Hertz and Coulomb, gmsh in both formats, refusals,
resumed runs, pictures; thud verify finds changed numbers."""
import csv
import io
import math
import os
import pathlib
import re

import test_tamper
from thudcli import ROOT, close, end, folder, refused, report, thud, thud_json

EXAMPLES = ROOT / "examples" / "solid"
STIFF = 1 / (1 - 0.3 ** 2)  # E* of E = 1, nu = 0.3


def run(name, *sets):
    """The result as JSON and the record, which thud verify accepts."""
    more = [part for text in sets for part in ("--set", text)]
    record = pathlib.Path(here) / f"{name}.h5"
    result = thud_json("run", EXAMPLES / f"{name}.yaml", "-o", record, "-f", *more, cwd=here)
    verified = thud("verify", record, cwd=here)
    report(f"{name} {' '.join(sets)} is verified", verified.returncode == 0, verified.stdout)
    return result, record


def rows(record, channel):
    """All rows of a channel as words."""
    done = thud("export", record, "--rows", "--channels", channel, "-o", "-", cwd=here)
    return list(csv.reader(io.StringIO(done.stdout)))[1:]


def last(record, channel):
    return [float(value) for value in rows(record, channel)[-1]]


# ---- statics ---------------------------------------------------------------------------------------------------------

def check_lame():
    """The tube: u(1) by the closed form, to the error of elements of second order, which falls by 6 and more."""
    exact = (1 + 0.3) / 9 * ((1 - 0.6) + 4)
    errors = []
    for cells in (8, 16):
        result, record = run("tube", f"solid.mesh.cells=[{cells}, {cells // 4}]")
        errors.append(abs(max(last(record, "u")) - exact))
    close("Lame's tube", errors[1], 0, 1e-5)
    report("Lame's tube: the error falls", errors[1] < errors[0] / 6, str(errors))
    close("Lame's tube: nothing pulls it along", result["state"]["support_x"], 0, 1e-10)


def check_cantilever():
    result, record = run("cantilever")
    middle = 2 * (65 * 8 + 64) + 1  # u_y of the node in the middle of the end
    close("cantilever: Timoshenko's deflection", last(record, "u")[middle], -0.89, 1e-5)
    close("cantilever: the clamped end carries the load", result["state"]["support_y"], 0.01, 1e-9)


# ---- contact ---------------------------------------------------------------------------------------------------------

def check_patch():
    """Uniform pressure on a floor: one stress everywhere, in the plane and in space, of both orders."""
    for order in (1, 2):
        _, record = run("contact-patch", f"solid.mesh.order={order}")
        stress, pressure = last(record, "stress"), [p for p in last(record, "pressure") if p != 0]
        wrong = max(abs(stress[k] - (0, -0.1, -0.025)[k % 3]) for k in range(len(stress)))
        close(f"contact patch test of order {order}: stress", wrong, 0, 1e-12)
        close(f"contact patch test of order {order}: pressure", max(abs(p - 0.1) for p in pressure), 0, 1e-12)
        report(f"contact patch test of order {order}: every corner presses", len(pressure) == 1 + 6 * order, str(pressure))
        _, record = run("contact-patch-in-space", f"solid.mesh.order={order}")
        stress = last(record, "stress")
        wrong = max(abs(stress[k] - (0, 0, -0.1)[k % 3]) for k in range(len(stress)))
        close(f"contact patch test in space of order {order}", wrong, 0, 1e-12)


def check_hertz():
    """Line and point contact: the radius of contact to a share of the spacing, the largest pressure to a few parts in a hundred."""
    result, record = run("hertz-line")
    force = 2 * abs(result["state"]["support_y"])  # of both halves
    a = math.sqrt(4 * force / (math.pi * STIFF))
    top = 2 * force / (math.pi * a)
    pressure = last(record, "pressure")
    close("Hertz, line: largest pressure", max(pressure) / top, 1, 0.02)
    close("Hertz, line: half-width", result["state"]["contact_area"] / a, 1, 0.1)
    result, record = run("ball")
    force = result["state"]["support_y"]
    a = (3 * force * 0.5 / (4 * STIFF)) ** (1 / 3)
    pressure = last(record, "pressure")
    close("Hertz, ball: pressure beside the axis", sorted(pressure)[-3] / (1.5 * force / (math.pi * a * a)), 1, 0.05)
    close("Hertz, ball: radius", math.sqrt(result["state"]["contact_area"] / math.pi), a, 1 / 48)


def check_block():
    """Full slip: Coulomb's law for the whole; in a history everything sticks first. Energies balance."""
    result, record = run("pressed-block")
    state, modes = result["state"], rows(record, "mode")
    close("block: slides as a whole by Coulomb's law", state["support_x"], -0.4 * state["support_y"], 1e-9)
    close("block: balance of energies", result["ledger"]["defect"], 0, 1e-12)
    report("block: friction takes energy", result["ledger"]["friction"] > 0)
    report("block: sticks while it is pressed, but for its edges", set(modes[10][1:-1]) == {"stick"}, str(modes[10]))
    report("block: slides in the end", "stick" not in modes[-1], str(modes[-1]))
    result, _ = run("given-bounds")
    close("given bounds: friction does not ask for the pressure", result["state"]["support_x"], 0.005 * 2, 1e-9)


def check_punch():
    """A flat punch with friction: the pressure rises towards the edges as 1/sqrt(a^2 - x^2), slip is inwards on both sides."""
    _, record = run("flat-punch")
    r = last(record, "r")
    x = [-2 + 4 * k / 128 for k in range(129)]
    inside = {round(place, 6): (r[2 * k], r[2 * k + 1]) for k, place in enumerate(x) if abs(place) < 0.25}
    ratio = inside[0.125][0] / inside[0][0]
    close("punch: pressure at half of the way", ratio, 1 / math.sqrt(1 - 0.25), 0.05)
    force = sum(r[::2])
    close("punch: pressure in the middle", inside[0][0] * 32 / (force / (math.pi * 0.25)), 1, 0.02)
    symmetric = max(abs(inside[place][0] - inside[-place][0]) for place in inside)
    close("punch: nearly symmetric on a mesh that is not", symmetric / inside[0][0], 0, 0.03)
    # obstacle above: the normal looks down and the tangent, turned from it, to the left; friction on the solid is outwards
    left, right = inside[-0.1875][1], inside[0.1875][1]
    report("punch: friction against inward slip on both sides", left * right < 0 and abs(left) > 0, str((left, right)))


def check_space():
    result, record = run("block-in-space")
    state, r = result["state"], last(record, "r")
    worst = max(math.hypot(r[k + 1], r[k + 2]) - 0.3 * r[k] for k in range(0, len(r), 3))
    close("space: friction within its cone", max(worst, 0), 0, 1e-11)
    report("space: drawn along the cylinder", state["support_y"] > 0.29 * state["support_z"], str(state))


# ---- meshes and files --------------------------------------------------------------------------------------------------

def check_export():
    _, record = run("block-in-space")
    done = thud("export", record, "-o", "block.pvd", "--force", cwd=here)
    written = sorted((pathlib.Path(here) / "block").glob("*.vtu"))
    good = done.returncode == 0 and len(written) == 9 and b'Name="u"' in written[0].read_bytes()
    report("VTK files have the displacement", good, done.stderr)
    picture = thud("plot", record, "--snapshot", "2", "-o", "block.png", cwd=here)
    report("a picture in space", picture.returncode == 0, picture.stderr)


def check_resume():
    """A record with checkpoints has the numbers of one without."""
    _, whole = run("pressed-block", "simulate.steps=12")
    part = os.path.join(here, "part.h5")
    thud("run", EXAMPLES / "pressed-block.yaml", "--set", "simulate.steps=12", "--set", "record.checkpoint_every=0.5", "-o", part,
         "-f", cwd=here)
    report("checkpoints change nothing", rows(whole, "u")[-1] == rows(part, "u")[-1])


# ---- refusals -----------------------------------------------------------------------------------------------------------

GOOD = """thud: 1
solid:
  mesh: {rectangle: [0, 0, 1, 1], cells: [2, 2]}
  materials: {all: {young: 1}}
  supports: {top: {x: 0, y: 0}}
  contacts: [{group: bottom, obstacle: {plane: [0, 0], normal: [0, 1]}}]
simulate: {end: 1, steps: 1}
"""
BAD = (("a group that is none", "group: bottom", "group: floor", ["no group of sides 'floor'"]),
       ("a support of a group that is none", "supports: {top", "supports: {roof", ["no group 'roof'"]),
       ("a material of a group that is none", "{all: {young: 1}}", "{steel: {young: 1}}", ["no group of elements 'steel'"]),
       ("a group without a material", "{all: {young: 1}}", "{}", ["'body' has no material"]),
       ("incompressible", "young: 1}", "young: 1, poisson: 0.5}", ["poisson 0.5"]),
       ("overlap at the start", "plane: [0, 0]", "plane: [0, 0.25]", ["overlaps its obstacle at the start, by 0.25"]),
       ("nothing holds it", "supports: {top: {x: 0, y: 0}}\n  contacts: [{group: bottom, obstacle: {plane: [0, 0], normal: "
        "[0, 1]}}]", "supports: {top: {y: 0}}", ["nothing holds the body", "moves along x freely"]),
       ("a mesh that is too large", "cells: [2, 2]", "cells: [10000, 10000]", ["elements", "GB"]),
       ("a moved contact", "{top: {x: 0, y: 0}}", "{top: {x: 0, y: 0}, bottom: {x: 0.1*t}}", ["free or rests"]),
       ("a plane mesh in space", "mesh:", "kinematics: space\n  mesh:", ["2 dimensions"]),
       ("a cylinder in the plane", "{plane: [0, 0], normal: [0, 1]}", "{cylinder: [0, 0], direction: [0, 1], radius: 1}",
        ["cylinders are in space"]),
       ("a direction of nothing", "normal: [0, 1]", "normal: [0, 0]", ["the direction is zero"]),
       ("a pin beside the nodes", "supports:", "pins: [{at: [0.3, 0], x: 0}]\n  supports:", ["the nearest one is at"]),
       ("an obstacle that moves", "{plane: [0, 0], normal: [0, 1]}", "{level: y + t}", ["stands still"]),
       ("an initial state", "simulate:", "initial: {x: 1}\nsimulate:", ["begins undeformed"]),
       ("bounds of another method", "normal: [0, 1]}}", "normal: [0, 1]}, threshold: 1}", ["belongs to the method threshold"]))


def check_refusals():
    with folder() as own:
        name = os.path.join(own, "bad.yaml")
        for what, old, new, pieces in BAD:
            assert old in GOOD, what
            with open(name, "w", encoding="utf-8") as scene:
                scene.write(GOOD.replace(old, new))
            refused(what, thud("run", "bad.yaml", cwd=own), pieces, own, {"bad.yaml"})
        mesh = (EXAMPLES / "roller.msh").read_text()
        nodes = mesh.split("$Nodes\n")[1].split("$EndNodes")[0].splitlines()
        words = nodes[60].split()
        bad = mesh.replace(nodes[60] + "\n", f"{words[0]} {float(words[1]) + 0.4} {words[2]} 0\n", 1)
        with open(os.path.join(own, "roller.msh"), "w", encoding="utf-8") as out:
            out.write(bad)
        with open(name, "w", encoding="utf-8") as scene:
            scene.write((EXAMPLES / "hertz-line.yaml").read_text())
        refused("a mesh with an inverted element", thud("run", "bad.yaml", cwd=own), ["element", "rubber"], own,
                {"bad.yaml", "roller.msh"})


def check_locking():
    done = thud("check", EXAMPLES / "pressed-block.yaml", "--set", "solid.materials.all.poisson=0.499", cwd=here)
    report("a word about locking", "[locking]" in done.stdout + done.stderr, done.stdout + done.stderr)
    done = thud("check", EXAMPLES / "pressed-block.yaml", "--set", "solid.materials.all.poisson=0.499", "--set",
                "solid.mesh.order=2", cwd=here)
    report("no word about it with second order", "[locking]" not in done.stdout + done.stderr, done.stdout + done.stderr)


# ---- what verify asks of good records -------------------------------------------------------------------------------------

def check_jumps():
    """Given displacements that jump, with the value of the left, of the right, or between: the last state is one increment's."""
    for text, values in (("0.03*(t > 1)", (0, 0, 0, 0.03, 0.03, 0.03)), ("0.03*step(t - 1)", (0, 0, 0, 0.03, 0.03, 0.03)),
                         ("0.03*sign(t - 1)", (-0.03, -0.03, -0.03, 0, 0, 0.03, 0.03, 0.03))):
        for method in ("increments", "static"):
            record = jump_record(text, method)
            done = thud("verify", record, cwd=here)
            report(f"{text}, {method}: verified", done.returncode == 0, done.stdout)
            moved = [float(row[-2]) for row in rows(record, "u")]  # u_x of a corner at the top
            close(f"{text}, {method}: rows on both sides", max(map(abs, map(float.__sub__, moved, map(float, values)))), 0, 1e-15)
            report(f"{text}, {method}: number of rows", len(moved) == len(values), str(moved))
    seen, found, what = test_tamper.change(str(record), 0, "/frames/data/side", 3, 4, 1)
    report("a changed side is found", seen and found, what)
    for at in (3, 5):  # u_x of the top on the right of both jumps
        width = len(rows(record, "u")[at])
        seen, found, what = test_tamper.change(str(record), 0, "/frames/data/u", (at + 1) * width - 2, (at + 1) * width - 1, 1e-4)
        report(f"a changed displacement in row {at} of the jumps is found", seen and found, what)


def jump_record(text, method):
    scene, record = os.path.join(here, "jump.yaml"), os.path.join(here, "jump.h5")
    with open(scene, "w", encoding="utf-8") as out:
        out.write("thud: 1\nsolid:\n  mesh: {rectangle: [0, 0, 1, 1], cells: [1, 2]}\n  materials: {all: {young: 1}}\n"
                  f"  supports: {{bottom: {{x: 0, y: 0}}, top: {{x: {text}, y: 0}}}}\nsimulate: {{end: 3, steps: 3, method: {method}}}\n")
    done = thud("run", scene, "-o", record, "-f", cwd=here)
    report(f"{text}, {method}: runs", done.returncode == 0, done.stderr)
    return record


def check_tolerances():
    """Contact problems solved less closely are judged by the tolerance that the scene gives; sums stay exact."""
    for tolerance in ("1e-6", "1e-4", "0.01"):
        _, record = run("pressed-block", "simulate.steps=12", "solid.mesh.cells=[8, 4]", "solid.mesh.order=2",
                        f"simulate.tolerance={tolerance}")
        for channel in ("u", "r", "gap"):
            values = [float(value) for value in rows(record, channel)[7]]
            largest = max(range(len(values)), key=lambda k, values=values: abs(values[k]))
            index = 7 * len(values) + largest
            seen, found, what = test_tamper.change(str(record), 0, f"/frames/data/{channel}", index, index + 1, 1e-4)
            report(f"tolerance {tolerance}: a changed {channel} is found", seen and found, what)


# ---- changed numbers ------------------------------------------------------------------------------------------------------

def check_tampering():
    """The largest number of each channel in the middle of the motion, changed by 1e-4 of its size."""
    _, record = run("pressed-block", "simulate.steps=12", "solid.mesh.cells=[8, 4]")
    row = 7
    for channel in ("u", "stress", "shear", "pressure", "r", "gap"):
        values = [float(value) for value in rows(record, channel)[row]]
        largest = max(range(len(values)), key=lambda k, values=values: abs(values[k]))
        index = row * len(values) + largest
        seen, found, what = test_tamper.change(str(record), 0, f"/frames/data/{channel}", index, index + 1, 1e-4)
        report(f"a changed {channel} is found", seen and found, what)
    for channel, width, column in (("figures", 6, 0), ("figures", 6, 5), ("ledger", 6, 0), ("ledger", 6, 2), ("mode", 9, 4)):
        index = 11 * width + column
        seen, found, what = test_tamper.change(str(record), 0, f"/frames/data/{channel}", index, index + 1, 1e-4)
        report(f"a changed {channel}, number {column}, is found", seen and found, what)


with folder() as here:
    check_lame()
    check_cantilever()
    check_patch()
    check_hertz()
    check_block()
    check_punch()
    check_space()
    check_export()
    check_resume()
    check_refusals()
    check_locking()
    check_jumps()
    check_tolerances()
    check_tampering()
end()
