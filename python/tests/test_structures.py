"""Scenes built from numpy and scipy.sparse: closed forms, the shipped scenes bit for bit, what is refused."""
import os

import numpy as np
import pytest

import thud

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")


def example(*parts):
    return thud.Scene(os.path.join(EXAMPLES, *parts))


def same(run, other):
    """Every number of the frames is the same bits."""
    assert run.frames.keys() == other.frames.keys()
    for name in run.frames.channels:
        one, two = run.frames[name], other.frames[name]
        assert np.array_equal(np.hstack(one) if isinstance(one, list) else one, np.hstack(two) if isinstance(two, list) else two,
                              equal_nan=True), name


# ---- tables ----


def test_a_table_is_linear_and_exact_at_its_points():
    x = np.sort(np.random.default_rng(3).uniform(0, 0.05, 200)) + np.linspace(0, 1, 200)
    y = np.random.default_rng(4).normal(size=200)
    pressed = thud.string(x, tension=1, obstacle=y, loads=[{"density": -1e7}], end=1, steps=1,
                          ends={"v_left": float(y[0]), "v_right": float(y[-1])}).run()
    assert np.array_equal(pressed["v"][-1], y)
    t = np.linspace(0, 1, 11)
    driven = thud.sweeping({"ball": {"centre": [thud.table(t, np.sin(5 * t))], "radius": 0}}, [0], end=1.5, steps=30).run()
    assert np.allclose(driven["u1"], np.interp(driven.t, t, np.sin(5 * t)), atol=1e-15)
    for bad in (([0, 0], [1, 1]), ([0, 1], [1]), ([0], [1]), ([0, np.nan], [1, 1])):
        with pytest.raises(ValueError):
            thud.table(*bad)


# ---- sweeping processes ----


def test_the_translating_ball():
    made = thud.sweeping({"ball": {"centre": ["t", 0], "radius": 1}}, {"x": 0, "y": 0.5}, end=3, steps=600, refinements=2,
                         units={"x": "m", "y": "m", "t": "s"}, parameters={"speed": 1.0})
    run = made.run().require_good()
    same(run, example("translating-ball.yaml").run())
    theta = 2 * np.arctan(np.tan(np.pi / 12) * np.exp(-(3 - np.sqrt(3) / 2)))
    assert run["x"][-1] == pytest.approx(3 - np.cos(theta), abs=2e-3) and run["y"][-1] == pytest.approx(np.sin(theta), abs=2e-3)


def test_plasticity_with_data_and_a_metric_is_the_example():
    given = example("plasticity.yaml").to_dict()
    section = given["sweeping"]
    made = thud.sweeping(section["set"], [0, 0], coordinates=["u1", "u2"], metric=section["metric"], data=given["data"],
                         parameters=given["parameters"], units=given["units"], end=4, steps=400)
    same(made.run(), example("plasticity.yaml").run())


# ---- quasi-static structures ----


def test_the_block_from_scipy_is_the_example():
    sparse = pytest.importorskip("scipy.sparse")
    io = pytest.importorskip("scipy.io")
    K = io.mmread(os.path.join(EXAMPLES, "quasistatic", "block.mtx"))
    given = example("quasistatic", "block.yaml").to_dict()
    keys = {"data": given["data"], "parameters": given["parameters"], "period": 1, "method": "event-driven", "end": 2, "steps": 80}
    made = thud.quasistatic(sparse.csc_array(K), given["quasistatic"]["load"], given["quasistatic"]["contacts"], **keys)
    expected = example("quasistatic", "block.yaml").run({"simulate.end": 2, "simulate.steps": 80})
    same(made.run(), expected)
    top, bottom = np.arange(28, 42), np.arange(14)
    press, shear = np.zeros(42), np.zeros(42)
    press[top[1::2]], shear[top[0::2]] = -1, 1
    press[[29, 41]], shear[[28, 40]] = -0.5, 0.5
    H = sparse.eye_array(42, format="csr") if hasattr(sparse, "eye_array") else sparse.csr_matrix(sparse.eye(42))
    feet = thud.contacts(H[bottom[1::2]], H[bottom[0::2]], mu="mu", names=[f"foot{k}" for k in range(1, 8)])
    by_vectors = thud.quasistatic(K, [(press, "press"), (shear, "shear")], feet, **keys).run()
    assert np.allclose(by_vectors["u41"], expected["u41"], atol=1e-12) and by_vectors.verdict == "good"


