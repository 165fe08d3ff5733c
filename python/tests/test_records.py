"""Records: numbers by name, states at any time, events, contacts, and what is refused."""
import os
import pickle
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import thud

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
G, E, H = 9.81, 0.7, 1.0


def ball(method="event-driven", **simulate):
    return {"thud": 1, "title": "Ball", "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -G},
                                                   "constraints": [{"name": "floor", "gap": "z", "restitution": E}]},
            "initial": {"z": H, "z'": 0}, "simulate": {"method": method, "end": 3, **simulate}}


@pytest.fixture(scope="module")
def run():
    return thud.run(ball())


def impacts(count):
    """Times and speeds of the impacts in closed form: t_0 = sqrt(2 h/g), then flights of 2 v e^k/g."""
    t, v, made = np.sqrt(2 * H / G), np.sqrt(2 * G * H), []
    for _ in range(count):
        made.append((t, v))
        v *= E
        t += 2 * v / G
    return made


def test_impacts_are_those_of_the_closed_form(run):
    found = run.events.of("impact")
    for (t, v), event in zip(impacts(6), found):
        assert abs(event.t - t) < 1e-13
        assert abs(event["before"]["z'"] + v) < 1e-12 and abs(event["after"]["z'"] - E * v) < 1e-12
        assert abs(event["impulse"]["floor"] - (1 + E) * v) < 1e-12


def test_left_and_right_limits_are_exact(run):
    for t, v in impacts(5):
        assert abs(run(t, side="-")["z'"] + v) < 1e-12
        assert abs(run(t)["z'"] - E * v) < 1e-12
        assert abs(run(t)["z"]) < 1e-12
    (a, v), (b, _) = impacts(2)
    times = np.linspace(a, b, 50)[1:-1]
    s = times - a
    assert np.abs(run(times)["z"] - (E * v * s - G * s**2 / 2)).max() < 1e-12
    assert np.abs(run(times, side="-")["z'"] - (E * v - G * s)).max() < 1e-12


def test_the_ledger_closes(run):
    for made in (run, thud.run(ball("moreau-jean", steps=1000))):
        ledger = made.ledger
        total = ledger["kinetic"] + ledger["impact_loss"] + ledger["friction_loss"] + ledger["contact_loss"] - ledger["work"] \
            + ledger["potential"] + ledger["scheme_loss"]
        assert np.abs(total - total[0]).max() < 1e-11
        assert np.abs(ledger["defect"]).max() < 1e-11
    first = run.events[0]["ledger"]
    assert abs(first["impact_loss"] - (1 - E**2) * G * H) < 1e-11


def test_names_list_what_there_is(run):
    with pytest.raises(thud.Error, match="no 'y'.*z, z'|no 'y'.*t_end"):
        run["y"]
    with pytest.raises(LookupError, match=r"^the state has no 'y'; there are z, z'$"):
        run(0.5)["y"]
    with pytest.raises(LookupError, match=r"\(did you mean \"z'\"\?\)"):
        run["z''"]
    with pytest.raises(TypeError):
        run[3]
    with pytest.raises(LookupError):
        run.events["nothing"]
    assert "z" in run and "y" not in run


@pytest.mark.parametrize("t", [-0.1, 3.1, [0, 4], np.nan, np.inf, "now", None, [[0.1]], 1j])
def test_times_outside_are_refused(run, t):
    with pytest.raises((ValueError, TypeError)):
        run(t)


def test_sides_are_minus_and_plus(run):
    with pytest.raises(ValueError, match="side"):
        run(0.5, side="left")


def test_arrays_of_a_run_cannot_be_changed(run):
    with pytest.raises(ValueError):
        run.frames["ledger"][0, 0] = 1
    kept = thud.run(ball()).frames["ledger"]  # its run is gone
    assert kept.shape[1] == 9 and np.isfinite(kept).all()


def test_events_are_a_sequence(run):
    events = run.events
    assert len(events) == len(events.t) == len(events.kinds) and (np.diff(events.t) >= 0).all()
    assert events[-1].t == events[len(events) - 1].t and len(events[2:5]) == 3
    assert set(events.kinds) == {"impact", "zeno"} and events.of("zeno")[0].t == pytest.approx(np.sqrt(2 * H / G) * (1 + E) / (1 - E))
    with pytest.raises(IndexError):
        events[len(events)]


