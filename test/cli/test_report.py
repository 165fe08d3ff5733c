"""Pages of records: read back by a decoder of its own and compared with what `thud export` says of the same records."""
import csv
import io
import math
import pathlib
import re
import shutil
import subprocess

from pages import Page, every_number
from thudcli import PROGRAM, ROOT, end, example, folder, refused, report, thud, thud_json

# One example of every kind of motion (and both dimensions of bodies) that takes less than a second.
KINDS = ["rotating-segment", "bouncing-ball", "event-driven/bouncing-ball-to-rest", "brick-on-incline", "block-on-belt",
         "composed/rope", "bodies/ball-on-slope", "bodies/slip-to-roll", "elastic/wedge-ramp", "elastic/beam-on-floor",
         "elastic/membrane-on-floor", "elastic/plate-over-pin", "elastic/punch-sliding", "dynamics/blow-up"]
HOSTILE = "</script><img src=x onerror=alert(1)>&amp;\"'\u2028<!--"
SCENE = """
thud: 1
title: %s
gravity: [0, 0, -10]
materials:
  stone: {friction: 0.5, density: 1000}
bodies:
  - {name: floor, fixed: true, shape: plane, material: stone}
  - {name: "<b>crate</b>", shape: {box: [0.4, 0.2, 0.1]}, material: stone, position: [31, 2, 0.05]}
  - {name: ball, shape: {sphere: 0.1}, material: stone, position: [30.5, 1.5, 0.5], velocity: [1, 0, 0], spin: [9, 2, 5]}
simulate: {end: 0.5, step: 0.005}
"""


def write_scene(here, name, title):
    (here / name).write_text(SCENE % title, encoding="utf-8")
    thud("run", name, cwd=here)


def page_of(here, *arguments):
    done = thud("report", *arguments, "-o", "page.html", "--force", cwd=here)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return Page(here / "page.html")


def table(here, *arguments):
    done = thud("export", *arguments, "-o", "-", cwd=here)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


# ---- the file ---------------------------------------------------------------------------------------------------------


def check_html(name, page, title):
    html = page.html
    blocks = [f"thud-block-{k}" for k in range(len(page.blocks))]
    report(f"{name}: elements in their order", html.tags == [
        "html", "head", "meta", "meta", "meta", "meta", "title", "style", "body", "noscript", "div", "script"]
        + ["script"] * (len(blocks) + 1) and list(html.scripts) == ["thud-page"] + blocks + ["viewer"], html.tags)
    report(f"{name}: nothing is loaded", html.loads == [] and html.policy.startswith("default-src 'none';"), html.loads)
    report(f"{name}: the title is text", html.title == title and page.json["title"] == title, html.title)


def check_hostile(here):
    write_scene(here, "hostile.yaml", '"' + HOSTILE.replace("\\", "\\\\").replace('"', '\\"') + '"')
    page = page_of(here, "hostile.h5")
    check_html("a hostile title", page, HOSTILE)
    report("hostile names are texts of the JSON", page.records[0]["bodies"]["names"][1] == "<b>crate</b>")
    report("a title of one's own", page_of(here, "hostile.h5", "--title", "<i>").html.title == "<i>")
    first = (here / "page.html").read_bytes()
    page_of(here, "hostile.h5", "--title", "<i>")
    report("the same record gives the same bytes", first == (here / "page.html").read_bytes())


# ---- numbers ----------------------------------------------------------------------------------------------------------


def check_state(here):
    """The state at the rows is that of the CSV, bit for bit, with both limits of the velocity at impacts."""
    thud("run", example("bouncing-ball"), "-o", "ball.h5", cwd=here)
    page = page_of(here, "ball.h5")
    state = page.records[0]["state"]
    t, side = page.numbers(state["t"]), page.numbers(state["side"])
    columns = {column["name"]: page.numbers(column["values"]) for column in state["columns"]}
    rows = table(here, "ball.h5", "--channels", "t,q,v,v_limit")
    right = {when: k for k, (when, which) in enumerate(zip(t, side)) if which >= 0}
    left = {when: k for k, (when, which) in enumerate(zip(t, side)) if which <= 0}
    report("every row has a sample", all(float(row["t [s]"]) in right for row in rows), len(t))
    report("coordinates are those of the CSV", all(
        columns["z"][right[float(row["t [s]"])]] == float(row["z [m]"]) for row in rows))
    report("velocities are those of the CSV, right limits", all(
        columns["z'"][right[float(row["t [s]"])]] == float(row["z' [m/s]"]) for row in rows))
    jumps = [when for when, which in zip(t, side) if which < 0]
    report("impacts have both limits", len(jumps) > 3 and all(
        columns["z'"][left[when]] < 0 <= columns["z'"][right[when]] for when in jumps), jumps)
    events = page.records[0]["events"]
    listed = table(here, "ball.h5", "--events")
    names = [column["name"] for column in events["columns"]]
    report("events are those of the CSV", events["total"] == len(listed) == len(events["rows"]) and all(
        row[names.index("t")] == float(entry["t [s]"]) and row[names.index("kind")] == entry["kind"]
        for row, entry in zip(events["rows"], listed)), names)
    panels = {panel["name"]: panel for panel in page.records[0]["panels"]}
    report("panels in their groups", {panel["group"] for panel in panels.values()} >=
           {"motion", "reaction", "energy", "residual", "other"}, {k: v["group"] for k, v in panels.items()})
    return page


