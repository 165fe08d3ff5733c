"""Rigid bodies for people: VTK files read back by a parser of its own and by VTK, snapshots, tables with contacts."""
import math
import pathlib
import struct

from thudcli import close, end, example, folder, report, skipped, thud
from vtufiles import arrays, listed, python_with_vtk, read_by_vtk

# A crate at rest on a plane far from the plane's origin, and a ball that falls and spins.
SCENE = """
thud: 1
title: Seen
gravity: [0, 0, -10]
materials:
  stone: {friction: 0.5, density: 1000}
bodies:
  - {name: floor, fixed: true, shape: plane, material: stone}
  - name: crate
    shape: {box: [0.4, 0.2, 0.1]}
    material: stone
    position: [31, 2, 0.05]
    rotation: {axis: [0, 0, 1], angle: 0.5}
  - {name: ball, shape: {sphere: 0.1}, material: stone, position: [30.5, 1.5, 0.5], velocity: [1, 0, 0], spin: [0, 0, 5]}
simulate: {end: 0.2, step: 0.005}
record: {every: 0.05}
"""
# Every 0.05, and the first two steps with contacts, which every record has.
TIMES = (0, 0.005, 0.01, 0.05, 0.1, 0.15, 0.2)
PLAIN = """
thud: 1
system:
  coordinates: [z]
  kinetic_energy: "0.5*z'^2"
initial: {z: 0, "z'": 1}
simulate: {method: moreau-jean, end: 1, steps: 4}
"""

PLANAR = """
thud: 1
title: Seen in the plane
planar: true
gravity: [0, -10]
materials:
  stone: {friction: 0.5, density: 1000}
bodies:
  - {name: ground, fixed: true, shape: half_plane, material: stone}
  - {name: wall, fixed: true, shape: {segment: [[2, 0], [2, 1]]}, material: stone}
  - {name: disc, shape: {disc: 0.1}, material: stone, position: [0, 0.1]}
  - {name: slab, shape: {box: [0.4, 0.2]}, material: stone, position: [1, 0.1]}
simulate: {end: 0.1, step: 0.005}
"""
WEIGHT = 0.4 * 0.2 * 0.1 * 1000 * 10


def triples(numbers):
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3]))


def corners_of_crate():
    c, s = math.cos(0.5), math.sin(0.5)
    return [(31 + 0.2 * i * c - 0.1 * j * s, 2 + 0.2 * i * s + 0.1 * j * c, 0.05 + 0.05 * k)
            for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]


def near(p, q, tolerance):
    return all(abs(a - b) <= tolerance for a, b in zip(p, q))


def points_of_body(found, number):
    """Points of the cells of one body, each once."""
    ends, starts = found["offsets"], (0,) + tuple(found["offsets"][:-1])
    places = triples(found["Points"])
    used = {k for cell, body in enumerate(found["body"]) if body == number
            for k in found["connectivity"][starts[cell]:ends[cell]]}
    return {k: places[k] for k in sorted(used)}


def check_bodies(found, t):
    report("the names of the bodies", found["names"] == ["floor", "crate", "ball"], found["names"])
    crate = list(points_of_body(found, 1).values())
    report("a box's corners are where they must be", len(set(crate)) == 8 and all(any(near(p, q, 1e-9) for p in crate)
                                                                                 for q in corners_of_crate()), crate)
    report("a box has 12 triangles", sum(body == 1 for body in found["body"]) == 12)
    report("every cell is a triangle", set(found["types"]) == {5})
    z = 0.5 - 5 * t * t  # the midpoint scheme is exact for a parabola
    ball = points_of_body(found, 2)
    report("points of the ball lie on the ball", len(ball) > 100 and all(
        abs(math.dist(p, (30.5 + t, 1.5, z)) - 0.1) < 1e-9 for p in ball.values()), len(ball))
    velocity = triples(found["velocity"])
    report("points move as the rigid body does", all(
        near(velocity[k], (1 - 5 * (p[1] - 1.5), 5 * (p[0] - 30.5 - t), -10 * t), 1e-9) for k, p in ball.items()))
    speeds = {v for v, body in zip(found["speed"], found["body"]) if body == 2}
    report("the speed is that of the centre", len(speeds) == 1, speeds)
    close("of the falling ball", speeds.pop(), math.hypot(1, 10 * t), 1e-9)
    floor = list(points_of_body(found, 0).values())
    report("the plane is cut off around the scene", len(floor) >= 4 and all(
        p[2] == 0 and abs(p[0] - 31) < 3 and abs(p[1] - 2) < 3 for p in floor), floor)
    report("but is larger than it", min(p[0] for p in floor) < 30.4 and max(p[0] for p in floor) > 31.2, floor)