def test_files_come_back(run, tmp_path):
    path = run.save(tmp_path / "ball.h5")
    with thud.open(path) as again:
        assert again.verdict == "good" and (again["z"] == run["z"]).all() and again.title == "Ball"
        assert again.verify()
    with pytest.raises(thud.Error, match="closed"):
        again(0.5)
    with pytest.raises(thud.Error, match="closed"):
        again.frames["t"]
    with pytest.raises(thud.Error, match="exists"):
        run.save(path)
    run.save(path, overwrite=True)
    assert os.listdir(tmp_path) == ["ball.h5"]


def test_a_pickled_run_is_the_same(run):
    again = pickle.loads(pickle.dumps(run))
    assert (again["z'"] == run["z'"]).all() and again.result == run.result and again.verify()


def test_no_record_is_an_error(tmp_path):
    with pytest.raises(OSError):
        thud.open(tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("no record")
    with pytest.raises(thud.Error):
        thud.open(tmp_path / "text.h5")
    with pytest.raises(TypeError):
        thud.open(3)


def read_damaged(data, folder):
    """Opens and reads records with bytes changed or cut off: readable, or refused with an error."""
    source, refused = np.random.default_rng(1), 0
    for trial in range(60):
        hurt = bytearray(data)
        if trial % 3 == 0:
            del hurt[int(source.integers(len(hurt))):]
        for place in source.integers(0, max(1, len(hurt)), 1 + trial % 5):
            if place < len(hurt):
                hurt[place] ^= int(source.integers(1, 256))
        path = pathlib.Path(folder) / f"hurt-{trial}.h5"
        path.write_bytes(hurt)
        try:
            with thud.open(path) as opened:
                opened.to_pandas() if trial % 2 else opened["z"]
                list(opened.events)
                opened.verify()
        except (thud.Error, ValueError):
            refused += 1
    return refused


def test_damaged_records_never_crash(tmp_path):
    """In a process of its own: HDF5 complains at the end of one that has seen damaged files."""
    code = f"import sys; sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r}); import test_records as t; import thud; " \
           f"print(t.read_damaged(thud.run(t.ball())._bytes(), {str(tmp_path)!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 20  # those that were cut off, at least


def test_an_unfinished_record_opens(tmp_path):
    """A process that is killed within its run leaves a record with the verdict "unfinished"."""
    scene = {**ball("moreau-jean", steps=4000), "record": {"checkpoint_every": 0.1}}
    path = tmp_path / "killed.h5"
    code = f"import os, thud\nthud.run({scene!r}, record={str(path)!r}, progress=lambda t, a, b: t > 1 and os._exit(7))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 7
    run = thud.open(path)
    assert run.verdict == "unfinished" and not run.record.finished and not run.verify()
    assert 0.9 < run.t[-1] <= 1.1 or len(run.frames) > 0


def block(planar):
    return {"thud": 1, "planar": planar, "materials": {"stone": {"friction": 0.5}},
            "bodies": [{"name": "ground", "fixed": True, "shape": "half_plane" if planar else "plane", "material": "stone"},
                       {"name": "block", "shape": {"box": [0.5, 0.5, 0.5][:2 if planar else 3]}, "mass": 2,
                        "position": [0, 0.25] if planar else [0, 0, 0.25], "material": "stone"}],
            "simulate": {"end": 0.1, "step": 0.01}}


@pytest.mark.parametrize("planar", [False, True])
def test_contacts_of_bodies_carry_the_weight(planar):
    run = thud.run(block(planar))
    contacts = run.contacts()
    assert set(contacts.a + contacts.b) == {"ground", "block"} and contacts.t == run.t[-1]
    d = 2 if planar else 3
    assert contacts.point.shape == contacts.normal.shape == contacts.impulse.shape == (len(contacts.a), d)
    on_block = sum(impulse if a == "block" else -impulse for a, impulse in zip(contacts.a, contacts.impulse))
    assert abs(on_block[-1] - 2 * 9.81 * 0.01) < 1e-9 and np.abs(on_block[:-1]).max() < 1e-9
    assert np.abs(np.linalg.norm(contacts.normal, axis=1) - 1).max() < 1e-12
    assert len(contacts.moment) == len(contacts.gap) == len(contacts.part_a) == len(contacts.a)
    assert np.abs(run.bodies["block"].velocity).max() < 1e-9
    for wrong in (len(run.frames), -len(run.frames) - 1):
        with pytest.raises(IndexError, match="there are"):
            run.contacts(wrong)
    with pytest.raises(TypeError):
        run.contacts(0.5)
    with pytest.raises(LookupError, match="ground, block"):
        run.bodies["stone"]


def test_other_kinds_have_no_contacts_of_bodies(run):
    with pytest.raises(thud.Error, match="no rigid bodies"):
        run.contacts()
    with pytest.raises(thud.Error, match="no rigid bodies"):
        run.bodies
