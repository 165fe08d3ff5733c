"""Sweeping processes whose set depends on the state, perturbations and explicit partitions: scenes, records, the checker."""
import math
import os
import pathlib
import subprocess

from thudcli import ROOT, close, end, folder, refused, report, thud, thud_json

TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
SCENES = ROOT / "examples" / "sweeping"
SCENE = """thud: 1
parameters: {a: 0.5}
sweeping:
  coordinates: [x]
  set: {interval: {lower: LOWER, upper: 100}}
MORE
initial: {x: 0}
simulate: {end: 2, SIMULATE}
"""
SPRING = """thud: 1
data: {F: {breaks: [1.5], pieces: [t, 3 - t]}}
quasistatic:
  unknowns: [n, u]
  stiffness: [[1, 0.5], [0.5, 1]]
  load: {n: 1, u: F}
  contacts: [{name: foot, normal: -n, tangential: u, mu: 0.5}]
initial: {n: 0, u: 0}
simulate: {method: event-driven, end: 4, steps: 24}
"""


def run(name, path, *arguments, code=0):
    result = thud_json("run", path, "-o", name + ".h5", "--force", *arguments, cwd=here, code=code)
    if code == 0:
        done = thud("verify", name + ".h5", cwd=here)
        report(f"{name}: the record is verified", "verdict: good" in done.stdout, done.stdout)
    return result


def rows(name, component=None):
    lines = [line.split(",") for line in thud("export", name + ".h5", cwd=here).stdout.splitlines()]
    return lines[1:] if component is None else [[row[0], row[lines[0].index(component)]] for row in lines[1:]]


def tampered(name, path, index, part="1e-3"):
    done = subprocess.run([TAMPER, name + ".h5", "changed.h5", path, str(index), part], capture_output=True, text=True, cwd=here)
    result = thud_json("verify", "changed.h5", cwd=here, code=1)
    os.unlink(pathlib.Path(here, "changed.h5"))
    return [c["name"] for c in result["checks"] if c["status"] == "failed" and c["name"] != "seal"], done


