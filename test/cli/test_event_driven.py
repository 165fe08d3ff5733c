"""Scenes run from event to event: closed forms through the program, the record's polynomials evaluated here, what is
refused and what fails, runs that are stopped."""
import csv
import io
import json
import math
import pathlib
import re
import random

from thudcli import ROOT, close, end, folder, refused, report, thud, thud_json

SCENES = ROOT / "examples" / "dynamics"
EVENTS = ["--set", "simulate.method=event-driven"]
KINDS = ["impact", "zeno", "close", "open", "graze", "stick", "slip", "switch"]
random.seed(6)


def scene(name):
    return str(SCENES / f"{name}.yaml")


def run(name, *arguments, here=None, code=0):
    return thud_json("run", scene(name), *EVENTS, *arguments, cwd=here, code=code)


def cell_of(title, text):
    """A number; a series as its groups of numbers (one for each power of t - t0); a name as it is."""
    if title in ("q", "reaction"):
        return [[float(number) for number in group.split(";")] for group in text.split()]
    return text if title.startswith(("mode", "proof")) else float(text)


def rows_of(record, here):
    """The record's rows: column title -> number or series."""
    text = thud("export", record, "--rows", "-o", "-", "--no-units", cwd=here).stdout
    table = list(csv.reader(io.StringIO(text)))
    return [{title: cell_of(title, cell) for title, cell in zip(table[0], row)} for row in table[1:]]


def coefficients(row, channel, component=0):
    """Those of the series of one component."""
    return [group[component] for group in row[channel]]


def horner(series, s):
    value = slope = 0.0
    for c in reversed(series):
        slope = slope * s + value
        value = value * s + c
    return value, slope


# ---- C1: impacts at 3 - 2^(1-n), rest from t = 3 on ---------------------------------------------------------------------

def particle(t):
    """Position and velocity of case C1 (falls with acceleration 2 from -1 onto 0, e = 1/2)."""
    if t >= 3:
        return 0.0, 0.0
    if t < 1:
        return -1 + t * t, 2 * t
    n = math.floor(1 - math.log2(3 - t))  # the last impact was at 3 - 2^(1-n)
    s, speed = t - (3 - 2.0 ** (1 - n)), 2.0 ** -n
    return s * s - speed * s, 2 * s - speed


def check_particle(here):
    result = run("bouncing-particle", "-o", "c1.h5", "--at", "0.5,1,1.5,2.25,3,4", here=here)
    impacts = [event for event in result["events"] if event["kind"] == "impact"]
    limits = [event for event in result["events"] if event["kind"] == "zeno"]
    report("C1: verdict and method", result["verdict"] == "good" and result["method"] == "event-driven", result["reason"])
    report("C1: one accumulation, everything is an event of the list",
           len(limits) == 1 and len(impacts) == result["impacts"] and result["zeno_limits"] == 1
           and result["events_total"] == len(result["events"]), result["events_total"])
    worst = max(max(abs(event["t"] - (3 - 2.0 ** (1 - n))), abs(event["before"]["q'"] - 2.0 ** (1 - n)),
                    abs(event["after"]["q'"] + 2.0 ** -n), abs(event["impulse"]["floor"][0] - 3 * 2.0 ** -n))
                for n, event in enumerate(impacts))
    close("C1: times, velocities and impulses of the impacts", worst, 0, 1e-13)
    limit = limits[0]
    close("C1: the limit is at t = 3", limit["t"], 3, 1e-12)
    close("C1: total impulse 6", limit["total_impulse"]["floor"][0], 6, 1e-11)
    close("C1: begins at 1", limit["begin"], 1, 1e-13)
    close("C1: lasts 2", limit["duration"], 2, 1e-12)
    close("C1: ratio 1/2", limit["ratio"], 0.5, 1e-6)
    report("C1: then the contact lasts", limit["modes"]["floor"][1] == "lasting", limit["modes"])
    expected = {0.5: (-0.75, 1, 1), 1: (0, 2, -1), 1.5: (-0.25, 0, 0), 2.25: (-1 / 16, 0, 0), 3: (0, 0, 0), 4: (0, 0, 0)}
    right = {sample["t"]: sample["state"] for sample in result["samples"]}
    left = {sample["t"]: sample["state"] for sample in result["samples_left"]}
    for t, (q, before, after) in expected.items():
        miss = max(abs(right[t]["q"] - q), abs(left[t]["q'"] - before), abs(right[t]["q'"] - after))
        close(f"C1: state at {t:g} with its limits", miss, 0, 2e-11 if t == 3 else 1e-12)
    ledger = result["ledger"]
    close("C1: the impacts take all energy", ledger["impact_loss"], 2, 1e-12)
    close("C1: the ledger balances", ledger["defect"], 0, 1e-13)
    check_rows(rows_of("c1.h5", here), table_of("c1.h5", "--events", here=here), result)


