"""Composed friction laws: every example of examples/composed against its closed form, verified by the checker; bad scenes."""
import json
import math
import pathlib

from thudcli import ROOT, close, end, example, folder, report, skipped, thud, thud_json


def at(result, t):
    return next(s["state"] for s in result["samples"] if s["t"] == t)


with folder() as here:
    for scene in sorted(pathlib.Path(ROOT, "examples", "composed").glob("*.yaml")):
        record = pathlib.Path(here, scene.stem + ".h5")
        thud_json("run", scene, "-o", record, cwd=here)
        verdict = thud_json("verify", record, cwd=here)
        report(f"{scene.stem}: verified", verdict["verdict"] == "good", verdict["reason"])

    result = thud_json("run", example("composed/braked-wheel"), "--no-record", "--at", "0,1,2", cwd=here)
    h = math.sqrt(0.75)
    close("wheel: F_x along", at(result, 0)["F_x"], -0.5, 1e-11)
    close("wheel: spin along", at(result, 0)["spin'"], -1, 1e-11)
    close("wheel: F_y across", at(result, 1)["F_y"], -1, 1e-11)
    close("wheel: spin across", at(result, 1)["spin'"], 0, 1e-11)
    close("wheel: spin at the corner", at(result, 2)["spin'"], -(1 - 1 / math.sqrt(3)), 1e-11)
    close("wheel: dissipation at the corner", result["dissipation"], 0.5 + h, 1e-12)
    event = result["events"][0]
    report("wheel: one flat side", result["events_total"] == 1 and event["kind"] == "several-forces"
           and event["component"] == "F_y" and event["t"] == 0, result["events"])
    close("wheel: the force across from", event["low"], -h, 1e-10)
    close("wheel: the force across to", event["high"], h, 1e-10)

    # other units: of length (radius and brake), of force, of one law; the answers are the same numbers, and both agree
    for length in (1e-12, 1e-8, 1e-3, 1e3, 1e8, 1e12):
        for force in (1e-12, 1, 1e12):
            name = f"wheel, length {length:g}, force {force:g}"
            record = pathlib.Path(here, f"units-{length:g}-{force:g}.h5")
            result = thud_json("run", example("composed/braked-wheel"), "-o", record, "--at", "0,2", "--set", f"a={length!r}",
                               "--set", f"fN={force!r}", "--set", f"b={0.5 * length * force!r}", cwd=here)
            close(f"{name}: dissipation", result["dissipation"] / force, 0.5 + h, 1e-11)
            close(f"{name}: spin", at(result, 2)["spin'"] * length, -(1 - 1 / math.sqrt(3)), 1e-10)
            close(f"{name}: force", at(result, 0)["F_x"] / force, -0.5, 1e-11)
            report(f"{name}: the flat side", [e["component"] for e in result["events"]] == ["F_y"], result["events"])
            report(f"{name}: verified", thud_json("verify", record, cwd=here)["verdict"] == "good")
    for brake in (1e-3, 1e-6, 1e-9):
        record = pathlib.Path(here, f"weak-{brake:g}.h5")
        result = thud_json("run", example("composed/braked-wheel"), "-o", record, "--at", "0", "--set", f"b={brake!r}", cwd=here)
        close(f"weak brake {brake:g}: its force", at(result, 0)["F_x"] / brake, -1, 1e-11 + 1e-14 / brake)
        report(f"weak brake {brake:g}: verified", thud_json("verify", record, cwd=here)["verdict"] == "good")

    result = thud_json("run", example("composed/planimeter-wheel"), "--no-record", "--at", "0,1", cwd=here)
    close("planimeter: no force along", at(result, 1)["F_x"], 0, 1e-11)
    close("planimeter: it rolls", at(result, 1)["spin'"], -1, 1e-11)
    close("planimeter: the segment", result["events"][0]["high"], 1, 1e-10)
    result = thud_json("run", example("composed/locked-wheel"), "--no-record", cwd=here)
    event = result["events"][0]
    report("locked wheel: several spins", event["kind"] == "several-velocities" and event["component"] == "spin'", event)
    close("locked wheel: from rolling", event["low"], -1, 1e-10)
    close("locked wheel: to locked", event["high"], 0, 1e-10)
    close("locked wheel: Coulomb's disc", result["dissipation"], math.sqrt(2), 1e-11)

    result = thud_json("run", example("composed/table-push"), "--no-record", "--at", "0", cwd=here)
    root = math.sqrt(1.25)
    close("table: force", at(result, 0)["F_x"], -(0.5 + 0.5 / root), 1e-10)
    close("table: moment", at(result, 0)["F_psi"], -0.25 / root, 1e-10)
    close("table: force, digits", at(result, 0)["F_x"], -0.9472136, 5e-8)
    report("table about a leg: three open components", [e["component"] for e in result["events"]] == ["F_x", "F_y", "F_psi"],
           result["events"])
    result = thud_json("run", example("composed/rope"), "--no-record", cwd=here)
    close("rope: dissipation", result["dissipation"], 1.2889677, 5e-8)
    close("rope: first link", result["state"]["w1'"], 1 / math.sqrt(7), 1e-10)

    # slip systems: |s1| <= 1, |c s1 + s s2| <= 1, |-c s1 + s s2| <= 1.2, dissipation = support of the hexagon
    result = thud_json("run", example("composed/slip-systems"), "--no-record", cwd=here)
    c, s, worst = 0.5, math.sqrt(0.75), 0
    lines = [(1, 0, 1), (c, s, 1), (-c, s, 1.2)]
    corners = []
    for i in range(3):
        for j in range(i):
            for p in (-1, 1):
                for q in (-1, 1):
                    a, b = lines[i], lines[j]
                    d = a[0] * b[1] - a[1] * b[0]
                    x, y = (p * a[2] * b[1] - q * b[2] * a[1]) / d, (a[0] * q * b[2] - b[0] * p * a[2]) / d
                    if all(abs(k[0] * x + k[1] * y) <= k[2] + 1e-9 for k in lines):
                        corners.append((x, y))
    close("slip systems: largest dissipation", result["largest_dissipation"],
          max(max(-x * math.cos(2 * math.pi * k / 90) - y * math.sin(2 * math.pi * k / 90) for x, y in corners)
              for k in range(91)), 1e-12)

    result = thud_json("run", example("composed/parallel-sliders"), "--no-record", "--at", "1,3,5,7", cwd=here)
    p = [(at(result, t)["p1"], at(result, t)["p2"]) for t in (1, 3, 5)]
    close("sliders: dissipation of a cycle", sum(0.5 * abs(b[0] - a[0]) + 2 * abs(b[1] - a[1]) for a, b in zip(p, p[1:])),
          11, 1e-12)

    result = thud_json("run", example("composed/bar-end"), "--no-record", "--at", "0,1", cwd=here)
    a = 3 * math.sin(0.8) * math.cos(0.8) / (4 - 3 * math.sin(0.8) ** 2)
    close("bar end: one way", at(result, 0)["F_x"], -0.5 / (1 + 0.5 * a), 1e-12)
    close("bar end: the other way", at(result, 1)["F_x"], 0.5 / (1 - 0.5 * a), 1e-12)
    for tangent, good in ((0.76, True), (0.77, False), (5.23, False), (5.24, True)):
        done = thud("check", example("composed/bar-end"), "--set", "mu=2", "--set", f"th={math.atan(tangent)!r}")
        report(f"bar end: mu = 2, tan th = {tangent}", (done.returncode == 0) == good and (good or "not convex: mu |a| =" in done.stderr), done.stderr)

    for force, x in ((2, 1 / 3), (-1.5, -0.5), (0.99, 0), (-0.99, 0)):
        done = thud("run", example("composed/bar-between-guides"), "--no-record", "--json", "--set", f"F={force}", cwd=here)
        result = json.loads(done.stdout)
        close(f"guides: F = {force}", result["state"]["x"], x, 1e-9)
        report(f"guides: F = {force} is good", result["verdict"] == "good", result["reason"])
    for mu, warned in ((1.99, False), (2.01, True)):
        result = thud_json("check", example("composed/bar-between-guides"), "--set", f"mu={mu}", cwd=here)
        codes = [w["code"] for w in result["warnings"]]
        report(f"guides: mu = {mu} is {'' if warned else 'not '}named", codes == ["friction-not-convex"] * warned, codes)
    for share, still in ((0.999, True), (1.001, False)):
        state = thud_json("run", example("composed/pushed-table"), "--no-record", "--set", f"share={share}", cwd=here)["state"]
        report(f"pushed table: {share} of the limit", (state["x'"] == 0) == still, state)
        if not still:
            close("pushed table: straight along the push", state["x'"], (share - 1) * 0.4 * 9.81 * 2 / 3, 1e-10)
    vehicle = thud_json("run", example("composed/vehicle"), "--no-record", cwd=here)["state"]
    close("vehicle: corner force along", vehicle["x'"], 2.5, 1e-9)
    close("vehicle: corner force across", vehicle["y'"], 3 - h, 1e-9)
    for length in (1e-6, 1e-3, 1e3, 1e6):
        other = thud_json("run", example("composed/vehicle"), "--no-record", "--set", f"a={length!r}", "--set",
                          f"b={0.5 * length!r}", cwd=here)["state"]
        close(f"vehicle, length {length:g}: along", other["x'"], 2.5, 1e-9)
        close(f"vehicle, length {length:g}: across", other["y'"], 3 - h, 1e-9)

    picture = pathlib.Path(here, "surface.svg")
    done = thud("plot", pathlib.Path(here, "limit-surface.h5"), "--phase", "F_x,F_psi", "-o", picture)
    report("the limit surface is drawn", done.returncode == 0 and picture.stat().st_size > 1000, done.stderr)

    bad = {
        "not linear": ("slip: [\"x'^2\"]", "slip 0 is not linear in the velocities"),
        "a constant in the slip": ("slip: [\"x' + 1\"]", "slip 0 is not linear in the velocities"),
        "an unknown velocity": ("slip: [\"z'\"]", "z"),
        "a law without 0": ("slip: [\"x'\"], law: {interval: {lower: 1, upper: 2}}", "does not contain 0"),
        "a negative threshold": ("slip: [\"x'\"], threshold: -1", "scaling"),
        "a key that is none": ("slip: [\"x'\"], mu: 1", "mu"),
    }
    for what, (law, message) in bad.items():
        scene = pathlib.Path(here, "bad.yaml")
        scene.write_text(f"thud: 1\nfriction:\n  coordinates: [x]\n  laws: [{{name: a, {law}}}]\n  velocity: {{x: 1}}\n"
                         "simulate: {end: 1, steps: 1}\n")
        done = thud("check", scene)
        report(f"refused: {what}", done.returncode == 2 and message in done.stderr and "bad.yaml" in done.stderr, done.stderr)
    lock = pathlib.Path(here, "lock.yaml")
    lock.write_text("thud: 1\nfriction:\n  coordinates: [x]\n  laws: [{name: a, slip: [\"x'\"], law: {interval: {lower: null, "
                    "upper: null}}}]\n  velocity: {x: t}\nsimulate: {end: 1, steps: 2}\n")
    done = thud("run", lock, "--no-record", "--json", cwd=here)
    result = json.loads(done.stdout)
    report("a forbidden velocity ends the run", done.returncode != 0 and result["verdict"] == "failed"
           and "impossible velocity" in result["reason"], result)

    # a record that claims another force does not pass
    import shutil
    try:
        import h5py
    except ImportError:
        skipped("a changed force is noticed", "needs python3-h5py: make deps-dev")
    else:
        def changed(source, channel, row, column, factor):
            copy = pathlib.Path(here, "changed.h5")
            shutil.copy(pathlib.Path(here, source + ".h5"), copy)
            with h5py.File(copy, "r+") as file:
                file["frames/data/" + channel][row, column] *= factor
            return thud("verify", copy)

        done = changed("rope", "forces", 0, 0, 1 + 1e-4)
        report("a changed force is noticed", done.returncode != 0, done.stdout)
        # in any units, of every law and velocity by itself
        for record in ("units-1e-12-1", "units-1e+12-1e-12", "weak-1e-09"):
            for channel, row, column in (("forces", 0, 0), ("forces", 0, 2), ("internal", 0, 0), ("slip", 0, 2), ("force", 0, 0)):
                if record.startswith("weak") and channel != "internal" and column == 0:
                    continue  # 1e-6 of the brake's force at the ground is 1e-15 of what the ground allows
                done = changed(record, channel, row, column, 1 + 1e-6)
                report(f"{record}: {channel} {column} changed by 1e-6 is noticed", done.returncode != 0, done.stdout)

    # A weak curved law beside a strong one, no internal velocity: each force is that of its own law, whatever the other is.
    for weak in ("1e-3", "1e-6", "1e-12"):
        with open(f"{here}/beside.yaml", "w", encoding="utf-8") as file:
            file.write(f"""thud: 1
friction:
  coordinates: [x, y, z]
  laws:
    - name: weak
      threshold: {weak}
      law: {{intersection: [{{ball: {{centre: [0.4, 0, 0], radius: 1}}}}, {{ball: {{centre: [-0.4, 0, 0], radius: 1}}}}]}}
      slip: ["x'", "y'", "z'"]
    - {{name: strong, threshold: 1, slip: ["x'", "y'", "z'"]}}
  velocity: {{x: sin(t), y: cos(3*t), z: cos(2*t)}}
simulate: {{end: 3, steps: 30}}
""")
        done = thud("run", "beside.yaml", "-o", "beside.h5", "-f", cwd=here)
        judged = thud("verify", "beside.h5", cwd=here)
        report(f"a lens of {weak} beside a disc of 1", done.returncode == 0 and judged.returncode == 0,
               done.stdout + judged.stdout)

end()
