"""Systems built in code: closed forms, functions against expressions, order of convergence, failure paths."""
import math
import pickle
import warnings

import numpy as np
import pytest

import thud

G = 9.81


def stepping(steps=1000, end=1.0, method="moreau-jean", **more):
    return {"method": method, "end": end, "steps": steps, **more}


def ball(force, gap="z", restitution=0.5, simulate=None, **more):
    return thud.System(["z"], kinetic_energy="z'^2/2", forces={"z": force},
                       constraints=[{"name": "floor", "gap": gap, "restitution": restitution, **more}],
                       initial={"z": 1}, simulate=simulate or {"method": "event-driven", "end": 2})


def falling(t, q, v):
    return -G


def height(t, q, v):
    return q[0]


# ---- closed forms ----


def test_a_system_of_expressions_is_a_scene():
    system = ball(-G)
    assert not system.has_functions and system.scene.kind == "system"
    run = thud.run(system)
    first = math.sqrt(2 / G)
    assert run.events[0].t == pytest.approx(first, abs=1e-12)
    assert pickle.loads(pickle.dumps(system)).run().events[0].t == run.events[0].t


@pytest.mark.parametrize("gap", ["z", height])
@pytest.mark.parametrize("restitution", [0.5, lambda t, q, v: 0.5])
def test_impacts_of_a_bouncing_ball_of_functions(gap, restitution):
    run = ball(falling, gap, restitution).run()
    first = math.sqrt(2 / G)
    times = [event.t for event in run.events.of("impact")]
    for k in range(4):  # each flight is half as long as the one before
        assert times[k] == pytest.approx(first * (1 + 2 * sum(0.5**j for j in range(1, k + 1))), abs=1e-8)
    assert run.verdict == "good"
    assert run.events.of("zeno limit", "zeno", "accumulation") or run(1.9)["z"] == pytest.approx(0, abs=1e-6)


def test_a_pendulum_keeps_its_energy_and_its_period():
    # exact period 4 K(sin(a/2)) sqrt(l/g) by the arithmetic-geometric mean
    a, b = 1.0, math.cos(0.5)
    for _ in range(6):
        a, b = (a + b) / 2, math.sqrt(a * b)
    period = 2 * math.pi / (a * math.sqrt(G))
    system = thud.System(["a"], mass=lambda t, q, v: 1.0, inertia=0, potential_energy=lambda t, q, v: -G * math.cos(q[0]),
                         potential_gradient=lambda t, q, v: [G * math.sin(q[0])], initial={"a": 1.0},
                         simulate=stepping(4000, period, "second-order"))
    run = system.run()
    energy = run.ledger["kinetic"] + run.ledger["potential"]
    assert np.abs(energy - energy[0]).max() < 1e-5 * G
    assert run["a"][-1] == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("angle, sticks", [(0.2, True), (0.5, False)])
def test_a_block_on_an_incline_sticks_or_slides(angle, sticks):
    mu = 0.3
    system = thud.System(["x", "y"], mass=[2, 2], forces=lambda t, q, v: (2 * G * math.sin(angle), -2 * G * math.cos(angle)),
                         constraints=[{"name": "plane", "gap": lambda t, q, v: q[1], "gradient": [0, 1], "rate": 0,
                                       "friction": {"mu": lambda t, q, v: mu, "slip": lambda t, q, v: v[0]}}],
                         simulate=stepping(100))
    run = system.run()
    acceleration = 0 if sticks else G * (math.sin(angle) - mu * math.cos(angle))
    assert run["x'"][-1] == pytest.approx(acceleration, abs=1e-10)
    reaction = run["reaction"] if "reaction" in run else None
    assert run.verdict == "good" and reaction is not None


def test_a_dry_oscillator_loses_the_same_amplitude_in_every_half_period():
    # x'' + x = -mu sign(x'): amplitudes fall by 2 mu per half period
    mu = 0.1
    system = thud.System(["x"], mass=[1], forces={"x": lambda t, q, v: -q[0]},
                         friction=[{"name": "brake", "threshold": lambda t, q, v: mu, "slip": lambda t, q, v: v[0]}],
                         initial={"x": 1}, simulate=stepping(8000, 4 * math.pi))
    run = system.run()
    for k in range(1, 5):
        assert run(k * math.pi)["x"] == pytest.approx((-1) ** k * (1 - 2 * mu * k), abs=5e-3)
    assert run(4 * math.pi)["x'"] == pytest.approx(0, abs=5e-3)


# ---- functions against expressions ----


