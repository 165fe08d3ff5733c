"""Reference of scene files: every key of docs/scene.schema.json with its type, default and description."""
import json
import re

from reference_text import code, escape, heading, inline, table


def keys(schema):
    """[(path, property)] of every key that a scene may have, as the schema describes it: conditions (if, not, allOf, the
    choice of a kind) only refer to keys. Keys of `$defs` begin with their name."""
    found = []

    def walk(part, path):
        for name, value in part.get("properties", {}).items():
            if isinstance(value, dict):
                found.append((f"{path}.{name}".lstrip("."), value))
                walk(value, f"{path}.{name}")
        for choice in [*part.get("anyOf", []), *part.get("oneOf", [])]:
            if path or choice.get("type"):
                walk(choice, path)
        for key, mark in (("items", "[]"), ("additionalProperties", ".*")):
            if isinstance(part.get(key), dict):
                walk(part[key], path + mark)
    walk(schema, "")
    for name, part in schema["$defs"].items():
        walk(part, f"${name}")
    return found


def without_description(schema):
    return [path for path, value in keys(schema) if not value.get("description", "").strip()]


def type_of(part):
    """What a value may be, in words; parts of `$defs` are linked."""
    if "$ref" in part:
        return reference(part["$ref"].removeprefix("#/$defs/"))
    if "const" in part:
        return f"``{json.dumps(part['const'])}``"
    if "enum" in part:
        return ", ".join(f"``{value}``" for value in part["enum"])
    choices = part.get("anyOf") or part.get("oneOf")
    if choices and not part.get("properties"):
        return " or ".join(dict.fromkeys(filter(None, map(type_of, choices))))
    kind = part.get("type", "map" if "properties" in part else "")
    kinds = kind if isinstance(kind, list) else [kind]
    names = {"object": "map", "array": "list", "string": "text", "boolean": "``true`` or ``false``", "null": "``null``",
             "integer": "whole number"}
    words = " or ".join(names.get(word, word) for word in kinds if word)
    if kind == "array" and isinstance(part.get("items"), dict):
        inner = type_of(part["items"])
        words = f"list of: {inner}" if inner else words
    limits = [f"{sign} {part[key]:g}" for key, sign in (("minimum", ">="), ("exclusiveMinimum", ">"), ("maximum", "<="),
                                                       ("exclusiveMaximum", "<")) if isinstance(part.get(key), (int, float))]
    return words + (" (" + ", ".join(limits) + ")" if limits else "")


def reference(name):
    return f":ref:`{name.replace('_', ' ')} <schema-{name}>`"


def default_of(part):
    if "default" not in part:
        return ""
    value = part["default"]
    return f"``{json.dumps(value) if not isinstance(value, str) else value}``"


def rows_of(found, prefix, required):
    rows = []
    for path, part in found:
        rest = path.removeprefix(prefix).lstrip(".") or path
        needed = " (required)" if path.rpartition(".")[2] in required and "." not in rest else ""
        rows.append([code(rest) + needed, type_of(part), default_of(part), inline(part.get("description", ""))])
    return table(["key", "value", "default", "meaning"], rows, [20, 20, 10, 50])


def pages(root):
    schema = json.loads((root / "docs/scene.schema.json").read_text(encoding="utf-8"))
    found = keys(schema)
    made = heading("Every key of a scene", "=") + "\n" + inline(schema["description"]) + "\n\n"
    made += "This page is made from `the JSON Schema <../files/docs/scene.schema.json>`_, which editors read for completion and "
    made += "checks (``thud schema`` prints it). :doc:`Scene files <../scene-format>` explains the keys with examples. "
    made += "``[]`` stands for each entry of a list, ``.*`` for each value of a map.\n\n"
    tops = {}
    for path, part in found:
        if not path.startswith("$"):
            tops.setdefault(re.match(r"\w+", path).group(), []).append((path, part))
    made += heading("Sections", "-") + "\n"
    made += table(["key", "value", "meaning"], [[code(name) if len(rows) == 1 else f":ref:`{name} <schema-top-{name}>`",
                                                 type_of(rows[0][1]), inline(rows[0][1].get("description", ""))]
                                                for name, rows in tops.items()], [20, 25, 55]) + "\n"
    for name, rows in tops.items():
        if len(rows) > 1:
            made += f".. _schema-top-{name}:\n\n" + heading(name, "-") + "\n"
            made += inline(rows[0][1].get("description", "")) + "\n\n" + rows_of(rows[1:], name, rows[0][1].get("required", [])) + "\n"
    made += heading("Parts", "-") + "\nValues and maps that several keys share.\n\n"
    for name, part in schema["$defs"].items():
        rows = [(path, value) for path, value in found if re.match(rf"\${name}(\W|$)", path)]
        made += f".. _schema-{name}:\n\n" + heading(name.replace("_", " "), "^") + "\n"
        about = inline(part.get("description", ""))
        kind = type_of({key: value for key, value in part.items() if key != "properties" or not rows})
        made += (about + "\n\n" if about else "") + (f"Value: {kind}.\n\n" if kind and not rows else "")
        if rows:
            made += rows_of(rows, f"${name}", part.get("required", [])) + "\n"
    return {"schema": made}
