"""thud convert: formats, forms, reports, and what it refuses."""
import filecmp
import json
import os
import pathlib

from thudcli import ROOT, end, folder, report, thud, thud_json

PROBLEMS = ROOT / "examples" / "problems"


def refused(name, done, pieces, here, kept):
    """Exit code 2, a message with the pieces, no new file."""
    good = done.returncode == 2 and all(piece in done.stderr for piece in pieces) and done.stderr.startswith("thud: ")
    left = sorted(os.listdir(here))
    report(name, good and left == kept and done.stdout == "", f"{done.returncode} {done.stderr} {left}")


def test_round_trips():
    """native -> fclib -> native and back gives the same files."""
    for source in sorted(PROBLEMS.glob("*.h5")):
        with folder() as here:
            there, back = pathlib.Path(here, "p.yaml"), pathlib.Path(here, source.name)
            one = thud("convert", source, there)
            two = thud("convert", there, back)
            good = one.returncode == 0 and two.returncode == 0 and filecmp.cmp(source, back, shallow=False)
            report(f"{source.name} -> native -> fclib gives the same bytes", good, one.stderr + two.stderr)


def test_siconos():
    expected = {"friction-2d": ("local", 2, 8), "friction-3d-blocks": ("local", 3, 20),
                "friction-3d-global": ("global", 3, 10), "rolling": ("rolling", 5, 3)}
    for name, (kind, dimension, contacts) in expected.items():
        with folder() as here:
            result = thud_json("convert", PROBLEMS / f"{name}.dat", "p.h5", cwd=here)
            found = (result["kind"], result["dimension"], result["contacts"])
            report(f"{name}.dat is recognised", found == (kind, dimension, contacts) and result["format"] == "siconos",
                   result)
            report(f"{name}.dat: the decision is explained", "because" in result["decision"], result["decision"])
            report(f"{name}.dat: there is no solution", result["solution_residual"] is None, result)


def test_forms():
    with folder() as here:
        result = thud_json("convert", PROBLEMS / "pile.yaml", "local.h5", "--form", "local", cwd=here)
        report("two-block to local", (result["kind"], result["output_kind"]) == ("two-block", "local"), result)
        result = thud_json("convert", PROBLEMS / "pile.yaml", "global.h5", "--form", "global", cwd=here)
        report("two-block to global", result["output_kind"] == "global" and result["ndof"] == 27 * 6, result)
        result = thud_json("convert", PROBLEMS / "flexible-bar.h5", "bar.yaml", "--form", "local", cwd=here)
        report("global to local keeps the bilateral rows", result["bilateral"] == 2, result)
        again = thud_json("convert", "bar.yaml", "bar.h5", cwd=here)
        residual = again["solution_residual"]
        report("its solution solves the local form too", residual is not None and residual < 1e-13, again)
        text = pathlib.Path(here, "bar.yaml").read_text()
        thud("convert", PROBLEMS / "friction-3d.yaml", "s.yaml", "--storage", "sparse", cwd=here)
        report("--storage changes the storage of W", "storage: sparse" in pathlib.Path(here, "s.yaml").read_text(), text)


def test_reports():
    with folder() as here:
        done = thud("convert", PROBLEMS / "friction-3d-global.h5", "p.yaml", cwd=here)
        lines = done.stdout.splitlines()
        report("the report says what was decided", done.returncode == 0 and "FCLIB; global, because" in lines[0], done)
        report("and how many contacts there are", "10 contacts" in lines[1], lines)
        report("and how good the stored solution is", "residual of the stored solution" in lines[2], lines)


def test_refusals():
    with folder() as here:
        path = pathlib.Path(here)
        (path / "cut.h5").write_bytes((PROBLEMS / "rolling-global.h5").read_bytes()[:5000])
        (path / "garbage.dat").write_text("3 2\n0 6 6\n6 6\nhello" + 100 * " 1")
        (path / "huge.dat").write_text("3 999999999\n")
        (path / "huge2.dat").write_text("3 700000000\n0 2100000000 2100000000\n")
        (path / "nan.dat").write_text("2 1\n0 2 2\n2 2\n1 0 nan 1\n1 1\n0.3\n")
        (path / "there.h5").write_text("mine")
        kept = sorted(os.listdir(here))
        lcp, global_ = PROBLEMS / "lcp-unique.yaml", PROBLEMS / "friction-3d-global.h5"
        cases = [
            ("a cut HDF5 file", ["cut.h5", "a.yaml"], ["cut.h5", "HDF5"]),
            ("garbage", ["garbage.dat", "a.yaml"], ["garbage.dat:4", "hello"]),
            ("a huge count", ["huge.dat", "a.yaml"], ["huge.dat:1", "contacts"]),
            ("a huge matrix", ["huge2.dat", "a.yaml"], ["huge2.dat:1", "announced"]),
            ("NaN", ["nan.dat", "a.yaml"], ["nan.dat:4", "finite number", "nan"]),
            ("a missing file", ["none.dat", "a.yaml"], ["none.dat"]),
            ("a folder", [here, "a.yaml"], ["not a regular file"]),
            ("an LCP as FCLIB", [lcp, "a.h5"], ["a.h5", "LCP", "native"]),
            ("Siconos' text as output", [lcp, "a.dat", "--to", "siconos"], ["Siconos"]),
            ("an ending that says nothing", [lcp, "a.out"], ["a.out", "--to"]),
            ("an existing file", [global_, "there.h5"], ["there.h5", "--force"]),
            ("a wrong kind", [global_, "a.yaml", "--kind", "local"], ["'global'", "'local'"]),
            ("a misspelt kind", [global_, "a.yaml", "--kind", "glbal"], ["did you mean 'global'"]),
            ("a wrong format", [global_, "a.yaml", "--from", "siconos"], ["friction-3d-global.h5:1"]),
            ("local to global", [lcp, "a.yaml", "--form", "global"], ["thud: "]),
            ("one file only", [lcp], ["OUT"]),
        ]
        for name, arguments, pieces in cases:
            refused(f"refused: {name}", thud("convert", *arguments, cwd=here), pieces, here, kept)
        done = thud("convert", "garbage.dat", "a.yaml", "--json", cwd=here)
        answer = json.loads(done.stdout)
        report("failures are reported as JSON", done.returncode == 2 and answer["verdict"] == "failed", answer)


test_round_trips()
test_siconos()
test_forms()
test_reports()
test_refusals()
end()
