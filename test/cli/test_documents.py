"""The documents: every ```sh block runs in a folder with a copy of examples/ and prints what is shown (tools/document_pages.py),
and what docs/record-format.md says holds."""
import pathlib
import re
import sys

from thudcli import PROGRAM, ROOT, end, example, folder, report, thud

sys.path.insert(0, str(ROOT / "tools"))
import document_pages  # noqa: E402

DOCS = ROOT / "docs"
LEARNING = [DOCS / "start.md", DOCS / "tutorial.md", *sorted((DOCS / "texts").glob("*.md")), *sorted((DOCS / "howto").glob("*.md"))]


def blocks(path, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text(), re.S | re.M)


def test_shell_blocks():
    """The commands of one page run one after the other in one folder, as a reader would try them. What the page says that they print
    they print, and the pictures that the pages for learning show are made by their own commands."""
    for path in [ROOT / "README.md", *sorted(DOCS.glob("**/*.md"))]:
        if not blocks(path, "sh"):
            continue
        with folder() as place:
            for k, done in enumerate(document_pages.run(path, place, PROGRAM)):
                report(f"{path.name}: sh block {k + 1} runs", done.status == 0, done.command + done.printed)
                if done.shown:
                    wrong = document_pages.difference(done.shown, done.printed)
                    report(f"{path.name}: sh block {k + 1} prints what is shown", not wrong, done.command + wrong)
            for picture in document_pages.pictures(path):
                if path in LEARNING and picture.resolve().parent != DOCS / "images":
                    report(f"{path.name}: a command of the page makes {picture.name}", pathlib.Path(place, picture.name).exists())


def test_comparison_of_output():
    """What is shown has to be printed: lines in order, words as they are, numbers within one part in a thousand."""
    printed = "state  t = 3, z = -6.3216e-04\nimpacts 16\nlosses 1.96199, residual 2.1e-17\nverdict: good\n"
    good = [printed, "...\nimpacts 16\n...\n", "state t = 3, z = …\n...\nverdict: good\n",
            "...\nlosses 1.9621, residual 0\nverdict: good\n", "...\n", "state t = …, z = …\n...\n"]
    bad = ["impacts 16\n", "...\nimpacts 17\n...\n", "...\nlosses 1.98, residual 0\n...\n", "...\nverdict: coarse\n",
           "...\nverdict: good\n...\nimpacts 16\n...\n", "state t = 3, z = -6.3216e-04\n...\nimpacts\n...\n", "state y = …\n...\n",
           "...\nlosses 1.96199, residual 1e-6\n...\n", printed + "verdict: good\n"]
    for shown in good:
        report("it is printed", document_pages.difference(shown, printed) == "", shown)
    for shown in bad:
        report("it is not printed", document_pages.difference(shown, printed) != "", shown)


def test_renewed_output():
    """Blocks that fit stay as they are, blocks that leave something out are handed back, others show what is printed now."""
    page = "```sh\nmake demo\n```\n\n```yaml\n# a.yaml\nthud: 1\n```\n\n" + "".join(
        f"```sh\necho {k}\n```\n\n```text\n{shown}\n```\n\n" for k, shown in enumerate(("0.50001", "old", "...\nold")))
    runs = [document_pages.Done(f"echo {k}\n", 0, printed, None) for k, printed in enumerate(("0.5\n", "new \n", "new\n"))]
    after, stale = document_pages.renewed(page, runs)
    report("only what differs is renewed", after == page.replace("```text\nold", "```text\nnew"), after)
    report("a block that leaves lines out is left to its author", stale == ["...\nold\n"], stale)
    with folder() as place:
        document_pages.write_scenes(page, place)
        report("a scene with a name is written", pathlib.Path(place, "a.yaml").read_text() == "# a.yaml\nthud: 1\n")


def test_methods():
    """Every method has a page that the overview links to and that shows it at work."""
    listed = thud("solve", "--list-methods").stdout.split("\n\n")[0]
    names = re.findall(r"^([a-z][a-z-]*) ", listed, re.M)
    report("methods are listed", len(names) >= 9, listed)
    overview = (DOCS / "solvers.md").read_text()
    for name in names:
        page = DOCS / "methods" / f"{name}.md"
        shown = "".join(blocks(page, "sh")) if page.exists() else ""
        report(f"docs/methods/{name}.md shows a command", f"--method {name}" in shown, shown)
        report(f"docs/solvers.md links to {name}", f"(methods/{name}.md)" in overview)


