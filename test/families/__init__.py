"""Families of random scenes: each module of this package draws scenes of one kind.

A module has `NAME` and `draw(chance, number)`, which returns a `Case` for number 0, 1, 2, ...: the text of a scene, options of
`thud run`, the verdicts that are right, and, where a closed form or an independent computation gives the answer, a function
that takes the summary of the run (thud run --json) and returns None or what is wrong. `chance` is a `random.Random` of its own
for every case, so that a case does not depend on how many are drawn. tools/check-families runs them.
"""
import dataclasses
import importlib
import pathlib
import random
import typing


@dataclasses.dataclass
class Case:
    text: str
    options: typing.Sequence[str] = ()
    verdicts: typing.Sequence[str] = ("good",)
    check: typing.Optional[typing.Callable[[dict], typing.Optional[str]]] = None


def modules():
    """The families, by name."""
    names = sorted(path.stem for path in pathlib.Path(__file__).parent.glob("[a-z]*.py"))
    found = (importlib.import_module(f"{__name__}.{name}") for name in names)
    return {module.NAME: module for module in found}


def case(module, seed, number):
    """Case `number` of a family."""
    return module.draw(random.Random(f"{seed} {module.NAME} {number}"), number)
