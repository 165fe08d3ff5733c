"""Strings and beams: the shipped scenes against closed forms, classes, refusals, resumed runs."""
import pathlib

from thudcli import ROOT, close, end, folder, interrupted, report, thud, thud_json

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
        close("atom q c/2", atom["force"], 500 * c, 1)
        close("its place", atom["x"], place, 1e-3)
    result = run("beam-on-floor", "--set", "simulate.end=0.2")
    report("one contact point at q = 200", len(result["atoms"]) == 1, result["atoms"])
    close("its reaction", result["reaction"], 48 * (5 * 200 / 384 - 1), 1e-6)

    # What cannot be.
    refused("an obstacle of time", ["depends on t", "lift"], obstacle="t*x")
    refused("a load without place", ["at"], load="{force: -1}")
    refused("a load with both forms", ["force"], load="{density: 1, force: 2}")
    refused("two levels", ["at least 3"], more=", classify: 2")
    refused("an unknown name", ["y"], obstacle="y")
    scene = here / "below.yaml"
    scene.write_text(SCENE.format(obstacle="t0", load="{at: 0.5, force: -1}", more="").replace("string:", "parameters: {t0: 1}\nstring:"))
    done = thud("run", scene, "--no-record", cwd=here)
    report("ends below the obstacle fail", done.returncode == 1 and "below the obstacle" in done.stdout + done.stderr,
           done.stdout + done.stderr)

    # Stopped and resumed: the same bits as in one go.
    text = (EXAMPLES / "spread-load.yaml").read_text().replace("steps: 200", "steps: 100000").replace("nodes: 401", "nodes: 101")
    (here / "spread.yaml").write_text(text + "record: {every: 0.001, checkpoint_every: 0.002}\n")
    thud("run", "spread.yaml", "-o", "whole.h5", "-q", cwd=here)
    code, out, shown = interrupted(here, "run", "spread.yaml", "-o", "part.h5", until=lambda shown: "####" in shown)
    done = thud("run", "--resume", "part.h5", "-q", cwd=here)
    rows = [thud("export", name, "--rows", cwd=here).stdout for name in ("part.h5", "whole.h5")]
    report("stopped and resumed, the same bits", code != 0 and done.returncode == 0 and rows[0] == rows[1] and
           rows[0].count("\n") > 200, (code, done.stderr, len(rows[0]), len(rows[1])))
end()