def test_kinds():
    """The page on kinds shows pieces of the kind that exists only in tests, word for word; these run it."""
    files = ["support/coins_kind.h", "support/coins_kind.c", "unit/test_run_own_kind.c", "unit/test_verify_own_kind.c"]
    source = "".join((ROOT / "test" / name).read_text() for name in files)
    pieces = blocks(DOCS / "kinds.md", "c")
    report("docs/kinds.md shows the whole kind", len(pieces) >= 10, len(pieces))
    for k, piece in enumerate(pieces):
        report(f"kinds.md: C block {k + 1} is in the tests", piece.rstrip("\n") in source, piece)


def test_links():
    """Links between the documents lead to files."""
    for path in sorted(DOCS.glob("**/*.md")):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text()):
            report(f"{path.name}: {target} is there", (path.parent / target).exists())


def test_channels():
    """The channels that the document lists are those of a record, in the same order."""
    table = re.findall(r"^\| `(\w+)` \| (?:64-bit float|8-bit integer) \| (\w+) \|", (DOCS / "record-format.md").read_text(),
                       re.M)
    expected = []
    for name, width in table:
        expected += {"1": [name], "n": ["x", "y"] if name == "state" else [f"{name}[x]", f"{name}[y]"]}[width]
    with folder() as place:
        thud("run", example("jump"), "-q", cwd=place)
        lines = thud("export", "jump.h5", cwd=place).stdout.splitlines()
        shown = thud("export", "jump.h5", "--channels", "t,side,state", cwd=place).stdout.splitlines()
    columns = [re.sub(r" \[\w+\]$", "", column) for column in lines[0].split(",")]
    report("the columns are the channels of the document", columns == expected, f"{columns}\n{expected}")
    samples = [block.splitlines() for block in blocks(DOCS / "record-format.md", "text") if block.startswith("t [s],")]
    report("the document shows lines of that record", len(samples) == 1 and set(samples[0]) <= set(shown), samples)


def test_channels_of_motions():
    """The channels of a motion that the document lists are those of a record, in the same order, with their widths."""
    stepping, _, events = (DOCS / "record-format.md").read_text().partition("An event-driven run (docs/event-driven.md)")
    check_channels(stepping, "moreau-jean", 13)
    check_channels(events, "event-driven", 12)


def check_channels(text, method, count):
    table = re.findall(r"^\| `(\w+)` \| `\w+` \| (?:real|small|0 or 1) \| ([\w +]+) \|", text, re.M)
    widths = {"1": 1, "n": 2, "m": 1, "m + s": 2, "5": 5, "9": 9, "series": 1}
    with folder() as place:
        thud("run", example("brick-on-incline"), "--set", f"simulate.method={method}", "-q", cwd=place)
        header = thud("export", "brick-on-incline.h5", "--rows", "--no-units", cwd=place).stdout.splitlines()[0].split(",")
        columns = []
        for name, width in table:
            part = thud("export", "brick-on-incline.h5", "--no-units", "--channels", name, cwd=place).stdout
            titles = part.splitlines()[0].split(",") if part else []
            report(f"{method}: channel {name} has the width of the document", len(titles) == widths[width], titles)
            columns += titles
    report(f"{method}: the channels of the document are all there are, in their order", len(table) == count and columns == header,
           f"{columns}\n{header}")
    report(f"{method}: columns have names of their own", len(set(header)) == len(header), header)


def test_scenes():
    """The complete scenes of the documents can be run."""
    scenes = [block for block in blocks(DOCS / "scene-format.md", "yaml") if block.startswith("thud: 1")]
    report("docs/scene-format.md shows a scene of each kind and one that is drawn", len(scenes) == 5, len(scenes))
    for page in ("percussions.md", "bodies.md"):
        scenes += [block for block in blocks(DOCS / page, "yaml") if block.startswith("thud: 1")]
    for text in scenes:
        with folder() as place:
            pathlib.Path(place, "scene.yaml").write_text(text)
            done = thud("run", "scene.yaml", cwd=place)
            report("it runs", done.returncode == 0, done.stderr + done.stdout)


def test_units():
    with folder() as place:
        thud("run", example("jump"), "-q", "--set", "units.y=mm", cwd=place)
        head = thud("export", "jump.h5", "--channels", "t,state", cwd=place).stdout.splitlines()[0]
        plain = thud("export", "jump.h5", "--no-units", "--channels", "t,state", cwd=place).stdout.splitlines()[0]
    report("coordinates of different units share none", head == "t [s],x,y", head)
    report("--no-units leaves the units out", plain == "t,x,y", plain)


test_shell_blocks()
test_comparison_of_output()
test_renewed_output()
test_methods()
test_kinds()
test_links()
test_channels()
test_channels_of_motions()
test_scenes()
test_units()
end()
