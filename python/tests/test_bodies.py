"""Bodies built in code: closed forms, the shipped scenes bit for bit, what is refused."""
import json
import os
import pathlib
import pickle

import numpy as np
import pytest

import thud

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
G = 9.81


def example(*parts):
    return thud.Scene(os.path.join(EXAMPLES, *parts))


def same(run, other, *channels):
    """The numbers of two runs are the same bits."""
    for channel in channels or ("position", "velocity", "spin"):
        assert np.array_equal(run.frames[channel], other.frames[channel]), channel


CUBE = (np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5,
        np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
                  [1, 5, 7], [1, 7, 3]]))


# ---- closed forms ----


def test_a_ball_falls_freely():
    space = thud.Bodies(gravity=[0, 0, -G])
    space.add_sphere(0.1, name="ball", density=1000, position=[0, 0, 10], velocity=[1, 0, 2])
    run = thud.run(space, end=1, steps=100).require_good()
    z = 10 + 2 * run.t - G * run.t**2 / 2
    assert np.allclose(run.bodies["ball"].position[:, 2], z, rtol=0, atol=1e-12)
    assert np.allclose(run.bodies["ball"].position[:, 0], run.t, rtol=0, atol=1e-12)


@pytest.mark.parametrize("share", [0.99, 1.25])
def test_a_brick_slips_beyond_tan_equal_mu(share):
    mu = 0.5
    slope = np.arctan(share * mu)
    hill = thud.Bodies()
    hill.material("stone", friction=mu, density=2600)
    turned = {"axis": [0, 1, 0], "angle": slope}
    hill.add_ground(material="stone", rotation=turned)
    hill.add_box([0.2, 0.1, 0.06], name="brick", material="stone", rotation=turned,
                 position=[0.03 * np.sin(slope), 0, 0.03 * np.cos(slope)])
    run = thud.run(hill, end=1, step=0.01).require_good()
    way = np.linalg.norm(run.bodies["brick"].position[-1] - run.bodies["brick"].position[0])
    expected = 0 if share < 1 else 0.5 * G * (np.sin(slope) - mu * np.cos(slope))
    assert way == pytest.approx(expected, abs=1e-8)


def test_a_sliding_ball_rolls_with_five_sevenths():
    lane = thud.Bodies()
    lane.material("felt", friction=0.2, density=1700)
    lane.add_ground(material="felt")
    lane.add_sphere(0.03, name="ball", material="felt", position=[0, 0, 0.03], velocity=[1.4, 0, 0])
    ball = lane.run(end=0.5, step=0.002).require_good().bodies["ball"]
    assert ball.velocity[-1, 0] == pytest.approx(1, abs=1e-12)
    assert ball.spin[-1, 1] == pytest.approx(1 / 0.03, abs=1e-10)


@pytest.mark.parametrize("e", [0, 0.5, 1])
def test_two_balls_collide(e):
    line = thud.Bodies(gravity=[0, 0, 0])
    line.material("steel", restitution=e)
    line.add_sphere(0.1, name="a", material="steel", mass=1, position=[-0.5, 0, 0], velocity=[2, 0, 0])
    line.add_sphere(0.1, name="b", material="steel", mass=3, position=[0.5, 0, 0])
    run = line.run(end=1, step=0.01).require_good()
    assert run.bodies["a"].velocity[-1, 0] == pytest.approx(2 - 1.5 * (1 + e), abs=1e-12)
    assert run.bodies["b"].velocity[-1, 0] == pytest.approx(0.5 * (1 + e), abs=1e-12)
    assert run.events.of("impact")[0]["approach"] == pytest.approx(2)


def test_masses_of_the_shapes():
    density = 3.0
    volumes = {"add_box": ([1, 2, 3], 6), "add_sphere": (1, 4 / 3 * np.pi), "add_ellipsoid": ([1, 2, 3], 8 * np.pi),
               "add_capsule": ((1, 2), 2 * np.pi + 4 / 3 * np.pi), "add_cylinder": ((1, 2), 2 * np.pi), "add_cone": ((1, 3), np.pi),
               "add_hull": (CUBE[0], 1)}
    for method, (size, volume) in volumes.items():
        one = thud.Bodies()
        getattr(one, method)(*(size if isinstance(size, tuple) else (size,)), density=density)
        assert thud.check(one, end=1, step=0.1)["mass"] == pytest.approx(density * volume), method
    for method, size, area in (("add_disc", (2,), 4 * np.pi), ("add_box", ([1, 2],), 2), ("add_capsule", (1, 2), 4 + np.pi),
                               ("add_hull", ([[0, 0], [1, 0], [0, 1]],), 0.5)):
        one = thud.Bodies(planar=True)
        getattr(one, method)(*size, density=density)
        assert thud.check(one, end=1, step=0.1)["mass"] == pytest.approx(density * area), method


