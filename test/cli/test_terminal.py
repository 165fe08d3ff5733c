"""What people see: messages with their place in the file, colours, progress on a terminal and in a log, thud info."""
import fcntl
import os
import pathlib
import re
import struct
import subprocess
import termios

from thudcli import PROGRAM, end, example, folder, interrupted, needs_terminal, report, thud, thud_json

BALL = """thud: 1
title: "%s"
parameters: {g: 10}
system:
  coordinates: [z]
  mass: [1]
  potential_energy: g*z
  constraints: [{name: floor, gap: z, restitution: 0.5}]
initial: {z: 1}
simulate: {method: moreau-jean, end: 4, steps: %d}
record: {every: 0.5%s}
"""
COLOUR = re.compile(r"\033\[[0-9;]*m")


def on_terminal(here, *arguments, columns=110, **environment):
    """Exit code and what the program shows on a terminal."""
    terminal, end_of_program = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=here, stdout=subprocess.DEVNULL,
                               stderr=end_of_program, env={**os.environ, "TERM": "xterm", **environment})
    os.close(end_of_program)
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the program has closed it
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    return process.wait(timeout=120), shown.decode().replace("\r\n", "\n")


def caret(text):
    """(line of the file, the word that the caret points at)"""
    lines = COLOUR.sub("", text).splitlines()
    at = next((k for k, line in enumerate(lines) if re.fullmatch(r" {7}\| *\^", line)), None)
    if at is None:
        return None
    number, shown = lines[at - 1].split(" | ", 1)
    column = lines[at].index("^") - len("       | ")
    return int(number), re.match(r"[\w*+ ]*", shown[column:]).group(0).strip()


def test_places(here):
    wrong = pathlib.Path(here, "wrong.yaml")
    for name, old, new, expected in (
            ("an unknown key", "restitution", "restitutoin", (8, "restitutoin")),
            ("an unknown name in an expression", "g*z", "3*z + gg*z", (7, "gg*z")),
            ("behind letters of several bytes", "title: \"ball\"", "title: \"\u00fc\u00fc\", colour: 1", None),
            ("a value of the wrong kind", "mass: [1]", "mass: much", (6, "much"))):
        wrong.write_text((BALL % ("ball", 100, "")).replace(old, new))
        done = thud("check", wrong.name, cwd=here)
        found = caret(done.stderr)
        good = done.returncode == 2 and (expected is None or found == expected)
        report(f"{name}: the caret points at it", good, f"{found} instead of {expected}\n{done.stderr}")
    text = BALL % ("ball", 100, "")
    wrong.write_text(text.replace("potential_energy: g*z", 'potential_energy: "' + "0*z + " * 60 + 'unknown + g*z"'))
    done = thud("check", wrong.name, cwd=here)
    report("a long line: the part around the caret", caret(done.stderr) == (7, "unknown + g*z")
           and max(map(len, done.stderr.splitlines()[1:])) <= 110, done.stderr)
    wrong.write_text(text.replace("title: \"ball\"", "title: [\"\u00fc\u00fc\", {a: 1}]"))
    done = thud("run", wrong.name, "--json", cwd=here)
    report("with --json the place is in stderr alone", "|" not in done.stdout and caret(done.stderr) is not None,
           done.stdout + done.stderr)
    wrong.write_text(text.replace("restitution", "x\u001b[2Jy"))
    done = thud("check", wrong.name, cwd=here)
    report("control characters of the file stay in the file", "\033" not in done.stderr, repr(done.stderr))


@needs_terminal("colours of a terminal")
def test_colours(here):
    wrong = pathlib.Path(here, "wrong.yaml")
    wrong.write_text((BALL % ("ball", 100, "")).replace("restitution", "restitutoin"))
    _, coloured = on_terminal(here, "check", wrong.name)
    plain = thud("check", wrong.name, cwd=here).stderr
    report("a terminal gets colours", len(COLOUR.findall(coloured)) >= 4, repr(coloured))
    report("without them it is the same text", COLOUR.sub("", coloured) == plain, coloured + plain)
    for name, environment in (("NO_COLOR", {"NO_COLOR": "1"}), ("a dumb terminal", {"TERM": "dumb"})):
        _, shown = on_terminal(here, "check", wrong.name, **environment)
        report(f"{name}: no colours", shown == plain, repr(shown))
    report("no terminal: no colours", "\033" not in plain, repr(plain))


def frames(shown):
    """The lines that were written over each other; the last one is what is left."""
    return [line.removesuffix("\033[K") for line in shown.split("\r")[1:]]