def check_poses(here):
    write_scene(here, "seen.yaml", "Seen")
    page = page_of(here, "seen.h5")
    bodies = page.records[0]["bodies"]
    rows = table(here, "seen.h5", "--channels", "t,position,rotation")
    report("times of the rows", page.numbers(bodies["t"]) == [float(row["t [s]"]) for row in rows])
    report("what stands still is told from what moves", page.numbers(bodies["still"])[:1] == [0] and
           2 in page.numbers(bodies["moving"]), (bodies["still"], bodies["moving"]))
    moving, worst, worst_turn = page.numbers(bodies["moving"]), 0.0, 0.0
    for chunk in bodies["chunks"]:
        position, turn = page.numbers(chunk["position"]), page.numbers(chunk["rotation"])
        for k in range(chunk["frames"]):
            row = list(rows[chunk["first"] + k].values())
            for place, body in enumerate(moving):
                at, q = 3 * (k * len(moving) + place), 4 * (k * len(moving) + place)
                worst = max(worst, max(abs(position[at + i] - float(row[1 + 3 * body + i])) for i in range(3)))
                known = [float(row[10 + 4 * body + i]) for i in range(4)]
                worst_turn = max(worst_turn, min(max(abs(turn[q + i] - sign * known[i]) for i in range(4))
                                                 for sign in (1, -1)))
    step, turn_step = bodies["chunks"][0]["position"]["step"][0], bodies["chunks"][0]["rotation"]["step"]
    report("positions within half a step", worst <= 0.5000001 * step and worst > 0, (worst, step))
    report("rotations within half a step", worst_turn <= 0.5000001 * turn_step and worst_turn > 0, (worst_turn, turn_step))
    report("steps are small beside the bodies", step <= 0.1 / 256 and turn_step <= 1 / 2048)
    kinds = [shape["kind"] for shape in bodies["shapes"]]
    report("shapes", sorted(kinds) == ["box", "plane", "sphere"], kinds)
    forces = bodies["contacts"]
    ends, force, a = page.numbers(forces["ends"]), page.numbers(forces["force"]), page.numbers(forces["a"])
    b = page.numbers(forces["b"])
    up = sum((1 if a[k] == 1 else -1) * force[3 * k + 2] for k in range(ends[-2], ends[-1]) if 1 in (a[k], b[k]))
    report("contact forces carry the crate", abs(up - 80) < 0.01 * forces["largest"], up)  # 8 kg, 10 m/s^2


# ---- every kind -------------------------------------------------------------------------------------------------------


def check_kinds(here):
    for name in KINDS:
        stem = name.replace("/", "-")
        thud("run", example(name), "-o", f"{stem}.h5", cwd=here)
        page = page_of(here, f"{stem}.h5")
        record = page.records[0]
        for about in every_number(record):
            assert len(page.numbers(about)) == about["n"]
        state = {len(page.numbers(column["values"])) for column in record["state"]["columns"]}
        series = [series for panel in record["panels"] for series in panel["series"]]
        report(f"{name}: a page", record["finished"] and len(series) > 0 and
               state <= {len(page.numbers(record["state"]["t"]))} and
               all(len(page.numbers(s["x"])) == len(page.numbers(s["y"])) for s in series), record["notes"])
        check_film(name, page, record)


def check_film(name, page, record):
    """Frames, counts and numbers of marks belong together."""
    film = record["film"]
    if film is None:
        report(f"{name}: no film, and why", record["bodies"] is not None or any(
            note.startswith("no moving picture") for note in record["notes"]), record["notes"])
        return
    frames, good = len(page.numbers(film["t"])), True
    for mark in film["marks"]:
        values = page.numbers(mark["values"])
        if mark["still"]:
            good = good and len(values) == mark["count"] * mark["size"]
        elif "count" in mark:
            good = good and len(values) == mark["count"] * mark["size"] * frames
        else:
            ends = page.numbers(mark["ends"])
            good = good and len(ends) == frames and len(values) == ends[-1] * mark["size"]
    report(f"{name}: a film", good and frames > 1 and len(film["panels"]) > 0, frames)


