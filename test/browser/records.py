"""The records of the pages that the browser opens: those of examples, and some that are made to be difficult."""
import concurrent.futures
import json
import pathlib
import subprocess

from thudcli import PROGRAM, example, thud

EVENTS = ["--set", "simulate.method=event-driven"]
# Too little friction: the house slides apart.
FALLING = ["--set", "materials.card.friction=0.05", "--set", "simulate.end=0.1", "--set", "simulate.step=0.005", "--set",
           "record.every=0.005"]
# Page: scene, options of the run, how the run ends, records of the page.
REPORTS = {
    "sweeping": ("rotating-segment", [], "good", ["sweeping"]),
    "stepped": ("bouncing-ball", [], "good", ["stepped"]),
    "events": ("bouncing-ball", EVENTS, "good", ["events"]),
    "branches": ("event-driven/discontinuous-branches", ["--branch", "4"], "good", ["branches", "branches.branch-2"]),
    "history": ("quasistatic/history", [], "good", ["history"]),
    "string": ("elastic/wedge-ramp", [], "good", ["string"]),
    "plane": ("bodies/dominoes", ["--set", "simulate.end=0.4"], "good", ["plane"]),
    "space": ("bodies/card-house", FALLING, "good", ["space"]),
    "linkage": ("joints/slider-crank", ["--set", "simulate.end=0.1"], "good", ["linkage"]),
    "platform": ("joints/stewart-platform", ["--set", "simulate.end=0.2"], "good", ["platform"]),
    "failed": ("dynamics/blow-up", [], "failed", ["failed"]),
    "membrane": ("elastic/membrane-over-dome", [], "good", ["membrane"]),  # for the browser without WebGL
}
# HTML, the ends of scripts and comments, quotes, line ends of JavaScript, marks that turn the direction of writing.
HOSTILE = "</script><x-h onclick=1>--><img src=x onerror='window.hacked=1'><script>window.hacked=1</script>\u2028\u202e\"&amp;'"
NAME = "</script><x-h><img src=x onerror=hacked=1>\u2028\u202e"  # names have at most 56 bytes and no quotation marks
CALL = "javascript:window.hacked=1"
SCENE = """# %(text)s
thud: 1
title: %(quoted)s
gravity: [0, 0, -10]
materials:
  stone: {friction: 0.5, density: 1000, restitution: 0.5}
bodies:
  - {name: %(floor)s, fixed: true, shape: plane, material: stone}
  - {name: %(name)s, shape: {box: [0.4, 0.2, 0.1]}, material: stone, position: [0, 0, 0.05]}
  - {name: ball, shape: {sphere: 0.1}, material: stone, position: [0.1, 0, 0.25], velocity: [1, 0, 0]}
simulate: {end: 0.4, step: 0.02}
record: {every: 0.02}
"""
# Its second motion has a warning with the name of the constraint.
SYSTEM = """# %(text)s
thud: 1
title: %(quoted)s
system:
  coordinates: [x, y]
  kinetic_energy: "(x'^2 + y'^2)/2"
  impact_law: canonical
  constraints:
    - {name: %(name)s, phi: y, restitution: 1}
    - {name: %(floor)s, phi: x + y, restitution: 1}
initial: {x: -1, y: -1, "x'": 1, "y'": 1}
simulate: {method: event-driven, end: 2}
draw:
  - panel: {axes: true, title: %(quoted)s, x_label: %(name)s}
  - points: {at: [x, y], label: %(name)s}
  - text: {at: [0, 0], text: %(quoted)s}
"""


def write_page(here, name, records, *options):
    done = thud("report", *(f"{record}.h5" for record in records), "-o", f"{name}.html", "--force", *options, cwd=here)
    if done.returncode != 0:
        raise AssertionError(f"thud report of {name}: {done.stderr}")
    return here / f"{name}.html"


def make(here, name):
    """Runs the scene of a page and writes the page."""
    scene, options, verdict, records = REPORTS[name]
    done = thud("run", example(scene), "-o", f"{name}.h5", *options, cwd=here)
    if done.returncode != (0 if verdict == "good" else 1):
        raise AssertionError(f"thud run of {name}: exit code {done.returncode}\n{done.stderr}{done.stdout}")
    return write_page(here, name, records)


def make_all(here):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip(REPORTS, pool.map(lambda name: make(here, name), REPORTS)))


def make_hostile(here, name, scene, *options, records):
    """A page whose records have hostile texts wherever a scene takes them."""
    texts = {"text": HOSTILE.replace("\u2028", " "), "quoted": json.dumps(HOSTILE), "name": json.dumps(NAME),
             "floor": json.dumps(CALL)}
    (here / f"{name}.yaml").write_text(scene % texts, encoding="utf-8")
    done = thud("run", f"{name}.yaml", *options, cwd=here)
    if done.returncode not in (0, 1):
        raise AssertionError(f"the hostile scene {name} is refused: {done.stderr}")
    return write_page(here, name, records, "--title", HOSTILE)


def make_killed(here):
    """A page of a run that was killed soon after it began."""
    process = subprocess.Popen([PROGRAM, "run", example("bouncing-ball"), "--set", "simulate.steps=2000000", "-o", "killed.h5"],
                               cwd=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None and thud("info", "killed.h5", cwd=here).returncode != 0:
            pass  # until the record can be read
    finally:
        process.kill()
        process.wait()
    return write_page(here, "killed", ["killed"])


def make_damaged(here, page):
    """The page again, with numbers of its moving picture that are not there."""
    begin, data, end = page.read_text(encoding="utf-8").partition('id="thud-page">')
    text, tag, rest = end.partition("</script>")
    content = json.loads(text)
    content["records"][0]["film"]["t"] = {"b": 999, "o": 0, "n": 8, "t": "f64"}
    path = here / "damaged.html"
    path.write_text(begin + data + json.dumps(content).replace("<", "\\u003c") + tag + rest, encoding="utf-8")
    return pathlib.Path(path)
