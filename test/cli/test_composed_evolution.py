"""Composed friction laws that evolve with a configuration, and loads beside friction: closed forms, orders, the checker."""
import math
import os
import pathlib
import subprocess

from thudcli import ROOT, close, end, folder, refused, report, thud, thud_json

TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
SCENES = ROOT / "examples" / "composed"


def run(name, path, *arguments, code=0):
    result = thud_json("run", path, "-o", name + ".h5", "--force", *arguments, cwd=here, code=code)
    if code == 0:
        done = thud("verify", name + ".h5", cwd=here)
        report(f"{name}: the record is verified", "verdict: good" in done.stdout, done.stdout)
    return result


def failed_checks(name, path, index, part="1e-3"):
    subprocess.run([TAMPER, name + ".h5", "changed.h5", path, str(index), part], check=True, capture_output=True, cwd=here)
    result = thud_json("verify", "changed.h5", cwd=here, code=1)
    os.unlink(pathlib.Path(here, "changed.h5"))
    return [c["name"] for c in result["checks"] if c["status"] == "failed" and c["name"] != "seal"]


def polygon(n, length=1.5, span=1.0):
    """(H, angles): n equal links that hang, a weight of l at each joint, ends at the distance span."""
    l, low, high = length / n, 1e-6, 10
    for _ in range(200):
        H = (low + high) / 2
        reach = sum(l * math.cos(math.atan((i - (n + 1) / 2) * l / H)) for i in range(1, n + 1))
        low, high = (H, high) if reach < span else (low, H)
    return H, [math.atan((i - (n + 1) / 2) * l / H) for i in range(1, n + 1)]


def rope(n):
    """A scene of n links that begins in the polygon."""
    angles = [f"a{i}" for i in range(1, n + 1)]
    laws = []
    for k in range(1, n + 1):
        slips = ["x'" + "".join(f" - l*sin({a})*{a}'" for a in angles[:k]), "y'" + "".join(f" + l*cos({a})*{a}'" for a in angles[:k])]
        law = "threshold: l"
        if k == n:
            slips, law = [slips[0] + " - X'", slips[1] + " - Y'"], "law: {box: {lower: [null, null], upper: [null, null]}}"
        laws.append(f"    - {{name: j{k}, {law}, slip: [\"{slips[0]}\", \"{slips[1]}\"]}}")
    start = ", ".join(f"{a}: {value!r}" for a, value in zip(angles, polygon(n)[1]))
    return "\n".join(["thud: 1", f"parameters: {{l: 1.5/{n}}}", "friction:", "  coordinates: [x, y, X, Y]",
                      f"  internal: [{', '.join(angles)}]", "  laws:", *laws, "  velocity: {x: 0, y: 1, X: 0, Y: 1}",
                      f"initial: {{x: 0, y: 0, X: 1, Y: 0, {start}}}", "simulate: {end: 0.02, steps: 2}"]) + "\n"


