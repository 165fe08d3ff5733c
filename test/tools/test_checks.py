"""The checks of the repository can fail: each is given a good and a bad sample. Prints TAP."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
failures = 0


def report(name, good, detail=""):
    global failures
    print(f"{'ok' if good else 'not ok'} - {name}")
    if not good:
        failures += 1
        print(detail)


def tool(name, *arguments, **keywords):
    path = ROOT / "tools" / name
    with open(path, encoding="utf-8") as script:  # `env python3` may be a slow wrapper
        own = [sys.executable] if "python" in script.readline() else []
    return subprocess.run([*own, str(path), *arguments], capture_output=True, text=True, **keywords)


def layers(files):
    """check-layers on a tree made of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            place = pathlib.Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        return tool("check-layers", "--root", folder)


def layer_case(name, path, text, offence):
    """One file; offence is a piece of the message, or None when the file is fine."""
    result = layers({path: text})
    if offence is None:
        report(name, result.returncode == 0, result.stdout)
    else:
        report(name, result.returncode == 1 and f"{path}:" in result.stdout and offence in result.stdout,
               f"status {result.returncode}: {result.stdout}{result.stderr}")


def check_layers():
    good = '#include "base/base.h"\n#include "thud/convex.h"\n#include <math.h>\n'
    layer_case("a layer includes layers above it", "src/motions/a.c", good, None)
    layer_case("a layer below is refused", "src/base/a.c", '#include "linalg/dense.h"\n',
               'a.c:1: base may not include "linalg/dense.h"')
    layer_case("a public header of a layer below is refused", "src/pivot/a.c", '\n  #  include "thud/convex.h"\n',
               'a.c:2: pivot may not include "thud/convex.h"')
    layer_case("public headers keep the order too", "include/thud/linalg.h", '#include "thud/expr.h"\n',
               "linalg may not include")
    layer_case("thud/small.h belongs to linalg", "include/thud/small.h", '#include "thud/pivot.h"\n',
               "linalg may not include")
    layer_case("the umbrella is for programs", "src/motions/a.c", '#include "thud/thud.h"\n', "motions may not include")
    layer_case("so is the second one", "src/run/a.c", '#include "thud/io.h"\n', "run may not include")
    twice = layers({"src/base/text.c": "", "src/plot/text.c": "", "src/plot/text.h": ""})
    report("two sources may not have one file name", twice.returncode == 1 and
           "src/plot/text.c:1: src/base/text.c has the same file name" in twice.stdout, twice.stdout)
    layer_case("libthud does not read trees", "src/motions/a.c", '#include "thud/tree.h"\n', "motions may not include")
    layer_case("geom uses base and linalg only", "src/geom/a.c", '#include "thud/convex.h"\n', "geom may not include")
    layer_case("verify may read records and scenes", "src/verify/a.c",
               '#include "thud/small.h"\n#include "record/reader.h"\n#include "tree/parse.h"\n#include "thud/expr.h"\n'
               '#include "expr/program.h"\n', None)
    for header in ["thud/convex.h", "thud/sim.h", "thud/linalg.h", "linalg/dense.h", "contact/residual.h",
                   "record/writer.h", "scene/build.h", "thud/pivot.h", "expr/bounds.h", "expr/interval.h"]:
        layer_case(f"verify may not use {header}", "src/verify/a.c", f'#include "{header}"\n', "verify may not include")
    layer_case("the parser of scenes knows no model", "src/tree/parse.c", '#include "thud/sim.h"\n',
               "tree may not include")
    layer_case("an unknown folder is refused", "src/misc/a.c", "int a;\n", "not a known layer")
    layer_case("an include without its folder is refused", "src/motions/a.c", '#include "ledger.h"\n', "without its folder")
    layer_case("includes inside comments do not count", "src/base/a.c", '/* \n#include "thud/sim.h"\n*/\n', None)
    kinds = {"src/kinds/kind_table.c": "const thud_kind *const table[] = {&thud_kind_chain, &thud_kind_half_ring};\n",
             "src/kinds/links/chain.c": 'const thud_kind thud_kind_chain = {.name = "chain", .section = "links"};\n',
             "src/kinds/ring/ring.c": 'const thud_kind thud_kind_half_ring = {.name = "half-ring", .section = "ring"};\n'}
    for name, path, text, offence in (
            ("kinds may be named in their folders", "src/kinds/links/more.c", 'find("links"); use(&thud_kind_chain);\n', None),
            ("not in those of others", "src/kinds/ring/more.c", "use(&thud_kind_chain);\n", "thud_kind_chain belongs to"),
            ("nor in the driver", "src/run/a.c", "\nuse(&thud_kind_half_ring);\n", "a.c:2: thud_kind_half_ring belongs to"),
            ("a section is no string outside", "src/plot/a.c", 'thud_node_find(root, "links");\n', '"links" is a kind'),
            ("nor in a list", "src/tree/a.c", 'keys[] = {"simulate", "ring"};\n', '"ring" is a kind'),
            ("nor is a name compared", "src/cli/a.c", 'strcmp(kind, "half-ring") == 0;\n', '"half-ring" is a kind'),
            ("a longer text is no name", "src/cli/a.c", 'fail("no links in this ring");\n', None),
            ("keys of JSON may be called so", "src/page/a.c", 'thud_json_key(&page->json, "ring");\n', None),
            ("their values may not", "src/page/a.c", 'thud_json_string_field(json, "kind", "ring");\n', '"ring" is a kind'),
            ("roles of channels may be called so", "src/plot/a.c", '{.name = "r", .role = "links"};\n', None),
            ("models may use the words", "src/model/a.c", 'fail("links");\n', None),
            ("comments may, too", "src/run/a.c", '/* not "links" */\n', None),
            ("headers of a kind are its own", "src/study/a.c", '#include "kinds/links/chain.h"\n', "belongs to one kind"),
            ("the checker has its own words", "src/verify/a.c", 'is("links");\n', None)):
        result = layers({**kinds, path: text})
        good = result.returncode == (0 if offence is None else 1) and (offence or "in order") in result.stdout
        report(f"kinds: {name}", good, result.stdout + result.stderr)
    empty = layers({"readme": ""})
    report("an empty tree is not a success", empty.returncode == 1, empty.stdout)


