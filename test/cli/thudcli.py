"""What the tests of the thud program share: running it in a folder of its own, and TAP output."""
import array
import fcntl
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
PROGRAM = os.environ.get("THUD_PROGRAM") or str(ROOT / "build" / "release" / "thud")
# The whole messages of what is refused, one list per script, changed only on purpose: THUD_UPDATE_LISTS=1 writes it.
MESSAGES = ROOT / "test" / "lists" / f"{pathlib.Path(sys.argv[0]).stem}.txt"
UPDATE = bool(os.environ.get("THUD_UPDATE_LISTS"))
messages = {}
failures = 0
F_SETPIPE_SZ = 1031  # fcntl.F_SETPIPE_SZ from Python 3.10 on


def some(items, every):
    """Each `every`-th item in `make check`, all of them in `make check-all` (THUD_TEST_ALL=1), which repeats the scripts that
    call this: for what unit tests cover as well, or takes long."""
    items = list(items)
    return items if os.environ.get("THUD_TEST_ALL") else items[::every]


def report(name, good, detail=""):
    global failures
    print(f"{'ok' if good else 'not ok'} - {name}", flush=True)
    if not good:
        failures += 1
        print("\n".join("# " + line for line in str(detail).splitlines()))
    return good


def close(name, got, expected, tolerance):
    good = got is not None and abs(got - expected) <= tolerance
    return report(name, good, f"got {got!r}, expected {expected!r} within {tolerance}")


def thud(*arguments, cwd=None, timeout=120, **keywords):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, timeout=timeout,
                          **keywords)


def skipped(name, needs):
    """A check that cannot be made here; `needs` says what is missing and what would bring it (tools/run-tests)."""
    print(f"ok - {name} # SKIP {needs}", flush=True)


def needs_terminal(name):
    """Decorates a test that shows the program a terminal: it is skipped, with one line of this name, where there are no
    pseudo-terminals (a chroot without /dev/pts)."""
    def decorate(test):
        @functools.wraps(test)
        def decorated(*arguments):
            try:
                ends = os.openpty()
            except OSError:
                return skipped(name, "no pseudo-terminal: mount devpts at /dev/pts")
            for number in ends:
                os.close(number)
            return test(*arguments)
        return decorated
    return decorate


def interrupted(here, *arguments, until):
    """Exit code, standard output and terminal of the program after a SIGINT as soon as `until(terminal)` is true of what
    it has shown of its progress there."""
    terminal, end_of_program = os.openpty()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=here, stdout=out, stderr=end_of_program)
        os.close(end_of_program)
        shown, sent = "", False
        while True:
            try:
                piece = os.read(terminal, 65536).decode()
            except OSError:  # the program has closed it
                piece = ""
            if not piece:
                break
            shown += piece
            if not sent and until(shown):
                process.send_signal(signal.SIGINT)
                sent = True
        os.close(terminal)
        code = process.wait(timeout=300)
        out.seek(0)
        return code, out.read(), shown.replace("\r\n", "\n")


def stopped_early(here, *arguments):
    """Exit code and standard output of a run that gets a SIGINT after some hundred steps, however busy the machine is: every
    step writes a line of progress into a pipe that nobody reads, so that the run waits there until the signal has come."""
    reading, writing = os.pipe()
    room = fcntl.fcntl(writing, F_SETPIPE_SZ, 16384)
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen([PROGRAM, *map(str, arguments), "--progress", "1e-9"], cwd=here, stdout=out, stderr=writing)
        os.close(writing)
        while process.poll() is None and not holds_at_least(reading, room - 300):  # one line has fewer bytes
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        while os.read(reading, 65536):
            pass
        os.close(reading)
        code = process.wait(timeout=300)
        out.seek(0)
        return code, out.read()


def holds_at_least(pipe, size):
    waiting = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    return waiting[0] >= size


def thud_json(*arguments, cwd=None, code=0):
    """The parsed result of a call with --json, which must end with the exit code."""
    done = thud(*arguments, "--json", cwd=cwd)
    if done.returncode != code:
        raise AssertionError(f"exit code {done.returncode} instead of {code}: {done.stderr}{done.stdout}")
    return json.loads(done.stdout, parse_constant=lambda word: (_ for _ in ()).throw(ValueError(word)))


def without_excerpt(text):
    """Messages without the lines of the file and the carets below them."""
    return re.sub(r"^ *\d+ \| .*\n {7}\| *\^\n", "", text, flags=re.M)


def refused(name, done, pieces, here, allowed):
    """Bad input: exit code 2, one line with the pieces (and, of a file, the place below it), no file besides the allowed
    ones, nothing on standard output."""
    done.stderr = without_excerpt(done.stderr)
    one_line = done.stderr.startswith("thud: ") and done.stderr.count("\n") == 1
    says = all(piece in done.stderr for piece in pieces)
    left = sorted(set(os.listdir(here)) - allowed)
    report(name, done.returncode == 2 and one_line and says and not left and done.stdout == "",
           f"exit {done.returncode}, files {left}\n{done.stderr}{done.stdout[:300]}")
    message = re.sub(r"\d*\.?\d+e-\d\d|\d+\.\d{5,}", "#", done.stderr.replace(str(here), "HERE").rstrip("\n"))
    while name in messages:
        name += " (again)"
    messages[name] = message
    if not UPDATE:
        known = dict(line.split("\t", 1) for line in MESSAGES.read_text().splitlines()) if MESSAGES.exists() else {}
        report(f"{name}: the message", known.get(name) == message,
               f"listed: {known.get(name)}\nfound:  {message}\nif this is meant: THUD_UPDATE_LISTS=1")


def folder():
    return tempfile.TemporaryDirectory(prefix="thud-test-")


def example(name):
    return str(ROOT / "examples" / f"{name}.yaml")


def end():
    if UPDATE and messages:
        MESSAGES.write_text("".join(f"{name}\t{text}\n" for name, text in messages.items()))
    sys.exit(1 if failures else 0)
