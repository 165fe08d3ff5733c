"""Codes of messages: every one in the sources has a row of the table, every row is used, and 'thud explain' prints it."""
import json
import re
import subprocess
import sys

from thudcli import PROGRAM, ROOT, end, folder, report, thud, thud_json

# A format that begins with its code: "[unknown-key] unknown key ...".
TAG = re.compile(r'"\[([a-z][a-z0-9-]*)\] ')
PYTHON_CODE = re.compile(r'"([a-z-]+)"\)')
# Sources whose failures an author of scenes meets: each of them says more than the kind of error. The numbers are those of
# failures that only programs can cause (their kind says enough), and may fall, not rise.
WITHOUT = {"tree": 9, "scene": 0, "kinds": 11}


def sources():
    return {path: path.read_text() for path in sorted((ROOT / "src").rglob("*.c"))}


def arguments(text, start):
    """The arguments of the call whose bracket opens at start."""
    depth, quoted, parts, begin, k = 0, False, [], start + 1, start
    while True:
        c = text[k]
        if quoted:
            k += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return parts + [text[begin:k]]
        elif c == "," and depth == 1:
            parts.append(text[begin:k])
            begin = k + 1
        k += 1


def calls(text, name):
    return [arguments(text, match.end() - 1) for match in re.finditer(rf"\b{name}\(", text)]


def warning_codes(texts):
    """Codes of warnings: the word in front of the format, or what a function passes on to it."""
    found = set()
    for text in texts.values():
        for name in ("thud_report_warning", "thud_record_add_warning"):
            for call in calls(text, name):
                found.update(re.findall(r'^\s*"([a-z-]+)"$', call[2] if len(call) > 2 else "", re.M))
        for call in calls(text, "thud_system_warn_multiple") + calls(text, "thud_system_warn_reduced"):
            found.update(re.findall(r'"([a-z-]+)"', "".join(call)))
        named = text.partition("thud_answer_warning_name(")[2].partition("\n}\n")[0]
        found.update(re.findall(r'THUD_ANSWER_\w+: return "([a-z-]+)"', named))
    return found


def test_table(table, texts):
    codes = [row["code"] for row in table]
    report("codes are words, and each has one row", all(re.fullmatch(r"[a-z][a-z-]{1,38}", code) for code in codes)
           and len(set(codes)) == len(codes), codes)
    for part in ("text", "cause", "cure"):
        bad = [row["code"] for row in table if not re.fullmatch(r"[^\n]{10,}\.", row[part])]
        report(f"every row has a sentence for its {part}", not bad, bad)
    report("every row has an example", not [row["code"] for row in table if not row["example"].strip()])
    bare = [row["code"] for row in table if re.fullmatch(r"(docs|include|src)/\S*( .*)?", row["example"])]
    report("which shows something instead of naming a page", not bare, bare)
    tags = {tag for text in texts.values() for tag in TAG.findall(text)}
    categories = set(re.findall(r'return "([a-z-]+)";', texts[ROOT / "src/base/error.c"].partition("thud_error_code")[2]))
    python = {code for path in (ROOT / "python/thud").glob("*.py") for line in path.read_text().splitlines()
              if "code = " in line or "errors." in line or line.strip().startswith('"') for code in
              PYTHON_CODE.findall(line) + re.findall(r'code = "([a-z-]+)"', line)}
    used = tags | categories | warning_codes(texts) | {"usage", "unknown-key"}
    report("every code of a failure is in the table", tags <= set(codes), sorted(tags - set(codes)))
    report("every kind of error is in the table", len(categories) == 20 and categories <= set(codes),
           sorted(categories - set(codes)))
    warnings = warning_codes(texts)
    report("every code of a warning is in the table", len(warnings) > 40 and warnings <= set(codes),
           sorted(warnings - set(codes)))
    unused = set(codes) - used - python
    report("every row of the table is the code of some message", not unused, sorted(unused))


