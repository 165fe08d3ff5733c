"""The C programs of examples/c: their output against closed forms, and wedge.c against the code that README.md shows."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from thudcli import ROOT, close, end, folder, report, thud, thud_json  # noqa: E402

FOLDER = pathlib.Path(os.environ.get("THUD_EXAMPLES_DIR") or ROOT / "build" / "release" / "examples" / "c")
TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
NUMBER = r"(-?[0-9.]+(?:e[-+]?[0-9]+)?)"


def run(name, *arguments):
    return subprocess.run([str(FOLDER / name), *arguments], capture_output=True, text=True, timeout=60)


def matched(name, pattern, text):
    """The numbers that the pattern finds, or NaN for each when it does not stand there."""
    found = re.search(pattern, text)
    report(f"{name} prints what its reader expects", found is not None, text)
    return [float(n) for n in found.groups()] if found else [math.nan] * re.compile(pattern).groups


def test_readme_shows_the_wedge():
    blocks = re.findall(r"^```c\n(.*?)^```$", (ROOT / "README.md").read_text(), re.S | re.M)
    report("README.md shows one C program", len(blocks) == 1, len(blocks))
    source = (ROOT / "examples" / "c" / "wedge.c").read_text()
    report("it is examples/c/wedge.c, byte for byte", blocks[:1] == [source], source)


def test_wedge():
    done = run("wedge")
    report("wedge ends with 0", done.returncode == 0, done.stderr)
    numbers = matched("wedge", rf"v\+ = \({NUMBER}, {NUMBER}\), percussions {NUMBER} and {NUMBER}", done.stdout)
    # cos th = 0.8, sin th = -0.6: v+ = (sin^2 th, -sin th cos th); -P = 0.8 times the second gradient.
    for what, got, expected in zip(("v1", "v2", "first", "second"), numbers, (0.36, 0.48, 0, 0.8)):
        close(f"wedge: {what}", got, expected, 1e-6)  # printed with 6 digits


def test_lcp():
    done = run("lcp")
    report("lcp ends with 0", done.returncode == 0, done.stderr)
    numbers = matched("lcp", rf"z = \({NUMBER}, {NUMBER}\), w = \({NUMBER}, {NUMBER}\)", done.stdout)
    # Masses 1 and 2, velocity -1: the floor stops both, the lower block stops the upper one.
    for what, got, expected in zip(("z1", "z2", "w1", "w2"), numbers, (3, 2, 0, 0)):
        close(f"lcp: {what}", got, expected, 1e-6)  # printed with 6 digits


def test_qualification():
    done = run("qualification")
    report("qualification ends with 1", done.returncode == 1, done.stderr)
    names = re.findall(rf" ([0-9]+) \(weight {NUMBER}\)", done.stdout)
    report("it names constraints 1 and 2 and no other", [name for name, _ in names] == ["1", "2"], done.stdout)
    for name, weight in names:
        close(f"the weight of constraint {name} is a half", float(weight), 0.5, 1e-6)
    report("it finds rank 2", "rank 2 of 3" in done.stdout, done.stdout)


def test_pendulum():
    done = run("pendulum")
    report("pendulum ends with 0", done.returncode == 0, done.stderr)
    r, th, dr, dth, g = 1, -0.5, 0.3, 2, 9.81
    expected = (r * dth**2 - g * math.sin(th), -2 * dr * dth / r - g * math.cos(th) / r, 2 + r * math.sin(th))
    for name in ("functions", "expressions"):
        numbers = matched("pendulum", rf"{name}: r'' = {NUMBER}, th'' = {NUMBER}, gap {NUMBER}", done.stdout)
        for what, got, exact in zip(("r''", "th''", "gap"), numbers, expected):
            close(f"pendulum by {name}: {what}", got, exact, 1e-9)
    text = (ROOT / "docs" / "lagrangian-systems.md").read_text()
    source = "".join((ROOT / "examples" / "c" / f"{name}.c").read_text() for name in ("pendulum", "recorded_callbacks"))
    for block in re.findall(r"^```c\n(.*?)^```$", text, re.S | re.M):
        report("docs/lagrangian-systems.md shows code of examples/c", block.rstrip() in source, block)


def test_sweep():
    errors = []
    for steps in (480, 960, 1920):
        done = run("sweep", str(steps))
        report(f"sweep with {steps} steps ends with 0", done.returncode == 0, done.stderr)
        count, residual, error = matched(
            "sweep", rf"projections {NUMBER}, worst residual {NUMBER}, error {NUMBER}", done.stdout)
        report("one projection per step and one at the end", count == steps + 1, count)
        report("every step is certified to rounding", residual <= 1e-14, residual)
        errors.append(error)
    rows = re.findall(r"^ *[0-9.]+ +-?[0-9.]+ +-?[0-9.]+ +[0-9.e+-]+$", done.stdout, re.M)
    report("it prints a row every half second", len(rows) == 7, done.stdout)
    for coarse, fine in zip(errors, errors[1:]):
        close("the error is of first order", math.log2(coarse / fine), 1, 0.02)
    # docs/sweeping.md, measured by test_sim_sweep.c: 1.436e-04 at 1920 steps.
    close("the error at 1920 steps", errors[-1], 1.436e-4, 1e-7)
    done = run("sweep", "none")
    report("a word in the place of the steps is an error", done.returncode == 2 and "0 steps" in done.stderr, done.stderr)


def test_slope():
    for angle, starts in ((30, True), (10, False), (80, True)):
        done = run("slope", str(angle))
        report(f"slope of {angle} degrees ends with 0", done.returncode == 0, done)
        time, velocity, expected, iterations, residual = matched(
            "slope", rf"after {NUMBER} s: v = {NUMBER}, expected {NUMBER}; {NUMBER} iterations, worst residual {NUMBER}",
            done.stdout)
        slope = math.radians(angle)
        closed_form = max(0, 9.81 * (math.sin(slope) - 0.3 * math.cos(slope))) * time
        report("it slides when the slope is steep enough", (closed_form > 0) == starts, closed_form)
        close("slope: the expected velocity is Coulomb's", expected, closed_form, 1e-6)  # printed with 6 digits
        close("slope: the velocity", velocity, closed_form, 2e-6)
        report("every step is solved", residual <= 1e-10, residual)
        report("warm starts: less than an iteration per step", 0 < iterations < 100, iterations)


def test_event_callbacks():
    for speed in (1, 0.5):
        done = run("event_callbacks", str(speed))
        report(f"event_callbacks {speed} ends with 0", done.returncode == 0, done.stderr)
        place = rf"x = {NUMBER}, y = {NUMBER}, v = \({NUMBER}, {NUMBER}\)"
        leaves = matched("event_callbacks", rf"open at t = {NUMBER}: {place}", done.stdout)
        lands = matched("event_callbacks", rf"impact at t = {NUMBER}: {place}", done.stdout)
        # The dome is left where m v^2/R = m g cos; from there it is a throw.
        g, height = 9.81, 2 / 3 + speed**2 / (3 * 9.81)
        side, v = math.sqrt(1 - height**2), math.sqrt(speed**2 + 2 * g * (1 - height))
        fall = (-v * side + math.sqrt((v * side) ** 2 + 2 * g * height)) / g
        expected = (side, height, v * height, -v * side)
        for what, got, exact in zip(("x", "y", "x'", "y'"), leaves[1:], expected):
            close(f"event_callbacks {speed}: the dome is left, {what}", got, exact, 2e-10)
        expected = (leaves[0] + fall, side + v * height * fall, 0, v * height, -v * side - g * fall)
        for what, got, exact in zip(("t", "x", "y", "x'", "y'"), lands, expected):
            close(f"event_callbacks {speed}: the floor is reached, {what}", got, exact, 2e-10)


def failed_checks(record, path, index, part, here):
    """Checks that a copy of the record with one number changed fails."""
    copy = here / "copy.h5"
    done = subprocess.run([TAMPER, str(record), str(copy), path, str(index), repr(part)], capture_output=True, text=True)
    if done.returncode != 0:
        return [done.stderr]
    found = json.loads(thud("verify", "--json", copy).stdout)
    copy.unlink()
    return [check["name"] for check in found["checks"] if check["status"] == "failed" and check["name"] != "seal"]


def test_changed_bodies():
    with folder() as name:
        here = pathlib.Path(name)
        record = here / "balls.h5"
        done = run("changed_bodies", str(record))
        report("changed_bodies ends with 0", done.returncode == 0, done.stderr + done.stdout)
        report("it says that a removed ball's id is refused", "is refused" in done.stdout, done.stdout)
        found = thud_json("verify", record)
        checks = {check["name"]: check for check in found["checks"]}
        report("its record verifies", found["verdict"] == "good", found)
        report("the changes were checked", "11 of them changes" in checks["events"]["detail"], checks["events"])
        for check in ("structure", "drift", "momentum", "law", "energy", "events", "summary"):
            report(f"the check '{check}' was made", checks[check]["status"] == "passed", checks[check])
        # A ball comes with 13 values, position, rotation, velocity and spin; six balls make 78. Behind them are the
        # impulse and its lever (9), the force (10), and the material (2).
        for what, index, expected in (("place of an added ball", 2, "drift"), ("spin of an added ball", 11, "drift"),
                                      ("impulse", 78, "drift"), ("lever of the impulse", 86, "drift"),
                                      ("lasting force", 88, "momentum"), ("material", 98, "contacts law model events structure")):
            failed = failed_checks(record, "/events/data/values/values", index, 1e-3, here)
            report(f"another {what} is rejected", set(expected.split()) & set(failed), (what, failed))
        failed = failed_checks(record, "/frames/data/velocity", 21 * 300 + 6, 1e-6, here)
        report("a state that jumps without a change is rejected", "drift" in failed, failed)


def test_recorded_callbacks():
    with folder() as here:
        record = pathlib.Path(here) / "ball.h5"
        for method in ("moreau-jean", "event-driven"):
            done = run("recorded_callbacks", str(record), method)
            report(f"recorded_callbacks, {method}, ends with 0", done.returncode == 0, done.stderr + done.stdout)
            found = thud_json("verify", record)
            checks = {check["name"]: check for check in found["checks"]}
            report("its record verifies", found["verdict"] == "good", found)
            report("what cannot be checked is named", checks["functions"]["status"] == "not checked" and
                   "forces" in checks["functions"]["detail"], checks["functions"])
            for name in ("structure", "initial", "law", "energy", "impacts", "events", "summary"):
                report(f"the check '{name}' was made", checks[name]["status"] == "passed", checks[name])
            done = thud("run", "--resume", record)
            report("the program cannot resume it and says why", done.returncode == 2 and "in a program" in done.stderr,
                   done.stderr)
            done = thud("export", record, "--rows", "--output", str(pathlib.Path(here) / f"{method}.csv"))
            report("it is exported", done.returncode == 0, done.stderr)


def test_bodies():
    done = run("bodies")
    report("bodies ends with 0", done.returncode == 0, done.stderr + done.stdout)
    first = matched("bodies", rf"t = {NUMBER} s: ball strikes body-4 at {NUMBER} m/s", done.stdout)
    # The ball flies 1 m less its radius and half an edge at 8 m/s and falls g t^2/2 meanwhile: 0.1 s, steps of 2 ms.
    close("bodies: the ball arrives after 0.1 s", first[0], 0.1, 2e-3)
    close("bodies: with the speed it was thrown with", first[1], 8, 1e-6)
    fallen, energy, residual, overlap = matched(
        "bodies", rf"{NUMBER} of 5 boxes have fallen; energy balance within {NUMBER} J, worst residual {NUMBER}, "
        rf"worst overlap {NUMBER} m", done.stdout)
    report("boxes have fallen", 1 <= fallen <= 5, fallen)
    report("the energy balance holds to rounding", energy <= 1e-8, energy)
    report("every contact is solved", residual <= 1e-8, residual)
    report("bodies hardly overlap", overlap <= 1e-3, overlap)
    report("the verdict is good", "verdict: every contact law holds" in done.stdout, done.stdout)


test_readme_shows_the_wedge()
test_wedge()
test_lcp()
test_slope()
test_qualification()
test_pendulum()
test_sweep()
test_event_callbacks()
test_recorded_callbacks()
test_changed_bodies()
test_bodies()
end()