def test_two_feet_is_the_example():
    K = np.array([[3, 1, -1, 0], [1, 2, 0, -0.5], [-1, 0, 3, -1], [0, -0.5, -1, 2]])
    made = thud.quasistatic(K, {"n1": 1, "x1": "mu + t", "n2": 1, "x2": "-mu - t"},
                            [{"name": "left", "normal": "-n1", "tangential": "x1", "mu": "mu"},
                             {"name": "right", "normal": {2: -1}, "tangential": 3, "mu": "mu"}],
                            unknowns=["n1", "x1", "n2", "x2"], initial=np.zeros(4), parameters={"mu": 1.6},
                            units={name: "m" for name in ("n1", "x1", "n2", "x2")}, method="event-driven", end=0.1, steps=10)
    same(made.run(), example("quasistatic", "two-feet.yaml").run())


def test_a_large_sparse_structure():
    """A chain of n springs above a floor, its middle pressed down: without contact the deflection is that of a string."""
    sparse = pytest.importorskip("scipy.sparse")
    n = 2001
    K = sparse.diags([2 * np.ones(n), -np.ones(n - 1), -np.ones(n - 1)], [0, 1, -1]) * (n + 1)
    load = np.zeros(n)
    load[n // 2] = -1
    run = thud.quasistatic(K, [(load, "t")], [{"normal": n // 2, "gap": 10}], end=1, steps=2).run()
    assert run.verdict == "good" and run[f"u{n // 2 + 1}"][-1] == pytest.approx(-0.25, abs=1e-9)
    run = thud.quasistatic(K, [(load, "t")], [{"name": "floor", "normal": n // 2, "gap": 0.1}], end=1, steps=2).run()
    assert run[f"u{n // 2 + 1}"][-1] == pytest.approx(-0.1, abs=1e-9)


def test_wrong_structures_are_refused():
    sparse = pytest.importorskip("scipy.sparse")
    foot = [{"normal": "u1", "mu": 0}]
    with pytest.raises(ValueError, match="symmetric: its entry 0, 1"):
        thud.quasistatic(sparse.csr_matrix([[2, 1.0], [0, 2]]), {}, foot)
    with pytest.raises(ValueError, match="square"):
        thud.quasistatic(np.ones((2, 3)), {}, foot)
    with pytest.raises(ValueError, match="finite"):
        thud.quasistatic(sparse.csr_matrix([[np.inf, 0], [0, 2]]), {}, foot)
    with pytest.raises(TypeError, match="real"):
        thud.quasistatic(sparse.csr_matrix([[1j, 0], [0, 2]]), {}, foot)
    with pytest.raises(ValueError, match="numbered from 0 to 1"):
        thud.quasistatic(np.eye(2), {}, [{"normal": 2}])
    with pytest.raises(ValueError, match="load must have the shape 2"):
        thud.quasistatic(np.eye(2), np.ones(3), foot)
    with pytest.raises(ValueError, match="3 names"):
        thud.quasistatic(np.eye(2), {}, foot, unknowns=["a", "b", "c"])
    with pytest.raises(ValueError, match="4 entries for 2 contacts"):
        thud.contacts(np.eye(2), mu=[1, 2, 3, 4])
    with pytest.raises(ValueError, match="2 rows"):
        thud.contacts(np.eye(2), np.ones((3, 2)))
    with pytest.raises(thud.SceneError, match="did you mean 'step'"):
        thud.quasistatic(np.eye(2), {"u1": -1}, foot, end=1, stepz=3).run()
    with pytest.raises(thud.SceneError):
        thud.quasistatic(np.array([[1.0, 2], [0, 1]]), {"u1": -1}, foot, end=1, steps=3).run()


# ---- strings, beams, membranes, plates ----


def test_a_string_on_a_wedge_is_the_example():
    run = thud.string(65, tension=1, extension=1, friction="mu", obstacle="-abs(x - 0.5)", parameters={"mu": 0.4},
                      ends={"v_left": "-min(t, 1)/4", "v_right": "-min(t, 1)/4", "u_left": "max(t - 1, 0)/4",
                            "u_right": "max(t - 1, 0)/4"}, end=2, steps=80, classify=4).run()
    same(run, example("elastic", "wedge-ramp.yaml").run())
    x = np.linspace(0, 1, 65)
    sampled = thud.string(65, tension=1, friction=0.4, obstacle=-np.abs(x - 0.5), ends={
        "v_left": thud.table([0, 1], [0, -0.25]), "v_right": thud.table([0, 1], [0, -0.25]), "u_left": thud.table([1, 2], [0, 0.25]),
        "u_right": thud.table([1, 2], [0, 0.25])}, end=2, steps=80).run()
    assert np.allclose(sampled["u"][-1], run["u"][-1], atol=1e-12) and sampled.ledger["friction"][-1] == pytest.approx(0.06)


def test_a_string_sags_onto_a_floor():
    q, depth = 20.0, 0.1
    run = thud.string(401, tension=1, obstacle=np.full(401, -depth), loads=[{"density": np.full(401, -q)}], end=1, steps=1).run()
    v = run["v"][-1]
    touching = np.flatnonzero(v <= -depth)
    assert touching[0] / 400 == pytest.approx(np.sqrt(2 * depth / q), abs=1 / 400)
    assert v.min() == -depth


def test_a_beam_is_the_example():
    run = thud.beam(41, bending=1, obstacle="-(x - 0.5)^2/2", loads=[{"at": 0.25, "force": "-2000/117*t"}], end=1, steps=50).run()
    same(run, example("elastic", "beam-on-parabola.yaml").run())


def test_a_membrane_of_points_and_triangles():
    m = 24
    x = np.linspace(0, 1, m + 1)
    points = np.array([(a, b) for b in x for a in x])
    corner = (np.arange(m)[:, None] * (m + 1) + np.arange(m)).ravel()
    triangles = np.concatenate([np.stack([corner, corner + 1, corner + m + 2], 1), np.stack([corner, corner + m + 2, corner + m + 1], 1)])
    keys = {"tension": 1, "load": -20, "load_factor": "t", "obstacle": -1, "end": 1, "steps": 1}
    run = thud.membrane((points, triangles), edges={"edge": {"v": 0}}, **keys).run().require_good()
    sides = {side: {"v": 0} for side in ("left", "right", "bottom", "top")}
    other = thud.membrane({"rectangle": [0, 0, 1, 1], "cells": [m, m]}, edges=sides, **keys).run()
    assert np.allclose(np.sort(run["v"][-1]), np.sort(other["v"][-1]), atol=1e-10)
    left = np.stack([np.arange(m) * (m + 1), np.arange(1, m + 1) * (m + 1)], 1)
    hung = thud.membrane((points, triangles, {"left": left, "right": left + m}), tension=1, load=-1, end=1, steps=1,
                         edges={"left": {"v": 0}, "right": {"v": 0}}).run()
    assert np.allclose(hung["v"][-1].min(), -1 / 8, atol=1e-10)  # a strip: x (1 - x)/2, exact at the nodes


def test_a_membrane_over_heights():
    heights = -1 + 0.3 * np.arange(3)[:, None] + np.zeros((3, 2))  # rises with y
    run = thud.membrane({"rectangle": [0, 0, 1, 1], "cells": [8, 8]}, tension=1, load=-1000, obstacle={"heights": heights, "box": [0, 0, 1, 1]},
                        edges={"bottom": {"v": -1}, "top": {"v": -0.4}}, end=1, steps=1).run().require_good()
    v = run["v"][-1]
    assert v.min() == pytest.approx(-1) and v.max() == pytest.approx(-0.4)
    lines = np.sort(v).reshape(9, 9)
    assert np.allclose(lines, (-1 + 0.6 * np.linspace(0, 1, 9))[:, None], atol=1e-12)


def test_membranes_and_plates_are_the_examples():
    made = thud.membrane({"disc": [0, 0, 1], "rings": 16}, tension=1, obstacle=-0.1, load=-2, load_factor="min(t, 1)",
                         edges={"edge": {"v": 0, "u": ["drag", 0]}}, u_factor="max(0, min(t - 1, 3 - t))", parameters={"drag": 0.1},
                         in_plane={"stretch": 1, "poisson": 0.3, "friction": 0.4}, end=3, steps=24)
    same(made.run(), example("elastic", "membrane-dragged.yaml").run())
    made = thud.plate({"rectangle": [0, 0, 1, 1], "cells": [32, 32]}, bending=1, pins=[["1/2", "1/2", 0]], lift="t",
                      edges={side: {"v": 0} for side in ("left", "right", "bottom", "top")}, end=1, steps=2)
    same(made.run(), example("elastic", "plate-over-pin.yaml").run())


def test_wrong_meshes_are_refused():
    points, triangles = np.array([[0, 0], [1, 0], [0, 1.0]]), np.array([[0, 1, 2]])
    for bad, sentence in (((points, triangles + 1), "0..2"), ((points, triangles * 1.0), "whole numbers"), ((points[:, :1], triangles), "shape"),
                          ((points, triangles, {'a"b': "boundary"}), "name of a group"),
                          ((points, triangles, {"a": [[0, 7]]}), "0..2")):
        with pytest.raises(ValueError, match=sentence):
            thud.membrane(bad, tension=1, edges={"edge": {"v": 0}})
    with pytest.raises(TypeError, match="points, triangles"):
        thud.membrane(3, tension=1, edges={})
    with pytest.raises(TypeError, match="heights"):
        thud.membrane({"disc": [0, 0, 1], "rings": 2}, tension=1, edges={}, obstacle=np.zeros((3, 3)))
    with pytest.raises(thud.SceneError):
        thud.membrane((points, triangles), tension=1, edges={"rim": {"v": 0}}, end=1, steps=1).run()
    with pytest.raises(ValueError, match="obstacle"):
        thud.string(5, tension=1, obstacle=np.zeros(4))


# ---- half-planes and composed friction ----


def test_a_punch_from_samples():
    keys = {"method": "frictionless", "end": 1, "steps": 1}
    x = np.linspace(-1, 1, 2001)
    mesh = {"elements": 200, "left": -1, "right": 1}
    expression = thud.half_plane({"modulus": 2, "coupling": 0}, {"P": 0.5}, mesh=mesh, profile="x^2/2", **keys).run()
    samples = thud.half_plane({"modulus": 2, "coupling": 0}, {"P": 0.5}, mesh=mesh, profile=(x, x**2 / 2), **keys).run()
    a = 2 * np.sqrt(0.5 / (2 * np.pi))  # Hertz: a^2 = 4 P R/(pi E')
    for run in (expression, samples):
        assert run["contact"][-1][1] == pytest.approx(a, rel=2e-3)
    edges = np.linspace(-1, 1, 401)
    flat = thud.half_plane({"modulus": 2, "coupling": 0}, {"P": 1}, mesh=edges, **keys).run()
    assert flat["depth"][-1] == pytest.approx(np.log(2) / np.pi, abs=1e-3)
    with pytest.raises(TypeError, match="profile"):
        thud.half_plane({"modulus": 2, "coupling": 0}, {"P": 1}, mesh=edges, profile=3)


def test_a_punch_is_the_example():
    run = thud.half_plane({"modulus": 2, "coupling": 0}, {"P": "P", "Q": "l*F*P*sin(2*pi*t)"}, parameters={"F": 0.3, "P": 1, "l": "2/3"},
                          mesh={"elements": 200, "left": -0.85, "right": 0.85, "grading": "uniform"}, profile={"parabola": 1}, friction="F",
                          end=1.25, steps=100).run({"simulate.end": 0.25, "simulate.steps": 20})
    same(run, example("elastic", "punch-cycle.yaml").run({"simulate.end": 0.25, "simulate.steps": 20}))


def test_a_rope_of_two_links():
    run = thud.composed_friction(["x", "y"], [{"name": "joint1", "threshold": 1, "slip": ["x'", "y' - w1'"]},
                                              {"name": "joint2", "threshold": 0.5, "slip": ["x' + c*w2'", "y' - w1' - c*w2'"]}],
                                 {"x": 1, "y": 0}, internal=["w1", "w2"], parameters={"c": "sqrt(0.5)"}, end=1, steps=1).run()
    same(run, example("composed", "rope.yaml").run())
    assert run["dissipation"][-1] == pytest.approx(1.2889677, abs=1e-7)


def test_scenes_of_structures_are_verified_files(tmp_path):
    scene = thud.string(33, tension=1, obstacle=-0.1, loads=[{"density": -8}], end=1, steps=2, title="A string", every=0.5)
    scene.save(tmp_path / "string.yaml")
    same(thud.run(tmp_path / "string.yaml"), scene.run())
    assert scene.title == "A string" and scene.resolve()["record"]["every"] == 0.5
