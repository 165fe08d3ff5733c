"""What comes after a run, on every kind of motion: verification, pictures, pages, tables."""
import os
import pathlib
import struct
import warnings

import numpy as np
import pytest

import thud
from test_records import ball

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
KINDS = {"sweeping": "jump", "stepping": "pendulum-with-wall", "event-driven": "event-driven/bouncing-ball-to-rest",
         "friction": "composed/rope", "quasistatic": "quasistatic/cycle", "string": "elastic/string-on-floor",
         "beam": "elastic/beam-on-floor", "membrane": "elastic/membrane-over-dome", "plate": "elastic/plate-on-floor",
         "half-plane": "elastic/punch-frictionless", "bodies": "bodies/cradle"}


@pytest.fixture(scope="module")
def runs():
    made = {}

    def find(kind):
        if kind not in made:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", thud.RunWarning)
                made[kind] = thud.run(EXAMPLES / (KINDS[kind] + ".yaml"))
        return made[kind]
    return find


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No folder of thud's remains where pictures are made."""
    yield
    assert not [name for place in ("/dev/shm", "/tmp") if os.path.isdir(place) for name in os.listdir(place)
                if name.startswith(f"thud-{os.getpid()}-")]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_verified(runs, kind):
    run = runs(kind)
    made = run.verify()
    assert run.record.kind == kind and run.good and made and made.verdict == "good" and made.reason == ""
    assert "verdict: good" in str(made) and made["structure"].status == "passed" and made.checked[0] > 0
    assert all(check.worst <= check.tolerance for check in made.checks
               if check.status == "passed" and not np.isnan(check.worst + check.tolerance))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn(runs, kind, tmp_path):
    run = runs(kind)
    picture = run.plot(dpi=60)
    assert picture.data[:8] == b"\x89PNG\r\n\x1a\n" and picture.size == struct.unpack(">II", picture.data[16:24])
    assert picture.data == run.plot(dpi=60).data  # the same bytes
    assert run.plot(format="svg")._repr_svg_().startswith("<?xml") and run.plot(format="pdf").data[:5] == b"%PDF-"
    snapshot = run.snapshot([run.t[0], run.t[-1]], dpi=60)
    assert snapshot.size[0] > 100 and snapshot._repr_png_()[1]["width"] > 100
    film = run.film(tmp_path / "film.png", frames=3, dpi=40)
    assert b"acTL" in film.data and (tmp_path / "film.png").read_bytes() == film.data


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_page(runs, kind, tmp_path):
    run = runs(kind)
    page = run.report(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == page.text and "</html>" in page.text
    shown = run._repr_html_()
    assert shown.count("<iframe") == 1 and 'sandbox="allow-scripts"' in shown and ">good</b>" in shown
    inside = shown[shown.index('srcdoc="') + 8:]
    assert "<script" not in inside[:inside.index('"')] and inside.index('"') > 100000  # all of the page is escaped


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_becomes_tables(runs, kind):
    pytest.importorskip("pandas")
    run = runs(kind)
    frame = run.to_pandas()
    assert (frame.index.to_numpy() == run.t).all() and frame.index.name == "t" and frame.columns.is_unique
    for name in run._columns()[:20]:
        assert np.array_equal(frame[name], run[name], equal_nan=True)
    some = run.t[[0, len(run.t) // 2, -1]]
    assert np.array_equal(run.to_pandas(some)[run._columns()[0]], run(some)[run._columns()[0]], equal_nan=True)
    events = run.events.to_pandas()
    assert list(events["kind"]) == run.events.kinds and (events.index.to_numpy() == run.events.t).all()
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert data.sizes["t"] == len(run.t) and data.attrs["verdict"] == "good"
    assert all(name in data or name in data.attrs["left_out"] or name == list(run.frames.channels)[0] for name in run.frames.channels)


def test_tables_hold_the_numbers():
    run = thud.run(ball())
    data, frame = run.to_xarray(times=[0.1, 0.2]), run.to_pandas([0.1, 0.2])
    assert np.abs(data["state"].sel(component="z").to_numpy() - (1 - 9.81 * np.array([0.01, 0.04]) / 2)).max() < 1e-15
    assert (frame["z'"].to_numpy() == data["state"].sel(component="z'").to_numpy()).all()
    t = run.events[0].t
    assert run.to_pandas(t, side="-")["z'"].iloc[0] == -run.events[0]["impulse"]["floor"] / 1.7
    proof = run.to_pandas()["proof"]
    assert set(proof.cat.categories) >= {"proved", "assumed"} and run.to_pandas()["accumulation"].dtype in (bool, float)


def test_pictures_of_their_own(runs, tmp_path):
    two = [runs("event-driven"), thud.run(ball())]
    assert thud.plot(two, "q", dpi=50).data != thud.plot(two[:1], "q", dpi=50).data
    assert thud.plot(two, "q", difference=True, format="svg").data
    assert thud.plot([run.save(tmp_path / f"{k}.h5") for k, run in enumerate(two)], dpi=50).size
    assert runs("quasistatic").plot(cone=runs("quasistatic").record.scene["quasistatic"]["contacts"][0]["name"], dpi=50).size
    assert runs("string").plot(profile="line", times=[0, 1], dpi=50).size and runs("half-plane").plot(profile=["pressure"], dpi=50).size
    assert runs("membrane").plot(field="pressure", dpi=50).size
    assert runs("stepping").plot("ledger", "x'^2" if "x" in runs("stepping") else "t^2", window=(0.1, None), log="x", dpi=50).size
    assert thud.report(two, title="two").text.count('"kind":"event-driven"') + thud.report(two).text.count('"kind": "event-driven"') >= 2
    with pytest.raises(LookupError, match="no component among 'nothing'"):
        runs("bodies").plot("position", components=["nothing"])
    assert runs("bodies").snapshot(view=(-30, 40), forces=True, format="svg").data


@pytest.mark.parametrize("call, kind, words", [
    (lambda run: run.plot("nothing"), LookupError, "has no panel.*reaction|nothing.*reaction"),
    (lambda run: run.plot(cone="floor"), thud.Error, ""),
    (lambda run: run.plot(field="v"), thud.Error, ""),
    (lambda run: run.plot(field="v", phase="z,z'"), ValueError, "field"),
    (lambda run: run.plot(phase=3), TypeError, ""),
    (lambda run: run.plot(window=1), TypeError, "two numbers"),
    (lambda run: run.plot(window=(2, 1)), thud.Error, ""),
    (lambda run: run.plot(format="gif"), ValueError, "png, svg or pdf"),
    (lambda run: run.plot(path="x.gif"), ValueError, "png, svg or pdf"),
    (lambda run: run.plot(dpi=-1), thud.Error, "dpi"),
    (lambda run: run.plot(size=3), LookupError, "size"),
    (lambda run: run.plot(times="late"), TypeError, ""),
    (lambda run: run.plot("z\0"), ValueError, "NUL"),
    (lambda run: run.snapshot(range(20)), thud.Error, ""),
    (lambda run: run.snapshot(99), thud.Error, ""),
    (lambda run: run.film(frames=1), ValueError, "frames"),
    (lambda run: run.film(rate=-1), ValueError, "rate"),
    (lambda run: run.film(rate=float("nan")), ValueError, "rate"),
    (lambda run: run.film("film.svg"), ValueError, "png"),
    (lambda run: run.report(most_frames=0), thud.Error, "most_frames"),
    (lambda run: run.report(title=3), TypeError, ""),
    (lambda run: run.verify(tolerance=-1), thud.Error, "tolerance"),
    (lambda run: run.verify(strict=1), LookupError, "strict"),
    (lambda run: run.verify()["nothing"], LookupError, "structure"),
    (lambda run: thud.verify("none.h5"), OSError, "none"),
    (lambda run: thud.plot([run] * 9), ValueError, "1 to 8"),
    (lambda run: thud.plot([]), ValueError, "1 to 8"),
    (lambda run: thud.report(3), TypeError, "path"),
])
def test_what_cannot_be_done_is_said(runs, call, kind, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=words):
        call(runs("event-driven"))
    assert os.listdir(tmp_path) == []


def test_existing_files_are_kept(runs, tmp_path):
    for name, make in (("a.png", lambda path, **more: runs("sweeping").plot(path=path, dpi=50, **more)),
                       ("a.html", lambda path, **more: runs("sweeping").report(path, **more))):
        (tmp_path / name).write_text("mine")
        with pytest.raises(thud.Error, match="exists"):
            make(tmp_path / name)
        assert (tmp_path / name).read_text() == "mine"
        make(tmp_path / name, overwrite=True)
        assert (tmp_path / name).stat().st_size > 1000


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "html"])
def test_what_thud_has_drawn_is_drawn_again(runs, tmp_path, ending):
    path, run = tmp_path / f"a.{ending}", runs("sweeping")

    def make(**choices):
        run.report(path) if ending == "html" else run.plot(path=path, dpi=50, **choices)
    make()
    content = path.read_bytes()
    path.write_bytes(content + b" ")  # still with its mark
    make()
    assert path.read_bytes() == content
    path.write_bytes(content.replace(b"thud ", b"bump "))
    with pytest.raises(thud.FileError, match="exists already"):
        make()


def test_a_failed_run_is_shown():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = thud.run(EXAMPLES / "dynamics" / "blow-up.yaml")
    assert run.verdict == "failed" and "failed</b>" in run._repr_html_() and not run.verify()


def test_hostile_titles_stay_text():
    run = thud.run({**ball(), "title": "</div><script>alert(1)</script>\"'><img src=x>"})
    shown = run._repr_html_()
    assert "<script" not in shown and "<img" not in shown and shown.count('"') == shown[:shown.index("<iframe")].count('"') + 8
    assert run.plot(dpi=50).size and thud.plot([run, run], dpi=50).size


def test_a_large_page_becomes_a_picture(runs, monkeypatch):
    monkeypatch.setattr("thud.results.PAGE_LIMIT", 1000)
    for kind in ("event-driven", "sweeping"):
        shown = runs(kind)._repr_html_()
        assert "<iframe" not in shown and "data:image/png;base64," in shown


def test_without_pandas_the_error_says_what_to_do(runs, monkeypatch):
    import sys
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "xarray", None)
    for call in (runs("sweeping").to_pandas, runs("sweeping").to_xarray, runs("sweeping").events.to_pandas):
        with pytest.raises(ImportError, match="is not installed"):
            call()


def test_threads_draw_the_same_run(runs):
    """Each picture and each verification has a context of its own."""
    import concurrent.futures
    run = runs("event-driven")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda k: run.plot("q", dpi=50).data if k % 2 else run.verify().text, range(8)))
    assert len(set(drawn)) == 2


def test_a_child_of_fork_draws(runs):
    run = runs("sweeping")
    wanted, (out, into) = run.plot(dpi=50).data, os.pipe()
    child = os.fork()
    if child == 0:
        try:
            same = run.plot(dpi=50).data == wanted and bool(run.verify())
            try:
                run(0.5)
            except thud.Error as refused:
                same = same and "fork" in str(refused)
            os.write(into, b"good" if same else b"bad")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(out, 10) == b"good"
    os.close(out), os.close(into)
