"""Reference of the program: the help of every command, and the tables of options, as the program prints them."""
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import subprocess

from reference_text import code, escape, heading, inline, literal, table


def ask(program, *arguments):
    return subprocess.run([str(program), *arguments], check=True, capture_output=True, text=True).stdout


# ---- commands ------------------------------------------------------------------------------------------------------

def command_page(program):
    text = ask(program, "--help")
    listed = re.search(r"Commands:\n(.*?)\n\n", text, re.S).group(1)
    commands = [line.split(None, 1) for line in listed.splitlines()]
    made = heading("Commands and their options", "=")
    made += "\nEach section is made from what ``thud COMMAND --help`` prints. :doc:`The command line <../command-line>` explains "
    made += "them with examples.\n\n" + literal(re.search(r"Usage:.*", text).group(), "text") + "\n"
    made += table(["command", ""], [[f":ref:`thud {name} <command-{name}>`", inline(what)] for name, what in commands], [20, 80]) + "\n"
    for name, _ in commands:
        made += command_section(name, ask(program, name, "--help"))
    return made


def command_section(name, text):
    head, *parts = re.split(r"\n\n", text.strip("\n"))
    made = f".. _command-{name}:\n\n" + heading(f"thud {name}", "-") + "\n"
    made += inline(head.partition(": ")[2].strip().capitalize()) + ".\n\n"
    for part in parts:
        first = part.partition("\n")[0]
        if first.startswith("Usage:"):
            made += literal(part, "text") + "\n"
        elif re.match(r"[A-Z][\w ]*:$", first) and re.match(r"  +\S", part.partition("\n")[2]):
            made += flags(first, part.partition("\n")[2]) + "\n"
        elif re.search(r"^ {2,}", part, re.M):
            made += literal(part, "text") + "\n"
        else:
            made += inline(" ".join(part.split())) + "\n\n"
    return made


def flags(title, text):
    rows = []
    for line in text.splitlines():
        matched = re.match(r" {2,6}((?:-|\S).*?)(?: {2,}(.*))?$", line)
        deep = re.match(r" {10,}(\S.*)", line)
        if deep and rows:
            rows[-1][1] += " " + deep.group(1)
        elif matched:
            rows.append([matched.group(1), matched.group(2) or ""])
    return f"**{escape(title.rstrip(':'))}**\n\n" + table(["", ""], [[code(name), inline(what)] for name, what in rows], [32, 68])


# ---- options -------------------------------------------------------------------------------------------------------

def tables_of_options():
    """tools/generate-options, whose words for values and defaults are those of the pages and of the manual."""
    path = pathlib.Path(__file__).resolve().parent.parent / "generate-options"
    loader = importlib.machinery.SourceFileLoader("generate_options", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def default_of(words, row):
    text = words.shown(row)
    unit = row["unit"] if re.fullmatch(r"[a-z/]+", row["unit"]) and text not in ("", "0", "null") else ""
    return f"{code(text)} {unit}" if text else ""


def option_page(program):
    kinds, words = json.loads(ask(program, "schema", "--options")), tables_of_options()
    made = heading("Options of scenes", "=")
    made += "\nEvery key of a scene that has a default or a range, by kind of motion and by its place in the scene: the same "
    made += "tables as those that the program reads (``thud schema --options``). A dot leads into a map, ``[]`` to each entry "
    made += "of a list, ``*`` to each value of a map.\n\n"
    for kind in kinds:
        title = kind["kind"] or "Every scene"
        title += f" (section {kind['section']})" if kind["section"] and kind["section"] != kind["kind"] else ""
        made += heading(title, "-") + "\n"
        places = {}
        for row in kind["options"]:
            places.setdefault((row["section"], row["methods"]), []).append(row)
        for (place, methods), rows in places.items():
            made += heading(place + (f", {methods}" if methods else ""), "^") + "\n"
            about = kind.get("maps", {}).get(place)
            made += inline(about) + ".\n\n" if about and not methods else ""
            made += table(["key", "meaning", "values", "default"],
                          [[code(row["key"]), inline(row["help"]), words.values(row, code), default_of(words, row)] for row in rows], [18, 52, 18, 12]) + "\n"
    return made


def pages(program):
    return {"commands": command_page(program), "options": option_page(program)}
