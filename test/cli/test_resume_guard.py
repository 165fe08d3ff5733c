"""Resuming trusts nothing: a record whose checkpoint, description or end was changed is refused and stays as it is; changed
rows stay found. A resumed record has the structure of an uninterrupted one. Files: modes, hangups, kills, --set."""
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import time

from thudcli import PROGRAM, ROOT, end, folder, report, skipped, some, thud

TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
LONG = ["--set", "simulate.steps=200000000"]
# One scene of each kind.
KINDS = ("play", "bouncing-ball", "event-driven/thrown-sphere", "quasistatic/cycle", "composed/rope", "elastic/string-on-floor",
         "elastic/beam-on-floor", "elastic/membrane-on-floor", "elastic/plate-over-pin", "joints/slider-crank",
         "elastic/punch-rocking", "bodies/slip-to-roll")


def scene_of(here, name, record):
    """The example with another `record` section."""
    text = re.sub(r"(?m)^record:.*\n", "", (ROOT / "examples" / f"{name}.yaml").read_text())
    for beside in (ROOT / "examples" / name).parent.glob("*.[mp][sgt][hmx]"):
        shutil.copy(beside, here)
    pathlib.Path(here, "scene.yaml").write_text(text + f"record: {record}\n")
    return "scene.yaml"


def can_go_on(here, name):
    return "thud run --resume" in thud("info", name, cwd=here).stdout


def ended(here, number, name, *arguments):
    """Runs the scene and sends the signal a little later each time, until the record can go on; the exit code. Short runs that have
    ended before are begun again."""
    wait, later = 0.01, 0.01
    for _ in range(80):
        process = subprocess.Popen([PROGRAM, "run", "scene.yaml", "-o", name, "--quiet", "--force", *arguments], cwd=here,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(wait)
        process.send_signal(number)
        code = process.wait()
        if code not in (0, 1) and pathlib.Path(here, name).exists() and can_go_on(here, name):
            return code
        if code in (0, 1):
            wait, later = wait / 2, later / 2
        else:
            wait += later
    return None


def changed(here, record, copy, path):
    return subprocess.run([TAMPER, record, copy, path, "0", "1e-3"], cwd=here).returncode == 0


def test_seal():
    with folder() as here:
        scene_of(here, "dynamics/bouncing-particle", "{every: 1.0e-4, checkpoint_every: 1.0e-4}")
        code = ended(here, signal.SIGINT, "part.h5", *LONG)
        report("a stopped run has a checkpoint", code == 130, code)
        for path in ("/checkpoints/pieces", "/checkpoints/index", "/seal/checkpoints", "/@thud_version", "/@reason"):
            if not report(f"{path} is changed", changed(here, "part.h5", "bad.h5", path)):
                continue
            before = pathlib.Path(here, "bad.h5").read_bytes()
            done = thud("run", "--resume", "bad.h5", "--quiet", cwd=here)
            report(f"{path} changed: refused", done.returncode == 2 and len(done.stderr.splitlines()) == 1, done)
            report(f"{path} changed: the record stays", pathlib.Path(here, "bad.h5").read_bytes() == before)
            found = thud("verify", "bad.h5", cwd=here)
            report(f"{path} changed: verify says so", found.returncode != 0, found.stdout)


def structure(here, name):
    """Objects, attributes, types and shapes; sizes and numbers of rows differ with where a run was cut."""
    text = subprocess.run(["h5dump", "-A", name], cwd=here, capture_output=True, text=True).stdout
    text = re.sub(r'\(\d+\): "[0-9a-f]{16}"', "(0): DIGEST", text)
    return [line for line in text.splitlines()[1:] if "DATASPACE  SIMPLE" not in line or "H5S_UNLIMITED" not in line]


def test_structure():
    if shutil.which("h5dump") is None:
        return skipped("resumed records have the structure of others", "needs h5dump: make deps-dev")
    for name in some(KINDS, 3):
        with folder() as here:
            scene_of(here, name, "{every_step: true, checkpoint_every: 1e-9}")
            more = ["--set", "simulate.steps=2000"] if name == "composed/rope" else []  # which ends at once
            whole = thud("run", "scene.yaml", "-o", "whole.h5", "--quiet", *more, cwd=here)
            code = ended(here, signal.SIGKILL, "part.h5", *more)
            if not report(f"{name}: was killed", code == -signal.SIGKILL, code):
                continue
            done = thud("run", "--resume", "part.h5", "--quiet", cwd=here)
            report(f"{name}: goes on after a kill", done.returncode == whole.returncode, done.stderr)
            a, b = structure(here, "whole.h5"), structure(here, "part.h5")
            report(f"{name}: same structure", a == b, [pair for pair in zip(a, b) if pair[0] != pair[1]][:4] + [len(a), len(b)])


def test_modes():
    with folder() as here:
        scene, record = ROOT / "examples" / "play.yaml", pathlib.Path(here, "a.h5")
        for mode in (0o600, 0o640, 0o444):
            thud("run", scene, "-o", "a.h5", "--quiet", "--force", cwd=here)
            record.chmod(mode)
            thud("run", scene, "-o", "a.h5", "--quiet", "--force", cwd=here)
            report(f"--force keeps the mode {mode:o}", stat.S_IMODE(record.stat().st_mode) == mode, oct(record.stat().st_mode))
            record.chmod(0o644)
        record.chmod(0o4755)
        thud("run", scene, "-o", "a.h5", "--quiet", "--force", cwd=here)
        report("--force drops the setuid bit", stat.S_IMODE(record.stat().st_mode) == 0o755, oct(record.stat().st_mode))


def test_hangup():
    with folder() as here:
        process = subprocess.Popen([PROGRAM, "run", ROOT / "examples" / "dynamics" / "bouncing-particle.yaml", "-o", "a.h5",
                                    "--quiet", *LONG], cwd=here, stderr=subprocess.DEVNULL)
        while not pathlib.Path(here, "a.h5").exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGHUP)
        code = process.wait()
        report("a hangup stops a run in good order", code == 130 and "stopped" in thud("info", "a.h5", cwd=here).stdout, code)


