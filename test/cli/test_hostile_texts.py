"""Texts of files that would command a terminal (escape sequences, other controls, turned directions, bytes that are no UTF-8)
are shown, not obeyed, by every subcommand, and JSON stays JSON."""
import json
import os
import pathlib
import re
import subprocess

from thudcli import PROGRAM, ROOT, end, folder, report, some

TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
EVIL = "a\x1b]0;owned\x07\x1b[2J\r\x08\x7f\u009b31m\u202eb\u2066c"
IN_YAML = '"' + "".join(c if 0x20 <= ord(c) < 0x7f else f"\\u{ord(c):04x}" for c in EVIL) + '"'
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
# One scene of every kind, with few steps.
SCENES = {"sweeping": ("jump", ()), "stepping": ("bouncing-ball", ("simulate.steps=60",)),
          "event-driven": ("event-driven/bouncing-ball-to-rest", ()), "quasistatic": ("quasistatic/lift-off", ()),
          "friction": ("composed/planimeter-wheel", ()), "string": ("elastic/string-on-floor", ()),
          "beam": ("elastic/beam-on-floor", ()), "membrane": ("elastic/membrane-on-floor", ()),
          "plate": ("elastic/plate-on-floor", ()), "half_plane": ("elastic/punch-frictionless", ()),
          "bodies": ("bodies/ball-on-slope", ("simulate.end=0.02",))}


def obeyed(printed):
    """What a terminal would obey in the bytes that were printed; bytes that are not UTF-8 count."""
    try:
        return OBEYED.findall(printed.decode())
    except UnicodeDecodeError as error:
        return [str(error)]


def inert(here, *arguments, shows=True, codes=(0, 1, 2), as_json=True):
    """The command, for people and as JSON: `shows` says whether people see the hostile text, made visible."""
    for extra in ((), ("--json",))[:2 if as_json else 1]:
        done = subprocess.run([PROGRAM, *map(str, arguments), *extra], capture_output=True, cwd=here, timeout=120)
        what = " ".join(map(str, (*arguments, *extra))).encode("ascii", "backslashreplace").decode()
        found, problem = obeyed(done.stdout + done.stderr), ""
        if extra and done.stdout:
            try:
                json.loads(done.stdout)
            except ValueError as error:
                problem = f"no JSON: {error}"
        if shows and not extra and b"\\u001b[2J" not in done.stdout + done.stderr:
            problem = "the hostile text is not shown"
        report(f"{what}: inert", not found and not problem and done.returncode in codes,
               f"exit {done.returncode}, obeyed {found}, {problem}\n{done.stdout!r}\n{done.stderr!r}")


def write_scene(here, kind):
    """The scene with a hostile title beside one with hostile names as well, which may be refused."""
    path = ROOT / "examples" / f"{SCENES[kind][0]}.yaml"
    text = re.sub(r"^title:.*$", lambda _: f"title: {IN_YAML}", path.read_text(), flags=re.M)
    text = re.sub(r"^units:.*\n", "", text, flags=re.M)
    pathlib.Path(here, f"{kind}.yaml").write_text(text)
    named = re.sub(r"\bname: *[\w-]+", lambda _: f"name: {IN_YAML}", text)
    pathlib.Path(here, f"{kind}-named.yaml").write_text(named + f"{IN_YAML}: 1\n")


def test_scenes(here):
    for kind, (_, changes) in SCENES.items():
        write_scene(here, kind)
        sets = [word for change in changes for word in ("--set", change)]
        inert(here, "check", f"{kind}.yaml", codes=(0,))
        inert(here, "run", f"{kind}.yaml", *sets, "-o", f"{kind}.h5", "--force", codes=(0, 1))
        inert(here, "info", f"{kind}.h5", codes=(0,))
        inert(here, "verify", f"{kind}.h5", shows=False, codes=(0, 1))
        inert(here, "check", f"{kind}-named.yaml", codes=(2,))
    inert(here, "info", "--scene", "stepping.h5")
    inert(here, "info", "--source", "stepping.h5", as_json=False)
    inert(here, "info", "--channels", "stepping.h5")
    inert(here, "report", "stepping.h5", "-o", "page.html", "--force", shows=False, codes=(0,))
    inert(here, "plot", "stepping.h5", "-o", "picture.svg", "--force", shows=False, codes=(0,))
    inert(here, "study", "stepping.yaml", "--levels", "4:6", shows=False)
    inert(here, "run", "sweeping.yaml", "-o", "x.h5", "--force", "--set", EVIL.replace("\0", "") + "=1", codes=(2,))