def symbols_case(name, sources, offence):
    """Compiles {path: text} into the layout of a build and checks its symbols."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in sources.items():
            source = pathlib.Path(folder, path)
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(text, encoding="utf-8")
            made = pathlib.Path(folder, "CMakeFiles/x.dir", path + ".o")
            made.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cc", "-c", str(source), "-o", str(made)], check=True)
        result = tool("check-layers", "--root", folder, "--objects", folder)
        good = result.returncode == (0 if offence is None else 1) and (offence or "in order") in result.stdout
        report(name, good, result.stdout + result.stderr)


def check_symbols():
    libraries = {"src/base/a.c": "int base_f(void) { return 1; }\n", "src/motions/s.c": "int sim_f(void) { return 1; }\n",
                 "src/tree/parse.c": "int parse_f(void) { return 1; }\n",
                 "src/scene/build.c": "int build_f(void) { return 1; }\n"}

    def caller(function):
        return f"int {function}(void);\nint caller(void);\nint caller(void) {{ return {function}(); }}\n"

    symbols_case("a call upwards is fine", {**libraries, "src/motions/c.c": caller("base_f")}, None)
    symbols_case("a hand-declared call downwards is found", {**libraries, "src/base/c.c": caller("sim_f")},
                 "src/base/c.c: base may not call sim_f of src/motions/s.c")
    passes = {"src/expr/bounds_jet.c": "int bounds_f(void) { return 1; }\n",
              "src/expr/interval.c": "int interval_f(void) { return 1; }\n",
              "src/expr/graph.c": "int graph_f(void) { return 1; }\n"}
    for function, source in (("bounds_f", "bounds_jet.c"), ("interval_f", "interval.c")):
        symbols_case(f"verify may not call intervals of expr: {source}", {**passes, "src/verify/c.c": caller(function)},
                     f"src/verify/c.c: verify may not call {function} of src/expr/{source}")
    symbols_case("verify may call graphs of expr", {**passes, "src/verify/c.c": caller("graph_f")}, None)
    symbols_case("verify may call the parser of scenes", {**libraries, "src/verify/c.c": caller("parse_f")}, None)
    symbols_case("verify may not call the builder of scenes", {**libraries, "src/verify/c.c": caller("build_f")},
                 "src/verify/c.c: verify may not call build_f of src/scene/build.c")
    symbols_case("verify may not call an integrator", {**libraries, "src/verify/c.c": caller("sim_f")},
                 "verify may not call sim_f")


def types_case(name, files, offence):
    """check-types on a tree of {path: text}; offence is a piece of the message, or None when all is fine."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            place = pathlib.Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        result = tool("check-types", folder)
    good = result.returncode == 0 if offence is None else result.returncode == 1 and offence in result.stdout
    report(name, good, f"status {result.returncode}: {result.stdout}{result.stderr}")


