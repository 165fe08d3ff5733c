"""Pages and pictures of several records, many events and many components: what they show and what they say about it."""
import pathlib
import re
import xml.etree.ElementTree as tree

from pages import Page
from thudcli import ROOT, close, end, example, folder, report, thud

SVG = "{http://www.w3.org/2000/svg}"


def record_of(here, name):
    thud("report", f"{name}.h5", "-o", f"{name}.html", cwd=here)
    return Page(here / f"{name}.html").json["records"][0]


def column(table, name):
    at = [one["name"] for one in table["columns"]].index(name)
    return [row[at] for row in table["rows"]]


def test_events(here):
    """The drum of grains has some 1600 impacts in 1 s."""
    thud("run", example("bodies/drum"), "-o", "drum.h5", "-q", cwd=here)
    record = record_of(here, "drum")
    events, lines = record["events"], thud("export", "drum.h5", "--events", cwd=here).stdout.splitlines()
    head = lines[0].split(",")
    at, force = head.index("t [s]"), head.index("impulse [N s]")
    times = [float(line.split(",")[at]) for line in lines[1:]]
    impulses = [float(line.split(",")[force].replace("nan", "0")) for line in lines[1:]]  # contacts that begin have none
    shown = column(events, "t")
    report("drum: more events than a page shows", events["total"] == len(times) > len(shown) == 1000, events["total"])
    report("  in their order, from the first to the last", shown == sorted(shown) and
           [shown[0], shown[-1]] == [times[0], times[-1]], shown[:2])
    parts = [[sum(k / 20 <= (t - times[0]) / (times[-1] - times[0]) < (k + 1) / 20 for t in list_) for k in range(20)]
             for list_ in (shown, times)]
    report("  of each twentieth of the time at least a quarter", all(4 * a >= b for a, b in zip(*parts)), parts)
    strongest = sorted(range(len(times)), key=lambda k: -impulses[k])[:400]
    left = sorted(shown)
    missing = [k for k in strongest if times[k] not in left]
    report("  the strongest are all there", not missing, missing)
    report("  the notes say so", any("shows 1000 of" in note and "strongest" in note for note in record["notes"]), record["notes"])
    half = 0
    whole = sum(p for t, p in zip(times, impulses) if t > 0)
    for t, p in zip(times, impulses):
        half += p if t > 0 else 0
        if half >= 0.5 * whole:
            break
    close("  the page opens when half of the impulses have acted", record["opens"], t, 1e-12)


def test_openings(here):
    thud("run", example("bouncing-ball"), "-o", "ball.h5", "-q", cwd=here)
    # e = 0.7: the impulses are as 1, .7, .49, ...; half of 1/(1 - .7) is reached with the second one, sqrt(2/g)(1 + 2 e)
    close("ball: opens at the second impact", record_of(here, "ball")["opens"], (2 / 9.81) ** 0.5 * 2.4, 1e-3)
    thud("run", example("elastic/string-on-floor"), "-o", "string.h5", "-q", cwd=here)
    record = record_of(here, "string")
    close("string without impacts: where it is farthest from its start, at the end", record["opens"], 2, 0)
    notes = {panel["name"]: panel["note"] for panel in record["panels"]}
    report("its panels do not call places far from each other the first ones", notes["u"] == "8 of 401 components", notes)
    thud("run", example("dynamics/blow-up"), "-o", "stop.h5", "-q", cwd=here)
    low, high = record_of(here, "stop")["span"]
    report("a failed run opens within its span", low <= record_of(here, "stop")["opens"] <= high)


def paths_of(place, panel):
    """Colours and dashes of the lines of a panel."""
    looks = []
    for group in tree.parse(place).getroot().iter(f"{SVG}g"):
        if re.fullmatch(rf"panel-{panel}-series-\d+", group.get("id") or ""):
            lines = [path for path in group.iter(f"{SVG}path") if path.get("stroke-width") == "1.3"]
            looks += [(line.get("stroke"), line.get("stroke-dasharray")) for line in lines[:1]]
    return looks


