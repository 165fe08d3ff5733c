"""Gaps, equations, potentials, forces and thresholds given by `data`, pieces of expressions between breaks: the motion is that of
the same pieces written as a definition with if(t < ...), by events and by steps."""
import json
import os
import pathlib
import subprocess
import tempfile

from . import Case

NAME = "data"
METHODS = ("event-driven", "moreau-jean", "second-order", "moreau")
PROGRAM = os.environ.get("THUD_PROGRAM") or str(pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "thud")
SYSTEMS = (
    ("gap", "  forces: {y: -9.81}\n  constraints: [{name: c, gap: y - d, restitution: 0.5}]\n", 1.3, 0),
    ("definition", "  forces: {y: -9.81}\n  constraints: [{name: c, phi: height - y, restitution: 0.5}]\n", 1.3, 0),
    ("equation", "  forces: {y: -9.81}\n  constraints: [{name: c, equation: y - d}]\n", 1, None),
    ("potential", "  potential_energy: 9.81*d*y\n  constraints: [{name: c, gap: y, restitution: 0.5}]\n", 0.5, 0),
    ("force", "  forces: {y: -9.81*d}\n  constraints: [{name: c, gap: y, restitution: 0.5}]\n", 0.5, 0),
    ("threshold", "  friction: [{name: b, threshold: d, slip: [\"x'\"], law: {interval: {lower: -1, upper: 1}}}]\n", 0, 0),
)


def draw(chance, number):
    method = METHODS[number % len(METHODS)]
    kind, system, y, speed = SYSTEMS[number // len(METHODS) % len(SYSTEMS)]
    breaks = sorted(round(chance.uniform(0.1, 0.9), 4) for _ in range(chance.randint(1, 3)))
    slopes = [round(chance.uniform(-0.3, 0.3), 3) for _ in range(len(breaks) + 1)]
    pieces, height, begin = [], 1.0, 0.0
    for slope, end in zip(slopes, breaks + [1.0]):  # continuous: gaps that jump shut are refused
        pieces.append(f"{height!r} + {slope!r}*(t - {begin!r})")
        height, begin = height + slope * (end - begin), end
    definition = pieces[-1]
    for piece, at in zip(reversed(pieces[:-1]), reversed(breaks)):
        definition = f"if(t < {at!r}, {piece}, {definition})"
    listed = ", ".join(f'"{piece}"' for piece in pieces)
    data = f"data: {{d: {{breaks: {breaks}, pieces: [{listed}]}}}}\n"
    also = "definitions: {height: d + 0*t}\n" if kind == "definition" else ""
    both = f'definitions: {{d: "{definition}"' + (", height: d + 0*t" if kind == "definition" else "") + "}\n"
    steps = "" if method == "event-driven" else ", steps: 400"
    rest = ("system:\n  coordinates: [x, y]\n  mass: [1, 1]\n" + system +
            f'initial: {{x: 0, y: {y}, "x\'": 1, "y\'": {slopes[0] if speed is None else speed}}}\n'
            f"simulate: {{method: {method}, end: 1{steps}}}\n")

    def same_motion(summary):
        with tempfile.TemporaryDirectory(prefix="thud-family-") as folder:
            path = pathlib.Path(folder, "definition.yaml")
            path.write_text("thud: 1\n" + both + rest)
            done = subprocess.run([PROGRAM, "run", str(path), "-o", str(path) + ".h5", "--json"], capture_output=True,
                                  text=True, timeout=120, check=False)
        other = json.loads(done.stdout)
        worst = max(abs(value - other["state"][key]) for key, value in summary["state"].items())
        return None if worst <= 1e-9 else f"differs from the same pieces as a definition by {worst:g}"
    return Case("thud: 1\n" + data + also + rest, verdicts=("good", "coarse"), check=same_motion)