def check_rows(rows, events, result):
    """The rows are one motion: they join, they hold the events, and their polynomials are the closed form."""
    report("rows: each begins where the one before ended", all(a["t_end"] == b["t"] for a, b in zip(rows, rows[1:])))
    report("rows: the first at the start, the last at the end",
           rows[0]["t"] == 0 and rows[-1]["t"] == rows[-1]["t_end"] == 4, (rows[0]["t"], rows[-1]["t"]))
    reported = [(event["t"], event["kind"]) for event in result["events"]]
    report("rows: each event belongs to the row that begins at its time",
           all(rows[int(event["frame"])]["t"] == float(event["t"]) for event in events), len(events))
    kept = [(float(event["t"]), event["kind"]) for event in events]
    report("rows: the events of the result", reported == kept, (reported[:3], kept[:3]))
    report("rows: as many as the result says", len(rows) == result["frames"], len(rows))
    worst = 0.0
    for _ in range(300):
        t = random.uniform(0, 4)
        row = next(row for row in rows if row["t"] <= t <= row["t_end"])
        q, v = horner(coefficients(row, "q"), t - row["t"])
        worst = max(worst, abs(q - particle(t)[0]), abs(v - particle(t)[1]))
    close("rows: evaluated at 300 random times", worst, 0, 1e-12)
    rest = [row for row in rows if row["t"] > 2.9999999999999 and row["t_end"] > row["t"]]
    close("rows: at rest the floor carries 2", coefficients(rest[-1], "reaction")[0], 2, 1e-12)
    close("rows: kinetic energy at the start of every arc",
          max(abs(row["kinetic"] - row["q"][1][0] ** 2 / 2) for row in rows), 0, 1e-15)
    accumulation = [row for row in rows if row["accumulation"] == 1]
    report("rows: one arc replaces the rest of the accumulation", len(accumulation) == 1, len(accumulation))


# ---- K2: slides to and fro, then sticks ---------------------------------------------------------------------------------

def check_slip(here):
    result = run("klarbring-slip", "-o", "k2.h5", "--at", "0.5,1.5,2.5,3.2", here=here)
    report("K2: the slip turns round, then stops", [event["kind"] for event in result["events"]] == ["slip", "stick"],
           [event["kind"] for event in result["events"]])
    close("K2: turns at atan(4/3)", result["events"][0]["t"], math.atan2(4, 3), 1e-12)
    close("K2: sticks at 2.7410945822358", result["events"][1]["t"], 2.7410945822358, 1e-12)
    report("K2: modes", result["events"][1]["modes"] == {"wall": ["sliding", "sticking"]}, result["events"][1]["modes"])
    states = [sample["state"] for sample in result["samples"]]
    for state, expected in zip(states, (1.5504498400879, 1.5470554034067, 0.0859302251969, 0)):
        close(f"K2: s = {expected}", state["s"], expected, 1e-12)
    last = rows_of("k2.h5", here)[-2]
    close("K2: the reaction of the stuck contact", coefficients(last, "reaction")[0], 3, 1e-11)


# ---- tables for people --------------------------------------------------------------------------------------------------

def table_of(*arguments, here):
    return list(csv.DictReader(io.StringIO(thud("export", *arguments, "--no-units", cwd=here).stdout)))