def test_a_box_rests_on_a_mesh_and_on_heights_as_on_a_plane():
    ends = []
    for ground in ("plane", "mesh", "field"):
        floor = thud.Bodies()
        floor.material("stone", friction=0.6, density=2000)
        if ground == "plane":
            floor.add_ground(material="stone")
        elif ground == "mesh":
            floor.add_mesh(CUBE[0] * 4 - [0, 0, 2], CUBE[1], fixed=True, material="stone")
        else:
            floor.add_height_field(np.zeros((4, 5)), size=[4, 4], material="stone")
        floor.add_box([0.2, 0.1, 0.06], name="box", material="stone", position=[0.1, 0, 0.03], velocity=[1, 0, 0])
        run = floor.run(end=0.5, step=0.005).require_good()
        ends.append(run.bodies["box"].position[-1])
    assert np.allclose(ends[1], ends[0], atol=1e-9) and np.allclose(ends[2], ends[0], atol=1e-9)
    assert ends[0][0] == pytest.approx(0.1 + 1 / (2 * 0.6 * G), abs=1e-4)


def test_a_spring_swings_with_its_frequency():
    line = thud.Bodies(planar=True, gravity=[0, 0])
    line.add_disc(0.1, name="disc", mass=2, position=[1.5, 0])
    line.add_spring("disc", length=1, stiffness=8)
    x = line.run(end=np.pi, steps=4000).require_good().bodies["disc"].position
    assert x[-1, 0] == pytest.approx(1.5, abs=1e-5)
    assert x[2000, 0] == pytest.approx(0.5, abs=1e-5)


SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs" / "scene.schema.json").read_text(encoding="utf-8"))


def joint_kinds(part=SCHEMA):
    """The kinds that the schema has for `joint`."""
    if isinstance(part, dict):
        own = part.get("properties", {}).get("joint", {}) if isinstance(part.get("properties"), dict) else {}
        return own.get("enum", []) + [kind for value in part.values() for kind in joint_kinds(value)]
    return [kind for value in part for kind in joint_kinds(value)] if isinstance(part, list) else []


def test_every_kind_of_joint_is_handed_on():
    assert {"ball", "hinge", "slider", "fixed", "rod"} <= set(joint_kinds())
    for kind in joint_kinds():
        held = thud.Bodies()
        held.add_sphere(0.1, name="a", mass=1)
        held.add_sphere(0.1, name="b", mass=1, position=[1, 0, 0])
        held.add_joint(kind, "a", "b", name="j", nonsense=1)
        with pytest.raises(thud.SceneError, match="/joints/0") as caught:  # the library reads the keys, and knows the kind
            thud.check(held, end=1, step=0.1)
        assert "is none of" not in str(caught.value)


def test_a_hinge_carries_the_weight_and_the_centripetal_force():
    pendulum = thud.Bodies(planar=True, gravity=[0, -10])
    pendulum.add_disc(0.1, name="bob", mass=3, position=[0, -2], velocity=[4, 0], spin=2)
    pendulum.add_joint("hinge", "bob", at=[0, 0], name="pivot")
    run = pendulum.run(end=1e-4, step=1e-5).require_good()
    assert list(run.joints) == ["pivot"] and {"name", "force", "moment"} <= set(dir(run.joints["pivot"]))
    assert run.joints["pivot"].force[1] == pytest.approx([0, 3 * 10 + 3 * 2**2 * 2], abs=1e-3)  # m g + m w^2 l
    assert run.joints["pivot"].moment.shape == (11,) and not run.joints["pivot"].moment[1:].any()
    for wrong in (lambda: run.joints["pivots"], lambda: run.joints["pivot"].torque):
        with pytest.raises((thud.NotFoundError, AttributeError), match="pivot"):
            wrong()
    motion = pendulum.motion(end=1e-4, step=1e-5)
    motion.run(until=1e-5)
    assert motion.joints == ["pivot"] and motion.frame.joint_forces[0, :2].tolist() == run.joints["pivot"].force[1].tolist()


