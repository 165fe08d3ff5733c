"""Reads pages of `thud report` by the rules of docs/report.md: the elements of the HTML, the JSON, the numbers."""
import base64
import json
import math
import struct
import zlib
from html.parser import HTMLParser

SIZES = {"f64": ("d", 8), "f32": ("f", 4), "i32": ("i", 4), "u32": ("I", 4), "u8": ("B", 1)}


class Elements(HTMLParser):
    """Tags in their order, the texts of title and scripts, and everything that a browser could load."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.title, self.loads, self.policy = [], {}, "", [], ""
        self.inside = None

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append(tag)
        self.loads += [(tag, name) for name, _ in attrs if name in ("src", "href", "srcset", "action")]
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        if tag == "script":
            self.inside = attributes.get("id", "viewer")
            self.scripts[self.inside] = ""
        elif tag in ("title", "style"):
            self.inside = tag

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "title":
            self.title += data
        elif self.inside in self.scripts:
            self.scripts[self.inside] += data


def unplane(data, count, planes):
    """Whole numbers whose bytes lie in planes, lowest first."""
    return [sum(data[k + j * count] << (8 * j) for j in range(planes)) for k in range(count)]


def grid(about, data):
    rows, columns, count = about["rows"], about["cols"], about["n"]
    assert count == rows * columns
    signed = [-(z >> 1) - 1 if z & 1 else z >> 1 for z in unplane(data, count, about["planes"])]
    whole = []
    for k, d in enumerate(signed):  # sums along rows undo differences
        order = min(about["order"], k // columns)
        whole.append(d if order == 0 else d + whole[k - columns] if order == 1
                     else d + 2 * whole[k - columns] - whole[k - 2 * columns])
    step, low = (value if isinstance(value, list) else [value] for value in (about["step"], about["low"]))
    return [low[k % columns % len(low)] + step[k % columns % len(step)] * w for k, w in enumerate(whole)]


class Page:
    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.html = Elements()
        self.html.feed(self.text)
        self.html.close()
        self.json = json.loads(self.html.scripts["thud-page"], parse_constant=lambda word: 1 / 0)
        self.blocks = [zlib.decompress(base64.b64decode(self.html.scripts[f"thud-block-{k}"], validate=True), -15)
                       for k in range(len(self.json["blocks"]))]
        assert [len(block) for block in self.blocks] == [block["bytes"] for block in self.json["blocks"]]
        self.records = self.json["records"]

    def numbers(self, about):
        if isinstance(about, list):
            return [math.nan if value is None else value for value in about]
        data, count = self.blocks[about["b"]][about["o"]:], about["n"]
        assert about["o"] % 8 == 0
        if about["t"] == "q":
            return grid(about, data)
        if about["t"] == "f64s":
            assert len(data) >= 8 * count
            return list(struct.unpack(f"<{count}d", bytes(data[k + j * count] for k in range(count) for j in range(8))))
        letter, size = SIZES[about["t"]]
        return list(struct.unpack(f"<{count}{letter}", data[:size * count]))


def every_number(value):
    """All arrays of numbers that are in blocks, below a value."""
    if isinstance(value, dict):
        if {"b", "o", "n", "t"} <= set(value):
            yield value
        else:
            for below in value.values():
                yield from every_number(below)
    elif isinstance(value, list):
        for below in value:
            yield from every_number(below)