def double_pendulum(with_functions, simulate):
    common = dict(initial={"a": 1.0, "b": 0.5}, simulate=simulate)
    if not with_functions:
        return thud.System(["a", "b"], kinetic_energy="a'^2 + b'^2/2 + a'*b'*cos(a - b)",
                           potential_energy="-2*9.81*cos(a) - 9.81*cos(b)",
                           constraints=[{"name": "wall", "gap": "sin(a) + sin(b) + 0.3", "restitution": 0.6}], **common)

    def mass(t, q, v):
        c = math.cos(q[0] - q[1])
        return np.array([[2, c], [c, 1]])

    def inertia(t, q, v):
        s = math.sin(q[0] - q[1])
        return [s * v[1] ** 2, -s * v[0] ** 2]
    return thud.System(["a", "b"], mass=mass, inertia=inertia if with_functions == "all" else None,
                       potential_energy=lambda t, q, v: -2 * G * math.cos(q[0]) - G * math.cos(q[1]),
                       potential_gradient=(lambda t, q,
                                           v: [2 * G * math.sin(q[0]), G * math.sin(q[1])]) if with_functions == "all" else None,
                       constraints=[{"name": "wall", "gap": lambda t, q, v: math.sin(q[0]) + math.sin(q[1]) + 0.3,
                                     "gradient": (lambda t, q,
                                                  v: [math.cos(q[0]), math.cos(q[1])]) if with_functions == "all" else None,
                                     "rate": 0 if with_functions == "all" else None, "restitution": 0.6}], **common)


@pytest.mark.parametrize("kind, tolerance, method",
                         [("all", 1e-11, "moreau"), ("all", 1e-11, "second-order"), ("all", 1e-9, "stabilised"),
                                                     ("differences", 1e-7, "second-order")])
def test_functions_and_expressions_agree(kind, tolerance, method):
    simulate = stepping(500, 1.0, method)
    one, other = double_pendulum(False, simulate).run(), double_pendulum(kind, simulate).run()
    assert len(one.events) == len(other.events) > 0
    for name in ("a", "b"):
        assert np.abs(one[name] - other[name]).max() < tolerance


def test_event_driven_motions_of_functions_and_expressions_agree():
    simulate = {"method": "event-driven", "end": 1.0}
    one, other = double_pendulum(False, simulate).run(), double_pendulum("all", simulate).run()
    assert [event.kind for event in one.events] == [event.kind for event in other.events]
    assert np.abs(np.subtract(one.events.t, other.events.t)).max() < 1e-8
    assert one(1.0)["a"] == pytest.approx(other(1.0)["a"], abs=1e-7)


@pytest.mark.parametrize("method, order", [("moreau", 1), ("second-order", 2)])
def test_functions_converge_with_the_order_of_expressions(method, order):
    def last(kind, steps):
        made = double_pendulum(kind, stepping(steps, 0.1, method)).run()
        return made["a"][-1]
    for kind in (False, "all"):
        exact = last(kind, 3200 if method == "second-order" else 6400)
        errors = [abs(last(kind, steps) - exact) for steps in ((100, 200, 400) if method == 'second-order' else (50, 100, 200))]
        rates = [math.log2(errors[k] / errors[k + 1]) for k in range(2)]
        assert all(rate == pytest.approx(order, abs=0.15) for rate in rates), rates


def test_moving_gaps_velocity_forms_and_equations():
    def plate(t, q, v):
        return q[0] - 0.1 * math.sin(5 * t)
    simulate = stepping(1000)
    one = ball(-G, "z - 0.1*sin(5*t)", simulate=simulate).run()
    other = ball(-G, plate, simulate=simulate).run()
    assert np.abs(one["z"] - other["z"]).max() < 1e-8
    common = dict(mass=[1, 2, 1], forces={"x": "1"}, initial={"y'": 0.0}, simulate=simulate)
    one = thud.System(["x", "y", "z"],
                      constraints=[{"name": "a", "velocity_form": "x' - (1 + x^2)*y'"}, {"name": "b", "equation": "z - 2*x"}],
                      **common).run()
    other = thud.System(["x", "y", "z"],
                        constraints=[{"name": "a", "velocity_form": lambda t, q, v: v[0] - (1 + q[0] ** 2) * v[1]},
                                                      {"name": "b", "equation": lambda t, q, v: q[2] - 2 * q[0]}], **common).run()
    assert np.abs(one["y"] - other["y"]).max() < 1e-8 and np.abs(one["z"] - other["z"]).max() < 1e-8
    phi = ball(-G, simulate=simulate)._scene.to_dict()
    phi["system"]["constraints"][0] = {"name": "floor", "phi": "-z", "restitution": 0.5}
    functions = thud.System(["z"], mass=[1], forces={"z": -G}, initial={"z": 1}, simulate=simulate,
                            constraints=[{"name": "floor", "phi": lambda t, q, v: -q[0], "restitution": 0.5}])
    assert np.abs(thud.run(phi)["z"] - functions.run()["z"]).max() < 1e-9