def test_bodies_without_joints_have_none():
    free = thud.Bodies()
    free.add_sphere(0.1, name="ball", mass=1)
    run, motion = free.run(end=0.1, step=0.05), free.motion(end=0.1, step=0.05)
    assert len(run.joints) == 0 and motion.joints == [] and "joint_forces" not in motion.arrays
    with pytest.raises(thud.NotFoundError, match="^there is no joint 'hinge'; there are none$"):
        run.joints["hinge"]


def test_errors_name_the_body_instead_of_a_line_that_nobody_wrote():
    floor = thud.Bodies()
    floor.add_ground()
    floor.add_box([1, 1, 1])
    with pytest.raises(thud.SceneError, match=r"^/bodies/1 \('box-1'\): this body has no mass") as caught:
        floor.run(end=1)
    assert caught.value.place.path == "/bodies/1"
    assert pickle.loads(pickle.dumps(caught.value)).place == caught.value.place


def test_what_a_run_has_is_shown_shortly():
    free = thud.Bodies()
    free.add_sphere(0.1, name="ball", mass=1)
    run = free.run(end=1, step=0.1)
    assert repr(run.bodies) == "<bodies: ball>" and repr(run.joints) == "<joints: none>" and "kinetic 48.118" in repr(run.ledger) and len(repr(run.ledger)) < 400
    assert "'position' [m]" in repr(run.frames) and repr(run.frames).startswith("<11 frames>")


def test_functions_are_called_as_they_can_be():
    free = thud.Bodies()
    with pytest.raises(TypeError, match=r"^the force of 'ball' is called with \(t, state\), but takes \(t\)$"):
        free.add_sphere(0.1, name="ball", mass=1, force=lambda t: (0, 0, 0))
    with pytest.raises(TypeError, match=r"^the path of 'cam' is called with \(t\), but takes \(t, state\)$"):
        free.add_sphere(0.1, name="cam", path=lambda t, state: None)


def test_expressions_of_forces_and_paths():
    lift = thud.Bodies(gravity=[0, 0, -G], parameters={"a": 2})
    lift.add_box([1, 1, 0.1], name="table", path={"position": [0, 0, "a*t^2/2"]})
    lift.add_sphere(0.1, name="rocket", mass=1, position=[5, 0, 0], force=[0, 0, "12 - x'"])
    run = thud.run(lift, end=1, step=0.01).require_good()
    assert run.bodies["table"].velocity[-1, 2] == pytest.approx(2, abs=1e-12)
    assert run.bodies["rocket"].velocity[-1, 2] == pytest.approx(12 - G, abs=1e-12)
    assert thud.run(lift, a=3, end=1, step=0.01).bodies["table"].velocity[-1, 2] == pytest.approx(3, abs=1e-12)


def test_rotations_of_every_form():
    angle = 0.7
    c, s = np.cos(angle), np.sin(angle)
    forms = [{"axis": [0, 0, 2], "angle": angle}, [np.cos(angle / 2), 0, 0, np.sin(angle / 2)], np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])]
    scipy = pytest.importorskip("scipy.spatial.transform")
    forms.append(scipy.Rotation.from_rotvec([0, 0, angle]))
    for form in forms:
        one = thud.Bodies(gravity=[0, 0, 0])
        one.add_box([1, 2, 3], name="box", density=1, rotation=form)
        assert np.allclose(one.run(end=1, steps=1).bodies["box"].rotation[0], forms[1], atol=1e-15)
    random = np.random.default_rng(1)
    for rotation in scipy.Rotation.random(50, random_state=random):
        q = thud.bodies.quaternion(rotation.as_matrix())
        x, y, z, w = rotation.as_quat()
        assert abs(np.dot(q, [w, x, y, z])) == pytest.approx(1, abs=1e-12)


# ---- shipped scenes ----