def check_types():
    header, above = "include/thud/a.h", "/* What it does. */\n"
    function, other = "THUD_API int thud_a(void);\n", "THUD_API int thud_b(const double *x);\n"
    types_case("a function with a comment above it", {header: above + function}, None)
    types_case("a group of functions shares a comment", {header: above + function + other}, None)
    types_case("a comment beside the function", {header: function[:-1] + " /* what it does */\n"}, None)
    types_case("a function without a comment is found", {header: "\n" + function}, "a.h:2: thud_a has no comment")
    types_case("a blank line ends a group", {header: above + function + "\n" + other}, "thud_b has no comment")
    types_case("a comment beside the function before does not count",
               {header: function[:-1] + " /* what */\n\n" + other}, "thud_b has no comment")
    struct = "typedef struct thud_s {\n  int a;\n} thud_s;\n"
    types_case("a type in one place", {header: above + function + struct}, None)
    types_case("a public type defined again in src", {header: above + function + struct, "src/x/x.h": struct},
               "thud_s is defined in several places: include/thud/a.h, src/x/x.h")
    types_case("an enum of the same name counts too",
               {header: above + function + struct, "src/x/x.c": "typedef enum thud_s {\n  A\n} thud_s;\n"},
               "thud_s is defined in several places")
    types_case("a tree without functions is not a success", {header: struct}, "no public function")


def check_language():
    samples = {  # the pieces are joined so that this file itself stays clean
        "an absolute path is refused": ('fopen("' + "/ho" + 'me/ann/x.h5")', 1),
        "a mark of unfinished work is refused": ("/* TO" + "DO: later */", 1),
        "a path of the system is fine": ('"/usr/share/fonts"', 0),
        "a word that contains a mark is fine": ("hackney TODOS", 0),
        "the number of a case in the documentation is refused": ("Measured in case C12.", 1),
        "and in a table": ("| K1, K2 | 1e-12 |", 1),
        "a set that is called C1 is fine": ("| sum | C1 + C2 |", 0),
    }
    for name, (text, status) in samples.items():
        with tempfile.TemporaryDirectory() as folder:
            sample = pathlib.Path(folder, "docs/sample.md")
            sample.parent.mkdir()
            sample.write_text(text + "\n", encoding="utf-8")
            result = tool("check-language", str(sample))
            report(name, result.returncode == status, result.stdout + result.stderr)


def check_deps():
    listed = tool("deps", "--list", "core", "dev").stdout.split()
    report("the list of packages is not empty and has no repeats", len(listed) > 10 and len(set(listed)) == len(listed))
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "deps")
        copy.write_text((ROOT / "tools/deps").read_text(encoding="utf-8"), encoding="utf-8")
        pathlib.Path(folder, "packages.txt").write_text(
            "core no-such-package header:no/such/header.h\ncore libc6-dev header:stdio.h\n", encoding="utf-8")
        probe = subprocess.run(["sh", str(copy), "--probe"], capture_output=True, text=True)
        report("the probe names what is missing", probe.returncode == 1 and probe.stdout == "no-such-package\n",
               probe.stdout)
        refused = subprocess.run(["sh", str(copy)], capture_output=True, text=True,
                                 env={**os.environ, "THUD_NO_INSTALL": "1"})
        report("THUD_NO_INSTALL turns the installation into a message",
               refused.returncode == 1 and "apt-get install no-such-package" in refused.stderr, refused.stderr)


