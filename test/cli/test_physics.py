"""Scenes that are well formed and mean something else than their author: gaps that are no distances, slips that are not
tangential, friction that gives energy, Euler's number where a restitution was meant. `check` and `run` both say so, and
none of the examples is suspected."""
import pathlib

from thudcli import ROOT, close, end, folder, report, thud, thud_json

BLOCK = """thud: 1
parameters: {{m: 2, g: 10, mu: 0.25}}
system:
  coordinates: [x, y]
  kinetic_energy: "0.5*m*(x'^2 + y'^2)"
  potential_energy: m*g*y
  constraints:
    - {{name: floor, gap: "{gap}", friction: {{mu: mu, slip: ["{slip}"]{more}}}}}
initial: {{x: 0, y: 0, "x'": 2}}
simulate: {{method: {method}, end: 0.5{steps}}}
"""
BOWL = """thud: 1
parameters: {{mu: 0.25}}
system:
  coordinates: [x, y]
  kinetic_energy: "x'^2 + y'^2"
  constraints:
    - name: bowl
      gap: 4 - x^2 - y^2
      friction: {{mu: mu, slip: ["(x*y' - y*x')/sqrt(x^2 + y^2)"]{more}}}
initial: {{x: 0.5, y: 0, "y'": 1}}
simulate: {{method: moreau-jean, end: 4, steps: 400}}
"""
METHODS = (("moreau-jean", ", steps: 200"), ("event-driven", ""))
SUSPICIONS = {"gap-not-distance", "slip-not-tangential", "negative-friction-loss"}


def codes(result):
    return {warning["code"] for warning in result["warnings"]}


def block(gap="y", slip="x'", more="", method=METHODS[0]):
    return BLOCK.format(gap=gap, slip=slip, more=more, method=method[0], steps=method[1])


def both(here, text):
    """What check and run suspect, and the result of the run."""
    path = pathlib.Path(here) / "scene.yaml"
    path.write_text(text)
    checked, done = thud_json("check", path, cwd=here), thud_json("run", path, "--force", cwd=here)
    return codes(checked) & SUSPICIONS, codes(done) & SUSPICIONS, done



with folder() as here:
    for method in METHODS:
        # decelerated by mu g from 2: 2 - 0.25*10*0.5 = 0.75; a gap of twice the distance halves mu: 1.375
        for name, text, suspected, left in (
                ("a distance", block(method=method), set(), 0.75),
                ("twice a distance", block(gap="2*y", method=method), {"gap-not-distance"}, 1.375),
                ("twice a distance with its scale", block(gap="2*y", more=", normal_scale: 2", method=method), set(),
                 0.75),
                ("an expression as scale", block(gap="y + y*m/2", more=", normal_scale: m/2 + 1", method=method), set(),
                 0.75),
                ("a wrong scale", block(gap="2*y", more=", normal_scale: 4", method=method), {"gap-not-distance"},
                 2 - 10 * 0.25 * 2 * 0.5 if 2 - 10 * 0.25 * 2 * 0.5 > 0 else 0),
                ("gap and slip in one unit", block(gap="2*y", slip="2*x'", method=method), set(), 0.75),
                ("a slip with the gap in it", block(slip="x' + 0.5*y'", method=method), {"slip-not-tangential"}, None),
                ("the velocity of the gap as slip", block(slip="y'", method=method), {"slip-not-tangential"}, None)):
            by_check, by_run, done = both(here, text)
            report(f"{method[0]}: {name}: check", by_check == suspected, by_check)
            report(f"{method[0]}: {name}: run", by_run == suspected, by_run)
            if left is not None:
                close(f"{method[0]}: {name}: the velocity left", done["state"]["x'"], left, 1e-12)
                judged = thud("verify", "scene.h5", cwd=here)
                report(f"{method[0]}: {name}: verified", judged.returncode == 0, judged.stdout + judged.stderr)

    # the gradient is 4 at the wall, not at the start
    by_check, by_run, _ = both(here, BOWL.format(more=""))
    report("a gap that is no distance at its wall", by_check == by_run == {"gap-not-distance"}, (by_check, by_run))
    by_check, by_run, _ = both(here, BOWL.format(more=', normal_scale: "2*sqrt(x^2 + y^2)"'))
    report("its scale as an expression", by_check == by_run == set(), (by_check, by_run))
    said = thud("check", "scene.yaml", cwd=here).stdout
    report("nothing in words either", "normal_scale" not in said, said)

    path = pathlib.Path(here) / "scene.yaml"
    path.write_text(block(gap="2*y"))
    said = thud("check", path, cwd=here).stdout
    report("the remedy in words", "friction: {normal_scale: 2}" in said and "0.5 times what mu says" in said, said)

    # errors stand where they are
    for name, text, place in (("in the scale", block(more=', normal_scale: "m*hugh"'), "normal_scale"),
                              ("in mu beside a scale", block(more=', normal_scale: "m*2"').replace("mu: mu,", "mu: hugh,"),
                               "/mu"),
                              ("a scale of 0", block(more=", normal_scale: 0"), "normal_scale")):
        path.write_text(text)
        done = thud("check", path, cwd=here)
        report(f"an error {name}", done.returncode == 2 and place in done.stderr, done.stderr)

    # Euler's number
    small = block().replace("gap: \"y\"", "gap: \"y\", restitution: {e}")
    for value, good in (("e", False), ("0.3*e", False), ("0.1 + e/10", False), ("1e-1", True), ("exp(-1)", True),
                        ("0.5", True)):
        path.write_text(small.replace("{e}", value))
        for command in ("check", "run"):
            done = thud(command, path, *(("--force",) if command == "run" else ()), cwd=here)
            said = "Euler's number" in done.stderr and "parameters: {e: 0.5}" in done.stderr
            report(f"{command}: restitution: {value}", (done.returncode == 0) if good else (done.returncode == 2 and said),
                   done.stderr)
    path.write_text(small.replace("{e}", "e").replace("mu: 0.25", "mu: 0.25, e: 0.5"))
    report("a parameter called e", thud("check", path, cwd=here).returncode == 0)

# sliding of a slip whose row turns within long steps gives energy: 10 steps; 400 are enough
for steps, suspected in ((10, True), (400, False)):
    done = thud_json("run", ROOT / "examples" / "dynamics" / "kane-pendulum.yaml", "--no-record", "--set",
                     "simulate.method=moreau-jean", "--set", f"simulate.steps={steps}")
    loss = done["ledger"]["friction_loss"]
    said = [warning["message"] for warning in done["warnings"] if warning["code"] == "negative-friction-loss"]
    report(f"energy from friction in {steps} steps", bool(said) == suspected == (loss < -1), f"{loss} {said}")
    report(f"the law is named, {steps} steps", not suspected or "the slip of 'ground'" in said[0], said)

for scene in sorted((ROOT / "examples").rglob("*.yaml")):
    if scene.parent.name in ("problems", "trajectories") or scene.stem in ("unqualified", "one-contact"):
        continue
    found = codes(thud_json("check", scene)) & SUSPICIONS
    report(f"{scene.name} is not suspected", not found, found)
    if thud("check", scene, "--resolved").stdout.count('"slip"') > 0:
        done = thud("run", scene, "--no-record")
        report(f"{scene.name} runs without suspicion", not any(word in done.stdout for word in (
            "not tangential", "normal_scale", "friction gave")), done.stdout)
end()
