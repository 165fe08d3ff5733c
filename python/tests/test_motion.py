"""Motions stepped by hand: the same bits as runs, states, changes of bodies, threads, what is refused."""
import copy
import gc
import math
import os
import pickle
import threading

import numpy as np
import pytest

import thud

G = 9.81
BALL = {"thud": 1, "parameters": {"e": 0.7},
        "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -G},
                   "constraints": [{"name": "floor", "gap": "z", "restitution": "e"}]},
        "initial": {"z": 1}, "simulate": {"method": "moreau-jean", "end": 2, "steps": 400}}
EVENTS = {**BALL, "simulate": {"method": "event-driven", "end": 2}}
BOX = {"thud": 1, "materials": {"wood": {"friction": 0.4, "density": 700}, "ice": {"friction": 0.0, "density": 900}},
       "bodies": [{"name": "floor", "shape": "plane", "fixed": True, "material": "wood"},
                  {"name": "box", "shape": {"box": [0.2, 0.2, 0.2]}, "material": "wood", "position": [0, 0, 0.1]},
                  {"name": "late", "shape": {"sphere": 0.1}, "material": "wood", "position": [1, 0, 0.1], "absent": True}],
       "simulate": {"end": 2, "step": 0.01}}
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
KINDS = ["bouncing-ball.yaml", "event-driven/bouncing-ball-to-rest.yaml", "play.yaml", "quasistatic/belt-over-pulley.yaml",
         "elastic/moving-load.yaml",
         "elastic/beam-on-floor.yaml", "elastic/membrane-dragged.yaml", "elastic/punch-cycle.yaml", "composed/bar-end.yaml",
         "bodies/arch-falls.yaml"]


def closure(hand):
    return thud.System(["x"], mass=[1], forces={"x": lambda t, q, v: hand["force"]},
                       simulate={"method": "moreau", "end": 10, "steps": 1000})


# ---- stepping ----


@pytest.mark.parametrize("scene", [BALL, BOX])
def test_frames_are_those_of_the_run(scene):
    run = thud.run(scene)
    frames = list(thud.Motion(scene))
    assert [frame.t for frame in frames] == run.t.tolist()
    if "system" in scene:
        for name in ("z", "z'"):
            assert [frame[name] for frame in frames] == run[name].tolist()
    else:
        assert np.array_equal([frame["box"].position for frame in frames], run.bodies["box"].position)
        assert np.array_equal([frame.rotations[1] for frame in frames], run.bodies["box"].rotation)


def test_events_of_a_step():
    motion = thud.Motion(EVENTS)
    found = []
    while motion.going:
        found += motion.step(events=True).events
    first = [event for event in found if event.kind == "impact"][0]
    assert first.t == pytest.approx(math.sqrt(2 / G), abs=1e-12)
    assert first["v_after"][0] == pytest.approx(0.7 * math.sqrt(2 * G), abs=1e-9) and first["involved"].tolist() == [True]
    run = thud.run(EVENTS)
    assert [event.t for event in found] == [event.t for event in run.events]
    atoms = []
    motion = thud.Motion(BALL)
    while motion.going:
        atoms += motion.step(events=True).events
    assert atoms[0]["impulse"]["floor"] == pytest.approx(1.7 * math.sqrt(2 * G), abs=0.05)