def check_contacts(found):
    forces, normals = triples(found["force"]), triples(found["normal"])
    report("four contacts at the corners of the base", len(forces) == 4 and all(
        any(near(p, q, 1e-9) for q in corners_of_crate()) for p in triples(found["Points"])), found["Points"])
    report("vertices", set(found["types"]) == {1} and list(found["connectivity"]) == [0, 1, 2, 3])
    sign = 1 if found["body_a"][0] == 1 else -1
    report("between the crate and the floor", {tuple(sorted(pair)) for pair in zip(found["body_a"], found["body_b"])} ==
           {(0.0, 1.0)}, (found["body_a"], found["body_b"]))
    close("forces carry the weight", sign * sum(f[2] for f in forces), WEIGHT, 1e-4)
    report("within the friction cone", all(math.hypot(f[0], f[1]) <= 0.5 * abs(f[2]) + 1e-6 for f in forces), forces)
    report("normals are vertical", all(near(n, (0, 0, sign), 1e-9) for n in normals), normals)
    report("gaps are closed", all(abs(gap) < 1e-6 for gap in found["gap"]), found["gap"])


def check_film(here):
    done = thud("export", "seen.h5", "-o", "film.pvd", cwd=here)
    report("a series is written", done.returncode == 0, done.stderr)
    files = listed(here / "film.pvd")
    report("seven times with two parts each", [(round(t, 9), f["part"], f["name"]) for t, f in files] ==
           [(t, part, name) for t in TIMES for part, name in (("0", "bodies"), ("1", "contacts"))], files)
    check_bodies(arrays(here / files[-2][1]["file"]), 0.2)
    check_contacts(arrays(here / files[-1][1]["file"]))
    first = arrays(here / files[1][1]["file"])
    report("the start has no contacts", first["Points"] == () and first["force"] == ())
    thud("export", "seen.h5", "-o", "few.pvd", "--every", "0.1", cwd=here)
    times = [t for t, f in listed(here / "few.pvd") if f["part"] == "0"]
    report("every 0.1: three rows", [round(t, 9) for t in times] == [0, 0.1, 0.2], times)
    done = thud("export", "seen.h5", "-o", "one.vtu", "--at", "0.11", cwd=here)
    report("one state with its contacts beside it", done.returncode == 0 and (here / "one-contacts.vtu").exists(), done.stderr)
    one, row = arrays(here / "one.vtu"), arrays(here / "film" / "4-bodies.vtu")
    report("of the nearest row", all(points_of_body(one, k) == points_of_body(row, k) for k in (1, 2)))
    for name, arguments in (("channels", ["-o", "b.vtu", "--channels", "velocity"]), ("a time outside", ["-o", "b.vtu", "--at", "3"]),
                            ("a series that is not its own", ["-o", "film.pvd"])):
        (here / "film.pvd").write_text("mine\n")
        done = thud("export", "seen.h5", *arguments, cwd=here)
        report(f"{name}: refused", done.returncode == 2 and not (here / "b.vtu").exists(), (done.returncode, done.stderr))


def check_by_vtk(here):
    program = python_with_vtk()
    if program is None:
        skipped("VTK reads bodies", "needs python3-vtk9: apt-get install python3-vtk9")
        return
    bodies, said = read_by_vtk(program, here / "film" / "6-bodies.vtu")
    own = arrays(here / "film" / "6-bodies.vtu")
    report("VTK reads bodies", bodies is not None and bodies["points"] == list(own["Points"]) and
           bodies["cell_data"]["body"] == list(own["body"]) and bodies["point_data"]["velocity"] == list(own["velocity"]), said)
    report("with their names", bodies is not None and bodies["field_data"]["names"] == ["floor", "crate", "ball"])
    contacts, said = read_by_vtk(program, here / "film" / "6-contacts.vtu")
    report("VTK reads contacts", contacts is not None and contacts["types"] == [1] * 4 and
           set(contacts["point_data"]) == {"force", "normal", "gap", "body_a", "body_b"}, said)
    close("their forces by VTK", abs(sum(contacts["point_data"]["force"][2::3])) if contacts else None, WEIGHT, 1e-4)
    empty, said = read_by_vtk(program, here / "film" / "0-contacts.vtu")
    report("VTK reads a time without contacts", empty is not None and empty["points"] == [], said)