def run_tests_on(tests):
    """run-tests on a ctest folder with {name: shell command}; gives its status and output."""
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for name, command in tests.items():
            script = pathlib.Path(folder, name + ".sh")
            script.write_text(command, encoding="utf-8")
            lines.append(f'add_test({name} sh "{script}")\nset_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77)')
        pathlib.Path(folder, "CTestTestfile.cmake").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return tool("run-tests", folder)


def check_counting():
    cmocka = "printf '[==========] Running 3 test(s).\\n'\n"
    good = "printf '[ RUN      ] %s\\n[       OK ] %s\\n' a a b b\n"
    bad = "printf '[ RUN      ] c\\n[  ERROR   ] --- 1 != 2\\n[  FAILED  ] c\\n'\n"
    tail = "printf '[  PASSED  ] 2 test(s).\\n[  FAILED  ] 1 test(s), listed below:\\n[  FAILED  ] c\\n'\n"
    cases = {
        "test functions are counted one by one": ({"p": cmocka + good}, "2 passed, 0 failed", 0),
        "a failed function is counted once": ({"p": cmocka + good + bad + tail + "exit 1\n"}, "2 passed, 1 failed", 1),
        "a crash inside a function counts as failed":
            ({"p": good + "printf '[ RUN      ] d\\n'\nkill -SEGV $$\n"}, "2 passed, 1 failed", 1),
        "a crash after the last function counts as failed": ({"p": good + "kill -ABRT $$\n"}, "2 passed, 1 failed", 1),
        "a program without a word counts once": ({"p": "exit 0\n", "q": "exit 3\n"}, "1 passed, 1 failed", 1),
        "TAP lines are counted one by one":
            ({"p": "echo 'ok - x'; echo 'ok 2 - y'; echo 'ok - z # SKIP no data'\n"}, "2 passed, 0 failed, 1 skipped", 0),
        "a failed TAP line fails even with status 0": ({"p": "echo 'not ok - x'; echo 'ok - y'\n"}, "1 passed, 1 failed", 1),
        "a skipped program is skipped": ({"p": "exit 77\n", "q": "exit 0\n"}, "1 passed, 0 failed, 1 skipped", 0),
        "skipped tests are named with what they need": (
            {"p": "echo 'ok - x # SKIP needs a: b'; echo 'ok - y # SKIP needs a: b'; echo 'ok - z # SKIP needs c: d'; echo 'ok - w'\n",
             "q": "printf '[ RUN      ] f\\nSKIPPED: needs e: f\\n[  SKIPPED ] f\\n[ RUN      ] g\\n[  SKIPPED ] g\\n'\n",
             "r": "echo 'ok - x # SKIP needs g: h'; exit 77\n"}, "1 passed, 0 failed, 6 skipped", 0),
        "swept allocation failures are summed":
            ({"p": "echo allocation failures swept: 5; echo allocation failures swept: 7\n"}, "1 passed, 0 failed", 0),
        "no tests at all is a failure": ({}, "0 passed, 1 failed", 1),
    }
    for name, (tests, last_line, status) in cases.items():
        result = run_tests_on(tests)
        lines = result.stdout.splitlines()
        good_answer = lines and lines[-1] == last_line and result.returncode == status
        if "swept" in name:
            good_answer = good_answer and "allocation failures swept: 12" in lines
        if "named" in name:
            good_answer = good_answer and lines[-6:-1] == [
                "skipped: p (2): needs a: b", "skipped: p (1): needs c: d", "skipped: q (1): needs e: f",
                "skipped: q (1): no reason was given", "skipped: r (1): needs g: h"]
        report(name, good_answer, result.stdout + result.stderr)