def test_running_stops_where_it_is_told():
    motion = thud.Motion(BALL)
    assert motion.run(steps=3).t == pytest.approx(2 * 0.005) and motion.run(until=0.5).t == pytest.approx(0.5, abs=1e-12)
    assert motion.run(until=0.1).t == pytest.approx(0.5) and motion.going
    assert motion.run(steps=0).t == pytest.approx(0.5)
    last = motion.run()
    assert last.t == 2 and motion.status == "completed" and not motion.going and list(motion) == []
    assert motion.info["impacts"] > 3 and motion.info["status"] == "completed"
    with pytest.raises(thud.Error, match="has ended: completed"):
        motion.step()


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_saved_restored_and_copied_bit_by_bit(name):
    motion = thud.Scene(os.path.join(EXAMPLES, name)).motion()
    motion.run(steps=2)
    kept, other = motion.save(), copy.copy(motion)
    here = [np.asarray(motion.view(field)).copy() for field in motion.arrays]

    def go_on(moved):
        frames = [moved.step() for _ in range(3) if moved.going]
        return [np.asarray(getattr(frames[-1], field)) for field in moved.arrays] if frames else here
    after = go_on(motion)
    assert all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(after, go_on(other)))
    motion.restore(kept)
    assert all(np.array_equal(a, motion.view(field), equal_nan=a.dtype.kind == "f") for a, field in zip(here, motion.arrays))
    assert all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(after, go_on(motion)))
    assert set(motion.info) and set(motion.frame)


def test_copies_go_their_own_ways():
    one = thud.Motion(BALL)
    one.run(until=0.4)
    other = copy.deepcopy(one)
    one.run()
    assert other.t == pytest.approx(0.4) and other.going and not one.going


def test_parameters_of_the_scene():
    one, other = thud.Motion(BALL, e=0.0), thud.Motion(BALL, {"simulate.end": 0.7})
    assert one.run()["z"] == pytest.approx(0, abs=1e-2) and other.run().t == pytest.approx(0.7)


def test_many_motions_in_threads():
    expected = thud.Motion(BALL).run()["z"]
    found = [None] * 8

    def work(k):
        found[k] = thud.Motion(BALL).run()["z"] if k % 2 else thud.Motion(closure({"force": float(k)})).run()["x'"]
    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[k] == (expected if k % 2 else pytest.approx(10.0 * k)) for k in range(8))


# ---- inputs ----


def test_an_input_that_changes_between_steps():
    hand = {"force": 1.0}
    motion = thud.Motion(closure(hand))
    motion.run(until=3)
    hand["force"] = -2.0
    assert motion.run(until=4)["x'"] == pytest.approx(3 - 2, abs=1e-9)
    kept = motion.save()
    hand["force"] = 0.0
    assert motion.run()["x'"] == pytest.approx(1, abs=1e-9)
    motion.restore(kept)
    assert motion.run(steps=1)["x'"] == pytest.approx(1, abs=1e-9)


def test_an_exception_of_a_function_comes_out_of_a_step():
    def broken(t, q, v):
        if t > 0.1:
            raise LookupError("no data")
        return 0.0
    motion = thud.Motion(thud.System(["x"], mass=[1], forces={"x": broken}, simulate={"method": "moreau", "end": 1, "steps": 10}))
    with pytest.raises(LookupError, match="no data") as raised:
        motion.run()
    assert raised.traceback[-1].name == "broken" and motion.status == "bad data" and motion.t == pytest.approx(0.1)


def test_a_function_that_steps_its_own_motion_is_refused():
    made = []

    def entering(t, q, v):
        if made:
            made[0].step()
        return 0.0
    motion = thud.Motion(thud.System(["x"], mass=[1], forces={"x": entering},
                                     simulate={"method": "moreau", "end": 1, "steps": 10}))
    made.append(motion)
    with pytest.raises(thud.InUse):
        motion.run()
    del made[:]


# ---- bodies ----


def test_a_controller_that_pushes_at_every_frame_reaches_the_end():
    motion = thud.Motion({"thud": 1, "gravity": [0, 0, 0], "simulate": {"end": 1, "step": 0.1},
                          "bodies": [{"name": "ball", "shape": {"sphere": 0.1}, "mass": 2}]})
    for frame in motion:
        motion.apply_force("ball", [4, 0, 0])
    assert motion.status == "completed" and motion.frame["ball"].velocity[0] == pytest.approx(2, abs=1e-12)
    with pytest.raises(thud.NotFoundError):
        motion.apply_force("bal", [4, 0, 0])
    with pytest.raises(thud.ArgumentError):  # an impulse would change what was reached
        motion.apply_impulse("ball", [1, 0, 0])