def test_slip_to_roll_is_the_example():
    made = thud.Bodies(title="From slip to roll", parameters={"mu": 0.2, "v0": 1.4})
    made.material("felt", friction="mu", density=1700)
    made.add_ground("table", material="felt")
    made.add_sphere(0.03, name="ball", material="felt", position=[0, 0, 0.03], velocity=["v0", 0, 0])
    run = made.run(end=0.5, step=0.002, every=0.002)
    same(run, thud.run(example("bodies", "slip-to-roll.yaml")), "position", "velocity", "spin", "ledger")


def test_dominoes_are_the_example():
    made = thud.Bodies(planar=True, parameters={"height": 0.048, "thickness": 0.0075, "pitch": 0.024, "push": 3})
    made.material("wood", friction=0.2, density=5)
    made.material("cloth", friction=1)
    made.pair("wood", "cloth", friction=0.8)
    stone = {"box": ["thickness", "height"]}
    made.add_ground("table", material="cloth")
    made.add(stone, name="first", material="wood", position=[0, "height/2"], velocity=["push*height/2", 0], spin="-push")
    made.generate("grid", name="stone", counts=[39, 1], spacing="pitch", position=["pitch", "height/2"],
                  body={"shape": stone, "material": "wood"})
    run = made.run({"simulate.end": 0.2}, end=1.2, step=0.0005, every=0.005)
    same(run, thud.run(example("bodies", "dominoes.yaml"), {"simulate.end": 0.2}))


def test_the_cradle_is_the_example():
    made = thud.Bodies(gravity=[0, 0, 0])
    made.material("steel", friction=0, restitution=1, density=7800)
    for k in range(5):
        made.add_sphere(0.05, material="steel", name=f"ball-{k + 1}", position=[0.1 * k if k else -0.01, 0, 0],
                        velocity=[1, 0, 0] if k == 0 else None)
    run = made.run(end=0.1, step=0.001, impact_law="sequential", every=0.001)
    same(run, thud.run(example("bodies", "cradle.yaml")), "velocity")
    assert np.allclose([run.bodies[f"ball-{k}"].velocity[-1, 0] for k in range(1, 6)], [0, 0, 0, 0, 1], atol=1e-12)


def test_a_compound_is_the_scene_of_its_parts():
    made = thud.Bodies()
    made.material("stone", friction=0.5, density=2600)
    made.add_ground(material="stone")
    made.add_compound([{"sphere": 0.1, "position": [0, 0, 0.2]}, {"shape": {"capsule": {"radius": 0.02, "length": 0.4}}}],
                      name="dumbbell", material="stone", position=[0, 0, 0.6], rotation={"axis": [1, 0, 0], "angle": 0.3})
    given = {"thud": 1, "materials": {"stone": {"friction": 0.5, "density": 2600}},
             "bodies": [{"name": "ground", "fixed": True, "shape": "plane", "material": "stone"},
                        {"name": "dumbbell", "material": "stone", "position": [0, 0, 0.6], "rotation": {"axis": [1, 0, 0], "angle": 0.3},
                         "parts": [{"shape": {"sphere": 0.1}, "position": [0, 0, 0.2]},
                                   {"shape": {"capsule": {"radius": 0.02, "length": 0.4}}}]}],
             "simulate": {"end": 1, "step": 0.01}}
    same(made.run(end=1, step=0.01), thud.run(given))


def test_changes_are_events():
    made = thud.Bodies(gravity=[0, 0, 0])
    made.add_sphere(0.1, name="ball", mass=2)
    made.change(0.5, "impulse", body="ball", impulse=[1, 0, 0])
    run = made.run(end=1, step=0.01)
    assert run.bodies["ball"].velocity[-1, 0] == pytest.approx(0.5) and run.events[0].kind == "impulse"


def test_scenes_are_files_and_can_be_pickled(tmp_path):
    made = thud.Bodies()
    made.add_sphere(0.1, name="ball", density=1, position=[0, 0, 1])
    scene = thud.Scene(made.to_scene(end=0.1, step=0.01))
    assert pickle.loads(pickle.dumps(scene)) == scene
    scene.save(tmp_path / "ball.yaml")
    same(thud.run(tmp_path / "ball.yaml"), made.run(end=0.1, step=0.01))
    again = pickle.loads(pickle.dumps(made))
    same(again.run(end=0.1, step=0.01), made.run(end=0.1, step=0.01))