def check_terminals():
    """Where the system gives no pseudo-terminal, tests that need one are skipped with a word."""
    text = ("import os, thudcli\n"
            "def no_terminal(): raise OSError(19, 'No such device')\n"
            "if {lacking}: os.openpty = no_terminal\n"
            "@thudcli.needs_terminal('colours')\n"
            "def test(number): thudcli.report(f'ran with {{number}}', True)\n"
            "test(3)\n"
            "thudcli.end()\n")
    for name, lacking, expected in (
            ("no pseudo-terminal: a skipped test", True, "ok - colours # SKIP no pseudo-terminal: mount devpts at /dev/pts\n"),
            ("a pseudo-terminal: the test runs", False, "ok - ran with 3\n")):
        if not lacking:
            text = "import os\nos.openpty = os.pipe\n" + text
        done = subprocess.run([sys.executable, "-c", text.format(lacking=lacking)], capture_output=True, text=True,
                              cwd=ROOT / "test" / "cli")
        report(name, done.returncode == 0 and done.stdout == expected, done.stdout + done.stderr)


# Programs that tools/check-bare calls, as a machine that allows everything has them; the root is an empty folder.
BARE_TOOLS = {"id": "echo 0", "unshare": "exit 1", "debootstrap": "exit 1", "mknod": "touch \"$1\"",
              "chroot": "[ \"$1\" = / ] && exit 0\ncase \"$*\" in *'make demo'* | *'make missing'*) DEMO ;; *) CHECK ;; esac"}