def check_exports(here):
    """Events by name, forces and modes at asked times: the numbers are those of the JSON result and of closed forms."""
    result = run("klarbring-slip", "-o", "k2.h5", "--force", here=here)
    events = table_of("k2.h5", "--events", here=here)
    report("--events: kinds and constraints", [(line["kind"], line["constraints"].split()) for line in events]
           == [(event["kind"], event["constraints"]) for event in result["events"]], events)
    for line, event in zip(events, result["events"]):
        report("--events: times, velocities, modes", float(line["t"]) == event["t"] and all(
            float(line[f"{side}[{name}]"]) == value for side in ("before", "after") for name, value in event[side].items())
            and line["modes"].split() == [f"{name}={';'.join(pair)}" for name, pair in event["modes"].items()], line)
    run("bouncing-particle", "-o", "c1.h5", "--force", here=here)
    fall = table_of("c1.h5", "--events", here=here)[0]
    report("--events: impulses by name", fall["impulse"].startswith("floor="), fall)
    close("--events: impulse of the first impact", float(fall["impulse"].removeprefix("floor=")), 3, 1e-13)
    stick = result["events"][1]["t"]
    before, after = table_of("k2.h5", "--at", repr(stick), "--channels", "reaction,mode", here=here)
    report("forces and modes on both sides of an event", (before["side"], after["side"], before["mode[wall]"],
                                                          after["mode[wall]"]) == ("-", "+", "sliding", "sticking"), [before, after])
    close("the reaction after it", float(after["reaction[wall]"]), 3, 1e-11)
    inside, = table_of("c1.h5", "--at", "3.5", "--channels", "q,reaction", here=here)
    close("the weight of what rests", float(inside["reaction[floor]"]), 2, 1e-12)
    report("only what was asked for", set(inside) == {"t", "side", "q", "reaction[floor]"}, inside)


def check_report(here):
    """The text of a run: the first events, counts, what is rounding beside the motion as 0."""
    text = thud("run", scene("bouncing-particle"), *EVENTS, "--no-record", cwd=here).stdout
    lines = [line.split() for line in text.splitlines()]
    report("report: the first impact", ["1", "impact", "floor", "(impulse", "3)"] in lines, text)
    report("report: ten events and how many more", text.count(" impact  floor") == 10 and "    and " in text, text)
    report("report: rounding is 0", "q' = 0\n" in text and "kinetic 0," in text, text)
    spring = """thud: 1
parameters: {mu: 0.1}
system:
  coordinates: [x, y]
  kinetic_energy: "0.5*(x'^2 + y'^2)"
  potential_energy: 10*y + 0.5*x^2
  constraints:
    - {name: table, gap: y, friction: {mu: mu, slip: ["x'"]}}
initial: {x: -5.5, y: 0}
simulate: {method: event-driven, end: 9.5}
"""
    (pathlib.Path(here) / "spring.yaml").write_text(spring)
    text = thud("run", "spring.yaml", "--no-record", cwd=here).stdout
    (pathlib.Path(here) / "spring.yaml").unlink()
    # it turns at t = pi and 2 pi, where x = 3.5 and -1.5, and stops at 3 pi, where x = -0.5
    report("report: a slip that turns round is not a start", "events      1 stop of slip, 2 reversals of slip\n" in text
           and text.count(" turns round\n") == 2, text)
    text = thud("run", scene("painleve-rod"), *EVENTS, "--set", "mu=2", "--set", "simulate.painleve=impact", "--no-record",
                cwd=here).stdout
    report("report: an impact without collision", "(1 without collision)" in text and " without collision\n" in text, text)
def check_arcs(here):
    result = run("klarbring-slip", "--set", "simulate.arcs=runge-kutta", "-o", "k2-steps.h5", here=here)
    report("K2 by Runge-Kutta arcs: the same events", [event["kind"] for event in result["events"]] == ["slip", "stick"],
           [event["kind"] for event in result["events"]])
    close("K2 by Runge-Kutta arcs: sticks at the same time", result["events"][1]["t"], 2.7410945822358, 1e-11)
    report("K2 by Runge-Kutta arcs: their order", result["order"] == 14, result["order"])
    done = thud("verify", "k2-steps.h5", cwd=here)
    report("K2 by Runge-Kutta arcs: the record is verified", done.returncode == 0, done.stdout[-300:])
    done = thud("run", scene("klarbring-slip"), *EVENTS, "--set", "simulate.arcs=cvode", "--no-record", cwd=here)
    report("arcs by CVODE: followed, or refused with what is missing",
           done.returncode == 0 or all(piece in done.stderr for piece in ("/simulate", "THUD_WITH_CVODE=ON", "libsundials-dev")),
           done.stderr)


# ---- what is refused, what fails ----------------------------------------------------------------------------------------