with folder() as here:
    # The tractrix: tan(th/2) = e^x, to the second order.
    errors = []
    for steps in (30, 60, 120, 240):
        result = run(f"tractrix-{steps}", SCENES / "tractrix.yaml", "--set", f"simulate.steps={steps}")
        worst = 0
        lines = [line.split(",") for line in thud("export", f"tractrix-{steps}.h5", cwd=here).stdout.splitlines()]
        for row in lines[1:]:
            th = float(row[lines[0].index("th")])
            worst = max(worst, abs(th - 2 * math.atan(math.exp(float(row[0])))))
        errors.append(worst)
    for coarse, fine in zip(errors, errors[1:]):
        close("tractrix: order", math.log2(coarse / fine), 2, 0.05)
    report("tractrix: error with 240 steps", errors[-1] < 6e-6, errors)
    y = math.sin(result["state"]["th"])
    close("tractrix: the free end is behind the hand", 3 + math.cos(result["state"]["th"]), math.acosh(1 / y) - math.sqrt(1 - y * y), 1e-4)
    report("tractrix: the iteration contracts", 0 < result["contraction"] < 0.1, result["contraction"])
    for path, index in (("/frames/data/configuration", 101), ("/frames/data/internal", 60), ("/frames/data/t", 30)):
        found = failed_checks("tractrix-120", path, index)
        report(f"tractrix: a changed {path} is found", found != [], found)
    found = failed_checks("tractrix-120", "/frames/data/configuration", 101)
    report("tractrix: the step is what a changed angle breaks", "step" in found, found)

    # A rope towed by both ends: the polygon of equal weights, which tends to the catenary.
    drifts = []
    for steps in (80, 160):
        state = run(f"towed-{steps}", SCENES / "towed-rope.yaml", "--set", f"simulate.steps={steps}")["state"]
        span = 3 / 8 * sum(math.cos(state[f"a{k}"]) for k in range(1, 5))
        drifts.append(abs(span - 1))
        H, angles = polygon(4, span=span)
        for k, angle in enumerate(angles, 1):
            close(f"towed rope: a{k}", state[f"a{k}"], angle, 1e-8)
        for name, force in (("F_x", H), ("F_X", -H), ("F_y", -9 / 16), ("F_Y", -9 / 16)):
            close(f"towed rope: {name}", state[name], force, 1e-8)
    close("towed rope: the distance of the ends is kept to the second order", math.log2(drifts[0] / drifts[1]), 2, 0.05)
    report("towed rope: the distance of the ends", drifts[1] < 3e-4, drifts)
    low, high = 0.01, 10
    for _ in range(200):
        a = (low + high) / 2
        low, high = (a, high) if a * math.sinh(0.5 / a) > 0.75 else (low, a)
    differences = []
    for n in (8, 16):
        pathlib.Path(here, "rope.yaml").write_text(rope(n))
        result = run(f"rope-{n}", "rope.yaml")
        H, angles = polygon(n)
        close(f"{n} links hang at rest: horizontal force", result["state"]["F_x"], H, 1e-7)
        close(f"{n} links hang at rest: vertical force and half a link", -result["state"]["F_y"] + 0.75 / n, 0.75, 1e-7)
        turned = max(abs(result["state"][f"a{i}"] - angles[i - 1]) for i in range(1, n + 1))
        report(f"{n} links hang at rest: nothing turns", turned < 1e-7, turned)
        differences.append(abs(H - a))
    for coarse, fine in zip(differences, differences[1:]):
        close("the polygons tend to the catenary: order", math.log2(coarse / fine), 2, 0.15)

    # Loads: the brake holds what the engine leaves, gives way, and cannot hold.
    wheel = SCENES / "engine-torque.yaml"
    state = run("held", wheel)["state"]
    close("held: F_x", state["F_x"], -math.sqrt(0.5), 1e-9)
    close("held: the wheel does not spin", state["w'"], 0, 1e-9)
    for m in (1.25, 1.3, 1.45):
        state = run(f"spins-{m}", wheel, "--set", f"m={m}")["state"]
        force = m - 0.5
        close(f"m = {m}: F_x", state["F_x"], -force, 1e-9)
        close(f"m = {m}: F_y", state["F_y"], -math.sqrt(1 - force ** 2), 1e-9)
        close(f"m = {m}: the wheel spins", state["w'"], force / math.sqrt(1 - force ** 2) - 1, 1e-8)
        slipping = math.hypot(1 + state["w'"], 1) + 0.5 * abs(state["w'"])
        result = thud_json("run", wheel, "--no-record", "--set", f"m={m}", cwd=here)
        close(f"m = {m}: the driving supplies what friction takes but for the engine", result["dissipation"],
              slipping - m * state["w'"], 1e-9)
    found = failed_checks("spins-1.3", "/frames/data/forces", 3)
    report("a changed load is found", found != [], found)
    result = run("too-much", wheel, "--set", "m=1.6", code=1)
    report("no equilibrium: the run says so", result["reason"].startswith("no equilibrium"), result["reason"])
    state = run("at-rest", wheel, "--set", "friction.velocity.x=0", "--set", "friction.velocity.y=0")["state"]
    report("a load at rest: forces in equilibrium", abs(state["F_x"]) <= 1 and state["F_x"] <= -0.2 + 1e-9, state)

    text = (SCENES / "tractrix.yaml").read_text()
    allowed = set(os.listdir(here)) | {"bad.yaml"}
    for what, old, new, phrase in (
            ("a coordinate without a start", "initial: {x: 0, th: pi/2}", "initial: {x: 0}", "'th'"),
            ("an unknown start", "initial: {x: 0, th: pi/2}", "initial: {x: 0, th: 1, z: 0}", "'z'"),
            ("slips without a configuration", "initial: {x: 0, th: pi/2}\n", "", "unknown name 'th'"),
            ("a load on something else", "  velocity:", "  load: {z: 1}\n  velocity:", "'z'"),
            ("a load on nothing", "  velocity:", "  load: {}\n  velocity:", "acts on something"),
            ("a law called load", "name: tail", "name: load", None)):
        path = pathlib.Path(here, "bad.yaml")
        new_text = text.replace(old, new)
        if phrase is None:
            new_text = new_text.replace("  velocity:", "  load: {th: 1}\n  velocity:")
        path.write_text(new_text)
        done = thud("run", path, "-o", "bad.h5", cwd=here)
        refused(what, done, [phrase or "can be called 'load'"], here, allowed)
end()