def test_named_constraints(here):
    """Names that reach reports: a constraint's, in spite of its escape sequence."""
    text = pathlib.Path(here, "stepping.yaml").read_text()
    pathlib.Path(here, "floor.yaml").write_text(text.replace("name: floor", f"name: {IN_YAML}").replace("force: floor", f"force: {IN_YAML}"))
    for words in (("check", "floor.yaml"), ("run", "floor.yaml", "-o", "floor.h5", "--force")):
        inert(here, *words)


def test_records(here):
    """Texts of a record, changed one by one in a copy."""
    pathlib.Path(here, "evil.txt").write_text(EVIL[:24])
    listed = subprocess.run([TAMPER, "stepping.h5"], capture_output=True, text=True, cwd=here).stdout
    paths = [line.split("\t")[0] for line in listed.splitlines() if line.split("\t")[1] == "text"]
    chosen = [path for path in paths if path.startswith("/@") or path.startswith("/frames/data/q@") or
              path in ("/frames/channels", "/frames/components/q", "/scene", "/source", "/events/channels")]
    report("a record has texts to be changed", len(chosen) > 8, listed)
    for path in some(chosen, 3):
        changed = subprocess.run([TAMPER, "stepping.h5", "evil.h5", path, "=", "evil.txt"], capture_output=True, cwd=here)
        if changed.returncode != 0:
            continue
        for words in (("info", "--channels"), ("verify",), ("export",), ("export", "--events"), ("report", "-f"), ("plot", "-f")):
            inert(here, *words, "evil.h5", shows=False, as_json=words[0] == "info")


def test_problems(here):
    problem = (ROOT / "examples" / "problems" / "friction-3d.yaml").read_text()
    pathlib.Path(here, "problem.yaml").write_text(re.sub(r"^title:.*$", lambda _: f"title: {IN_YAML}", problem, flags=re.M))
    pathlib.Path(here, "wrong.yaml").write_text(problem + f"\n{IN_YAML}: 1\n")
    for name, text in (("broken.yaml", b"thud: 1\ntitle: \xff\xfe\x1b[2J\n"), ("broken.dat", b"\x1b[2J\xff 1 2 3\n"),
                       ("broken.h5", b"\x89HDF\r\n\x1a\n\x1b[2J" * 40), ("raw.yaml", EVIL.encode())):
        pathlib.Path(here, name).write_bytes(text)
    for name in ("problem.yaml", "wrong.yaml", "broken.yaml", "broken.dat", "broken.h5", "raw.yaml", "missing\x1b[2J.yaml"):
        shows = name in ("wrong.yaml", "missing\x1b[2J.yaml")
        inert(here, "solve", name, shows=shows)
        inert(here, "compare", name, "--methods", "gauss-seidel", shows=False)
        inert(here, "convert", name, "out.yaml", "--force", shows=shows)
        for command in ("check", "run", "verify", "info", "plot", "report", "export", "study"):
            inert(here, command, name, shows=False, as_json=command == "check")


def test_meshes(here):
    scene = (ROOT / "examples" / "elastic" / "plate-of-gmsh.yaml").read_text()
    pathlib.Path(here, "plate.yaml").write_text(re.sub(r"\S+\.msh", "evil.msh", scene))
    mesh = (ROOT / "examples" / "elastic" / "l-shape.msh").read_bytes()
    for text in (b"\x1b[2J\xff\n", mesh.replace(b'"', b'"\x1b[2J\xc2\x9b', 1), mesh.replace(b"$End", b"$\x1b[2JEnd", 1)):
        pathlib.Path(here, "evil.msh").write_bytes(text)
        inert(here, "check", "plate.yaml", shows=False)


with folder() as temporary:
    test_scenes(temporary)
    test_named_constraints(temporary)
    test_records(temporary)
    test_problems(temporary)
    test_meshes(temporary)
end()