def sling():
    made = thud.Bodies(planar=True, gravity=[0, 0])
    made.add_disc(0.1, name="stone", mass=2, position=[1, 0], velocity=[0, 3])
    made.add_joint("rod", "stone", at_a=[0, 0], at_b=[0, 0], name="string")
    return made


def test_what_is_let_go_flies_straight_on(tmp_path):
    made = sling()
    made.detach("string", when="stone.x <= 0")
    made.observe("height", "stone.y", unit="m")
    made.observe("gone", first="stone.x < -0.5")
    made.until = "stone.x < -1"
    run = made.run(end=5, step=0.001, record=tmp_path / "sling.h5")
    let_go = run.events[0]
    assert let_go.kind == "detach" and let_go.t == pytest.approx(np.pi / 6, abs=0.001)  # a quarter turn at 3 rad/s
    state = run.bodies["stone"]
    away = let_go.t + 1 / 3
    assert state.velocity[-1] == pytest.approx([-3, 0], abs=0.01) and run.t[-1] == pytest.approx(away, abs=0.002)
    assert run["height"] == pytest.approx(state.position[:, 1]) and run["gone"][-1] == pytest.approx(away - 1 / 6, abs=0.002)
    assert thud.verify(tmp_path / "sling.h5").verdict == "good"


def test_a_stepped_motion_changes_like_a_scene():
    planned = sling()
    planned.detach("string", at=0.2)
    planned.apply_impulse("stone", [0, 4], torque=0.5, at=0.3)
    run = planned.run(end=0.5, step=0.01)
    motion = sling().motion(end=0.5, step=0.01)
    for frame in motion:
        if round(frame.t, 9) == 0.2:
            assert motion.is_attached("string")
            motion.detach("string")
            assert not motion.is_attached("string")
        if round(frame.t, 9) == 0.3:
            motion.apply_impulse("stone", [0, 4], torque=0.5)
    assert (motion.positions[0, :2] == run.bodies["stone"].position[-1]).all()


def test_motors_are_switched_on_conditions():
    made = thud.Bodies(planar=True, gravity=[0, 0])
    made.add_disc(0.1, name="wheel", mass=200, inertia=0.5)
    made.add_joint("hinge", "wheel", at=[0, 0], name="shaft", motor={"speed": 4, "at_most": 2})
    made.set_motor("shaft", at_most=0, when="wheel.w > 1.999")
    made.set_motor("shaft", speed=-1, at_most=1, at=1)
    run = made.run(end=3, step=0.01)
    spin = run.bodies["wheel"].spin
    rates = np.interp([0.25, 0.75, 1.5, 3], run.t, spin)  # 4, 0, -2 rad/s2
    assert rates == pytest.approx([1, 2, 1, -1], abs=1e-9) and [event.kind for event in run.events] == ["motor", "motor"]


# ---- what is refused ----


def test_changes_need_one_time_or_condition_and_joints_that_exist():
    made = sling()
    for call in (lambda: made.change(do="detach", joint="string"), lambda: made.detach("string"), lambda: made.change(0.1),
                 lambda: made.attach("string", at=0.1, when="t > 1"), lambda: made.observe("height"),
                 lambda: made.observe("height", "stone.y", first="stone.y > 0")):
        with pytest.raises(TypeError):
            call()
    made = sling()
    made.observe("height", "stone.y")
    with pytest.raises(thud.ArgumentError, match="observed already"):
        made.observe("height", "stone.x")
    made.detach("strong", at=0.1)
    with pytest.raises(thud.SceneError, match="'string'"):
        made.run(end=1, step=0.01)
    motion = sling().motion(end=1, step=0.01)
    motion.step()
    for call in (lambda: motion.detach("strong"), lambda: motion.is_attached("strong"), lambda: motion.set_motor("strong", speed=1)):
        with pytest.raises(thud.NotFoundError, match="'string'"):
            call()
    for refused in ({"speed": 1, "position": 2}, {"at_most": -1}, {"coordinate": 2}):
        with pytest.raises((TypeError, ValueError)):
            motion.set_motor("string", **refused)
    with pytest.raises(thud.ArgumentError):
        motion.set_motor("string", speed=1)  # it has no motor
    motion.detach("string")
    with pytest.raises(thud.ArgumentError):
        motion.detach("string")


