"""The program itself: help for every command, version, starters, several files, determinism, odd outputs."""
import json
import pathlib
import subprocess

from thudcli import PROGRAM, ROOT, end, example, folder, report, thud, thud_json

version = thud("--version")
header = (ROOT / "include/thud/base.h").read_text()
report("--version matches the header", f'"{version.stdout.split()[1]}"' in header, version.stdout)
with open("/dev/full", "w") as full:
    for arguments in (("--version",), ("--version", "--json")):
        report(f"{' '.join(arguments)} ends well", thud(*arguments).returncode == 0)
        code = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.DEVNULL).returncode
        report(f"{' '.join(arguments)} into a full device does not", code == 2, code)
report("--version --json", json.loads(thud("--version", "--json").stdout)["version"] == version.stdout.split()[1])
usage = thud("--help").stdout
names = ["run", "check", "verify", "plot", "export", "new", "schema", "convert"]
report("--help lists every command", all(f"  {name} " in usage for name in names), usage)
for name in names:
    done = thud(name, "--help")
    report(f"{name} --help", done.returncode == 0 and f"Usage: thud {name}" in done.stdout and "--json" in done.stdout)
report("no command: usage on stderr, exit 2", thud().returncode == 2)

with folder() as here:
    starters = thud_json("new", "--list")
    report("starters are the examples",
           sorted(s["name"] for s in starters) == sorted(p.stem for p in (ROOT / "examples").glob("*.yaml")), starters)
    for starter in starters:
        done = thud("new", starter["name"], cwd=here)
        text = pathlib.Path(here, starter["name"] + ".yaml")
        same = text.exists() and text.read_text() == pathlib.Path(example(starter["name"])).read_text()
        report(f"new {starter['name']} writes the example", done.returncode == 0 and same and starter["title"], done)
        judged = ["solve", text] if starter["kind"] == "problem" else ["check", text]
        report(f"{judged[0]} {starter['name']}", thud(*judged, cwd=here).returncode == 0)
    done = thud("new", "jump", cwd=here)
    report("new does not overwrite", done.returncode == 2 and "--force" in done.stderr, done.stderr)

    first = thud_json("run", example("plasticity"), "-o", "a.h5", cwd=here)
    second = thud_json("run", example("plasticity"), "-o", "b.h5", cwd=here)
    for result in (first, second):
        del result["wall_seconds"], result["record"]
    report("two runs give the same bits", first == second)
    a, b = (thud("export", f"{name}.h5", "-o", "-", cwd=here).stdout for name in "ab")
    report("two records hold the same bits", a == b and len(a) > 10000)
    report("two record files are identical",
           pathlib.Path(here, "a.h5").read_bytes() == pathlib.Path(here, "b.h5").read_bytes())

    done = thud("run", example("jump"), "--no-record", "--quiet", cwd=here)
    report("--quiet prints nothing", done.returncode == 0 and done.stdout == "" and done.stderr == "", done)
    report("--no-record leaves no file", not pathlib.Path(here, "jump.h5").exists())
    as_json = pathlib.Path(here, "scene.json")
    as_json.write_text(json.dumps({"thud": 1, "sweeping": {"coordinates": ["u"], "set": {"interval": {
        "lower": "t", "upper": None}}}, "initial": {"u": 0}, "simulate": {"method": "catching-up", "end": 1, "steps": 4}}))
    report("a scene in JSON", thud_json("run", as_json, "--no-record", cwd=here)["state"] == {"u": 1})
    result = thud_json("run", as_json, "--no-record", "--set", "simulate.end=2", "--set", "initial.u=5", cwd=here)
    report("--set of paths", result["state"] == {"u": 5} and result["time"] == 2, result)
    done = thud("run", example("jump"), "--no-record", "--at", "1,0.5", cwd=here)
    asked = [line.split(", x")[0] for line in done.stdout.splitlines() if "sample" in line]
    report("--at prints one line per time, both limits at a jump",
           asked == ["  sample      t = 0.5", "  sample      t = 1-", "  sample      t = 1+"], done.stdout)
    stadium = pathlib.Path(here, "stadium.json")
    stadium.write_text(json.dumps({"thud": 1, "sweeping": {"coordinates": ["x", "y"], "set": {"sum": [
        {"segment": {"from": [-1, 0], "to": [1, 0]}}, {"ball": {"centre": [0, 0], "radius": 0.5}}]}},
        "initial": {"x": 0.3, "y": 0.1}, "simulate": {"method": "catching-up", "end": 1, "steps": 4}}))
    done = thud("check", stadium)
    report("rounding is not 'outside the set'", done.returncode == 0 and "warning" not in done.stdout, done.stdout)
    done = thud("check", stadium, "--set", "initial.y=2")
    report("check warns of an initial state outside the set", "lies 1.5 outside" in done.stdout, done.stdout)
    done = thud("run", as_json, "--no-record", "--set", "sweeping.set.interval.upper=0.6", cwd=here)
    report("an empty set met on the way is named", done.returncode == 1
           and "verdict: failed: the set is empty after t = 0.5: moving" in done.stdout and "t = 0.75" in done.stdout, done.stdout)
    full = subprocess.run([PROGRAM, "schema"], stdout=open("/dev/full", "w"), stderr=subprocess.PIPE, text=True)
    report("a full standard output is noticed", full.returncode == 2 and "standard output" in full.stderr, full)

    thud("run", example("jump"), cwd=here)
    done = thud("export", "jump.h5", "--to", "csv", "-o", "jump.csv", cwd=here)
    lines = pathlib.Path(here, "jump.csv").read_text().splitlines()
    report("export writes a header with units", done.returncode == 0 and "t [s]" in lines[0] and "x [m]" in lines[0], lines[0])
    pathlib.Path(here, "jump.csv").write_text("mine\n")
    done = thud("export", "jump.h5", "-o", "jump.csv", cwd=here)
    report("export does not overwrite what is not its own", done.returncode == 2 and "force" in done.stderr, done.stderr)
    done = thud("export", "jump.h5", "--channels", "t,nope", cwd=here)
    report("an unknown channel is named", done.returncode == 2 and "nope" in done.stderr, done.stderr)


with folder() as here:
    for arguments in (("check", example("jump")), ("run", example("jump")), ("run", example("jump"), "--no-record"),
                      ("verify", "jump.h5"), ("--version",)):
        text = thud(*arguments, "--json", cwd=here).stdout
        report(f"{arguments[0]} --json ends its last line once", text[-2:-1] in "]}" and text.endswith("\n"), text[-40:])
end()