def check_refusals(here):
    good = {"c1.h5", "k2.h5", "k2-steps.h5"}
    for name, changes, pieces in (
            ("a key with a typo", ["simulate.zeno_tolerence=1e-9"], ["zeno_tolerence", "did you mean 'zeno_tolerance'"]),
            ("an order too low", ["simulate.order=2"], ["/simulate/order", "from 4 to 60"]),
            ("a choice that is none", ["simulate.on_undecided=halt"], ["/simulate/on_undecided", "continue", "stop"]),
            ("a tolerance too large", ["simulate.tolerance=0.5"], ["/simulate/tolerance", "truncation of the power series", "controlled steps"]),
            ("a key without its path", ["method=moreau"], ["simulate.method="]),
            ("a velocity by another name", ["initial.qdot=1"], ["unknown key 'qdot'", "is called \"q'\""]),
            ("a key of forks", ["simulate.fork=true"], ["unknown key 'fork'"])):
        settings = [word for change in changes for word in ("--set", change)]
        done = thud("run", scene("bouncing-particle"), *EVENTS, *settings, cwd=here)
        refused(f"refused: {name}", done, pieces, here, good)
    done = thud("run", scene("braked-vehicle"), *EVENTS, "--set", "simulate.arcs=series", cwd=here)
    refused("refused: a friction law that the method cannot follow, by its name", done,
            ["/simulate/method", "friction law 'ground'", "time-stepping"], here, good)
    done = thud("run", scene("bouncing-particle"), "--set", "simulate.order=2", cwd=here)
    refused("refused: bad values of event-driven keys, whatever the method", done, ["/simulate/order"], here, good)


def check_keys_of_both(here):
    """Keys of the event-driven method may stay in a scene that is run by time stepping, and change nothing."""
    keys = ["--set", "simulate.order=12", "--set", "simulate.zeno_tolerance=1e-9", "--set", "simulate.zeno=false"]
    motion = [thud_json("run", scene("bouncing-particle"), *more, "--no-record", cwd=here)["state"]
              for more in ([], keys)]
    report("keys of the event-driven method may stay", motion[0] == motion[1], motion)


def check_failures(here):
    result = run("painleve-rod", "--set", "mu=2", "-o", "rod.h5", here=here, code=1)
    report("Painleve: failed with the reason", result["verdict"] == "failed" and "no consistent motion" in result["reason"]
           and "'ground'" in result["reason"], result["reason"])
    report("Painleve: the record keeps what there was", len(rows_of("rod.h5", here)) == result["frames"] >= 1)
    result = run("bouncing-particle", "--set", "simulate.max_events=5", "-o", "few.h5", here=here, code=1)
    rows = rows_of("few.h5", here)
    report("too many events: failed", result["verdict"] == "failed" and "more than 5 events" in result["reason"],
           result["reason"])
    report("too many events: the rows up to there", len(table_of("few.h5", "--events", here=here)) == 5 and
           rows[-1]["t"] == result["time"], rows[-1]["t"])
    done = thud("export", "few.h5", "-o", "-", "--channels", "t", cwd=here)
    report("too many events: the record can be read", done.returncode == 0 and len(done.stdout.splitlines()) > 5)


def check_without_contacts(here):
    """No constraints, no friction: channels without components are left out, and arcs are arcs."""
    text = """thud: 1
system:
  coordinates: [a]
  kinetic_energy: "0.5*a'^2"
  potential_energy: 0.5*a^2
initial: {a: 1}
simulate: {method: event-driven, end: 6}
"""
    pathlib.Path(here, "oscillator.yaml").write_text(text)
    result = thud_json("run", "oscillator.yaml", "-o", "oscillator.h5", "--at", "1,3,6", cwd=here)
    for sample in result["samples"]:
        t, state = sample["t"], sample["state"]
        close(f"oscillator at {t:g}", max(abs(state["a"] - math.cos(t)), abs(state["a'"] + math.sin(t))), 0, 1e-14)
    report("oscillator: no events, several arcs", result["events"] == [] and result["arcs"] > 1, result["arcs"])
    rows = rows_of("oscillator.h5", here)
    report("oscillator: no channels of contacts", "mode" not in rows[0] and "impulse" not in rows[0], list(rows[0])[:5])
    report("oscillator: no events in the record", table_of("oscillator.h5", "--events", here=here) == [])


def check_check(here):
    done = thud("check", scene("bouncing-particle"), *EVENTS, cwd=here)
    report("check: says what the run will do", done.returncode == 0 and "event-driven, power series of order" in
           done.stdout, done.stdout)
    result = thud_json("check", scene("bouncing-particle"), *EVENTS, cwd=here)
    report("check: order of the series in JSON", result["method"] == "event-driven" and result["order"] == 20, result)


