"""Studies: orders of the theory, sections of sweeps in closed form, critical coefficients, and what is refused."""
import os
import pathlib
import signal
import threading
import time

import numpy as np
import pytest

import thud
from test_records import E, G, H, ball

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def against():
    return thud.study(EXAMPLES / "dynamics" / "bouncing-particle.yaml", {"simulate.method": "moreau"}, levels=(8, 12),
                      against="event-driven")


def test_refinement_has_order_one():
    made = thud.study(EXAMPLES / "dynamics" / "bouncing-particle.yaml", {"simulate.method": "moreau"}, levels=(8, 13))
    assert made.good and len(made) == 6 and made.message == ""
    assert abs(made.orders["q"] - 1) < 0.02 and abs(made.orders["v"] - 1) < 0.1
    assert (made["steps"] == 2 ** made["level"]).all() and np.isnan(made["q_next"][-1])
    assert np.allclose(np.log2(made["q_next"][:-2] / made["q_next"][1:-1]), made["q_order"][1:-1])
    assert 0 < made.error_estimate < 2 * made["q_next"][-2]


def test_errors_against_the_exact_motion(against):
    """docs/study.md: order 1, sup error 2.50 h."""
    assert against.good and against.method == "moreau" and against.expected_order == 1
    assert abs(against.orders["q"] - 1) < 0.03 and abs(against["q_error"][-1] / against["step"][-1] - 2.5) < 0.05
    assert abs(against.orders["impulse"] - 1) < 0.01 and (np.diff(against["found"]) >= 0).all()
    first = against.events[0]
    assert first.kind == "impact" and first.constraints == ["floor"] and set(first.partner) == {"found"}
    assert abs(first.t - 1) < 1e-12 and abs(first.t_order - 1) < 0.1 and (np.abs(first.t_error) <= against["step"] * (1 + 1e-9)).all()


def test_a_study_is_text_table_and_picture(against, tmp_path):
    assert "orders: q " in str(against) and str(against).endswith("verdict: good") and "moreau" in repr(against)
    assert len(str(against).splitlines()) == len(against) + 4
    assert against.plot(path=tmp_path / "orders.svg").format == "svg" and against.plot(dpi=50).size
    pytest.importorskip("pandas")
    frame = against.to_pandas()
    assert (frame["q_error"].to_numpy() == against["q_error"]).all() and frame.index.name == "level"
    with pytest.raises(LookupError, match="q_error"):
        against["error"]


def test_parity_is_flagged():
    made = thud.study(EXAMPLES / "dynamics" / "parity.yaml", levels=(6, 11))
    assert made.flags == ["parity"] and not made.good and "even and odd" in made.message and "failed: even" in str(made)


def test_points_of_a_sweep_in_closed_form():
    scene = ball(end=2)
    scene["parameters"], scene["initial"] = {"h": 1}, {"z": "h", "z'": 0}
    made = thud.sweep(scene, "h", np.linspace(0.5, 2, 7), "z'", section="impacts:floor")
    assert made.good and made.runs == 7 and (np.diff(made.run) >= 0).all() and set(made.run) == set(range(7))
    for run in range(7):
        t, h = made.t[made.run == run], made.value[made.run == run][0]
        assert abs(h - (0.5 + 0.25 * run)) < 1e-15 and abs(t[0] - np.sqrt(2 * h / G)) < 1e-12
        assert np.abs(made.quantity[made.run == run][:2] + np.sqrt(2 * G * h) * E ** np.arange(2)).max() < 1e-11
    same = thud.sweep(scene, "h", (0.5, 2, 7), "z'", section="impacts", threads=3)
    assert (same.t == made.t).all() and (same.quantity == made.quantity).all()
    assert made.plot(dpi=50).size and "7 runs" in repr(made)
    end = thud.sweep(scene, "h", (1, 1, 1), "z'^2/2 + 9.81*z", {"simulate.end": 0.3}, section="end")
    assert end.t == 0.3 and abs(end.quantity[0] - G * H) < 1e-12
    later = thud.sweep(scene, "h", (1, 1, 1), "t", section="impacts", after=1)
    assert (later.t >= 1).all() and (later.quantity == later.t).all()
    pytest.importorskip("pandas")
    assert list(made.to_pandas().columns) == ["run", "h", "t", "z'"]