def test_kills():
    """However early a run is killed, nothing but its record is left."""
    with folder() as here:
        for k in some(range(40), 2):
            process = subprocess.Popen([PROGRAM, "run", ROOT / "examples" / "bouncing-ball.yaml", "-o", "a.h5", "--quiet",
                                        "--force"], cwd=here)
            time.sleep(0.002 * k)
            process.kill()
            process.wait()
        left = {path.name for path in pathlib.Path(here).iterdir()} - {"a.h5"}
        report("kills leave no temporary files", not left, left)


def temporary(process, machine=None):
    """The temporary name that a process of this machine uses first (src/record/output.c)."""
    number = 2166136261
    for byte in os.uname().nodename.encode() + os.readlink("/proc/self/ns/pid").encode():
        number = (number ^ byte) * 16777619 % 2**32
    return f".thud-{number if machine is None else machine:08x}-{process}-0"


def test_leftovers():
    """Files with temporary names, as kills leave them where the file system has no files without a name, are removed by the next
    run that needs such a name: those of processes that have ended here, and no others."""
    if not os.path.exists("/proc/self/ns/pid"):
        return skipped("leftovers are removed", "needs /proc")
    ended = subprocess.Popen(["true"])
    ended.wait()
    problem = ROOT / "examples" / "problems" / "friction-3d.yaml"
    stay = {temporary(os.getpid()), temporary(ended.pid, 1), temporary(ended.pid)[:-2], ".thud-notes", "a.h5", "a.h5.backup"}
    with folder() as here:
        for words in (("convert", problem, "a.h5"), ("run", ROOT / "examples" / "play.yaml", "-o", "a.h5", "--quiet")):
            for name in (*stay, temporary(ended.pid)):
                pathlib.Path(here, name).touch()
            done = thud(*words, "--force", cwd=here)
            left = {path.name for path in pathlib.Path(here).iterdir()}
            report(f"{words[0]}: leftovers of ended processes are removed, no other file", done.returncode == 0 and left == stay,
                   f"{done.stderr} {left ^ stay}")
    with folder() as here:
        for k in some(range(40), 2):
            process = subprocess.Popen([PROGRAM, "convert", problem, "a.h5", "--force"], cwd=here, stdout=subprocess.DEVNULL)
            time.sleep(0.0005 * k)
            process.kill()
            process.wait()
        done = thud("convert", problem, "a.h5", "--force", cwd=here)
        left = {path.name for path in pathlib.Path(here).iterdir()}
        report("killed conversions: the next one leaves its result only", done.returncode == 0 and left == {"a.h5"}, left)


def test_set():
    with folder() as here:
        scene = pathlib.Path(here, "scene.yaml")
        scene.write_text(re.sub(r"(?m)^record:.*\n", "", (ROOT / "examples" / "play.yaml").read_text()))
        done = thud("run", "scene.yaml", "-o", "a.h5", "--set", "record.checkpoint_every=1", "--json", cwd=here)
        report("--set makes the section 'record'", done.returncode == 0, done.stderr)
        held = thud("info", "a.h5", "--json", cwd=here).stdout
        report("its checkpoints are kept", '"has_checkpoint": true' in held or '"has_checkpoint":true' in held, held[:400])
        for key, hint in (("record.chekpoint_every", "did you mean"), ("recrod.every", "there is no section")):
            done = thud("run", "scene.yaml", "-o", "b.h5", "--set", f"{key}=1", cwd=here)
            report(f"--set {key} is refused", done.returncode == 2 and hint in done.stderr, done.stderr)


test_seal()
test_structure()
test_modes()
test_hangup()
test_kills()
test_leftovers()
test_set()
end()