def test_a_force_an_impulse_and_a_state():
    motion = thud.Motion(BOX)
    motion.step()
    mass = 700 * 0.2**3
    motion.set_material("box", "ice")
    motion.set_material("floor", "ice")
    motion.apply_force("box", [3 * mass, 0, 0], lasting=True)
    motion.run(until=0.5)
    assert motion.state("box").velocity[0] == pytest.approx(1.5, abs=1e-9)
    motion.release_forces("box")
    motion.apply_impulse("box", [-mass, 0, 0])
    assert motion.run(until=1)["box"].velocity[0] == pytest.approx(0.5, abs=1e-9)
    motion.set_state("box", position=[0, 0, 2], velocity=[0, 0, 0])
    assert motion.run(until=1.2)["box"].position[2] == pytest.approx(2 - G * 0.2**2 / 2, abs=1e-9)


def test_bodies_come_and_go_and_are_found_by_rays():
    motion = thud.Motion(BOX)
    motion.step()
    assert not motion.is_present("late")
    motion.add("late", position=[0, 0, 1])
    frame = motion.step()
    assert motion.is_present("late") and frame["late"].position[2] == pytest.approx(1, abs=0.01)
    hit = motion.cast_ray([0, 0, 5], [0, 0, -10])
    assert hit.body == "late" and hit.normal == pytest.approx([0, 0, 1])
    assert motion.cast_ray([0, 0, 5], [0, 0, -10], ignore="late").body == "box" and motion.cast_ray([0, 0, 5], [0, 0, 1]) is None
    motion.remove("late")
    assert motion.cast_ray([0, 0, 5], [0, 0, -10]).body == "box"
    contacts = motion.contacts()
    assert len(contacts["gap"]) >= 3 and {"box", "floor"} == set(contacts["a"]) | set(contacts["b"])
    weight = 700 * 0.2**3 * G
    assert abs(contacts["impulse"][:, 2].sum()) / 0.01 == pytest.approx(weight, rel=1e-6)
    for call in (lambda: motion.add("late"), lambda: motion.apply_force("nobody"), lambda: motion.set_material("box", "stone"),
                 lambda: motion.apply_force("box", [1, 2]), lambda: motion.apply_force("box", [1, 2, math.nan]),
                 lambda: motion.set_state("box", position=[0, 0, -1]), lambda: motion.apply_force("floor", [1, 0, 0]),
                 lambda: motion.set_state("box", rotation=[0, 0, 0, 0])):
        with pytest.raises((ValueError, LookupError)):
            call()


def test_a_recorded_motion_has_its_changes_in_the_record(tmp_path):
    motion = thud.Motion(BOX, record=True)
    with pytest.raises(thud.ArgumentError, match="after its first step"):
        motion.apply_impulse("box", [1, 0, 0])
    motion.step()
    motion.apply_impulse("box", [5, 0, 0])
    motion.run(until=0.1)
    motion.add("late")
    motion.run()
    run = motion.finish()
    assert run.verdict == "good" and run["t"][-1] == 2
    assert [event.kind for event in run.events if "change" in event.kind or event.kind in ("impulse", "added",
                                                                                           "add")] or len(run.events) > 0
    found = run.verify()
    assert found.verdict == "good", str(found)
    for call in (motion.step, motion.finish):
        with pytest.raises(thud.ArgumentError, match="finished"):
            call()
    motion = thud.Motion(BALL, record=tmp_path / "ball.h5")
    motion.run(until=1)
    assert motion.finish().verdict == "stopped" and (tmp_path / "ball.h5").exists()


def test_recorded_systems_of_functions():
    motion = thud.Motion(closure({"force": 1.0}), record=True)
    frames = list(motion)
    run = motion.finish()
    assert run["x"].tolist() == [frame["x"] for frame in frames] and run.verdict == "good"


def test_bodies_in_the_plane():
    plane = thud.Bodies(planar=True)
    plane.add_ground()
    plane.add_disc(0.1, name="disc", mass=1, position=[0, 1])
    motion = thud.Motion(plane, end=1, step=0.01)
    motion.step()
    motion.set_state("disc", velocity=[1, 0], spin=2.0)
    state = motion.run(until=0.2)["disc"]
    assert state.position == pytest.approx([0.2, 1 - G * 0.02],
                                           abs=1e-9) and state.rotation == pytest.approx(0.4) and state.spin == 2


