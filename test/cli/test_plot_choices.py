"""What `thud plot` draws: units, windows, expressions, differences, sets and obstacles, and words about what is left out."""
import json
import pathlib
import xml.etree.ElementTree as xml

from thudcli import ROOT, end, folder, report, thud

EXAMPLES = ROOT / "examples"
SVG = "{http://www.w3.org/2000/svg}"


def texts(here, *arguments):
    """What is written in the picture, and what the program says of it."""
    file = pathlib.Path(here) / "picture.svg"
    done = thud("plot", *arguments, "--json", "-f", "-o", file, cwd=here)
    if not report(f"{' '.join(arguments)}: drawn", done.returncode == 0, done.stderr):
        return set(), []
    shown = {"".join(node.itertext()) for node in xml.parse(file).getroot().iter(SVG + "text")}
    return shown, json.loads(done.stdout)["notes"]


def test_systems(here):
    thud("run", EXAMPLES / "dynamics" / "woodpecker.yaml", "--set", "simulate.end=1", cwd=here)
    shown, notes = texts(here, "woodpecker.h5")
    report("units have panels of their own", {"q [m]", "q [rad]", "v [m/s]", "v [rad/s]"} <= shown, shown)
    shown, notes = texts(here, "woodpecker.h5", "--panels", "max(pS, pM),pS", "--from", "0.25", "--to", "0.75")
    report("an expression, a component with its unit, a window", {"max(pS, pM)", "pS [rad]", "0.30", "0.70"} <= shown and
           not {"0.2", "0.8", "0.20", "0.80"} & shown and notes == [], shown)
    done = thud("plot", "woodpecker.h5", "--panels", "pS +", cwd=here)
    report("a wrong expression is refused with its place", done.returncode == 2 and "'pS +' of record 'woodpecker': column"
           in done.stderr, done.stderr)
    done = thud("plot", "woodpecker.h5", "--from", "9", cwd=here)
    report("an empty window as well", done.returncode == 2 and "within the window" in done.stderr, done.stderr)


def test_notes(here):
    thud("run", EXAMPLES / "event-driven" / "rocking-block-to-rest.yaml", cwd=here)
    shown, _ = texts(here, "rocking-block-to-rest.h5")
    report("gaps of lengths have forces", {"q [rad]", "reaction [N]", "impulse [N s]"} <= shown, shown)
    shown, notes = texts(here, "rocking-block-to-rest.h5", "--log", "v")
    wanted = [note for note in notes if note.startswith("v: ") and "0 or negative" in note]
    report("what is left out is said by the program", len(wanted) > 0, notes)
    report("and below the picture", any(text.startswith("v: ") for text in shown), shown)
    done = thud("plot", "rocking-block-to-rest.h5", "--log", "v", "-f", cwd=here)
    report("and on standard error", f"note: {wanted[0] if wanted else ''}" in done.stderr, done.stderr)


def test_several(here):
    scene = EXAMPLES / "dynamics" / "bouncing-particle.yaml"
    thud("run", scene, "-o", "steps.h5", cwd=here)
    thud("run", scene, "--set", "simulate.method=event-driven", "-o", "events.h5", cwd=here)
    shown, _ = texts(here, "events.h5", "steps.h5", "--difference", "--log", "y")
    report("a difference says so", {"Bouncing particle: difference from events", "|difference of q| [m]",
                                    "q, steps \u2212 events"} <= shown, shown)
    done = thud("plot", "events.h5", "--difference", cwd=here)
    report("one record has none", done.returncode == 2 and "two records" in done.stderr, done.stderr)


def test_planes(here):
    thud("run", EXAMPLES / "jump.yaml", cwd=here)
    shown, _ = texts(here, "jump.h5", "--phase", "x,y")
    report("a moving set at the start and at the end", {"start", "end", "set at the start", "set at the end"} <= shown, shown)
    shown, _ = texts(here, "jump.h5", "--phase", "x,y - x")
    report("not in another plane", "start" in shown and "set at the start" not in shown, shown)
    thud("run", EXAMPLES / "dynamics" / "vibrating-table.yaml", "--set", "simulate.end=1", "--set", "simulate.steps=5000",
         cwd=here)
    shown, _ = texts(here, "vibrating-table.h5", "--phase", "z,z'")
    report("a moving obstacle", {"forbidden", "table at the start", "table at the end"} <= shown, shown)


def test_bodies(here):
    thud("run", EXAMPLES / "bodies" / "alternating-stack.yaml", "--set", "simulate.end=0.1", cwd=here)
    shown, _ = texts(here, "alternating-stack.h5")
    report("what stands still gives way to what moves", not any(name.startswith("floor.") for name in shown) and
           any(name.endswith(".z") for name in shown), shown)


with folder() as place:
    test_systems(place)
    test_bodies(place)
    test_notes(place)
    test_several(place)
    test_planes(place)
end()