def programs(folder, texts):
    """Shell scripts of these names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)


def check_ci():
    """.ci/run with programs that only say how they ended."""
    checks = ("check-layers", "abi", "check-headers", "check-language", "check-format", "check-scripts", "check-book", "check-tidy",
              "run-tests")
    tested = "echo 'skipped: p (2): needs a: b'; echo '5 passed, 0 failed, 2 skipped'"
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    good = 5 + len(re.findall("^check ", script, re.M))  # make check's and one for each further check
    for name, bare, changed, last_lines, status in (
            ("all is well", "echo '24 passed, 0 failed'", {}, ["skipped: p (2): needs a: b", f"{good} passed, 0 failed, 2 skipped"], 0),
            ("no bare machine can be made", "echo 'skipped: check-bare (1): needs c: d'", {},
             ["skipped: p (2): needs a: b", "skipped: check-bare (1): needs c: d", f"{good - 1} passed, 0 failed, 3 skipped"], 0),
            ("the bare machine lacks a package", "echo '1 passed, 1 failed'; exit 1", {},
             ["skipped: p (2): needs a: b", f"{good - 1} passed, 1 failed, 2 skipped"], 1),
            ("another check fails", "echo '24 passed, 0 failed'", {"abi": "exit 1"},
             ["skipped: p (2): needs a: b", f"{good - 1} passed, 1 failed, 2 skipped"], 1)):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder, "clone")
            programs(root / "tools", {**dict.fromkeys(checks, "echo fine"), "check-bare": bare, **changed})
            programs(root / "path", {**dict.fromkeys(("cmake", "npm", "clang", "clang-format", "clang-tidy", "shellcheck"), "exit 0"),
                                     "make": f"case $1 in check) {tested} ;; esac"})
            programs(root / ".ci", {"run": ""})
            (root / ".ci" / "run").write_text(script, encoding="utf-8")
            for place in ("viewer", "test/unit"):
                (root / place).mkdir(parents=True)
            done = subprocess.run([root / ".ci" / "run"], capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{root / 'path'}:{os.environ['PATH']}"})
            lines = done.stdout.splitlines()
            report(f"continuous integration, {name}", lines[-len(last_lines):] == last_lines and done.returncode == status,
                   done.stdout + done.stderr)


def check_python():
    """make python says what to set, and tests of the module that cannot run say what they need."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "a clone")
        programs(root / "path", {"cmake": "echo building"})
        programs(root / "tools", {"deps": "exit 0"})
        (root / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
        done = subprocess.run(["make", "--no-print-directory", "-C", root, "python"], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{root / 'path'}:{os.environ['PATH']}"})
        report("make python prints one line to be evaluated", done.stdout == f"export PYTHONPATH='{root}/build/release/python'\n",
               done.stdout + done.stderr)
    code = ("import run, sys\n"
            "run.lacking = lambda python, modules: [m for m in modules if m != 'pytest']\n"
            "sys.argv = ['run.py', *TASK.split()]\n"
            "sys.exit(run.main())\n")
    for task, needs in (("pytest a", "python3-numpy python3-cffi-backend"), ("declarations", "python3-cffi")):
        done = subprocess.run([sys.executable, "-c", code.replace("TASK", repr(task))], capture_output=True, text=True,
                              cwd=ROOT / "test" / "python", env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        report(f"without packages {task} is skipped", done.returncode == 0 and
               done.stdout == f"ok - {task.split()[0]} # SKIP needs {needs}: make deps-dev\n", done.stdout + done.stderr)


def bare_machine(folder, demo, check, **changed):
    """A clone with tools/check-bare and a cached root, and the environment that calls BARE_TOOLS, some of them changed."""
    clone, tools = pathlib.Path(folder, "a clone"), pathlib.Path(folder, "tools")
    (clone / "tools").mkdir(parents=True)
    (clone / ".gitignore").write_text("/build/\n")
    (clone / "tools" / "check-bare").write_bytes((ROOT / "tools" / "check-bare").read_bytes())
    (clone / "tools" / "check-bare").chmod(0o755)
    programs(tools, {name: text.replace("DEMO", demo).replace("CHECK", check) for name, text in {**BARE_TOOLS, **changed}.items()})
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", "-C", clone, *command], check=True)
    (clone / "build" / "bare" / "base" / "etc").mkdir(parents=True)
    subprocess.run(["tar", "-cf", clone / "build/bare/base.tar", "-C", clone / "build/bare/base", "."], check=True)
    return clone, {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}


def check_bare():
    if shutil.which("git") is None:
        print("ok - a bare machine # SKIP needs git: make deps-dev")
        return
    good = "echo 'skipped: p (1): needs a: b'; echo '3 passed, 0 failed, 1 skipped'"
    for name, demo, check, changed, last_line, status in (
            ("both commands of README.md", "true", good, {}, "4 passed, 0 failed, 1 skipped", 0),
            ("a failed demo ends it", "exit 1", good, {}, "0 passed, 1 failed", 1),
            ("failed tests are counted", "true", "echo '3 passed, 2 failed'; exit 1", {}, "4 passed, 2 failed", 1),
            ("tests that do not count themselves failed", "true", "echo no such file; exit 2", {}, "1 passed, 1 failed", 1),
            ("not root", "true", good, {"id": "echo 1000"}, "skipped: check-bare (1): needs root: sudo make check-bare", 0),
            ("no device files", "true", good, {"mknod": "exit 1"}, "skipped: check-bare (1): needs device files, which are "
             "forbidden here: run it where they are allowed", 0),
            ("no chroot", "true", good, {"chroot": "exit 125"}, "skipped: check-bare (1): needs chroot, which is forbidden "
             "here: run it where it is allowed", 0)):
        for options in ([], ["--short"]):
            with tempfile.TemporaryDirectory() as folder:
                clone, environment = bare_machine(folder, demo, check, **changed)
                done = subprocess.run([clone / "tools" / "check-bare", *options], capture_output=True, text=True, env=environment)
                report(f"a bare machine, {name} {' '.join(options)}".rstrip(), done.stdout.splitlines()[-1:] == [last_line] and
                       done.returncode == status and not (clone / "build/bare/root").exists(), done.stdout + done.stderr)
    with tempfile.TemporaryDirectory() as folder:
        clone, environment = bare_machine(folder, "echo $$ >PLACE; sleep 300".replace("PLACE", f"'{folder}/pid'"), good)
        process = subprocess.Popen([clone / "tools" / "check-bare"], stdout=subprocess.PIPE, text=True, env=environment)
        note = pathlib.Path(folder, "pid")
        while process.poll() is None and not (note.exists() and note.read_text().endswith("\n")):
            time.sleep(0.05)
        process.terminate()
        said, _ = process.communicate(timeout=60)
        try:
            os.kill(int(note.read_text()), 0)
            lives = True
        except ProcessLookupError:
            lives = False
        report("a bare machine, terminated: nothing is left", process.returncode == 130 and not lives and
               not (clone / "build/bare/root").exists(), (process.returncode, lives, said))


def abi(root, header, code, *options):
    """tools/abi on a small tree: include/thud/thud.h with `header`, libthud.a from `code`, a libthud-io.a."""
    (root / "include" / "thud").mkdir(parents=True, exist_ok=True)
    (root / "include" / "thud" / "thud.h").write_text(header, encoding="utf-8")
    (root / "include" / "thud" / "io.h").write_text('#include "thud/thud.h"\n', encoding="utf-8")
    for name, text in (("thud", code), ("thud-io", "void thud_io(void);\nvoid thud_io(void) {}\n")):
        (root / "a.c").write_text(text, encoding="utf-8")
        (root / f"lib{name}.a").unlink(missing_ok=True)
        subprocess.run(["cc", "-c", root / "a.c", "-o", root / "a.o"], check=True)
        subprocess.run(["ar", "rc", root / f"lib{name}.a", root / "a.o"], check=True)
    return tool("abi", *options, "--root", str(root), str(root))


def check_abi_lists(root, header, code):
    result = abi(root, header, code)
    report("without lists the interface is refused", result.returncode == 1, result.stdout + result.stderr)
    result = abi(root, header, code, "--update")
    report("lists are written", result.returncode == 0, result.stdout + result.stderr)
    symbols = (root / "test" / "abi" / "thud.symbols").read_text().splitlines()
    report("exported names, with those of no header marked", symbols == ["thud_f", "thud_g (internal)"], symbols)
    lines = (root / "test" / "abi" / "thud.layout").read_text().splitlines()
    wanted = ["struct thud_a: 40 bytes", "struct thud_a: .x at 0, 1 bytes", "struct thud_a: .y at 8, 16 bytes",
              "struct thud_a: .z at 24, 8 bytes", "struct thud_a: .call at 32, 8 bytes", "enum thud_e: THUD_A = 0",
              "enum thud_e: THUD_B = 5"]
    report("fields and enumerators", lines == wanted, lines)
    result = abi(root, header, code)
    report("what is committed passes", result.returncode == 0, result.stdout)


def check_abi():
    struct = "typedef struct thud_a { char x; double y[2], *z; int (*call)(int a, int b); } thud_a;\n"
    header = struct + "typedef enum thud_e { THUD_A, THUD_B = 5 } thud_e;\nvoid thud_f(void);\n"
    code = "void thud_f(void) {}\nvoid thud_g(void) {}\n__attribute__((visibility(\"hidden\"))) void thud_h(void) {}\n"
    with tempfile.TemporaryDirectory(prefix="a space ") as folder:
        root = pathlib.Path(folder)
        check_abi_lists(root, header, code)
        for name, changed, text, piece in [
                ("a field that moved", header.replace("char x;", "char x; double w;"), code, "+struct thud_a: .y at 16"),
                ("an enumerator with another value", header.replace("= 5", "= 6"), code, "-enum thud_e: THUD_B = 5"),
                ("a name that has gone", header, code.replace("thud_g", "thud_i"), "-thud_g")]:
            result = abi(root, changed, text)
            report(f"{name} is reported, with the way to update", result.returncode == 1 and piece in result.stdout and
                   "tools/abi --update" in result.stdout, result.stdout)
        result = abi(root, header, code + "__attribute__((visibility(\"hidden\"))) int foreign;\n")
        report("a hidden name without thud_ is reported", result.returncode == 1 and
               "foreign does not begin with thud_" in result.stdout, result.stdout)


if __name__ == "__main__":
    check_layers()
    check_symbols()
    check_types()
    check_language()
    check_deps()
    check_abi()
    check_counting()
    check_terminals()
    check_ci()
    check_python()
    check_bare()
    sys.exit(1 if failures else 0)
