"""Strings and beams: the shipped scenes against closed forms, classes, refusals, resumed runs."""
import math
import pathlib

from thudcli import ROOT, close, end, folder, report, stopped_early, thud, thud_json

EXAMPLES = ROOT / "examples" / "elastic"
SCENE = """thud: 1
string:
  nodes: 5
  tension: 1
  obstacle: {obstacle}
  loads: [{load}]
simulate: {{end: 1, steps: 4{more}}}
"""


def run(name, *arguments):
    return thud_json("run", EXAMPLES / f"{name}.yaml", "--no-record", *arguments, cwd=here)


def refused(name, pieces, obstacle="0", load="{at: 0.5, force: -1}", more=""):
    scene = here / "refused.yaml"
    scene.write_text(SCENE.format(obstacle=obstacle, load=load, more=more))
    done = thud("check", scene, cwd=here)
    report(name, done.returncode != 0 and all(piece in done.stderr for piece in pieces), done.stderr)


def check_resume(here):
    """Stopped and resumed: the same bits as in one go."""
    text = (EXAMPLES / "spread-load.yaml").read_text().replace("steps: 200", "steps: 10000").replace("nodes: 401", "nodes: 101")
    (here / "spread.yaml").write_text(text + "record: {every: 0.001, checkpoint_every: 0.002}\n")
    thud("run", "spread.yaml", "-o", "whole.h5", "-q", cwd=here)
    code, _ = stopped_early(here, "run", "spread.yaml", "-o", "part.h5")
    done = thud("run", "--resume", "part.h5", "-q", cwd=here)
    rows = [thud("export", name, "--rows", cwd=here).stdout for name in ("part.h5", "whole.h5")]
    report("stopped and resumed, the same bits", code == 130 and done.returncode == 0 and rows[0] == rows[1] and
           rows[0].count("\n") > 200, (code, done.stderr, len(rows[0]), len(rows[1])))


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    # The wedge: exact whatever the steps.
    for steps in ("10", "80", "333"):
        result = run("wedge-ramp", "--set", f"simulate.steps={steps}", "--set", "simulate.classify=0")
        close(f"ramp, {steps} steps: u(1/2) = (t - 1 - mu)/4", result["state"]["u(0.5)"], 0.15, 1e-14)
        close(f"ramp, {steps} steps: r = -mu", result["state"]["r(0.5)"], -0.4, 1e-12)
        result = run("wedge-jumps", "--set", f"simulate.steps={steps}", "--set", "simulate.classify=0")
        close(f"jumps, {steps} steps: u(1/2) = (1 - mu)/4", result["state"]["u(0.5)"], 0.15, 1e-14)
    for name, expected in (("wedge-ramp", "strong"), ("wedge-jumps", "bounded variation"), ("moving-load", "weak only")):
        result = run(name)
        report(f"{name} is {expected}", result["class"] == expected, result["class"])

    # A moving point load: exact at its nodes, no slip, energy 1/(1 + 2t).
    result = run("moving-load")
    close("the load's hinge", result["state"]["u(0.5)"], 0.25 / 0.75, 1e-12)
    report("one atom under the load", len(result["atoms"]) == 1 and abs(result["atoms"][0]["x"] - 0.25) < 1e-12, result["atoms"])

    # A beam on a floor.
    result = run("beam-on-floor")
    c = (24 / 1000) ** 0.25
    close("total reaction q (1 - c)", result["reaction"], 1000 * (1 - c), 0.01)
    for atom, place in zip(result["atoms"], (c, 1 - c)):
        close("atom q c/2", atom["force"], 500 * c, 0.05)
        close("its place", atom["x"], place, 1e-4)
    result = run("beam-on-floor", "--set", "simulate.end=0.2")
    report("one contact point at q = 200", len(result["atoms"]) == 1, result["atoms"])
    close("its reaction", result["reaction"], 48 * (5 * 200 / 384 - 1), 1e-6)

    # A beam whose contact point moves, a load that turns back, one that oscillates at all scales, a floor.
    result = run("beam-on-parabola")
    close("the contact point at 2/5", result["atoms"][0]["x"], 0.4, 1e-9)
    close("its reaction", result["atoms"][0]["force"], 23575 / 1872, 1e-6)
    result = run("beam-on-parabola", "--set", "beam.loads.0.force=-6000/847")
    close("the contact point at 9/20", result["atoms"][0]["x"], 0.45, 1e-9)
    close("its reaction", result["atoms"][0]["force"], 139400 / 27951, 1e-6)
    for trips in (1, 2, 3):
        result = run("return-trip", "--set", f"simulate.end={2 * trips}", "--set", f"simulate.steps={64 * trips}")
        u = (1 - 3 ** -trips) / 2
        close(f"u(1/2) after {trips} trips", result["state"]["u(0.5)"], u, 1e-12)
        close("its energy", result["ledger"]["stored"], u * u + (1 - u) ** 2, 1e-12)
        close("nothing slips", result["ledger"]["friction"], 0, 1e-12)
    for scales in (2, 3, 4):
        result = run("no-weak-solution", "--set", f"parameters.N={scales}", "--set", f"simulate.steps={2 * scales}")
        close(f"{scales} scales: u(1/2) = 3/(2N + 3)", result["state"]["u(0.5)"], 3 / (2 * scales + 3), 1e-12)
    result = run("string-on-floor")
    close("the weight less the free spans", result["reaction"], 20 * (1 - 0.2), 1e-9)
    report("no atoms", result["atoms"] == [], result["atoms"])

    # Places of the load off the mesh: u of order 1 in the cell.
    errors = []
    for cells in (100, 200, 400, 800):
        result = run("moving-load", "--set", f"string.nodes={cells + 1}", "--set", "simulate.classify=0", "--set", "simulate.end=0.1234567")
        p = 0.5 - 0.1234567
        errors.append(max(abs(result["state"][f"u({k / 20:g})"] - max(0, k / 20 - p) / (1 - p)) for k in range(21)))
    report("a load off the mesh: order 1", errors[0] < 0.02 and errors[3] < errors[0] / 5, errors)

    # Runs that classify follow the load: every step of them is that of the continuum, sqrt(dt/((1/2 + t)(1/2 + t'))), on meshes that
    # have no node where the load stands, and after the jump of sqrt(2) at the start.
    for nodes, steps in ((50, 7), (131, 12), (401, 5)):
        result = run("moving-load", "--set", f"string.nodes={nodes}", "--set", f"simulate.steps={steps}")
        for k, level in enumerate(result["refinement"]):
            n, dt = steps * 2 ** k, 0.25 / (steps * 2 ** k)
            variation = math.sqrt(2) + sum(math.sqrt(dt / ((0.5 + j * dt) * (0.5 + (j + 1) * dt))) for j in range(n))
            close(f"{nodes} nodes, level {k}: variation", level["variation"], variation, 1e-8 * variation)
        report(f"{nodes} nodes: weak only", result["class"] == "weak only" and abs(result["growth"] - 0.5) < 0.01, result["growth"])

    # Every shipped scene is verified.
    for scene in sorted(EXAMPLES.glob("*.yaml")):
        done = thud("run", scene, "-o", "one.h5", "-f", "-q", cwd=here)
        judged = thud("verify", "one.h5", cwd=here)
        report(f"{scene.stem} is verified", done.returncode == 0 and judged.returncode == 0, done.stderr + judged.stdout)

    # One cell, and two.
    for nodes, kind in ((2, "string"), (3, "string"), (2, "beam"), (3, "beam")):
        text = SCENE.format(obstacle="-0.01", load="{at: 0.5, force: -1}", more="").replace("nodes: 5", f"nodes: {nodes}")
        (here / "small.yaml").write_text(text.replace("string:", "beam:").replace("tension", "bending") if kind == "beam" else text)
        done = thud("run", "small.yaml", "-o", "small.h5", "-f", "-q", cwd=here)
        judged = thud("verify", "small.h5", cwd=here)
        report(f"{kind} of {nodes} nodes", done.returncode == 0 and judged.returncode == 0, done.stderr + judged.stdout)

    # Pictures over the length.
    thud("run", EXAMPLES / "string-on-floor.yaml", "-o", "floor.h5", "-q", cwd=here)
    done = thud("plot", "floor.h5", "--profile", "line", "--at", "0.5,1,2", "-o", "floor.svg", cwd=here)
    drawn = (here / "floor.svg").read_text() if done.returncode == 0 else ""
    report("profiles", len(drawn) > 10000, done.stderr)
    for arguments, path in (((), "usual.svg"), (("--profile", "line"), "line.svg")):
        thud("plot", "floor.h5", *arguments, "--at", "0.5,2", "-o", path, cwd=here)
    report("the usual picture is that of the line", (here / "usual.svg").read_bytes() == (here / "line.svg").read_bytes())
    thud("plot", "floor.h5", "--panels", "u(0.75)", "-o", "alone.svg", cwd=here)
    report("one component of many is a solid line", "stroke-dasharray" not in (here / "alone.svg").read_text())
    shown = thud("run", EXAMPLES / "string-on-floor.yaml", "-o", "shown.h5", cwd=here).stdout
    report("fields are shown by their ranges", ", u from " in shown and "u(0)" not in shown, shown)
    for times in ("", "x", "-1"):
        done = thud("plot", "floor.h5", "--profile", "line", f"--at={times}", "-o", "other.svg", cwd=here)
        report(f"profiles at '{times}' are refused", done.returncode == 2 and "--at" in done.stderr, (done.returncode, done.stderr))

    # What cannot be.
    refused("a load without place", ["at"], load="{force: -1}")
    refused("a load with both forms", ["force"], load="{density: 1, force: 2}")
    refused("two levels", ["at least 3"], more=", classify: 2")
    refused("an unknown name", ["y"], obstacle="y")
    refused("a load of negative width", ["width"], load="{at: 0.5, force: -1, width: -0.1}")
    for nodes, pieces in (("1", ["2"]), ("[0, 0.5, 0.5, 1]", ["increase"]), ("2.5", ["nodes"]), ("[0, 1, 0.5]", ["increase"])):
        (here / "refused.yaml").write_text(SCENE.format(obstacle="0", load="{at: 0.5, force: -1}", more="").replace("nodes: 5", f"nodes: {nodes}"))
        done = thud("check", "refused.yaml", cwd=here)
        report(f"nodes: {nodes}", done.returncode != 0 and all(piece in done.stderr for piece in pieces), done.stderr)
    scene = here / "outside.yaml"
    scene.write_text(SCENE.format(obstacle="0", load="{at: 0.5 + t, force: -1}", more=""))
    done = thud("run", scene, "--no-record", cwd=here)
    report("a load that leaves the line is named", done.returncode != 0 and "x = 1.25" in done.stdout + done.stderr, done.stdout + done.stderr)
    scene = here / "below.yaml"
    scene.write_text(SCENE.format(obstacle="t0", load="{at: 0.5, force: -1}", more="").replace("string:", "parameters: {t0: 1}\nstring:"))
    done = thud("run", scene, "--no-record", cwd=here)
    report("ends below the obstacle fail", done.returncode == 1 and "below the obstacle" in done.stdout + done.stderr,
           done.stdout + done.stderr)
    check_resume(here)
end()
