"""Runs that are stopped or killed at random moments and resumed until they are done give the same bits as
uninterrupted ones: every channel, every event, every sample, the ledger."""
import json
import pathlib
import random
import re
import signal
import subprocess
import time

from thudcli import PROGRAM, ROOT, end, folder, report, some, thud

SCENES = ROOT / "examples" / "dynamics"
random.seed(5)
KILLS = 4
RUNS = [
    # example, simulate, record (checkpoints follow), sample times
    ("vibrating-table", "{method: moreau-jean, end: 40, steps: 800000}", "every: 0.05", "0.5,17.25,40"),
    ("vibrating-table", "{method: moreau, end: 8, steps: 120000}", "every_step: true", ""),
    ("double-pendulum", "{method: second-order, end: 10, tolerance: 1e-5}", "every: 0.01", "0,3.3,9.99"),
    ("rocking-block", "{method: stabilised, end: 3, steps: 60000}", "every: 0.01", "1"),
    ("woodpecker", "{method: moreau-jean, end: 6, steps: 120000}", "every: 0.02", "2.5"),
    ("woodpecker", "{method: event-driven, end: 60}", "every_step: true", "2.5,33,59.9"),
    ("vibrating-table", "{method: event-driven, end: 120}", "every_step: true", "1,119"),
    ("newton-cradle", "{method: mabrouk, end: 20, steps: 300000}", "every: 0.1", ""),
    ("slip-onset", "{method: regularised, end: 2, steps: 150000, lambda: 1e-4}", "every: 0.01", "1"),
    ("../jump", "{method: catching-up, end: 2, steps: 60000, refinements: 0}", "every: 0.01", "0.5,1,1.75"),
]


def scene_of(name, simulate, record):
    text = (SCENES / f"{name}.yaml").read_text().replace("impact_law: sequential", "impact_law: canonical")  # all methods take it
    text = re.sub(r"(?m)^(simulate|record):.*\n", "", text)
    length = float(re.search(r"end: ([\d.]+)", simulate).group(1))
    return f"{text}simulate: {simulate}\nrecord: {{{record}, checkpoint_every: {length / 60!r}}}\n"


def result_of(done):
    result = json.loads(done.stdout)
    return {key: value for key, value in result.items() if key not in ("wall_seconds", "record")}


def rows_of(here, name):
    return thud("export", name, "--rows", "-o", "-", cwd=here).stdout


