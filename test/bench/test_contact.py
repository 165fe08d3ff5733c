"""The benchmark of contact solvers still runs: on small problems, without Siconos, and its tables say what they should.
Times are not judged."""
import csv
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from thudcli import ROOT, end, folder, report  # noqa: E402

PROGRAM = os.environ.get("THUD_BENCH_CONTACT") or str(ROOT / "build" / "release" / "bench" / "bench_contact")
PROBLEMS = ROOT / "examples" / "problems"
COLUMNS = ("problem,part,kind,dimension,contacts,solver,tolerance,status,residual,iterations,seconds,first_seconds,"
           "note").split(",")


def bench(*arguments):
    return subprocess.run([PROGRAM, "--runs", "2", "--solvers", "auto,gauss-seidel,newton", *map(str, arguments)],
                          capture_output=True, text=True, timeout=250)


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_files(place):
    done = bench("-o", place, PROBLEMS / "friction-3d.yaml", PROBLEMS / "friction-2d.dat", PROBLEMS / "mlcp.yaml")
    report("problem files: it ends with 0", done.returncode == 0, done.stderr)
    for tolerance in ("1e-4", "1e-8"):
        table = rows(place / f"contact-{tolerance}.csv")
        report(f"{tolerance}: the columns of the table", list(table[0]) == COLUMNS, list(table[0]))
        solved = [row for row in table if row["status"] == "solved"]
        report(f"{tolerance}: every row is solved", len(solved) == len(table) > 6, table)
        report(f"{tolerance}: residuals are below the tolerance",
               all(float(row["residual"]) <= float(tolerance) for row in solved), solved)
        report(f"{tolerance}: times are positive",
               all(float(row["seconds"]) > 0 and float(row["first_seconds"]) > 0 for row in solved), solved)
        report(f"{tolerance}: auto says what it used",
               all(row["note"] for row in table if row["solver"] == "auto"), table)
        summary = (place / f"contact-{tolerance}.md").read_text()
        report(f"{tolerance}: the summary counts the problems", "3 problems; solved by auto: 3" in summary, summary)
        picture = (place / f"contact-profile-{tolerance}.png").read_bytes()
        report(f"{tolerance}: the profile is a picture", picture.startswith(b"\x89PNG"), len(picture))
    again = bench("-o", place, "-r", place, "-t", "1e-4", PROBLEMS / "friction-3d.yaml")
    report("rows of Siconos are taken from an earlier table", again.returncode == 0 and "earlier run" in again.stdout,
           again.stderr + again.stdout)


def test_boxes(place):
    done = bench("-o", place, "--boxes", "--quick", "-t", "1e-4")
    report("piles of boxes: it ends with 0", done.returncode == 0, done.stderr)
    names = {row["problem"] for row in rows(place / "piles-1e-4.csv")}
    report("walls and pyramids in both forms", names == {"wall-3x1x3", "wall-3x1x3-local", "pyramid-4x1x4",
                                                         "pyramid-4x1x4-local"}, names)


def test_families(place):
    kinds = {}
    done = bench("-o", place, "--families", "all", "--quick", "-t", "1e-4")
    report("families: it ends with 0 and states the regret of both halves", done.returncode == 0 and
           done.stdout.count("Regret, ") == 3 and "\nheld-back: " in done.stdout, done.stderr)
    table = rows(place / "families-1e-4.csv")
    for half in ("chosen", "held-back"):
        own = [row for row in table if row["solver"] == "auto" and row["part"] == half]
        kinds[half] = {row["problem"].rpartition("-")[0] for row in own}
        report(f"families, {half}: auto solves three of each", len(own) == 3 * len(kinds[half]) and
               all(row["status"] == "solved" for row in own), [row for row in own if row["status"] != "solved"])
        sizes = [[int(row["contacts"]) for row in own if row["problem"].startswith(f"{kind}-")] for kind in kinds[half]]
        report(f"families, {half}: members grow", all(a < b for size in sizes for a, b in zip(size, size[1:])), sizes)
    report("the halves have nothing in common", kinds["chosen"].isdisjoint(kinds["held-back"]) and
           min(map(len, kinds.values())) >= 10, kinds)
    alone = bench("-o", place, "--families", "chosen", "--quick", "-t", "1e-4", "-s", "auto")
    report("one half alone", {row["part"] for row in rows(place / "families-1e-4.csv")} == {"chosen"}, alone.stderr)
    report("families: another word is refused", bench("--families", "some").returncode == 2)


def test_all(place):
    done = subprocess.run([PROGRAM, "--all", "--quick", "-t", "1e-4", "-s", "auto,gauss-seidel", "-k", "1", "-o", str(place),
                           str(PROBLEMS / "friction-3d.yaml")], capture_output=True, text=True, timeout=250)
    report("everything in one run: it ends with 0", done.returncode == 0, done.stderr)
    overview = (place / "contact-overview.md").read_text().splitlines()
    lines = [[cell.strip() for cell in line.split("|")[1:4]] for line in overview[2:]]
    report("the overview has a line for each set and half", lines == [
        ["contact", "1e-4", "all"], ["piles", "1e-4", "all"], ["families", "1e-4", "all"],
        ["families", "1e-4", "chosen"], ["families", "1e-4", "held-back"]], overview)
    report("tables and pictures of each", all((place / f"{name}-1e-4.{suffix}").exists() and
                                              (place / f"{name}-profile-1e-4.png").exists()
                                              for name in ("contact", "piles", "families") for suffix in ("csv", "md")))


def test_time_limit(place):
    done = bench("-o", place, "-t", "1e-8", "-l", "1e-7", PROBLEMS / "pile-local.h5")
    table = rows(place / "contact-1e-8.csv")
    report("runs that end early are not counted as solved",
           done.returncode == 0 and table and all(row["status"] in ("time", "unsolved") for row in table),
           [done.stderr, table])


def test_bad_input(place):
    report("an unknown option ends with 2", bench("--no-such-option").returncode == 2)
    broken = place / "broken.dat"
    broken.write_text("3 1 nonsense")
    done = bench("-o", place, "-t", "1e-4", broken, PROBLEMS / "friction-3d.yaml")
    report("a file that cannot be read is named and left out",
           done.returncode == 0 and "broken.dat" in done.stderr and "1 problem;" in done.stdout,
           done.stderr + done.stdout)
    report("a folder that is not there ends with 2", bench("-d", place / "nowhere").returncode == 2)


for test in (test_files, test_boxes, test_families, test_all, test_time_limit, test_bad_input):
    with folder() as scratch:
        test(pathlib.Path(scratch))
end()
