"""Files that are written: names say the format, thud's own pictures, pages and tables are replaced without --force."""
import pathlib
import struct
import zlib

from thudcli import end, example, folder, report, thud

SCENE = "bouncing-ball"


def test_endings(here):
    problem = example("problems/lcp-unique")
    cases = [("a table", ["export", "ball.h5", "-o", "x.json"], ".csv"),
             ("a table without ending", ["export", "ball.h5", "-o", "x"], "x.csv"),
             ("fields that are no fields", ["export", "ball.h5", "--to", "vtk", "-o", "x.csv"], ".pvd"),
             ("a table that is called fields", ["export", "ball.h5", "--to", "csv", "-o", "x.vtu"], "--to csv"),
             ("a page", ["report", "ball.h5", "-o", "page.pdf"], "page.html"),
             ("a picture", ["plot", "ball.h5", "-o", "x.jpg"], ".png, .svg or .pdf"),
             ("a film", ["plot", "ball.h5", "--film", "-o", "x.gif"], ".png"),
             ("a record", ["run", example("jump"), "-o", "jump.json"], "jump.h5"),
             ("a scene", ["new", "play", "-o", "play.json"], "play.yaml"),
             ("an answer", ["solve", problem, "-o", "out.txt"], ".yaml"),
             ("a converted problem", ["convert", problem, "out.txt"], "--to"),
             ("a problem of another format", ["convert", problem, "out.h5", "--to", "native"], "give one of the two"),
             ("the table of a study", ["study", example("jump"), "-o", "x.txt"], ".csv"),
             ("the picture of a study", ["study", example("jump"), "--plot", "x.jpg"], ".png, .svg or .pdf")]
    before = sorted(path.name for path in here.iterdir())
    for name, call, says in cases:
        done = thud(*call, cwd=here)
        report(f"{name} with another ending is refused, and nothing is written",
               done.returncode == 2 and says in done.stderr and sorted(path.name for path in here.iterdir()) == before,
               done.stderr)
    done = thud("export", "ball.h5", "--to", "csv", "-o", "x.txt", cwd=here)
    report("--to csv takes any name", done.returncode == 0 and (here / "x.txt").read_text().startswith("t [s],"), done)


def chunks(path):
    data, at = path.read_bytes(), 8
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        checksum, = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        yield data[at + 4:at + 8], data[at + 8:at + 8 + size], checksum == zlib.crc32(data[at + 4:at + 8 + size])
        at += size + 12


OWN = [("plot", "p.png"), ("plot", "p.svg"), ("plot", "p.pdf"), ("plot", "f.png", "--film", "--frames", "2"), ("report", "p.html"),
       ("export", "rows.csv"), ("export", "at.csv", "--at", "1"), ("export", "events.csv", "--events"),
       ("export", "bare.csv", "--no-units")]


def test_own(here):
    for command, name, *more in OWN:
        made = [thud(command, "ball.h5", "-o", name, *more, cwd=here) for _ in range(2)]
        report(f"{' '.join([command, name, *more])}: thud's own is replaced",
               [done.returncode for done in made] == [0, 0], made[1].stderr)
    fields = [thud("export", "string.h5", "-o", name, cwd=here) for name in ("u.vtu", "u.vtu", "u.pvd", "u.pvd")]
    report("fields are replaced, too", all(done.returncode == 0 for done in fields), [done.stderr for done in fields])
    for name in ("p.png", "f.png"):
        listed = list(chunks(here / name))
        report(f"{name}: the mark is a sound chunk in front of the dots", all(good for _, _, good in listed) and
               [kind for kind, text, _ in listed[:3] if kind == b"tEXt" and text.startswith(b"Software\0thud ")] == [b"tEXt"],
               [kind for kind, _, _ in listed])


# What others may have made: nothing of it is lost.
FOREIGN = {"p.png": b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 0) + b"IEND\xaeB`\x82", "p.svg": b"<svg><title>thud</title></svg>",
           "p.pdf": b"%PDF-1.4\n/Creator (TeX)\n%%EOF\n", "p.html": b"<html><title>thud 0.1</title></html>",
           "t.csv": b"t [s],x [m]\n0,1\n", "u.csv": b"time,side\n0,1\n", "empty.csv": b""}


