"""Ctrl-C ends a run with a valid record and a summary; kill -9 leaves a readable record up to the last flush."""
import os
import pathlib
import signal
import subprocess
import time

from thudcli import PROGRAM, end, folder, report, thud, thud_json

LONG = """thud: 1
sweeping:
  coordinates: [x, y]
  set: {ball: {centre: ["cos(t)", "sin(3*t)"], radius: 0.5}}
initial: {x: 1, y: 0}
simulate: {method: catching-up, end: 1000, steps: 40000000, refinements: 0}
record: {every_step: true}
"""


def start(here, name):
    process = subprocess.Popen([PROGRAM, "run", "long.yaml", "-o", name, "--force"], cwd=here, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    record = pathlib.Path(here, name)
    for _ in range(600):  # the run is under way once the record has grown beyond its head
        if record.exists() and record.stat().st_size > 200000:
            break
        time.sleep(0.02)
    return process, record


with folder() as here:
    pathlib.Path(here, "long.yaml").write_text(LONG)
    for name, number in (("Ctrl-C", signal.SIGINT), ("SIGTERM", signal.SIGTERM)):
        process, record = start(here, f"stopped-{int(number)}.h5")
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        report(f"{name}: exit code 130", process.returncode == 130, f"{process.returncode}\n{out}{err}")
        report(f"{name}: a summary with the verdict", "verdict: stopped" in out and "interrupted at t =" in out, out)
        done = thud("export", record, "--to", "csv", "-o", "-", "--channels", "t")
        rows = done.stdout.splitlines()
        report(f"{name}: the record is closed and readable", done.returncode == 0 and len(rows) > 1000, done.stderr)
        result = thud_json("verify", record, code=1)
        report(f"{name}: verify calls the record unfinished, and good so far",
               result["verdict"] == "unfinished" and "interrupted at t =" in result["reason"], str(result)[:2000])
        times = [float(row) for row in rows[1:2000]]
        report(f"{name}: the record's times increase", all(a < b for a, b in zip(times, times[1:])), times[:5])

    process, record = start(here, "killed.h5")
    for _ in range(300):  # until a flush has brought frames into the file
        if len(thud("export", record, "-o", "-", "--channels", "t").stdout) > 10000:
            break
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    done = thud("export", record, "--to", "csv", "-o", "-", "--channels", "t")
    report("kill -9: the record opens and holds frames", done.returncode == 0 and len(done.stdout.splitlines()) > 100,
           done.stderr)
    result = thud_json("verify", record, code=1)
    report("kill -9: verify calls the record unfinished, and good so far",
           result["verdict"] == "unfinished" and "good so far" in result["reason"], str(result)[:2000])
end()
