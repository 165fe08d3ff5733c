"""Scenes that were wrong once: each says in its comments how it ends now (test/found/README.md)."""
import json
import os
import re
import shlex

from thudcli import ROOT, end, folder, report, some, thud


def read_runs(text):
    """[(options, [expectation])] from the comments of a scene."""
    runs = []
    for line in text.splitlines():
        found = re.match(r"# (run|expect): *(.*)", line)
        if found and found.group(1) == "run":
            runs.append((shlex.split(found.group(2)), []))
        elif found:
            if not runs:
                runs.append(([], []))
            runs[-1][1].append(shlex.split(found.group(2)))
    return runs


def value_at(tree, path):
    """The number at a dotted path; a key may itself contain dots ("state.ball.z")."""
    if isinstance(tree, dict) and path in tree:
        return tree[path]
    first, _, rest = path.partition(".")
    while rest:
        if isinstance(tree, list) or first in tree:
            return value_at(tree[int(first) if isinstance(tree, list) else first], rest)
        more, _, rest = rest.partition(".")
        first = f"{first}.{more}"
    return tree[int(path)] if isinstance(tree, list) else tree[path]


def fulfilled(words, done, summary, verified):
    """None when the expectation holds, or what was found instead."""
    kind, rest = words[0], words[1:]
    said = done.stdout + done.stderr
    if kind == "verdict":
        return None if summary.get("verdict") in rest[0].split("|") else f"{summary.get('verdict')}: {summary.get('reason')}"
    if kind == "exit":
        return None if done.returncode == int(rest[0]) else f"exit code {done.returncode}: {said[:400]}"
    if kind == "verify":
        return None if verified[0] in rest[0].split("|") else f"{verified[0]}: {verified[1]}"
    if kind in ("says", "silent"):
        return None if (rest[0] in said) == (kind == "says") else said[:800]
    if kind == "near":
        found = value_at(summary, rest[0])
        return None if abs(found - float(rest[1])) <= float(rest[2]) else f"{found!r}"
    return "this kind of expectation is not known"


def verify(record):
    """(verdict, reason) of the checker; none without a record."""
    if not os.path.exists(record):
        return "none", "no record"
    answer = json.loads(thud("verify", record, "--json").stdout)
    return answer["verdict"], answer.get("reason")


def run(scene, options, expectations, here):
    name = f"{scene.stem} {' '.join(options)}".strip()
    record = os.path.join(here, f"{scene.stem}.h5")
    if os.path.exists(record):
        os.remove(record)
    done = thud("run", scene, "-o", record, "--json", "--force", *options)
    summary = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    verified = verify(record)
    if summary.get("verdict") == "good" and not any(words[0] == "verify" for words in expectations):
        expectations = [*expectations, ["verify", "good"]]
    for words in expectations:
        try:
            found = fulfilled(words, done, summary, verified)
        except (KeyError, IndexError, TypeError) as problem:
            found = f"not in the summary: {problem!r}"
        report(f"{name}: {' '.join(words)}", found is None, f"found {found}")


with folder() as directory:
    scenes = sorted((ROOT / "test" / "found").glob("*.yaml"))
    for path in some(scenes, 2):
        expected = read_runs(path.read_text())
        report(f"{path.stem} expects something", bool(expected) and all(lines for _, lines in expected))
        for some_options, some_expectations in expected:
            run(path, some_options, some_expectations, directory)
end()
