"""'-' is standard input or output where that makes sense and refused with a word elsewhere; options of other commands are
refused by the name of the command that has them; plain export of an event-driven record is its motion."""
import csv
import io
import pathlib

from thudcli import ROOT, close, end, example, folder, refused, report, thud, thud_json

JUMP = pathlib.Path(example("jump")).read_text()
BALL = pathlib.Path(ROOT / "examples" / "event-driven" / "bouncing-ball-to-rest.yaml")


def test_scenes_come_from_standard_input(here):
    piped = thud("check", "-", cwd=here, input=JUMP).stdout
    named = thud("check", example("jump"), cwd=here).stdout
    report("check -", piped.splitlines()[1:] == named.splitlines()[1:] and piped.startswith("-: "), piped)
    done = thud("run", "-", "-o", "piped.h5", "-q", cwd=here, input=JUMP)
    thud("run", example("jump"), "-o", "named.h5", "-q", cwd=here)
    rows = [thud("export", name, cwd=here).stdout for name in ("piped.h5", "named.h5")]
    report("run - gives the motion of the file", done.returncode == 0 and rows[0] == rows[1] != "", done.stderr)
    report("verify knows the scene", thud("verify", "piped.h5", cwd=here).returncode == 0)
    done = thud("check", "-", cwd=here, input=JUMP.replace("radius", "raduis"))
    report("errors have their place", done.returncode == 2 and done.stderr.startswith("thud: standard input:"),
           done.stderr)
    done = thud("study", "-", "--levels", "4:6", cwd=here, input=(ROOT / "examples" / "brick-on-incline.yaml").read_text())
    report("study -", done.returncode in (0, 1) and "moreau-jean" in done.stdout, done.stdout + done.stderr)
    thud("export", "named.h5", "--no-units", "-o", "jump.csv", cwd=here)
    done = thud("verify", "-", "--trajectory", "jump.csv", cwd=here, input=JUMP)
    report("verify - --trajectory", done.returncode == 0, done.stdout + done.stderr)
    for name in ("piped.h5", "named.h5", "jump.csv"):
        (pathlib.Path(here) / name).unlink()


def test_streams_that_cannot_be(here):
    for name, arguments in (
            ("a record on standard output", ["run", example("jump"), "-o", "-"]),
            ("a scene without a name", ["run", "-"]),
            ("standard input twice", ["check", "-", "-"]),
            ("a record from standard input", ["verify", "-"]),
            ("a record to draw", ["plot", "-"]),
            ("a picture on standard output", ["plot", "x.h5", "-o", "-"]),
            ("a record to export", ["export", "-"]),
            ("a record to resume", ["run", "--resume", "-"]),
            ("a table to check", ["verify", example("jump"), "--trajectory", "-"]),
            ("a problem from standard input", ["solve", "-"]),
            ("an answer on standard output", ["solve", "x.yaml", "-o", "-"]),
            ("a problem to convert", ["convert", "-", "x.yaml"]),
            ("a problem converted", ["convert", "x.yaml", "-"])):
        refused(name, thud(*arguments, cwd=here, input=""), ["-"], here, set())
    for command in ("check", "verify", "plot", "export", "solve", "convert"):
        refused(f"{command} --threads", thud(command, "x", "--threads", "2", cwd=here),
                [f"{command}: there is no --threads here; it is an option of 'thud run'"], here, set())


def test_export_of_arcs(here):
    thud("run", BALL, "-o", "ball.h5", "-q", "--set", "simulate.method=event-driven", cwd=here)
    events = list(csv.DictReader(io.StringIO(thud("export", "ball.h5", "--events", "--no-units", cwd=here).stdout)))
    text = thud("export", "ball.h5", "--no-units", cwd=here).stdout
    table = list(csv.DictReader(io.StringIO(text)))
    names = text.splitlines()[0].split(",")
    report("t, side, positions, velocities, reactions", names[:2] == ["t", "side"] and
           any(name.endswith("'") for name in names) and any(name.startswith("reaction[") for name in names), names)
    times = [float(row["t"]) for row in table]
    # lines 1/1000 of the duration apart, and further ones at events
    report("a thousand times", len(set(times)) >= 1001 and times == sorted(times) and
           max(b - a for a, b in zip(times, times[1:])) <= 1.0001e-3 * (times[-1] - times[0]), len(times))
    impacts = {float(event["t"]) for event in events if event["kind"] == "impact"}
    sides = {}
    for row in table:
        sides.setdefault(float(row["t"]), []).append(row["side"])
    late = [t for t in impacts if not any(abs(t - s) <= 1e-14 * (1 + t) and sides[s] == ["-", "+"] for s in sides)]
    report("both limits at every impact", len(impacts) > 3 and not late, late)
    coordinate = names[2]
    middle = table[len(table) // 2]
    sample = thud_json("run", BALL, "--no-record", "--at", middle["t"], "--set", "simulate.method=event-driven", cwd=here)
    close("the motion is that of the run", float(middle[coordinate]), sample["samples"][0]["state"][coordinate], 1e-12)
    rows = thud("export", "ball.h5", "--rows", "--no-units", cwd=here).stdout.splitlines()
    report("--rows: the coefficients", rows[0].startswith("t,t_end,q,"), rows[0])
    done = thud("export", "ball.h5", "--rows", "--every", "1", cwd=here)
    report("--rows goes alone", done.returncode == 2 and "--rows goes alone" in done.stderr, done.stderr)


with folder() as place:
    test_scenes_come_from_standard_input(place)
with folder() as place:
    test_streams_that_cannot_be(place)
with folder() as place:
    test_export_of_arcs(place)
end()