def check_plane(here):
    done = thud("export", "planar.h5", "-o", "planar.pvd", cwd=here)
    report("bodies of the plane are written", done.returncode == 0, done.stderr)
    last = arrays(here / listed(here / "planar.pvd")[-2][1]["file"])
    kinds = {last["names"][int(body)]: kind for kind, body in zip(last["types"], last["body"])}
    report("as polygons and lines", kinds.get("disc") == 7 and kinds.get("slab") == 7 and kinds.get("wall") == 3, kinds)
    slab = points_of_body(last, 3).values()
    report("a rectangle's corners", len(slab) == 4 and all(any(near(p, (1 + 0.2 * i, 0.1 + 0.1 * j, 0), 1e-8) for p in slab)
                                                          for i in (-1, 1) for j in (-1, 1)), slab)
    contacts = arrays(here / listed(here / "planar.pvd")[-1][1]["file"])
    upwards = sum(f if a else -f for f, a in zip(contacts["force"][1::3], contacts["body_a"]))
    close("their weight", upwards, (math.pi * 0.01 + 0.08) * 1000 * 10, 1e-3)


def check_tables(here):
    """CSV by the channels: positions, velocities, ragged contacts, events."""
    lines = thud("export", "seen.h5", "--channels", "t,position,velocity", "--no-units", cwd=here).stdout.splitlines()
    last = dict(zip(lines[0].split(","), map(float, lines[-1].split(","))))
    report("a line of positions and velocities for every row", len(lines) == 1 + len(TIMES) and len(last) == 1 + 3 * 3 + 3 * 3, lines[0])
    close("of the ball", last["ball.z"], 0.5 - 5 * 0.04, 1e-12)
    close("its velocity", last["ball.vz"], -2, 1e-12)
    lines = thud("export", "seen.h5", "--channels", "t,contact_a,contact_impulse", cwd=here).stdout.splitlines()
    t, names, impulses = lines[-1].split(",")
    groups = [group.partition("=") for group in impulses.split(" ")]
    report("contacts as lists with names", len(groups) == 4 and names.split(" ") == [name for name, _, _ in groups], lines[-1])
    close("their impulses", abs(sum(float(numbers.split(";")[2]) for _, _, numbers in groups)), WEIGHT * 0.005, 1e-7)
    report("the start has none", lines[1] == "0,,", lines[1])
    events = thud("export", "seen.h5", "--events", "--no-units", cwd=here).stdout.splitlines()
    report("the crate begins to touch the floor", len(events) == 2 and ",begin," in events[1] and "crate" in events[1], events)


def size_of_png(path):
    head = path.read_bytes()[:24]
    return struct.unpack(">II", head[16:24]) if head[:8] == b"\x89PNG\r\n\x1a\n" else None


