"""Convex sets: projections against their variational inequality in random metrics, closed forms, failures."""
import copy
import doctest
import os
import pickle
import threading
import warnings

import numpy as np
import pytest

import thud
from thud import sets

RANDOM = np.random.default_rng(7)
INFINITY = float("inf")
L23 = np.array([[1.0, 2.0, 0.5], [0.0, 1.0, -1.0]])

ALL = {
    "half_space": sets.half_space([1, 2, -1], 0.5),
    "box": sets.box([-1, -INFINITY, 0], [1, 2, INFINITY]),
    "interval": sets.interval(-1, 2),
    "ball": sets.ball([1, 0, -1], 1.5),
    "ellipsoid": sets.ellipsoid([0, 1], [[2, 0.5], [0.5, 1]]),
    "coulomb_cone": sets.coulomb_cone(0.4),
    "coulomb_dual_cone": sets.coulomb_dual_cone(0.7, 4),
    "generalized_coulomb": sets.generalized_coulomb([0.5, 0.2], 0.8),
    "polyhedron": sets.polyhedron([[1, 1, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], [1, 0, 0, 0], equalities=1),
    "cone_of_gradients": sets.cone_of_gradients([[1, 1], [-2, 0.5]]),
    "cone_of_generators": sets.cone_of_generators([[1, 0, 0], [1, 1, 0], [0, 1, 1]]),
    "affine": sets.affine([[1, 2, 3]], [1]),
    "half_line": sets.half_line([1, 1], [2, -1]),
    "segment": sets.segment([0, 0, 0], [1, 2, 3]),
    "product": sets.product(sets.ball([0, 0], 1), sets.interval(0, INFINITY)),
    "translation": [1, -2] + sets.ball([0, 0], 1),
    "scaling": 2.5 * sets.box([0, 0], [1, 1]),
    "sum": sets.ball([0, 0], 1) + sets.segment([0, 0], [3, 1]),
    "linear_image": L23 @ sets.ball([0, 0, 0], 1),
    "linear_preimage": sets.linear_preimage(L23, sets.ball([0, 0], 1)),
    "intersection": sets.ball([0, 0], 1) & sets.half_space([1, 1], 0.5),
    "polar": sets.polar(sets.box([-1, -2], [1, 2])),
}
BOUNDED = ("interval", "ball", "ellipsoid", "generalized_coulomb", "segment", "translation", "scaling", "sum", "linear_image",
           "intersection", "polar")
each_set = pytest.mark.parametrize("C", ALL.values(), ids=ALL)


def random_metric(n):
    A = RANDOM.normal(size=(n, n))
    return A @ A.T + 0.3 * np.eye(n)


def points_of(C, count=40):
    """Points of the set, by projections of far and near points."""
    return C.project(RANDOM.normal(size=(count, C.dimension)) * RANDOM.choice([0.3, 1, 5], size=(count, 1)))


def test_every_constructor_of_the_table_is_tested():
    assert set(ALL) == set(sets._KINDS)
    assert all(C.kind == name for name, C in ALL.items())


@each_set
@pytest.mark.parametrize("form", ["none", "diagonal", "full"])
def test_projections_satisfy_their_variational_inequality(C, form):
    n = C.dimension
    metric = {"none": None, "diagonal": RANDOM.uniform(0.3, 3, n), "full": random_metric(n)}[form]
    M = np.eye(n) if metric is None else np.diag(metric) if form == "diagonal" else metric
    x = RANDOM.normal(size=(25, n)) * 3
    y, info = C.project(x, metric, info=True)
    z = points_of(C)
    assert np.all(info.converged)
    # (x - y).M(z - y) <= 0 for all z of C; an iterative answer is off by its certified gap at most
    scale = np.linalg.norm(M, 2) * (1 + np.abs(x).max() + np.abs(z).max())
    worst = np.einsum("ki,ij,kjz->kz", x - y, M, (z[None] - y[:, None]).transpose(0, 2, 1)).max(axis=1)
    assert np.all(worst <= scale * (1e-9 * scale + 2 * info.gap))
    distance = C.distance(x, metric)
    assert np.allclose(distance, np.sqrt(np.einsum("ki,ij,kj->k", x - y, M, x - y)), atol=1e-7 * scale)
    assert np.all(C.contains(y, 1e-6 * scale))
    residual = C.normal_cone_residual(y, (x - y) @ M, metric)
    assert np.all(residual <= 1e-6 * scale)
    assert np.allclose(y[3], C.project(x[3], metric), atol=1e-12)


@each_set
def test_support_function_bounds_the_set_and_is_attained(C):
    d = RANDOM.normal(size=(25, C.dimension))
    (value, point), info = C.support(d, info=True)
    z = points_of(C)
    finite = np.isfinite(value)
    assert np.all((d @ z.T).max(axis=1) <= value + info.gap + 1e-6 * (1 + np.abs(z).max()))
    assert np.allclose(np.einsum("ki,ki->k", d, point)[finite], value[finite], atol=1e-6)
    assert np.all(C.contains(point[finite], 1e-6)) and np.all(np.isnan(point[~finite]))
    if C.kind in BOUNDED:
        assert finite.all()


@each_set
def test_sets_pickle_compare_and_go_through_dicts(C):
    for copied in (pickle.loads(pickle.dumps(C)), sets.from_dict(C.to_dict()), copy.deepcopy(C)):
        assert copied == C and hash(copied) == hash(C) and copied.kind == C.kind
        x = RANDOM.normal(size=C.dimension)
        assert np.array_equal(copied.project(x), C.project(x))
    assert C != sets.ball([9, 9, 9], 1) and repr(C).startswith("<thud.sets.")


def test_moreau_decomposition_of_cones():
    for cone in (ALL["coulomb_cone"], ALL["coulomb_dual_cone"], ALL["cone_of_generators"], ALL["cone_of_gradients"]):
        polar = sets.polar(cone)
        x = RANDOM.normal(size=(30, cone.dimension))
        y, z = cone.project(x), polar.project(x)
        assert np.allclose(y + z, x, atol=1e-10)
        assert np.allclose(np.einsum("ki,ki->k", y, z), 0, atol=1e-10)
    K = sets.coulomb_cone(0.6)
    dual = sets.coulomb_dual_cone(0.6)
    assert np.allclose(sets.polar(K).project(x := RANDOM.normal(size=(10, 3))), -dual.project(-x), atol=1e-12)


def test_closed_forms():
    x = RANDOM.normal(size=(50, 3)) * 3
    r = np.linalg.norm(x, axis=1, keepdims=True)
    assert np.allclose(sets.ball([0, 0, 0], 1).project(x), x / np.maximum(r, 1), atol=1e-14)
    assert np.array_equal(sets.box([-1] * 3, [1] * 3).project(x), np.clip(x, -1, 1))
    a, b = np.array([1.0, 2, 2]), 1.0
    over = np.maximum(x @ a - b, 0)[:, None]
    assert np.allclose(sets.half_space(a, b).project(x), x - over * a / 9, atol=1e-14)
    # in the metric M the projection on a half-space goes along M^-1 a
    M = random_metric(3)
    way = np.linalg.solve(M, a)
    assert np.allclose(sets.half_space(a, b).project(x, M), x - over * way / (a @ way), atol=1e-12)
    assert np.allclose(sets.ellipsoid([0, 0, 0], np.diag([1, 4, 9.0])).support(x).value,
                       np.sqrt(x[:, 0]**2 + x[:, 1]**2 / 4 + x[:, 2]**2 / 9), atol=1e-14)
    assert sets.interval(-2, 3).project(7.0).tolist() == [3.0]
    value, point = sets.half_space([1, 0], 0).support([0, 1])
    assert value == INFINITY and np.isnan(point).all()
    both = sets.ball([0, 0], 1) + sets.ball([3, 0], 2)
    assert both.distance([10, 0]) == pytest.approx(4, abs=1e-6)


def test_wrong_input_is_an_exception_with_a_sentence():
    ball = ALL["ball"]
    for wrong in ([1, 2], [[1, 2]], np.zeros((2, 2, 3)), 3.0):
        with pytest.raises(ValueError, match="x must be 3 numbers"):
            ball.project(wrong)
    for wrong in ("abc", ["a", "b", "c"], None, [1j, 0, 0], [[1], [2, 3]], {"a": 1}):
        with pytest.raises((TypeError, ValueError)):
            ball.project(wrong)
    with pytest.raises(ValueError, match="finite"):
        ball.project([1, float("nan"), 0])
    for metric in ([1, 2], np.eye(2), "metric", [[1, 0, 0], [0, -1, 0], [0, 0, 1]], [1, 1, 0], [[1, 2, 3], [0, 1, 0], [0, 0, 1]]):
        with pytest.raises((ValueError, TypeError)):
            ball.project([1, 2, 3], metric)
    bad = [lambda: sets.ball([0], -1), lambda: sets.ball([0], float("nan")), lambda: sets.ball([[0]], 1), lambda: sets.ball([], 1),
           lambda: sets.box([1], [0]), lambda: sets.box([0, 0], [1]), lambda: sets.box([float("nan")], [1]), lambda: sets.half_space([0, 0], 1),
           lambda: sets.ellipsoid([0, 0], np.eye(3)), lambda: sets.ellipsoid([0, 0], -np.eye(2)), lambda: sets.coulomb_cone(-1),
           lambda: sets.coulomb_cone(1, 1), lambda: sets.generalized_coulomb([2], 1), lambda: sets.polyhedron([[1], [-1]], [0, -1]),
           lambda: sets.polyhedron([[1]], [0], 2), lambda: sets.polyhedron([[1]], [0, 1]), lambda: sets.half_line([0], [0]),
           lambda: sets.product(), lambda: sets.sum(ball, ALL["ellipsoid"]), lambda: sets.translation([1], ball), lambda: -1 * ball,
           lambda: sets.linear_image(np.eye(2), ball), lambda: sets.linear_preimage(np.eye(2), ball), lambda: [1, 2] + ball,
           lambda: sets.polar(sets.ball([5], 1)), lambda: sets.affine([[1], [1]], [0, 1]), lambda: sets.from_dict({"ball": {}}),
           lambda: sets.from_dict({"bowl": {}}), lambda: ball.with_tolerance(-1),
           lambda: sets.interval(0, 1) & sets.interval(2, 3), lambda: sets.cone_of_gradients(np.zeros((1, 0)))]
    for make in bad:
        with pytest.raises((ValueError, thud.Error)):
            make()
    for make in (lambda: sets.Set(), lambda: sets.product(1), lambda: sets.ball("a", 1), lambda: ball & 3, lambda: sets.polar([1]),
                 lambda: sets.coulomb_cone(1, 2.5), lambda: "x" * ball, lambda: sets.from_dict(3)):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(AttributeError):
        ball.dimension = 4
    deep = ball
    with pytest.raises(ValueError, match="within each other"):
        for _ in range(300):
            deep = [0, 0, 1] + deep


def test_layouts_of_arrays_do_not_matter():
    C = ALL["ball"]
    x = RANDOM.normal(size=(6, 3)) * 4
    wanted = C.project(x)
    frozen = x.copy()
    frozen.flags.writeable = False
    for given in (x.astype(">f8"), np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2], frozen, x.tolist(), x[::-1][::-1]):
        assert np.array_equal(C.project(given), wanted)
    assert C.project(np.zeros((0, 3))).shape == (0, 3)
    assert np.array_equal(C.project(np.array([3, 0, -1], dtype=np.int8)), C.project([3.0, 0, -1]))
    M = random_metric(3)
    assert np.array_equal(C.project(x, np.asfortranarray(M)), C.project(x, M.astype(">f8")))
    given = np.array([0.0, 0])
    kept = sets.ball(given, 1)
    given[0] = 100  # the set has its own numbers
    assert kept.project([0, 0]).tolist() == [0, 0] and kept == sets.ball([0, 0], 1)


def test_answers_that_do_not_converge_are_warned_of():
    hard = (sets.ball([0, 0], 1) & sets.ellipsoid([1.9, 0], np.diag([1, 9.0]))).with_tolerance(1e-12, 2)
    with pytest.warns(thud.RunWarning, match="did not converge"):
        point, info = hard.project([5, 5], info=True)
    assert not info.converged and not info.exact and info.gap > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exact = sets.ball([0, 0], 1).project([5, 5], info=True)[1]
    assert exact == (True, True, 0, 0.0)


def test_threads_and_forks():
    C = ALL["sum"]
    wanted = C.project([5, 5])
    found = []
    workers = [threading.Thread(target=lambda: found.append(pickle.loads(pickle.dumps(C)).project([5, 5]))) for _ in range(4)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert len(found) == 4 and all(np.array_equal(point, wanted) for point in found)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(C.project([5, 5]), wanted) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_examples():
    assert doctest.testmod(sets).failed == 0


def test_scenes_take_sets():
    run = thud.run(thud.sweeping(sets.box([0, 0], [1, 1]) & sets.half_space([1, 1], 1), [0, 0], end=1, steps=4))
    assert run.verdict == "good"