def test_jacobians_by_the_user_and_by_differences():
    def system(**more):
        return thud.System(["x"], mass=[1], forces={"x": lambda t, q, v: -1e4 * q[0] - 20 * v[0]}, initial={"x": 1},
                           simulate=stepping(200, 1.0, "moreau-jean", theta=1), **more)
    one = system().run()
    other = system(force_dq=[[-1e4]], force_dv=lambda t, q, v: [[-20.0]]).run()
    exact = thud.System(["x"], mass=[1], forces={"x": "-1e4*x - 20*x'"}, initial={"x": 1},
                        simulate=stepping(200, 1.0, "moreau-jean", theta=1)).run()
    assert np.abs(one["x"] - exact["x"]).max() < 1e-6 and np.abs(other["x"] - exact["x"]).max() < 1e-12


def test_parameters_and_changes_reach_the_expressions_beside_functions():
    system = ball(lambda t, q, v: 0.0, simulate=stepping(100))
    made = thud.System(["z"], mass=["m"], parameters={"m": 2, "w": 3}, forces={"z": lambda t, q, v: 1.0}, potential_energy="w*z",
                       simulate=stepping(100))
    assert made.run()["z'"][-1] == pytest.approx(-1)
    assert made.run(w=1)["z'"][-1] == pytest.approx(0, abs=1e-14)
    assert len(system.run({"simulate.steps": 10}).t) == 11
    with pytest.raises(thud.ArgumentError, match="is a Python function here"):
        made.run({"system.forces.z": 3})
    with pytest.raises(thud.NotFoundError):
        made.run(unknown=3)


def test_records_of_functions_are_verified(tmp_path):
    run = double_pendulum("all", stepping(200)).run(record=tmp_path / "pendulum.h5")
    assert run.record.scene["system"]["functions"] is True
    if hasattr(run, "verify"):
        found = run.verify()
        assert found.verdict == "good" if hasattr(found, "verdict") else found


@pytest.mark.parametrize("slip", ["x'", lambda t, q, v: v[0]], ids=["expression", "function"])
def test_event_driven_records_with_own_friction_laws_are_verified(slip):
    """x' = 2/3 - 3 t + t^2 until it turns round, then t^2 - t + constant until it sticks; 2 (t - 1) exceeds 1 from t = 1.5 on."""
    run = thud.System(["x"], mass=[1], forces={"x": lambda t, q, v: 2 * (t - 1)},
                      friction=[{"name": "table", "threshold": lambda t, q, v: 1.0, "slip": slip}], initial={"x": 0, "x'": 2 / 3},
                      simulate={"method": "event-driven", "end": 2}).run()
    turn = (3 - math.sqrt(19 / 3)) / 2
    assert run.verdict == "good" and run.events.kinds == ["slip", "stick", "slip"]
    assert run.events.t == pytest.approx([turn, 1 - turn, 1.5], abs=1e-8)
    assert run.verify().verdict == "good"


def test_accumulations_of_impacts_of_functions_are_verified():
    run = ball(falling, simulate={"method": "event-driven", "end": 2}).run()
    assert "zeno" in run.events.kinds and run.verify().verdict == "good"


# ---- failure paths ----


@pytest.mark.parametrize("value, message",
                         [(None, "must return a number"), ("x", "must return a number"), (float("nan"), "returned nan"),
                                            (math.inf, "returned inf"), (np.zeros(2), r"shape \(2,\)"),
                                            (1j, "must return a number")])
def test_nonsense_from_a_function_names_it(value, message):
    def nonsense(t, q, v):
        return value
    with pytest.raises(thud.CallbackError, match=message) as raised:
        ball(nonsense, simulate=stepping(10)).run()
    assert "force on 'z'" in str(raised.value) and "nonsense" in str(raised.value)


def test_wrong_shapes_of_vectors_and_matrices():
    def system(**parts):
        return thud.System(["x", "y"], **{"mass": [1, 1], "simulate": stepping(10), **parts})
    for parts, message in (({"forces": lambda t, q, v: [1, 2, 3]}, r"shape \(2,\), not \(3,\)"),
                           ({"forces": lambda t, q, v: [1, math.nan]}, "nan"),
                           ({"forces": lambda t, q, v: "ab"}, "2 numbers"), ({"mass": lambda t, q, v: np.eye(3)}, r"\(2, 2\)"),
                           ({"forces": lambda t, q, v: 3.0}, r"shape \(2,\)"),
                           ({"friction": [{"name": "f", "threshold": 1, "slip": lambda t, q, v: v[0] ** 2 + 1}],
                             "initial": {"x'": 3}}, "affine")):
        with pytest.raises(thud.CallbackError, match=message):
            system(**parts).run()
    with pytest.raises(thud.Error):
        system(mass=lambda t, q, v: [[1, 2], [2, 1]]).run()  # not positive definite
    with pytest.raises(ValueError):
        system(force_dq=[[1.0]])