def test_records(here):
    """The colour says which component a line is, the dash which record."""
    for name, e in (("a", 0.5), ("b", 0.8), ("c", 0.3)):
        thud("run", example("bouncing-ball"), "-o", f"{name}.h5", "-q", "--set", f"e={e}", cwd=here)
    files = ["a.h5", "b.h5", "c.h5"]
    for name, more in (("over time", ["--panels", "ledger", "--components", "kinetic,potential"]), ("in a plane", ["--phase", "z,z'"])):
        thud("plot", *files, *more, "-o", "three.svg", cwd=here)
        # not jumps in the plane, whose dots are far from each other, nor the border of what is forbidden
        looks = [look for look in paths_of(here / "three.svg", 0) if look[0] not in (None, "#000000") and look[1] != "1.2 4"]
        colours, dashes = {colour for colour, _ in looks}, {dash for _, dash in looks}
        count = 2 if name == "over time" else 1
        report(f"three records {name}: a colour per component, a dash per record",
               (len(colours), len(dashes), len(set(looks))) == (count, 3, 3 * count), looks)
    thud("run", example("elastic/string-on-floor"), "-o", "other.h5", "-q", "--set", "simulate.steps=40", cwd=here)
    thud("plot", "string.h5", "other.h5", "--profile", "u", "--at", "1.5,2", "-o", "two.svg", cwd=here)
    looks = paths_of(here / "two.svg", 0)
    report("profiles: a colour per time, a dash per record",
           (len({a for a, _ in looks}), len({b for _, b in looks}), len(set(looks))) == (2, 2, 4), looks)


def described(here, *arguments):
    done = thud("plot", *arguments, "-o", "picture.svg", cwd=here)
    return tree.parse(here / "picture.svg").getroot().find(f"{SVG}desc").text, done.stderr


def test_axes(here):
    for name in ("punch-lifts", "punch-frictionless", "punch-cycle"):
        thud("run", example(f"elastic/{name}"), "-o", f"{name}.h5", "-q", cwd=here)
    text, _ = described(here, "punch-lifts.h5")
    report("forces share no axis with a moment, lengths none with an angle", "y: load (P, Q); y: load (rotation) (M); "
           "y: motion (depth, shift); y: motion (rotation) (tilt)" in text, text)
    text, _ = described(here, "punch-cycle.h5")
    report("a moment that is rounding has no panel", "rotation" not in text, text)
    names = [panel["name"] for panel in record_of(here, "punch-lifts")["panels"]]
    report("so in pages", names[:4] == ["load", "load (rotation)", "motion", "motion (rotation)"], names[:4])
    # p = 1/(pi sqrt(1 - x^2)), mean 1/2
    text, notes = described(here, "punch-frictionless.h5", "--profile", "pressure")
    report("pressure without bound is cut, with a word", "pressure: cut at 2.5;" in notes and "without bound" in text, notes)
    text, notes = described(here, "punch-cycle.h5", "--profile", "pressure")
    report("a finite pressure is not", notes == "" and "cut" not in text, notes)


def test_sentences(here):
    title = "The motion of a ball that falls on a floor, bounces, bounces again, and at last comes to rest, as it does after many bounces"
    thud("plot", "ball.h5", "--title", title, "-o", "long.svg", cwd=here)
    texts = [text.text for text in tree.parse(here / "long.svg").getroot().iter(f"{SVG}text")]
    lines = [text for text in texts if text in title and len(text) > 20]
    report("a long title has several lines and loses no word", len(lines) > 1 and " ".join(lines) == title, lines)


def test_front_page():
    """The page that README links to is one of this example and of these pages; otherwise: thud run, thud report, copy it."""
    scene = ROOT / "examples/bodies/card-house-struck.yaml"
    record = Page(ROOT / "docs/card-house-struck.html").json["records"][0]
    report("README's page has the scene as it is", record["scene"] == scene.read_text(), record["scene"][:300])
    report("  it opens when the ball is in the house, not at the start", 0.2 < record.get("opens", 0) < 0.6, record.get("opens"))


test_front_page()
with folder() as place:
    place = pathlib.Path(place)
    test_events(place)
    test_openings(place)
    test_records(place)
    test_axes(place)
    test_sentences(place)
end()