# ---- runs that did not end well, and several ---------------------------------------------------------------------------


def check_ends(here):
    failed = page_of(here, "dynamics-blow-up.h5").records[0]
    report("a failed run says so", failed["verdict"] == "failed" and failed["reason"] != "", failed["verdict"])
    both = page_of(here, "bouncing-ball.h5", "event-driven-bouncing-ball-to-rest.h5")
    report("two records side by side", [r["name"] for r in both.records] == ["bouncing-ball", "event-driven-bouncing-ball-to-rest"])
    proofs = both.records[1]["proofs"]
    report("proofs per arc", proofs is not None and set(both.numbers(proofs["proof"])) <= set(range(len(proofs["labels"])))
           and both.records[0]["proofs"] is None, proofs)
    few = page_of(here, "bouncing-ball.h5", "--points", "100", "--frames", "10").records[0]
    longest = max(about["n"] for about in every_number(few["panels"]))
    report("curves are thinned with a word", longest < 400 and any(panel["note"] for panel in few["panels"]), longest)
    done = thud("report", "bouncing-ball.h5", cwd=here)
    report("the name of the page", re.fullmatch(r"page: bouncing-ball\.html \(\d+ kB\)|page: .* \([\d.]+ MB\)",
                                                done.stdout.strip()) is not None, done.stdout + done.stderr)


def check_killed(here):
    """A copy of a record whose run is still going on."""
    scene = (ROOT / "examples" / "bouncing-ball.yaml").read_text()
    (here / "long.yaml").write_text(scene)
    process = subprocess.Popen([PROGRAM, "run", "long.yaml", "--set", "simulate.steps=2000000", "-o", "long.h5"], cwd=here,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not (here / "long.h5").exists() and process.poll() is None:
            pass
    finally:
        process.kill()
        process.wait()
    record = page_of(here, "long.h5").records[0]
    report("a killed run says so", not record["finished"] and record["verdict"] == "unfinished" and
           any("not ended" in note for note in record["notes"]), record["notes"])


def check_refused(here):
    (here / "text.h5").write_text("no record")
    data = (here / "ball.h5").read_bytes()
    (here / "cut.h5").write_bytes(data[:len(data) // 2])
    done = thud("report", "cut.h5", cwd=here)  # how many bytes are left depends on the scene's text
    report("half a record", done.returncode == 2 and "cut.h5: the record is truncated" in done.stderr and
           not (here / "cut.html").exists(), done.stderr)
    shutil.copy(here / "ball.h5", here / "there.html")
    files = {path.name for path in here.iterdir()}
    for name, arguments, pieces in [
            ("no such record", ["nothing.h5"], ["nothing.h5"]),
            ("no record", ["text.h5"], ["text.h5"]),
            ("an existing page", ["ball.h5", "-o", "there.html"], ["there.html", "--force"]),
            ("the record itself", ["ball.h5", "-o", "ball.h5", "--force"], ["ball.h5"]),
            ("a folder that is not there", ["ball.h5", "-o", "no/page.html"], ["no"]),
            ("frames that are no number", ["ball.h5", "--frames", "x"], ["--frames"]),
            ("half a frame", ["ball.h5", "--frames", "1.5"], ["whole number"]),
            ("one frame", ["ball.h5", "--frames", "1"], ["--frames"]),
            ("too few points", ["ball.h5", "--points", "3"], ["--points"]),
            ("standard output", ["ball.h5", "-o", "-"], ["standard output"])]:
        refused(name, thud("report", *arguments, cwd=here), pieces, here, files)


# ---- warnings ---------------------------------------------------------------------------------------------------------


def check_warnings(here):
    """The page shows what thud explain says of a code (test_messages.py looks at the table)."""
    thud("run", example("dynamics/slender-rod"), "-o", "rod.h5", cwd=here)
    warnings = page_of(here, "rod.h5").records[0]["warnings"]
    report("warnings stand with cause and cure", len(warnings) > 0 and all(
        w["message"] and [w["cause"], w["cure"]] == [thud_json("explain", w["code"])[key] for key in ("cause", "cure")]
        for w in warnings), warnings)


def main():
    with folder() as name:
        here = pathlib.Path(name)
        check_hostile(here)
        check_html("a ball", check_state(here), "Bouncing ball")
        check_poses(here)
        check_kinds(here)
        check_ends(here)
        check_killed(here)
        check_warnings(here)
        check_refused(here)
    end()


main()