def test_meshes_that_are_no_solids_are_refused():
    made = thud.Bodies()
    with pytest.raises(thud.ArgumentError, match="hole"):
        made.add_mesh(CUBE[0], CUBE[1][:-1], fixed=True)
    with pytest.raises(thud.ArgumentError, match="inside out"):
        made.add_mesh(CUBE[0], CUBE[1][:, ::-1], fixed=True)
    with pytest.raises(ValueError, match="vertices"):
        made.add_mesh(CUBE[0], CUBE[1] + 1, fixed=True)
    with pytest.raises(ValueError, match="whole numbers"):
        made.add_mesh(CUBE[0], CUBE[1] * 1.0, fixed=True)
    with pytest.raises(ValueError, match="finite"):
        made.add_mesh(CUBE[0] * np.nan, CUBE[1], fixed=True)
    with pytest.raises(ValueError, match="shape"):
        made.add_mesh(CUBE[0][:, :2], CUBE[1], fixed=True)
    made.add_mesh(CUBE[0], CUBE[1][:-1], open=True, fixed=True)
    made.add_mesh(CUBE[0].astype(">f8")[:, ::1], CUBE[1].astype(np.uint8), fixed=True, name="other")
    assert thud.check(made, end=1, step=0.1)["shapes"] == 2
    with pytest.raises(thud.SceneError):
        made.add_mesh(*CUBE, density=1)
        thud.check(made, end=1, step=0.1)


def test_what_does_not_fit_is_refused_with_a_sentence():
    made = thud.Bodies()
    made.material("stone", friction=0.5)
    with pytest.raises(thud.ArgumentError, match="already"):
        made.material("stone")
    made.add_sphere(0.1, name="ball", density=1)
    with pytest.raises(thud.ArgumentError, match="already"):
        made.add_sphere(0.1, name="ball")
    with pytest.raises(thud.NotFoundError, match="there is no body 'bal'"):
        made["bal"]
    with pytest.raises(thud.ArgumentError, match="hull"):
        made.add_hull(np.zeros((8, 3)))
    with pytest.raises(thud.ArgumentError, match="plane"):
        made.add_segment([[0, 0], [1, 0]])
    with pytest.raises(ValueError, match="2 x 2"):
        made.add_height_field(np.zeros((1, 5)), size=[1, 1])
    with pytest.raises(ValueError, match="either size"):
        made.add_height_field(np.zeros((3, 5)))
    with pytest.raises(ValueError, match="rotation matrix"):
        made.add_box([1, 1, 1], rotation=np.ones((3, 3)))
    with pytest.raises(thud.SceneError, match="a shape is a name or one entry"):
        two = thud.Bodies()
        two.add({"sphere": 1, "box": 2}, density=1)
        thud.check(two, end=1, step=1)
    made.add_box([1, 1, 1], densty=3, position=[9, 9, 9])
    with pytest.raises(thud.SceneError, match="did you mean 'density'"):
        thud.check(made, end=1, step=1)
    with pytest.raises(thud.SceneError, match="tolerance"):
        single = thud.Bodies()
        single.add_sphere(1, density=1)
        single.run(end=1, step=0.1, tolerence=1e-6)


def test_an_empty_scene_and_overlaps_are_errors():
    with pytest.raises(thud.Error):
        thud.Bodies().run(end=1, step=0.1)
    made = thud.Bodies()
    made.add_sphere(1, name="a", density=1)
    made.add_sphere(1, name="b", density=1)
    with pytest.raises(thud.SceneError, match="overlap"):
        made.run(end=1, step=0.1)


# ---- functions ----


def rocket(force, **keys):
    made = thud.Bodies()
    made.add_box([0.1, 0.1, 0.3], name="rocket", mass=0.2, spin=[0, 1, 0], force=force, **keys)
    return made.run(end=0.5, step=0.005)