@pytest.mark.parametrize("call, kind, words", [
    (lambda: thud.study(ball(), levels=(7, 8)), thud.Error, "level"),
    (lambda: thud.study(ball(), levels=7), TypeError, "levels"),
    (lambda: thud.study(ball(), levels=(7, 9.5)), TypeError, "whole"),
    (lambda: thud.study(ball(), levels="7:9"), TypeError, "levels"),
    (lambda: thud.study(ball(), against="exact"), ValueError, "event-driven"),
    (lambda: thud.study(ball(), nothing=1), thud.Error, "nothing"),
    (lambda: thud.sweep(ball(), "h", (1, 2, 3)), TypeError, "quantity"),
    (lambda: thud.sweep(EXAMPLES / "quasistatic" / "slow-loading.yaml", "simulate.end", (1, 2, 3), "x"), thud.Error, "sections are those of 'system'"),
    (lambda: thud.sweep(ball(), "h", (1, 2, 3), "z'"), thud.Error, "h"),
    (lambda: thud.sweep(ball(), "h", [1, 2, 4], "z'"), ValueError, "evenly"),
    (lambda: thud.sweep(ball(), "h", (1, 2, 0), "z'"), ValueError, "count"),
    (lambda: thud.sweep(ball(), "h", (1, np.nan, 3), "z'"), ValueError, "finite"),
    (lambda: thud.sweep(ball(), "h", [], "z'"), ValueError, "empty"),
    (lambda: thud.sweep(ball(), "h", (1, 2, 3), "z'", section="zeros"), ValueError, "section"),
    (lambda: thud.sweep(ball(), "h", (1, 2, 3), "z'", section="sometimes"), ValueError, "section"),
])
def test_what_cannot_be_studied_is_said(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize("work", [
    lambda **more: thud.study(ball("moreau-jean", steps=10), levels=(6, 10), **more),
    lambda **more: thud.study(ball(), levels=(6, 10), against="event-driven", **more),
    lambda **more: thud.sweep({**ball(), "parameters": {"h": 1}}, "h", (1, 2, 50), "z'", **more),
])
def test_progress_is_told_and_its_exceptions_come_out(work):
    parts = []
    work(progress=lambda part, low, high: parts.append(part))
    assert parts and min(parts) >= 0 and max(parts) <= 1

    def refuse(*_):
        raise ZeroDivisionError("enough")
    with pytest.raises(ZeroDivisionError, match="enough"):
        work(progress=refuse)


def test_an_interrupt_ends_a_study():
    begun = threading.Event()

    def interrupt():
        begun.wait()
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        thud.study(ball("moreau-jean", steps=10), levels=(6, 24), progress=lambda *_: begun.set())


def made_of_parts(force):
    return thud.System(["x"], mass=[1], forces={"x": force}, parameters={"e": 0.5},
                       constraints=[{"name": "floor", "gap": "x", "restitution": "e"}], initial={"x": 1},
                       simulate={"method": "moreau-jean", "end": 1.5, "steps": 10})


def test_systems_of_expressions_are_studied_like_scenes():
    system = made_of_parts(-2)
    assert thud.study(system, levels=(4, 6)).orders == thud.study(system.scene, levels=(4, 6)).orders
    assert thud.Scene(system) == system.scene
    landed = thud.sweep(system, "e", (0, 1, 3), "x", {"simulate": {"method": "event-driven", "end": 1.5}}, section="end")
    assert np.allclose(landed.quantity, [0, 0.25, 0.75], atol=1e-9)  # 2 e (t - 1) - (t - 1)^2


def test_functions_are_not_studied_and_the_reason_is_said():
    moved = thud.Bodies()
    moved.add_sphere(0.1, name="ball", mass=1, force=lambda t, state: [0, 0, 1])
    for scene, simulate in ((made_of_parts(lambda t, q, v: -2.0), {}), (moved, {"end": 1, "step": 0.1})):
        with pytest.raises(thud.UnsupportedError, match="^a study takes scenes of expressions, and this one has Python functions"):
            thud.study(scene, levels=(3, 5), **simulate)
        with pytest.raises(thud.UnsupportedError, match="^a sweep takes scenes of expressions, and this one has Python functions"):
            thud.sweep(scene, "e", (0, 1, 3), "x", **simulate)
    with pytest.raises(thud.UnsupportedError, match="which no scene can hold"):
        thud.Scene(made_of_parts(lambda t, q, v: -2.0))
