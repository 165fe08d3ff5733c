"""The manual pages (docs/man/*.scd): they say what the program says, their examples run, they render cleanly."""
import os
import pathlib
import re
import shutil
import subprocess

from thudcli import PROGRAM, ROOT, end, example, folder, report, skipped, thud, thud_json

PAGES = ROOT / "docs" / "man"
# "*-o*, *--output* _FILE_" in a page, "  -o, --output FILE   ..." in a help text.
PAGE_OPTION = re.compile(r"^(?:\*-(\w)\*, )?\*--([\w-]+)\*(?: _(.+)_)?$")
HELP_OPTION = re.compile(r"^  (?:-(\w),|   ) --([\w-]+)(?: (\S+))?  +\S")


def help_text(command):
    return thud(command, "--help").stdout


def commands():
    """[(name, summary)] as `thud --help` lists them."""
    listed = thud("--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0]
    return [tuple(line.split(None, 1)) for line in listed.splitlines()]


def source(page):
    path = PAGES / f"{page}.scd"
    return path.read_text() if path.exists() else ""


def section(text, title):
    found = re.search(rf"^# {title}\n(.*?)(?=^# |\Z)", text, re.S | re.M)
    return found.group(1) if found else ""


def options(pattern, lines):
    return sorted(match.groups(default="") for match in map(pattern.match, lines) if match)


def test_overview(listed):
    page = source("thud.1")
    items = re.findall(r"^\*thud-(\w+)\*\(1\)\n\t(.*)$", section(page, "COMMANDS"), re.M)
    report("thud(1) lists the commands with their summaries", items == listed, f"{items}\n{listed}")
    named = set(re.findall(r"^\*([0-9]+)\*$", section(page, "EXIT STATUS"), re.M))
    reported = set(re.findall(r"(\d+) [a-z]", thud("--help").stdout.partition("Exit codes: ")[2]))
    report("thud(1) explains the exit codes that the help names", named == reported, f"{named} {reported}")


def test_command(name, summary):
    page, text = source(f"thud-{name}.1"), help_text(name)
    if not report(f"thud-{name}(1) is there", page != "", PAGES):
        return
    written = options(PAGE_OPTION, section(page, "OPTIONS").splitlines())
    offered = options(HELP_OPTION, text.splitlines())
    report(f"thud-{name}(1) explains the options of the program and no other", written == offered and offered,
           f"in the page: {written}\nin the help: {offered}")
    report(f"thud-{name}(1) has the summary of the help", section(page, "NAME").strip() == f"thud-{name} - {summary}",
           section(page, "NAME"))
    usage = re.search(r"^Usage: (.*)$", text, re.M).group(1)
    synopsis = re.sub(r"[*_]", "", section(page, "SYNOPSIS").strip())
    report(f"thud-{name}(1) has the usage of the help", synopsis == usage, f"{synopsis}\n{usage}")


def test_versions():
    version = thud("--version").stdout.strip()
    for path in sorted(PAGES.glob("*.scd")):
        name, number = path.stem.rsplit(".", 1)
        head = path.read_text().splitlines()[0]
        expected = f'{name}({number}) "{version}" "thud manual"'
        report(f"{name}({number}) carries name, section and version", head == expected, head)


def test_references():
    pages = {path.stem for path in PAGES.glob("*.scd")}
    for path in sorted(PAGES.glob("*.scd")):
        named = {f"{name}.{number}" for name, number in re.findall(r"\*(thud[\w-]*)\*\((\d)\)", path.read_text())}
        report(f"{path.stem} refers to pages that exist", named <= pages, named - pages)


def test_examples():
    path = os.pathsep.join([str(pathlib.Path(PROGRAM).parent), os.environ.get("PATH", "")])
    for page in sorted(PAGES.glob("*.1.scd")):
        for k, block in enumerate(re.findall(r"^```\n(.*?)^```$", section(page.read_text(), "EXAMPLES"), re.S | re.M)):
            with folder() as place:
                done = subprocess.run(["sh", "-e", "-c", block], cwd=place, env={**os.environ, "PATH": path},
                                      capture_output=True, text=True, timeout=120)
            report(f"{page.stem}: example {k + 1} runs", done.returncode == 0, done.stdout + done.stderr)


def test_scene_page():
    page = source("thud-scene.5")
    scenes = re.findall(r"^```\n(thud: 1\n.*?)^```$", page, re.S | re.M)
    report("thud-scene(5) shows one scene", len(scenes) == 1, len(scenes))
    with folder() as place:
        scene = pathlib.Path(place) / "scene.yaml"
        scene.write_text("".join(scenes))
        done = thud("check", scene)
    report("thud check accepts it", done.returncode == 0, done.stderr)
    table = re.findall(r"^\| `(\w+): ", (ROOT / "docs" / "scene-format.md").read_text(), re.M)
    named = re.findall(r"_(\w+)_[,;.]", section(page, "SETS"))
    report("thud-scene(5) names the sets of docs/scene-format.md", set(named) == set(table), set(named) ^ set(table))


def test_verify_page():
    """The checks that thud-verify(1) explains are those of a verified record, in their order."""
    explained = re.findall(r"^_(\w+)_\n\t", section(source("thud-verify.1"), "CHECKS"), re.M)
    with folder() as place:
        thud("run", example("jump"), "-q", cwd=place)
        made = [check["name"] for check in thud_json("verify", "jump.h5", cwd=place)["checks"]]
        report("thud-verify(1) explains the checks of the program", explained == made, f"{explained}\n{made}")
        heads = re.findall(r"^(_\w+_(?:, _\w+_)*)\n\t", section(source("thud-verify.1"), "CHECKS OF A MOTION"), re.M)
        explained = [name.strip("_") for head in heads for name in head.split(", ")]
        thud("run", example("bouncing-ball"), "-q", cwd=place)
        made = [check["name"] for check in thud_json("verify", "bouncing-ball.h5", cwd=place)["checks"]]
    report("thud-verify(1) explains the checks of motions", explained == made, f"{explained}\n{made}")


def test_run_page():
    """The keys of the result that thud-run(1) lists are those of the program."""
    heads = re.findall(r"^(_\w+_(?:, _\w+_)*)$", section(source("thud-run.1"), "RESULT"), re.M)
    listed = [key.strip("_") for head in heads for key in head.split(", ")]
    with folder() as place:
        made = thud_json("run", example("jump"), "--at", "1", cwd=place)
    report("thud-run(1) lists the keys of the result", sorted(listed) == sorted(made), f"{listed}\n{list(made)}")
    text = section(source("thud-run.1"), "RESULT OF A SYSTEM")
    absent = re.findall(r"_(\w+)_", text.partition("are\nabsent")[0])
    heads = re.findall(r"^(_\w+_(?:, _\w+_)*)$", text, re.M)
    expected = set(listed) - set(absent) | {key.strip("_") for head in heads for key in head.split(", ")}
    with folder() as place:
        made = thud_json("run", example("bouncing-ball"), "--at", "1", cwd=place)
    report("thud-run(1) lists the keys of the result of a system", expected == set(made), expected ^ set(made))
    text_of_events = section(source("thud-run.1"), "RESULT OF AN EVENT-DRIVEN RUN")
    absent = re.findall(r"_(\w+)_", text_of_events.partition("are\nabsent")[0].partition("of a system")[2])
    heads = re.findall(r"^(_\w+_(?:, _\w+_)*)$", text_of_events, re.M)
    expected = expected - set(absent) | {key.strip("_") for head in heads for key in head.split(", ")}
    with folder() as place:
        events = thud_json("run", example("bouncing-ball"), "--set", "simulate.method=event-driven", "--at", "1", cwd=place)
    report("thud-run(1) lists the keys of an event-driven result", expected == set(events), expected ^ set(events))
    heads = re.findall(r"^(_\w+_(?:, _\w+_)*)$", section(source("thud-run.1"), "RESULT OF BRANCHES"), re.M)
    with folder() as place:
        branched = thud_json("run", example("bouncing-ball"), "--set", "simulate.method=event-driven", "--branch", 1,
                             "--at", "1", cwd=place)
    listed = {key.strip("_") for head in heads for key in head.split(", ")}
    report("thud-run(1) lists the keys of branches", listed == set(branched), listed ^ set(branched))
    report("and a branch has those of a run", set(branched["branches"][0]) == set(events) | {"path"}, branched)
    reported = set(re.findall(r"_(\w+)_", text_of_events.partition("An event has")[2]))
    missing = {key for event in events["events"] for key in event} - reported
    report("thud-run(1) lists the keys of events", events["events"] and not missing, missing)
    named = re.findall(r"_(\w+)_", text.partition("has the keys")[2])
    report("thud-run(1) lists the keys of the ledger", named == list(made["ledger"]), (named, list(made["ledger"])))


def lint(tool, arguments, page):
    """Warnings of a tool about a page. Empty paragraphs are scdoc's own habit, in every page it makes."""
    done = subprocess.run([tool, *arguments, str(page)], capture_output=True, text=True, timeout=60)
    lines = (done.stderr + (done.stdout if tool == "mandoc" else "")).splitlines()
    return [line for line in lines if "skipping paragraph macro" not in line]


def test_rendering():
    missing = "" if shutil.which("scdoc") else "scdoc"
    tools = {"mandoc": ["-T", "lint", "-W", "warning"], "man": ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"]}
    for tool, arguments in tools.items():
        lacking = missing or ("" if shutil.which(tool) else tool)
        if lacking:
            skipped(f"pages render without warnings by {tool}", f"needs {lacking}: make deps-dev")
            continue
        with folder() as place:
            for path in sorted(PAGES.glob("*.scd")):
                page = pathlib.Path(place) / path.stem
                made = subprocess.run(["scdoc"], input=path.read_bytes(), capture_output=True, timeout=60)
                page.write_bytes(made.stdout)
                warnings = lint(tool, arguments, page) if made.returncode == 0 else [made.stderr.decode()]
                report(f"{path.stem} renders without warnings by {tool}", not warnings, "\n".join(warnings))


listed_commands = commands()
report("the program lists its commands", len(listed_commands) >= 7, listed_commands)
test_overview(listed_commands)
for command, line in listed_commands:
    test_command(command, line)
test_versions()
test_references()
test_examples()
test_scene_page()
test_verify_page()
test_run_page()
test_rendering()
end()