def test_foreign(here):
    for name, text in FOREIGN.items():
        (here / name).write_bytes(text)
        command = {"html": "report", "csv": "export"}.get(name.split(".")[1], "plot")
        done = thud(command, "ball.h5", "-o", name, cwd=here)
        report(f"a foreign {name} is not replaced without --force", done.returncode == 2 and "--force" in done.stderr and
               (here / name).read_bytes() == text, done.stderr)
        done = thud(command, "ball.h5", "-o", name, "--force", cwd=here)
        report("  but with it", done.returncode == 0 and (here / name).read_bytes() != text, done.stderr)
    held = (here / "ball.h5").read_bytes()
    done = thud("run", example(SCENE), "-o", "ball.h5", cwd=here)
    report("a record is not replaced without --force", done.returncode == 2 and (here / "ball.h5").read_bytes() == held)


def test_studies(here):
    call = ["study", example(SCENE), "--levels", "3:2*2+1", "-o", "s.csv", "--plot", "s.png"]
    made = [thud(*call, cwd=here) for _ in range(2)]
    report("table and picture of a study are replaced", [done.returncode for done in made] == [0, 0], made[1].stderr)
    problem = example("problems/lcp-unique")
    call = ["compare", problem, "--runs", "1", "--max-time", "1/10", "--tol", "1/1e6", "-o", "new/", "--image", "svg"]
    made = [thud(*call, cwd=here) for _ in range(2)]
    names = sorted(path.name for path in (here / "new").iterdir()) if (here / "new").is_dir() else []
    report("compare makes its folder, and replaces what it wrote there",
           [done.returncode for done in made] == [0, 0] and names[:2] == ["compare-1e-6.csv", "compare-1e-6.md"],
           (names, made[1].stderr))
    (here / "new" / "compare-1e-6.csv").write_text("mine\n")
    done = thud(*call, cwd=here)
    report("  but not what is somebody else's", done.returncode == 2 and "compare-1e-6.csv" in done.stderr, done.stderr)
    done = thud("compare", problem, "-o", "ball.h5", cwd=here)
    report("  nor a file in the place of the folder", done.returncode == 2 and "not a folder" in done.stderr, done.stderr)


def test_numbers(here):
    done = thud("export", "ball.h5", "--at", "pi/4, max(1, 1/3),sqrt(2)", "--no-units", cwd=here)
    times = [float(line.split(",")[0]) for line in done.stdout.splitlines()[1:]]
    report("times are expressions", times == [0.78539816339744828, 1, 1.4142135623730951], done.stdout + done.stderr)
    cases = [(["plot", "ball.h5", "--width", "wide"], "'wide' is not a number"),
             (["export", "ball.h5", "--at", "1,,2"], "a number is missing"),
             (["export", "ball.h5", "--at", "1/0"], "finite"),
             (["export", "ball.h5", "--at", "2*(1"], "'2*(1' is not a number"),
             (["run", example("jump"), "--threads", "1.5"], "whole number"),
             (["solve", example("problems/lcp-unique"), "--tol", "tight"], "'tight' is not a number")]
    for call, says in cases:
        done = thud(*call, cwd=here)
        report(f"{' '.join(call[-2:])} is refused", done.returncode == 2 and says in done.stderr, done.stderr)


def test_components(here):
    cases = [("z,foo", "'foo'; the record has z, z', floor"), ("z,zz'", "did you mean 'z''?"), ("foo", "'foo'")]
    for chosen, says in cases:
        done = thud("plot", "ball.h5", "-o", "no.png", "--components", chosen, cwd=here)
        report(f"--components {chosen} names what there is not", done.returncode == 2 and says in done.stderr and
               not (here / "no.png").exists(), done.stderr)
    done = thud("plot", "ball.h5", "-o", "yes.svg", "--components", "z,floor", cwd=here)
    report("components of different panels are chosen together", done.returncode == 0, done.stderr)


with folder() as place:
    place = pathlib.Path(place)
    thud("run", example(SCENE), "-o", "ball.h5", cwd=place)
    thud("run", example("elastic/string-on-floor"), "-o", "string.h5", cwd=place)
    test_endings(place)
    test_own(place)
    test_foreign(place)
    test_studies(place)
    test_numbers(place)
    test_components(place)
end()