@needs_terminal("progress on a terminal")
def test_progress(here):
    scene = pathlib.Path(here, "ball.yaml")
    scene.write_text(BALL % ("ball", 400000, ""))
    code, shown = on_terminal(here, "run", scene.name, "--no-record")
    lines = frames(shown)
    bar = re.compile(r"\[#*-*\] +(\d+) %  t = (\S+) of 4 *(  \S+ steps/s)? *  [01] contacts? *  residual \S+ *(  \S.* left)? *")
    found = [bar.fullmatch(line) for line in lines[:-1]]
    report("a bar with time, share, steps per second, contacts and residual", code == 0 and found and all(found),
           repr(shown))
    shares = [int(match.group(1)) for match in found if match]
    report("the share grows and is that of the time", shares == sorted(shares) and all(
        abs(share - 25 * float(match.group(2))) <= 1 for share, match in zip(shares, found)), shares)
    report("nothing of the bar is left", lines[-1] == "", repr(lines[-1]))
    for columns in (80, 60, 40, 20):
        _, shown = on_terminal(here, "run", scene.name, "--no-record", columns=columns)
        lines = frames(shown)
        report(f"{columns} columns: lines stay within them", 0 < max(map(len, lines)) < columns, repr(shown))
        bars = [line.index("]") if line.startswith("[") else None for line in lines[:-1]]
        report(f"{columns} columns: the bar is always there, and keeps its place once all is known",
               bars and None not in bars and bars == sorted(bars, reverse=True) and len(set(bars)) <= 4, bars)
        report(f"{columns} columns: nothing is cleared before it is written again", "\r\033[K" not in shown[:-4], repr(shown))
    for flag in ("--quiet", "--json"):
        _, shown = on_terminal(here, "run", scene.name, "--no-record", flag)
        report(f"{flag}: no bar", shown == "", repr(shown))
    done = thud("run", scene.name, "--no-record", "--progress", "0.01", cwd=here)
    line = re.compile(r"thud: \d+ %  t = \S+ of 4  \S+ steps/s  [01] contacts?  residual \S+  .* left")
    report("a log gets lines", done.stderr.count("\n") >= 2 and all(map(line.fullmatch, done.stderr.splitlines())),
           done.stderr)
    done = thud("run", scene.name, "--no-record", "--progress", "0", cwd=here)
    report("--progress 0: none", done.stderr == "", done.stderr)
    done = thud("run", scene.name, "--no-record", "--progress", "-1", cwd=here)
    report("--progress -1 is refused", done.returncode == 2 and "number of seconds" in done.stderr, done.stderr)


@needs_terminal("Ctrl-C: a clean line and the command that continues")
def test_interrupted(here):
    scene = pathlib.Path(here, "long.yaml")
    scene.write_text(BALL % ("ball", 40000000, ", checkpoint_every: 0.0001"))
    code, _, shown = interrupted(here, "run", scene.name, until=lambda text: text.count("\r") > 2)
    left = shown.split("\r\033[K")[-1]
    command = re.fullmatch(r"continue with: thud run --resume '(long\.h5)'\n", left)
    report("Ctrl-C: a clean line and the command that continues", code == 130 and command is not None, repr(shown[-300:]))
    facts = thud_json("info", "long.h5", cwd=here)
    report("info of a stopped run", facts["verdict"] == "stopped" and facts["has_checkpoint"] and facts["end"] < 4,
           facts)
    text = thud("info", "long.h5", cwd=here).stdout
    report("info has the command as well", "continue    thud run --resume 'long.h5'" in text, text)


def test_info(here):
    thud("run", example("bouncing-ball"), cwd=here)
    result = thud_json("run", example("bouncing-ball"), "-o", "again.h5", cwd=here)
    facts = thud_json("info", "bouncing-ball.h5", cwd=here)
    report("info: verdict, title, kind and method", (facts["verdict"], facts["title"], facts["kind"], facts["method"])
           == ("good", "Bouncing ball", "stepping", "moreau-jean"), facts)
    report("info: times and numbers of rows", facts["start"] == 0 and facts["end"] == 3 and facts["time_unit"] == "s"
           and facts["events"] == result["events_total"] and facts["bytes"] == os.path.getsize(
               pathlib.Path(here, "bouncing-ball.h5")), facts)
    names = [channel["name"] for channel in facts["channels"]["frames"]]
    header = thud("export", "bouncing-ball.h5", "--no-units", "-o", "-", cwd=here).stdout.splitlines()[0]
    report("info: the channels of the frames", names[:3] == ["t", "step", "q"] and header.startswith("t,step,z"), names)
    text = thud("info", "bouncing-ball.h5", "--channels", cwd=here).stdout
    report("info --channels lists them all", all(re.search(rf"^ .* {re.escape(name)} ", text, re.M) for name in names),
           text)
    scene = thud("info", "bouncing-ball.h5", "--scene", cwd=here).stdout
    pathlib.Path(here, "scene.json").write_text(scene)
    report("info --scene is a scene", thud("check", "scene.json", cwd=here).returncode == 0, scene)
    thud("run", example("bouncing-ball"), "--set", "e=0.8", "--set", "simulate.end=1", "-o", "set.h5", cwd=here)
    source = pathlib.Path(example("bouncing-ball")).read_text()
    report("info --source is the file", thud("info", "bouncing-ball.h5", "--source", cwd=here).stdout == source)
    changed = thud("info", "set.h5", "--source", cwd=here).stdout
    report("info --source: changes follow", changed == source + "# --set e=0.8\n# --set simulate.end=1\n", changed[-200:])
    report("records with their source verify", thud("verify", "set.h5", cwd=here).returncode == 0)
    arc = thud_json("run", example("bouncing-ball"), "--set", "simulate.method=event-driven", "-o", "arc.h5", cwd=here)
    facts = thud_json("info", "arc.h5", cwd=here)
    report("info: the last arc counts up to its end", facts["end"] == 3 and facts["frames"] == arc["arcs"] + 1, facts)
    pathlib.Path(here, "text.h5").write_text("no record")
    done = thud("info", "text.h5", "bouncing-ball.h5", cwd=here)
    report("info: what is no record is refused, the others are shown", done.returncode == 2 and "text.h5" in done.stderr
           and "verdict: good" in done.stdout, done.stderr + done.stdout)


for test in (test_places, test_colours, test_progress, test_interrupted, test_info):
    with folder() as here:
        test(here)
end()