def start(here, *arguments):
    return subprocess.Popen([PROGRAM, "run", *arguments, "--json"], cwd=here, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def resumed(here, begin, channels, length, number):
    """Starts the run, ends it by the signal at random moments KILLS times, each time goes on by --resume; the result of
    the last start, how often it was interrupted, and what each interrupted start said. A run that was killed before its
    first checkpoint begins anew."""
    process, stops = start(here, *begin), []
    while True:
        try:
            wait = random.uniform(0.15, 0.5) * length if len(stops) < KILLS else 300
            out, err = process.communicate(timeout=wait)
            if process.returncode == 0 and not stops and length > 1e-3:  # faster than the whole run was
                length /= 2
                process = start(here, *begin, "--force")
                continue
            if process.returncode != 2 or not stops:
                return subprocess.CompletedProcess(begin, process.returncode, out, err), stops
            process = start(here, *begin, "--force")  # nothing to resume yet
        except subprocess.TimeoutExpired:
            process.send_signal(number)
            out, err = process.communicate()
            if process.returncode == 2 and stops:  # it was about to say that there is nothing to resume yet
                process = start(here, *begin, "--force")
                continue
            stops.append((process.returncode, out, err))
            check_stop(here, channels, number, stops[-1])
            process = start(here, "--resume", "part.h5")


def check_stop(here, channels, number, stop):
    """After Ctrl-C the last state is a frame of a closed record; after a kill the record can be read."""
    code, out, err = stop
    rows = thud("export", "part.h5", "-o", "-", "--channels", channels, "--no-units", cwd=here)
    if number == signal.SIGKILL:
        report("  killed: the record can be read", rows.returncode == 0 or not pathlib.Path(here, "part.h5").exists(),
               rows.stderr)
        return
    if code in (0, -number):  # it was done in the very moment, or had not even started
        return
    if not report("  stopped: exit code 130", code == 130, (code, out, err)):
        return
    result = json.loads(out)
    line = rows.stdout.splitlines()[-1].replace(";", ",").replace(" ", ",")  # a series is q and v where the motion ends
    last = [float(x) for x in line.split(",")][:1 + len(result["state"])]
    report("  stopped: the last state is a frame", last == [result["time"], *result["state"].values()] and
           result["verdict"] == "stopped", (last, result["time"], result["state"]))


def test_run(name, simulate, record, at, number):
    what = f"{name}, {simulate.split(',')[0][9:]}, {signal.Signals(number).name}"
    with folder() as here:
        pathlib.Path(here, "scene.yaml").write_text(scene_of(name, simulate, record))
        samples = ["--at", at] if at else []
        begin = time.monotonic()
        whole = thud("run", "scene.yaml", "-o", "whole.h5", "--json", *samples, cwd=here)
        length = time.monotonic() - begin
        if not report(f"{what}: uninterrupted", whole.returncode == 0, whole.stderr):
            return
        channels = "t,q" if "event-driven" in simulate else "t,state" if "catching-up" in simulate else "t,q,v"  # the series of q begins with position and velocity
        done, stops = resumed(here, ["scene.yaml", "-o", "part.h5", *samples], channels, length, number)
        report(f"{what}: was interrupted", len(stops) > 0, length)
        if report(f"{what}: done after {len(stops)} interruptions", done.returncode == 0, done.stderr + done.stdout[:500]):
            expected, got = result_of(whole), result_of(done)
            differ = [key for key in expected if got.get(key) != expected[key]]
            report(f"{what}: same result", expected == got, [(key, expected[key], got.get(key)) for key in differ][:3])
            verified = thud("verify", "part.h5", cwd=here)
            report(f"{what}: verify accepts it", verified.returncode == 0, verified.stdout)
            report(f"{what}: same rows in every channel", rows_of(here, "whole.h5") == rows_of(here, "part.h5"))
        left = {path.name for path in pathlib.Path(here).iterdir()} - {"part.h5", "scene.yaml", "whole.h5"}
        if number == signal.SIGKILL:  # while a complete copy replaced the record it has a name of its own
            left = {name for name in left if not name.startswith(".thud-")}
        report(f"{what}: nothing else is left", not left, left)


def test_sample_times():
    """Resumed with other sample times: refused; the record stays as it was."""
    with folder() as here:
        pathlib.Path(here, "scene.yaml").write_text(scene_of(*RUNS[0][:3]))
        for wait in (0.2, 0.6, 2, 6):  # until the run gets as far as its first checkpoint
            process = start(here, "scene.yaml", "-o", "part.h5", "--at", "1,2", "--force")
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            process.communicate()
            if "same --at" in thud("run", "--resume", "part.h5", "--at", "3", cwd=here).stderr:
                break
        part = pathlib.Path(here, "part.h5")
        before = part.read_bytes()
        for at in ("1,3", "1", "1,2,3"):
            done = thud("run", "--resume", "part.h5", "--at", at, cwd=here)
            report(f"--at {at} instead of 1,2 is refused", done.returncode == 2 and "--at" in done.stderr, done.stderr)
        report("a refused record is left alone", part.read_bytes() == before)
        done = thud("run", "scene.yaml", "--set", "e=0.4", "--resume", "part.h5", cwd=here)
        report("another parameter is refused", done.returncode == 2 and "another scene" in done.stderr, done.stderr)
        done = thud("run", "scene.yaml", "--resume", "part.h5", "--at", "2,1", "--json", cwd=here)
        report("the same times in another order will do", done.returncode == 0 and
               [s["t"] for s in json.loads(done.stdout)["samples"]] == [1, 2], done.stderr)


for k, run in some(enumerate(RUNS), 3):
    test_run(*run, signal.SIGKILL)
    if k % 3 == 0:
        test_run(*run, signal.SIGINT if k % 2 else signal.SIGTERM)
test_sample_times()
end()
