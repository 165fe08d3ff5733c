"""Type hints: every public name has them all, the module and a program that uses it pass mypy."""
import inspect
import os
import pathlib

import pytest

import thud

FOLDER = pathlib.Path(thud.__file__).parent
OPERATORS = ("__init__", "__call__", "__getitem__", "__iter__", "__len__", "__contains__")
PROGRAM = """
import copy

import numpy as np
import thud

run = thud.run({"thud": 1}, {"simulate.end": 2}, mu=0.3)
height: np.ndarray[object, np.dtype[np.float64]] = run["z"]
before: float = run(0.5, side="-")["z"]
print(run.verdict.upper(), run.events[0].t + 1.0, run.ledger["kinetic"].max(), run.bodies["a"].spin.max(), run.verify().checks[0].worst)
print(run.joints["hinge"].force.max(), run.to_pandas().head(), run.plot("z").size, run.contacts().impulse.max())
bodies = thud.Bodies(planar=True)
name: str = bodies.add_box([1, 1], name="a", mass=1, force=lambda t, state: (t, state.velocity[0]))
bodies.add_joint("hinge", "a", at=[0, 0], name="pin")
bodies.detach("pin", when="a.angle > 1")
bodies.observe("height", "a.y", unit="m")
bodies.until = "a.y < -1"
motion = bodies.motion(end=1, step=0.01)
for frame in motion:
    motion.apply_force("a", [1, 0])
    print(frame.t, frame["a"].position, motion.positions[0])
motion.restore(copy.copy(motion).save())
system = thud.System(["x"], mass=[1], forces={"x": lambda t, q, v: 1.0}, initial={"x": 0})
late: thud.Run = system.motion(record=True).finish()
answer = thud.solve(np.eye(3), [-1, 2, 0], mu=0.5)
print(answer.intervals[0].low, answer.require_solved().residual.natural, len(answer.solutions))
disc: thud.sets.Set = thud.sets.ball([0, 0], 1) + thud.sets.segment([0, 0], [1, 0])
try:
    thud.check("thud: 1\\n")
except thud.SceneError as error:
    print(error.code, error.place.line if error.place else 0)
"""
WRONG = """
import thud
run = thud.run("ball.yaml")
run.verdct
run.verdict + 1
thud.Bodies().add_box([1, 1]).t
thud.Motion("ball.yaml").step(True, 2)
"""


def functions_of(name, thing):
    """(name, function) of a public name: itself, or the methods of a class with those that it inherits from this module."""
    if inspect.isfunction(thing):
        yield name, thing
    elif inspect.isclass(thing):
        for base in thing.__mro__:
            for member, value in vars(base).items() if base.__module__.startswith("thud") else ():
                value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
                if inspect.isfunction(value) and (member in OPERATORS or not member.startswith("_")):
                    yield f"{name}.{member}", value


def test_every_public_function_has_all_hints():
    lacking = set()
    for name in thud.__all__ + [f"sets.{name}" for name in thud.sets.__all__]:
        thing = getattr(thud.sets, name[5:]) if name.startswith("sets.") else getattr(thud, name)
        for where, function in functions_of(name, thing):
            signature = inspect.signature(function)
            lacking |= {f"{where}({parameter.name})" for parameter in signature.parameters.values()
                        if parameter.annotation is parameter.empty and not parameter.name.startswith(("self", "cls", "_"))}
            if signature.return_annotation is signature.empty and not where.endswith("__init__"):
                lacking.add(where)
    assert lacking == set()


def mypy(folder, *arguments):
    """What mypy says, and its status."""
    api = pytest.importorskip("mypy.api")
    kept = os.environ.get("MYPYPATH")
    os.environ["MYPYPATH"] = str(FOLDER.parent)
    try:
        said, complaint, status = api.run(["--ignore-missing-imports", "--no-color-output", "--cache-dir", str(folder / "cache"), *arguments])
    finally:
        os.environ.pop("MYPYPATH") if kept is None else os.environ.update(MYPYPATH=kept)
    return said + complaint, status


def test_the_module_passes_mypy(tmp_path):
    said, status = mypy(tmp_path, str(FOLDER))
    assert status == 0, said


def test_a_program_is_checked_strictly(tmp_path):
    (tmp_path / "good.py").write_text(PROGRAM, encoding="utf-8")
    said, status = mypy(tmp_path, "--strict", "--follow-imports=silent", str(tmp_path / "good.py"))
    assert status == 0, said
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    said, _ = mypy(tmp_path, "--strict", "--follow-imports=silent", str(tmp_path / "wrong.py"))
    assert [line.split(":")[1] for line in said.splitlines() if ": error:" in line] == ["4", "5", "6", "7"], said