@pytest.mark.parametrize("planar", [False, True])
def test_a_state_has_bodies_by_name(planar):
    scene = thud.Bodies(planar=planar)
    height, turning = ([0, 2], 3.0) if planar else ([0, 0, 2], [0, 0, 3.0])
    add = scene.add_disc if planar else scene.add_sphere
    add(0.1, name="ball", mass=1, position=height, velocity=np.eye(len(height))[0], spin=turning)
    run = scene.run(end=0.5, step=0.125)
    ball, frame = run(0.5)["ball"], run.bodies["ball"]
    assert np.array_equal(ball.position, frame.position[-1]) and np.array_equal(ball.velocity, frame.velocity[-1])
    assert np.array_equal(ball.rotation, frame.rotation[-1]) and np.array_equal(ball.spin, turning)
    assert ball.velocity[0] == 1 and abs(ball.velocity[-1] + 9.81 * 0.5) < 1e-12
    several = run([0, 0.25, 0.5])["ball"]
    assert several.position.shape == (len(height), 3) and several.position[0].tolist() == [0, 0.25, 0.5]
    with pytest.raises(thud.NotFoundError, match="the state has no 'cube'"):
        run(0.5)["cube"]


def test_many_bodies_have_a_state_at_any_time():
    scene = thud.Bodies(planar=True, gravity=[0, 0])
    for k in range(300):
        scene.add_disc(0.1, name=f"disc-{k}", mass=1, position=[k, 0], velocity=[0, k / 256])
    run = scene.run(end=1, step=0.25)
    assert "disc-7.x" in run.keys() and run(0.5)["disc-8"].position.tolist() == [8, 1 / 64]
    assert np.array_equal(run([0.25, 1])["disc-256.y"], [0.25, 1])


def test_functions_move_bodies_as_expressions_do():
    def push(t, state):
        x, v, w = state.position, state.velocity, state.spin
        return [1 - 400 * (x[0] - 0.1) - 30 * v[0], 0, 2 * t], [0, 0, -0.01 * w[2] + 0.02]

    def slope(t, state):
        place, velocity = np.zeros((6, 6)), np.zeros((6, 6))
        place[0, 0], velocity[0, 0], velocity[5, 5] = -400, -30, -0.01
        return place, velocity

    expected = rocket(["1 - 400*(x - 0.1) - 30*x'", 0, "2*t"], torque=[0, 0, "-0.01*wz + 0.02"])
    run = rocket(push, slope=slope)
    assert np.allclose(run.bodies["rocket"].position, expected.bodies["rocket"].position, rtol=0, atol=1e-13)
    explicit = rocket(push)  # of first order in the velocity
    assert np.allclose(explicit.bodies["rocket"].position, expected.bodies["rocket"].position, atol=0.1)
    for checked in (run, explicit):
        found = checked.verify()
        assert found and found["functions"].status == "not checked" and found["momentum"].status == "passed"


def test_a_constant_force_returned_without_a_torque():
    made = thud.Bodies(planar=True, gravity=[0, 0])
    made.add_disc(1, name="disc", mass=2, force=lambda t, state: (4, 0))
    made.add_disc(1, name="wheel", mass=2, position=[5, 0], force=lambda t, state: ((0, 0), 3))
    run = made.run(end=1, step=0.01)
    assert run.bodies["disc"].velocity[-1, 0] == pytest.approx(2, abs=1e-12)
    assert run.bodies["wheel"].spin[-1] == pytest.approx(3 / (2 * 1 / 2), abs=1e-12)
    assert run.verify()


def test_a_table_on_a_path_carries_what_lies_on_it():
    made = thud.Bodies()
    made.material("stone", friction=0.9, density=1000)
    made.add_box([2, 2, 0.2], name="table", material="stone",
                 path=lambda t: ((0.05 * np.sin(5 * t), 0, -0.1), None, (0.25 * np.cos(5 * t), 0, 0), None))
    made.add_box([0.2, 0.2, 0.2], name="box", material="stone", position=[0, 0, 0.1], velocity=[0.25, 0, 0])
    run = made.run(end=1, step=0.005)
    carried = made.__class__()
    carried.material("stone", friction=0.9, density=1000)
    carried.add_box([2, 2, 0.2], name="table", material="stone", path={"position": ["0.05*sin(5*t)", 0, -0.1]})
    carried.add_box([0.2, 0.2, 0.2], name="box", material="stone", position=[0, 0, 0.1], velocity=[0.25, 0, 0])
    expected = carried.run(end=1, step=0.005)
    assert np.allclose(run.bodies["box"].position, expected.bodies["box"].position, rtol=0, atol=1e-12)
    assert run.bodies["box"].position[-1, 0] == pytest.approx(0.05 * np.sin(5), abs=1e-3)
    assert run.verify()
    turning = thud.Bodies(planar=True)
    turning.add_box([1, 1], name="wheel", path=lambda t: ((0, 0), 2 * t, (0, 0), 2))
    assert turning.run(end=1, step=0.1).bodies["wheel"].angle[-1] == pytest.approx(2)