def test_the_planned_changes_of_a_scene_need_a_run():
    scene = {**BOX, "changes": [{"at": 0.5, "do": "impulse", "body": "box", "impulse": [1, 0, 0]}]}
    with pytest.raises(thud.UnsupportedError, match="record=True"):
        thud.Motion(scene)
    motion = thud.Motion(scene, record=True)
    assert motion.run()["box"].position[0] > 0 and motion.finish().verdict == "good"


# ---- views ----


def test_views_show_the_motion_and_keep_it_alive():
    motion = thud.Motion(BOX)
    motion.step()
    positions = motion.positions
    assert positions.shape == (3, 3) and not positions.flags.writeable and positions.base is not None
    motion.set_state("box", position=[0, 0, 3])
    motion.run(until=0.5)
    assert np.array_equal(motion.positions, [motion.frame[name].position for name in motion.bodies])
    poses = motion.poses
    assert np.array_equal(poses, np.hstack([motion.positions, motion.rotations])) and poses.flags.c_contiguous
    assert np.shares_memory(poses, motion.positions) and np.array_equal(motion.frame.poses, poses)
    view = motion.positions
    before = view.copy()
    del motion, positions
    gc.collect()
    assert np.array_equal(view, before)
    with pytest.raises(ValueError):
        view[0] = 0
    with pytest.raises(thud.NotFoundError, match="have no array"):
        thud.Motion(BALL).view("positions")


def test_names_of_frames():
    frame = thud.Motion(BALL).step()
    assert frame["z"] == 1 and frame["t"] == 0 and frame.gap.tolist() == [1] and frame.ledger["potential"] == 0
    assert {"z", "z'", "q", "ledger"} <= set(frame) and "z = 1" in repr(frame)
    with pytest.raises(thud.NotFoundError, match="no 'y'"):
        frame["y"]
    with pytest.raises(AttributeError):
        frame.y


# ---- what is refused ----


def test_states_of_others_and_nonsense_are_refused():
    motion = thud.Motion(BALL)
    motion.step()
    state = motion.save()
    for wrong in (b"", b"abc", state[:-6] + state[-5:], state[:-5] + b"\xff" * 5, thud.Motion(BOX).save()):
        with pytest.raises(thud.Error):
            motion.restore(wrong)
    with pytest.raises(TypeError):
        motion.restore("abc")
    assert motion.save() == state


def test_motions_are_not_pickled():
    with pytest.raises(TypeError, match=r"motion.save\(\)"):
        pickle.dumps(thud.Motion(BALL))
    with pytest.raises(thud.ArgumentError, match="record=True"):
        thud.Motion(BALL).finish()
    with pytest.raises(thud.UnsupportedError, match="not of rigid bodies"):
        thud.Motion(BALL).apply_force("z", [1, 0, 0])
    with pytest.raises(thud.UnsupportedError):
        copy.copy(thud.Motion(BALL, record=True))
    for wrong in ({"steps": -1}, {"steps": 1.5}, {"until": "x"}, {"until": math.nan}):
        with pytest.raises((TypeError, ValueError)):
            thud.Motion(BALL).run(**wrong)


def test_a_motion_that_fails_says_why():
    scene = {**BALL, "system": {**BALL["system"], "forces": {"z": "-9.81 + sqrt(0.5 - t)"}}}
    motion = thud.Motion(scene)
    frames = list(motion)
    assert motion.status == "bad data" and "square root" in motion.reason and frames[-1].t == pytest.approx(0.5, abs=0.01)


def test_a_child_of_fork_is_refused():
    motion = thud.Motion(BALL)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            motion.step()
            os.write(writer, b"went on")
        except thud.InUse:
            os.write(writer, b"refused")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 20) == b"refused" and motion.step().t == 0