def check_export(here):
    """The polynomials evaluated by the program: agree with those evaluated here, and verify takes them for a motion."""
    done = thud("export", "c1.h5", "--at", "2.7,1,0.3,4", "--no-units", cwd=here)
    table = list(csv.reader(io.StringIO(done.stdout)))
    report("export --at: two lines at a jump, sorted times", done.returncode == 0 and table[0] == ["t", "side", "q", "q'"]
           and [row[1] for row in table[1:]] == ["", "-", "+", "", ""], done.stdout + done.stderr)
    for row in table[1:]:
        if row[1] == "":
            t, q, v = float(row[0]), float(row[2]), float(row[3])
            close(f"export --at {t:g}", max(abs(q - particle(t)[0]), abs(v - particle(t)[1])), 0, 1e-12)
    for name, record, step in (("bouncing-particle", "c1.h5", 0.05), ("klarbring-slip", "k2.h5", 0.01)):
        thud("export", record, "--every", step, "--no-units", "-o", f"{name}.csv", cwd=here)
        done = thud("verify", scene(name), "--trajectory", f"{name}.csv", cwd=here)
        report(f"export --every: verify accepts {name} as a motion", done.returncode == 0, done.stdout)
    for arguments, piece in ((["--every", "0"], "greater than 0"), (["--at", "1,5"], "outside the record"),
                             (["--at", "one"], "'one' is not a number"), (["--at", "1", "--channels", "gap"], "there are: t_end, q, v, reaction, mode"),
                             (["--every", "1e-12"], "times"), (["--events", "--at", "1"], "--events goes alone")):
        done = thud("export", "c1.h5", *arguments, cwd=here)
        report(f"export refuses {' '.join(arguments)}", done.returncode == 2 and piece in done.stderr, done.stderr)
    thud("run", scene("bouncing-particle"), "-o", "steps.h5", cwd=here)
    nodes = table_of("steps.h5", here=here)
    table = table_of("steps.h5", "--at", "0.123,1", here=here)
    before = max((row for row in nodes if float(row["t"]) <= 0.123), key=lambda row: float(row["t"]))
    after = min((row for row in nodes if float(row["t"]) > 0.123), key=lambda row: float(row["t"]))
    part = (0.123 - float(before["t"]))/(float(after["t"]) - float(before["t"]))
    report("export --at: records of time stepping, too", [float(line["t"]) for line in table][::len(table) - 1] == [0.123, 1]
           and list(table[0]) == ["t", "side", "q", "q'"], table)
    for name, limit in (("q", "q"), ("q'", "v_limit[q']")):
        value = float(before[name]) + part*(float(after[limit]) - float(before[name]))
        close(f"export --at: {name} is straight between the nodes", float(table[0][name]), value, 1e-15)


def check_plots(here):
    """Pictures of arcs: smooth, small also where impacts accumulate."""
    done = thud("plot", "c1.h5", "-o", "gap.svg", "--panels", "gap", cwd=here)
    report("plot: a panel that there is not, and those that there are", done.returncode == 2
           and "no panel 'gap'; there are q, v, reaction" in done.stderr, done.stderr)
    for name, arguments in (("all", []), ("modes", ["--panels", "q,mode,ledger"]), ("phase", ["--phase", "q,q'"])):
        done = thud("plot", "c1.h5", "-o", f"{name}.svg", *arguments, cwd=here)
        picture = pathlib.Path(here, f"{name}.svg").read_text() if done.returncode == 0 else ""
        size = len(re.sub(r"<symbol.*?</symbol>", "", picture, flags=re.DOTALL))  # without the glyphs of the fonts
        report(f"plot of a Zeno motion: {name}", 5000 < size < 400000, (size, done.stderr))
    done = thud("plot", "k2.h5", "-o", "both.png", "oscillator.h5", cwd=here)
    report("plot of two records, one without contacts", done.returncode == 0, done.stderr)


with folder() as here:
    check_particle(here)
    check_slip(here)
    check_exports(here)
    check_report(here)
    check_arcs(here)
    check_refusals(here)
    check_keys_of_both(here)
    check_failures(here)
    check_without_contacts(here)
    check_check(here)
    check_plots(here)
    check_export(here)
end()