def test_what_functions_raise_comes_out():
    def burst(t, state):
        if t > 0.1:
            raise ZeroDivisionError("out of fuel")
        return [0, 0, 1]

    made = thud.Bodies()
    made.add_sphere(0.1, name="rocket", density=1, force=burst)
    with pytest.raises(ZeroDivisionError, match="out of fuel") as caught:
        made.run(end=1, step=0.01)
    assert any(entry.name == "burst" for entry in caught.traceback)
    for force, failure, sentence in ((lambda t, s: [1, 2], ValueError, "must have 3 numbers"), (lambda t, s: "abc", TypeError, "3 numbers"),
                                     (lambda t, s: None, TypeError, "None"),
                                     (lambda t, s: [float("nan"), 0, 0], thud.Error, "not finite"),
                                     (lambda t, s: ([0, 0, 0], 1), TypeError, "torque of 'ball'")):
        made = thud.Bodies()
        made.add_sphere(0.1, name="ball", density=1, force=force)
        with pytest.raises((failure, thud.NotGood), match=sentence):
            made.run(end=1, step=0.1).require_good()
    for path, sentence in ((lambda t: (0, 0), "position, rotation"), (lambda t: ([0, 0, 0], [1, 1, 1, 1], [0, 0, 0], None), "unit quaternion"),
                           (lambda t: 1 / 0, "division"), (lambda t: ([np.nan, 0, 0], None, [0, 0, 0], None), "finite")):
        made = thud.Bodies()
        made.add_sphere(0.1, name="ball", path=path)
        with pytest.raises((TypeError, ValueError, ZeroDivisionError, thud.Error), match=sentence):
            made.run(end=1, step=0.1).require_good()
    with pytest.raises(thud.ArgumentError, match="torque"):
        thud.Bodies().add_sphere(1, force=burst, torque=[0, 0, 1])
    with pytest.raises(thud.ArgumentError, match="slope"):
        thud.Bodies().add_sphere(1, slope=burst)


def test_functions_may_run_other_scenes():
    inner = thud.Bodies()
    inner.add_sphere(0.1, name="ball", density=1)
    nested = thud.Bodies(gravity=[0, 0, 0])
    nested.add_sphere(0.1, name="ball", mass=1, force=lambda t, s: inner.run(end=0.1, step=0.1).bodies["ball"].velocity[-1])
    assert nested.run(end=1, step=0.1).bodies["ball"].velocity[-1, 2] == pytest.approx(-0.981)


def test_motions_with_functions_are_stepped_by_hand():
    made = thud.Bodies(gravity=[0, 0, 0])
    made.add_sphere(0.1, name="ball", mass=1, force=lambda t, state: (1, 0, 0))
    times = [frame.t for frame in thud.Motion(made, end=1, step=0.1)]
    assert len(times) == 11 and times[-1] == 1


def constant_push(t, state):
    return [1, 0, 0]


def test_scenes_with_functions_are_pickled_and_changed():
    made = thud.Bodies(gravity=[0, 0, 0])
    made.add_sphere(0.1, name="ball", mass=1, force=constant_push)
    scene = pickle.loads(pickle.dumps(made._as_scene(end=1, step=0.1)))
    assert scene.with_changes({"simulate.end": 2}).run().bodies["ball"].velocity[-1, 0] == pytest.approx(2)
    assert "functions" in str(scene.to_dict()["bodies"][0]["force"])
    with pytest.raises(thud.SceneError, match="function of the program"):
        thud.run(made.to_scene(end=1, step=0.1))
    run = made.run(end=1, step=0.1)
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.bodies["ball"].position, run.bodies["ball"].position)