def check_pictures(here):
    done = thud("plot", "seen.h5", "--snapshot", "0,0.2", "--forces", "--dpi", "100", "--width", "6", "-o", "both.png", cwd=here)
    report("two snapshots", done.returncode == 0 and size_of_png(here / "both.png")[0] == 600, done.stderr)
    done = thud("plot", "seen.h5", "--snapshot", "0.2", "--view", "-90,0", "-o", "side.svg", cwd=here)
    text = (here / "side.svg").read_text() if done.returncode == 0 else ""
    report("one as SVG, with its time", "<title>Seen, t = 0.2 s</title>" in text and "<image" in text, done.stderr)
    done = thud("plot", "planar.h5", "--snapshot", "0.1", "--forces", "-o", "plane.svg", cwd=here)
    text = (here / "plane.svg").read_text() if done.returncode == 0 else ""
    report("of the plane, without an image", "<title>Seen in the plane, t = 0.1 s, forces up to" in text and "<image" not in text, done.stderr)
    (here / "small.yaml").write_text(PLANAR + "units: {length: mm, mass: g, time: s}\n")
    thud("run", "small.yaml", "-o", "small.h5", cwd=here)
    done = thud("plot", "small.h5", "--snapshot", "0.1", "--forces", "-o", "small.svg", cwd=here)
    text = (here / "small.svg").read_text() if done.returncode == 0 else ""
    report("forces in other units", " g mm/s^2</title>" in text, done.stderr + text[:400])
    done = thud("plot", "seen.h5", "--components", "ball.x,ball.vx", "-o", "ball.svg", cwd=here)
    report("components of some channels of the state", done.returncode == 0, done.stderr)
    done = thud("plot", "planar.h5", "--film", "--frames", "5", "--rate", "10", "--width", "3", "-o", "film.png", cwd=here)
    file = (here / "film.png").read_bytes() if done.returncode == 0 else b""
    report("a film of five frames", size_of_png(here / "film.png")[0] == 300 and file.count(b"fcTL") == 5 and
           struct.unpack(">I", file[file.index(b"acTL") + 4:][:4]) == (5,), done.stderr)
    (here / "plain.yaml").write_text(PLAIN)
    thud("run", "plain.yaml", "-o", "plain.h5", cwd=here)
    refusals = {
        "components of no channel": (["seen.h5", "--components", "bal.x"], "channel 'position' has no component among 'bal.x'"),
        "a record that nothing draws": (["plain.h5", "--snapshot", "0"], "give the scene a 'draw' section"),
        "frames without a film": (["seen.h5", "--frames", "5"], "--frames goes with --film"),
        "half a frame": (["seen.h5", "--film", "--frames", "2.5"], "--frames is a whole number, not 2.5"),
        "a film of one frame": (["seen.h5", "--film", "--frames", "1"], "a film has 2 to 10000 frames, not 1"),
        "a film that stands": (["seen.h5", "--film", "--rate", "0"], "--rate is a positive number, not 0"),
        "a film beside snapshots": (["seen.h5", "--film", "--snapshot", "0"], "--film and --snapshot do not go together"),
        "a time outside": (["seen.h5", "--snapshot", "7"], "the time 7 lies outside the record, from 0 to 0.2"),
        "too many times": (["seen.h5", "--snapshot", ",".join(["0"] * 10)], "at most 9 snapshots fit into one picture"),
        "an eye too high": (["seen.h5", "--snapshot", "0", "--view", "0,100"], "an elevation from -90 to 90 degrees"),
        "a view of one angle": (["seen.h5", "--snapshot", "0", "--view", "5"], "--view needs two angles"),
        "a time that is none": (["seen.h5", "--snapshot", "now"], "--snapshot: 'now' is not a number"),
        "forces without a snapshot": (["seen.h5", "--forces"], "--forces goes with --snapshot"),
        "another picture at once": (["seen.h5", "--snapshot", "0", "--phase", "ball.x,ball.z"], "do not go together"),
        "--at": (["seen.h5", "--snapshot", "0", "--at", "0"], "the times of snapshots follow --snapshot"),
        "two records": (["seen.h5", "planar.h5", "--snapshot", "0"], "--snapshot draws one record, not 2"),
    }
    for name, (arguments, words) in refusals.items():
        done = thud("plot", *arguments, "-o", "no.png", cwd=here)
        report(f"{name}: refused in one line", done.returncode == 2 and words in done.stderr and
               done.stderr.count("\n") == 1 and not (here / "no.png").exists(), (done.returncode, done.stderr))


def check_absent(here):
    """A body that is not there is not seen: pictures are those of the scene without it, and its points in VTK files are one point."""
    ghost = "  - {name: ghost, shape: {sphere: 0.1}, material: stone, position: [30.5, 1.5, 0.5], absent: true}\n"
    for kind, scene, more in (("space", SCENE, ghost), ("plane", PLANAR, None)):
        if more is None:
            disc = next(line for line in PLANAR.splitlines() if "disc" in line)
            more = disc.replace("name: ", "name: ghost-").rstrip().rstrip("}") + ", absent: true}\n"
        for name, text in (("without", scene), ("with", scene.replace("simulate:", more + "simulate:", 1))):
            (here / f"{name}.yaml").write_text(text)
            done = thud("run", f"{name}.yaml", "-o", f"{name}.h5", "--force", cwd=here)
            report(f"{kind} {name} an absent body runs", done.returncode == 0, done.stdout + done.stderr)
            thud("plot", f"{name}.h5", "--snapshot", "0", "-o", f"{name}.png", "--force", cwd=here)
        report(f"{kind}: the picture is the same", (here / "with.png").read_bytes() == (here / "without.png").read_bytes(), kind)
    (here / "with.yaml").write_text(SCENE.replace("simulate:", ghost + "simulate:", 1))
    thud("run", "with.yaml", "-o", "with.h5", "--force", cwd=here)
    done = thud("export", "with.h5", "--at", "0.1", "-o", "with.vtu", cwd=here)
    report("its VTK file is written", done.returncode == 0, done.stderr)
    found = arrays(here / "with.vtu")
    points = {tuple(point) for point in points_of_body(found, 3).values()}
    report("all points of the absent body are one", len(points) == 1, len(points))
    report("those of the ball are not", len({tuple(point) for point in points_of_body(found, 2).values()}) > 10, points)


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    for name, scene in (("seen", SCENE), ("planar", PLANAR)):
        (here / f"{name}.yaml").write_text(scene)
        done = thud("run", f"{name}.yaml", "-o", f"{name}.h5", cwd=here)
        report(f"the run of {name}.yaml", done.returncode == 0, done.stdout + done.stderr)
    check_film(here)
    check_by_vtk(here)
    check_plane(here)
    check_tables(here)
    check_pictures(here)
    check_absent(here)
end()
