"""thud compare: tables, residuals, files, JSON, unreadable files, Ctrl-C. Times are not judged."""
import csv
import pathlib
import shutil

from thudcli import ROOT, close, end, folder, interrupted, needs_terminal, report, some, thud, thud_json

PROBLEMS = ROOT / "examples" / "problems"
QUICK = ("--runs", "2", "--max-time", "2")
COLUMNS = ("problem,part,kind,dimension,contacts,solver,tolerance,status,residual,iterations,seconds,first_seconds,"
           "note").split(",")


def problems_in(place):
    return sorted(path.name for path in place.iterdir() if path.suffix in (".dat", ".h5", ".hdf5", ".yaml", ".yml"))


def geometric_mean(values):
    product = 1.0
    for value in values:
        product *= value ** (1 / len(values))
    return product


def collection(here):
    """A folder with a share of the collection, and all the matrices beside them."""
    place = here / "collection"
    place.mkdir()
    names = problems_in(PROBLEMS)
    left_out = set(names) - set(some(names, 3)) - {"lcp-none.yaml"}
    for path in PROBLEMS.iterdir():
        if path.name not in left_out:
            (place / path.name).symlink_to(path)
    return place


def test_folder(here):
    """A collection, once as JSON: what it says is consistent and true of the rows."""
    problems = collection(here)
    made = thud_json("compare", problems, "--tol", "1e-6", *QUICK, cwd=here)
    table = made["tables"][0]
    report("a folder: good, one table", made["verdict"] == "good" and len(made["tables"]) == 1 and not made["unreadable"])
    names = [problem["name"] for problem in table["problems"]]
    report("its problems by name", names == problems_in(problems), names)
    wrong = [(problem["name"], result) for problem in table["problems"] for result in problem["results"]
             if (result["status"] == "solved") != (result["residual"] is not None and result["residual"] <= 1e-6
                                                   and result["seconds"] <= 2)]
    report("solved are those within tolerance and time, by the residual", not wrong, wrong)
    regrets, lost = [], 0
    for problem in table["problems"]:
        own = [r for r in problem["results"] if r["solver"] != "auto" and r["status"] == "solved"]
        mine = next(r for r in problem["results"] if r["solver"] == "auto")
        best = min(own, key=lambda r: r["seconds"], default=None)
        if best is None:
            report(f"{problem['name']}: solved by none", problem["best_method"] is None, problem)
            continue
        if problem["best_method"] != best["solver"] or problem["best_residual"] != best["residual"]:
            report(f"{problem['name']}: the best method", False, problem)
        if problem["trivial"]:
            continue
        if mine["status"] != "solved":
            lost += 1
            continue
        regrets.append(max(mine["seconds"], 1e-5) / max(best["seconds"], 1e-5))
        if abs(problem["regret"] - regrets[-1]) > 1e-12 * regrets[-1]:
            report(f"{problem['name']}: the regret", False, problem)
    summary = table["summary"]
    close("the geometric mean of the regrets", summary["regret_mean"], geometric_mean(regrets), 1e-9)
    report("the largest, and how many are lost", summary["worst_regret"] == max(regrets) and summary["lost"] == lost
           and sum(summary["regret_counts"]) == len(regrets), summary)
    report("all but the trivial ones are counted",
           summary["problems"] == sum(not problem["trivial"] for problem in table["problems"]), summary)
    methods = {method["name"]: method for method in table["methods"]}
    solved = sum(result["status"] == "solved" for problem in table["problems"] if not problem["trivial"]
                 for result in problem["results"] if result["solver"] == "newton")
    report("counts of a method", methods["newton"]["solved"] == solved > len(names) // 4 and list(methods)[0] == "auto", methods)
    report("lcp-none has no solution, and none is claimed",
           all(result["status"] != "solved" for problem in table["problems"] if problem["name"] == "lcp-none.yaml"
               for result in problem["results"]))


def test_files(here):
    files = [PROBLEMS / name for name in ("friction-3d.yaml", "friction-2d.dat", "rolling-global.h5", "mlcp.yaml")]
    (here / "out").mkdir()
    done = thud("compare", *files, *QUICK, "-o", "out", "--image", "svg", cwd=here)
    report("files of every format: exit code 0", done.returncode == 0, done.stderr)
    written = sorted(path.name for path in (here / "out").iterdir())
    report("tables and profiles are there", written == ["compare-1e-4.csv", "compare-1e-4.md", "compare-1e-8.csv",
                                                        "compare-1e-8.md", "compare-profile-1e-4.svg",
                                                        "compare-profile-1e-8.svg"], written)
    for tolerance in ("1e-4", "1e-8"):
        with open(here / "out" / f"compare-{tolerance}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        report(f"{tolerance}: columns", list(rows[0]) == COLUMNS, rows[0])
        report(f"{tolerance}: a row for auto and each method", len(rows) > 30 and
               [row["solver"] for row in rows].count("auto") == 4, len(rows))
        report(f"{tolerance}: residuals of what is solved",
               all(float(row["residual"]) <= float(tolerance) for row in rows if row["status"] == "solved"), rows)
        markdown = (here / "out" / f"compare-{tolerance}.md").read_text()
        report(f"{tolerance}: what is printed is in the file", markdown.partition("\n<!-- thud ")[0] in done.stdout and
               markdown.endswith(" -->\n"), markdown)
        picture = (here / "out" / f"compare-profile-{tolerance}.svg").read_text()
        report(f"{tolerance}: the profile names its axes and methods", "4 problems at tolerance " + tolerance in picture
               and "time of the fastest solver" in picture and "gauss-seidel" in picture, picture[:2000])
    lines = [line for line in done.stdout.splitlines() if line.startswith("|")]
    report("columns are aligned", all(line.endswith(" |") for line in lines), done.stdout)
    (here / "out" / "compare-1e-4.csv").write_text("mine\n")
    again = thud("compare", *files, *QUICK, "-o", "out", "--image", "svg", cwd=here)
    report("what is not thud's own is not replaced, and that is said first",
           again.returncode == 2 and "--force" in again.stderr and again.stdout == "", again)
    forced = thud("compare", files[0], *QUICK, "--tol", "1e-4", "-o", "out", "-f", cwd=here)
    report("--force replaces them", forced.returncode == 0 and (here / "out" / "compare-profile-1e-4.png").exists(), forced)
    chosen = thud_json("compare", files[0], *QUICK, "--tol", "1e-4", "--methods", "newton,auto", cwd=here)
    report("--methods", [r["solver"] for r in chosen["tables"][0]["problems"][0]["results"]] == ["auto", "newton"], chosen)


def test_unreadable(here):
    shutil.copy(PROBLEMS / "friction-3d.yaml", here / "good.yaml")
    (here / "broken.dat").write_text("3 1 nonsense")
    (here / "notes.txt").write_text("not a problem")
    made = thud_json("compare", here, *QUICK, "--tol", "1e-4", code=2)
    report("a file that cannot be read is named, the others are measured",
           made["verdict"] == "failed" and [entry["file"] for entry in made["unreadable"]] == [str(here / "broken.dat")]
           and [problem["name"] for problem in made["tables"][0]["problems"]] == ["good.yaml"], made)
    done = thud("compare", here, *QUICK, "--tol", "1e-4")
    report("on standard error, too", done.returncode == 2 and "broken.dat" in done.stderr and
           "1 could not be read" in done.stdout, done)
    (here / "empty").mkdir()
    cases = [
        ("a folder without problems", (here / "empty",), "no file that ends"),
        ("a file that is not there", (here / "nowhere.h5",), "nowhere.h5"),
        ("a tolerance of 0", (here / "good.yaml", "--tol", "0"), "--tol"),
        ("a tolerance that is no number", (here / "good.yaml", "--tol", "1e-4,x"), "--tol"),
        ("no runs", (here / "good.yaml", "--runs", "0"), "--runs"),
        ("an unknown method", (here / "good.yaml", "--methods", "newton,neuton"), "neuton"),
        ("an empty method", (here / "good.yaml", "--methods", "newton,"), "no method ''"),
        ("an unknown picture", (here / "good.yaml", "--image", "gif"), "--image"),
        ("a folder for the output within one that is not there", (here / "good.yaml", "-o", here / "nowhere" / "out"), "nowhere"),
        ("nothing to compare", (), "FILE|FOLDER"),
    ]
    for name, arguments, word in cases:
        done = thud("compare", *arguments, cwd=here)
        report(f"bad input: {name}", done.returncode == 2 and word in done.stderr, done)


@needs_terminal("Ctrl-C: the problems that were complete")
def test_interruption(here):
    """After the first problems: their tables are printed, whole."""
    code, out, shown = interrupted(here, "compare", PROBLEMS, "--methods", "newton", "--runs", "30000", "--tol", "1e-10",
                                   until=lambda shown: "3 of " in shown)
    rows = [line for line in out.splitlines() if line.startswith("| ") and ("yaml" in line or "h5" in line)]
    report("Ctrl-C: exit code 130, and the problems that were complete",
           code == 130 and len(rows) >= 2 and "Interrupted" in out, (code, out, shown))


for test in (test_folder, test_files, test_unreadable, test_interruption):
    with folder() as scratch:
        test(pathlib.Path(scratch))
end()