def test_specific(texts):
    """Failures in scenes have codes of their own."""
    for name, most in WITHOUT.items():
        bare = []
        for path, text in texts.items():
            if path.relative_to(ROOT / "src").parts[0] != name:
                continue
            for function in ("thud_node_fail", "thud_fail", "thud_tree_fail_at"):
                for call in calls(text, function):
                    error = "".join(call)
                    if '"' in error and "SCHEMA" in error or "SYNTAX" in error or "_ARGUMENT" in error:
                        if not TAG.search(error):
                            bare.append(f"{path.name}: {' '.join(error.split())[:110]}")
        report(f"src/{name}: at most {most} failures have the code of their kind alone", len(bare) <= most, "\n".join(bare))


def test_explain(table):
    for row in table[:2]:
        text = thud("explain", row["code"]).stdout
        flat = " ".join(text.split())
        report(f"thud explain {row['code']}: text, cause, cure and example", text.startswith(f"{row['code']}: {row['text']}\n")
               and all(part in flat for part in (row["cause"], row["cure"]))
               and row["example"].splitlines()[0] in text, text)
    listed = [line.split()[0] for line in thud("explain").stdout.splitlines()]
    report("thud explain lists all codes", listed == [row["code"] for row in table])
    done = thud("explain", "unknown-kye")
    report("thud explain of a misspelt code suggests the code", done.returncode == 2 and "'unknown-key'?" in done.stderr
           and done.stderr.endswith("[unknown-code]\n"), done.stderr)
    report("thud explain CODE --json is the row", thud_json("explain", "unknown-key") in table)


def test_printed(here):
    """What the program prints ends with the code, and --json holds it."""
    scene = here + "/scene.yaml"
    with open(scene, "w") as stream:
        stream.write("thud: 1\nsystem: {coordinates: [x], kinetic_energy: x'^2/2}\ninitial: {x: 0}\n"
                     "simulate: {method: moreau-jean, end: 1, step: 0.1}\n")
    for name, settings, code in (("an unknown key", "simulate.endd=1", "unknown-key"),
                                 ("an expression with a wrong name", "system.forces={x: y}", "unknown-symbol"),
                                 ("a wrong type", "initial.x=[1]", "wrong-type"),
                                 ("a range", "simulate.step=-1", "out-of-range"),
                                 ("a choice", "simulate.method=euler", "unknown-choice")):
        done = thud("check", scene, "--set", settings)
        first = done.stderr.splitlines()[0] if done.stderr else ""
        report(f"{name}: the message ends with [{code}]", done.returncode == 2 and first.endswith(f"[{code}]"), done.stderr)
        failed = thud_json("check", scene, "--set", settings, code=2)
        report(f"{name}: --json has the code", failed["code"] == code, failed)
    for command in ("plot", "verify", "report", "export", "info"):
        done = thud(command, scene, cwd=here)
        report(f"thud {command} of a scene says to run it first", done.returncode == 2 and
               done.stderr == f"thud: {scene} is a scene; run it first: thud run {scene} [is-a-scene]\n", done.stderr)
    problem = str(ROOT / "examples/problems/table.yaml")
    done = thud("plot", problem, cwd=here)
    report("thud plot of a contact problem says to solve it", "solve it: thud solve" in done.stderr
           and done.stderr.endswith("[is-a-problem]\n"), done.stderr)
    report("an unknown option has the code usage", thud("run", "--foo").stderr.endswith("[usage]\n"))


def test_page():
    done = subprocess.run([sys.executable, str(ROOT / "tools/generate-messages"), "--check", PROGRAM], capture_output=True,
                          text=True)
    report("docs/messages.md is that of the table", done.returncode == 0, done.stdout + done.stderr)


table = json.loads(thud("explain", "--json").stdout)
texts = sources()
test_table(table, texts)
test_specific(texts)
test_explain(table)
with folder() as here:
    test_printed(here)
test_page()
end()