def test_exceptions_come_out_with_their_traceback():
    def broken(t, q, v):
        if t > 0.5:
            raise LookupError("no data")
        return 0.0
    with pytest.raises(LookupError, match="no data") as raised:
        ball(broken, simulate=stepping(10)).run()
    assert raised.traceback[-1].name == "broken"


def test_functions_with_other_arguments_are_refused_at_once():
    with pytest.raises(TypeError, match=r"the force \(function .*\) is called with \(t, q, v\), but takes \(t, q\)$"):
        thud.System(["x"], mass=[1], forces=lambda t, q: 0.0, initial={"x": 0})
    with pytest.raises(TypeError, match=r"the gap of 'floor' .* is called with \(t, q, v\)"):
        thud.System(["x"], mass=[1], constraints=[{"name": "floor", "gap": lambda q: q[0]}], initial={"x": 0})
    assert thud.System(["x"], mass=[1], forces=lambda *state: [0.0], initial={"x": 0}, simulate={"end": 1}).run().verdict == "good"


def test_a_kink_is_refused_with_the_name_of_the_function():
    def corner(t, q, v):
        return 1 + abs(q[0])
    with pytest.raises(thud.CallbackError, match="corner.*kink"):
        thud.System(["x"], mass=[1], potential_energy=corner, initial={"x": 2e-6}, simulate=stepping(10)).run()


def test_functions_have_no_power_series():
    with pytest.raises(thud.UnsupportedError, match="runge-kutta"):
        ball(falling, simulate={"method": "event-driven", "end": 1, "arcs": "series"}).run()


def test_state_is_read_only_and_views_are_reused():
    seen = []

    def watching(t, q, v):
        seen.append((q, v))
        with pytest.raises(ValueError):
            q[0] = 3
        return -G
    ball(watching, simulate=stepping(5)).run()
    assert all(q is seen[0][0] for q, v in seen)


@pytest.mark.parametrize("wrong", [dict(coordinates="x"), dict(coordinates=[]), dict(kinetic_energy=lambda t, q, v: 1.0),
                                   dict(inertia=lambda t, q, v: 1.0),
                                   dict(potential_gradient=lambda t, q, v: 1.0), dict(forces={"y": "1"}),
                                   dict(constraints=[{"gap": "x", "gradient": [1]}])])
def test_wrong_definitions_are_refused(wrong):
    with pytest.raises((TypeError, ValueError, LookupError)):
        thud.System(**{"coordinates": ["x"], "mass": [1], **wrong})


def test_systems_of_functions_look_like_those_of_expressions():
    looks = {"parameters": {"h": 1, "r": 0.05}, "definitions": {"top": "z + 2*r"},
             "draw": [{"circle": {"at": [0, "z + r"], "radius": "r"}}, {"trace": {"at": ["0.5*t", "top"]}}]}
    runs = [thud.System(["z"], mass=[1], forces={"z": force}, initial={"z": "h"}, title="A ball",
                        constraints=[{"name": "floor", "gap": "z", "restitution": 0.5}], **looks,
                        simulate={"method": method, "end": 1, "steps": 1000} if method == "moreau-jean" else
                        {"method": method, "arcs": "runge-kutta", "end": 1}).run().require_good()
            for method in ("moreau-jean", "event-driven") for force in (-9.81, lambda t, q, v: -9.81)]
    for expressions, functions in (runs[:2], runs[2:]):
        assert np.array_equal(expressions["z"], functions["z"])
        assert functions.snapshot([0.1, 0.6], dpi=50).data == expressions.snapshot([0.1, 0.6], dpi=50).data
        assert '"notes": []' in functions.report().text and '"film": null' not in functions.report().text
        assert functions.verify().verdict == "good" and functions.record.resolved["draw"] == expressions.record.resolved["draw"]
    plain = thud.System(["z"], mass=[1], forces={"z": lambda t, q, v: -1.0}, initial={"z": 1}, simulate={"end": 1}).run()
    with pytest.raises(thud.NotFoundError, match="draw"):
        plain.snapshot()


def test_functions_cannot_be_pickled():
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(ball(falling))
    with pytest.raises(thud.UnsupportedError, match="Python functions"):
        ball(falling).scene
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "1 parts by functions" in repr(ball(falling)) and ball(falling).check()["coordinates"] == ["z"]