with folder() as here:
    # The ball that runs ahead: its closed form.
    def G(th, a=0.5):
        return (1 - a) * math.log(math.tan(th / 2)) - a * math.cos(th)

    result = run("ball", SCENES / "ball-ahead.yaml")
    low, high = 1e-9, math.pi / 6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if G(math.pi / 6) - G(middle) > 3 - math.sqrt(0.75) else (low, middle)
    close("ball ahead: x(3)", result["state"]["x"], (3 - math.cos(high)) / 0.5, 1e-5)
    close("ball ahead: y(3)", result["state"]["y"], math.sin(high), 2e-3)
    close("ball ahead: contraction", result["contraction"], 0.5, 1e-3)
    close("ball ahead: order", result["refinement"][2]["order"], 1, 0.05)
    report("ball ahead: no bound by the retraction", "error_bound" not in result, result)
    for path, index in (("/frames/data/state", 250), ("/frames/data/reaction", 300), ("/frames/data/t", 120)):
        found, done = tampered("ball", path, index)
        report(f"ball ahead: a changed {path} is found", found != [], (found, done))
    for part in ("0.2", "-0.2"):
        texts = subprocess.run([TAMPER, "ball.h5"], capture_output=True, text=True, cwd=here).stdout
        count = int(next(line.split("\t")[2] for line in texts.splitlines() if line.startswith("/summary\t")))
        found = any("summary" in tampered("ball", "/summary", k, part)[0] for k in range(count)
                    if '"contraction"' in tampered("ball", "/summary", k, part)[1].stdout)
        report(f"ball ahead: a contraction changed by {part} is found", found)
    result = run("fast", SCENES / "ball-ahead.yaml", "--set", "a=1.1", code=1)
    report("a factor above 1 ends the run", "by the factor 1.0" in result["reason"] and result["code"] == "no-contraction", result)

    # The driven point: held by 2 sin t - 1 up to 5 pi/6.
    result = run("driven", SCENES / "driven-in-interval.yaml")
    worst = 0
    leave = 5 * math.pi / 6
    for row in rows("driven"):
        t, u = float(row[0]), float(row[2])
        if t > 4:
            break
        exact = min(1, math.sin(t) - math.cos(t) + math.exp(-t))
        if t > leave:
            exact = math.sin(t) - math.cos(t) + (1 - math.sin(leave) + math.cos(leave)) * math.exp(leave - t)
        worst = max(worst, abs(u - exact))
    report("driven: the closed form to the step", worst < 0.01, worst)
    found, _ = tampered("driven", "/frames/data/state", 400)
    report("driven: a changed state is found", found != [], found)

    # Friction as a sweeping process is the quasi-static spring, and four intervals are exact.
    result = run("friction", SCENES / "friction-as-sweeping.yaml")
    close("friction: u at the end", result["state"]["u"], -0.4, 1e-11)
    close("friction: contraction mu w", result["contraction"], 0.25, 1e-3)
    pathlib.Path(here, "spring.yaml").write_text(SPRING)
    run("spring", "spring.yaml")
    spring = {round(float(t), 9): float(u) for t, u in rows("spring", "u")}
    for row in rows("friction"):
        close(f"friction: as the spring at t = {float(row[0]):g}", float(row[2]), spring[round(float(row[0]), 9)], 1e-11)

    # Partitions: rows at the nodes; a point has two.
    def scene(lower, more="", simulate="steps: 4"):
        path = pathlib.Path(here, "scene.yaml")
        path.write_text(SCENE.replace("LOWER", lower).replace("MORE", more).replace("SIMULATE", simulate))
        return path

    run("nodes", scene("t + a*x", "  partition: [0.25, {point: 1}, 2*a + 0.75]", ""))
    found = [(float(row[0]), row[1]) for row in rows("nodes")]
    report("nodes of a partition", found == [(0, ""), (0.25, ""), (1, ""), (1, "+"), (1.75, ""), (2, "")], found)
    for row in rows("nodes"):
        close(f"nodes: exact at t = {row[0]}", float(row[2]), 2 * float(row[0]), 1e-10)
    found, _ = tampered("nodes", "/frames/data/t", 1)
    report("nodes: a changed time is found", "structure" in found, found)

    # A set of time alone moves under a perturbation, too: 0 changes nothing, and an empty set is found.
    for name, more in (("moved", ""), ("moved-0", "  perturbation: {x: 0}")):
        run(name, scene("2*t - 1", more, "steps: 20"))
    report("a perturbation of 0 changes nothing", rows("moved", "x") == rows("moved-0", "x"), rows("moved-0", "x")[-3:])
    close("the moving end pushes the state", float(rows("moved-0", "x")[-1][1]), 3, 1e-12)
    result = run("empty", scene("101*t", "  perturbation: {x: 0}", "steps: 20"), code=1)
    report("an empty set ends the run", result["code"] == "empty-set", result)

    allowed = set(os.listdir(here)) | {"scene.yaml"}
    for what, lower, more, simulate, phrase in (
            ("nodes that do not increase", "t", "  partition: [1, 0.5]", "", "nodes increase between the start"),
            ("a node at the end", "t", "  partition: [1, 2]", "", "nodes increase between the start"),
            ("a partition beside steps", "t", "  partition: [1]", "steps: 4", "either 'partition'"),
            ("a perturbation of something else", "t", "  perturbation: {y: 1}", "steps: 4", "'y'"),
            ("jumps at times that depend on the state", "step(t - x - 1)", "", "steps: 4", "depend"),
            ("a penalty with a perturbation", "t", "  perturbation: {x: 1}", "steps: 4, method: regularised", "penalty"),
            ("an unknown name", "t + z", "", "steps: 4", "unknown name 'z'")):
        done = thud("run", scene(lower, more, simulate), "-o", "bad.h5", cwd=here)
        refused(what, done, [phrase], here, allowed)
end()
