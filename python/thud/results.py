"""What comes after a run: verification, pictures, films, pages, tables of other programs.

Pictures and pages need a file name in C: they are written to a private folder in memory (/dev/shm, where there is one) that is
removed at once. What comes back holds the bytes; :meth:`Picture.save` writes a file.
"""
from __future__ import annotations

import base64
import contextlib
import html
import importlib
import io
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, Dict, List, NamedTuple, Optional, Union

import numpy as np

from . import errors
from ._library import NULL, Context, array, decode, doubles, encode, ffi, lib, make_options, path_text, real, whole

__all__ = ["Verification", "Check", "Picture", "Page", "verify", "plot", "report"]

PAGE_LIMIT = 6_000_000  #: bytes of a page that a notebook shows; of larger ones it shows a picture
FORMATS = ("png", "svg", "pdf")
LOOKED_AT = 8192  #: bytes at either end of a file, for its mark
MARKS = ((b"\x89PNG\r\n", b"tEXtSoftware\0thud "), (b"%PDF-", b"/Creator (thud "), (b"<", b"<metadata>thud "),
         (b"<", b'<meta name="generator" content="thud '))


@contextlib.contextmanager
def folder():
    """A private folder in memory where there is such a place, removed at the end."""
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(prefix=f"thud-{os.getpid()}-", dir=memory if os.access(memory, os.W_OK | os.X_OK) else None) as made:
        yield made


def written(suffix: str, write) -> bytes:
    """What write(path) of C writes to a file of this ending."""
    with folder() as place:
        path = os.path.join(place, "made" + suffix)
        write(encode(path))
        with open(path, "rb") as stream:
            return stream.read()


def _is_drawn(path: str) -> bool:
    """Whether the file is a picture or page that thud has made, by its mark: such files can be made again."""
    with contextlib.suppress(OSError), open(path, "rb") as stream:
        head = stream.read(LOOKED_AT)
        stream.seek(-min(LOOKED_AT, os.fstat(stream.fileno()).st_size), os.SEEK_END)
        tail = stream.read()
        return any(head.startswith(start) and mark in (tail if start == b"%PDF-" else head) for start, mark in MARKS)
    return False


def put(path: Any, source: BinaryIO, overwrite: bool) -> str:
    """What a stream holds as a file, complete or not at all."""
    path = path_text(path)
    if not overwrite and os.path.lexists(path):
        raise errors.FileError(f"{path}: the file exists already; choose another name, or say overwrite=True", "exists")
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "xb") as stream:
            shutil.copyfileobj(source, stream)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.unlink(part)
    return path


def needs(name: str):
    """A module that thud works without."""
    try:
        return importlib.import_module(name)
    except ImportError as failure:
        name = name.partition(".")[0]
        raise ImportError(f"{name} is not installed: python3-{name} of Debian, or pip install {name}") from failure


def joined(value: Any, what: str, keep: list):
    """A list of names as C takes it, "A,B"; NULL for none."""
    if value is None or (not isinstance(value, str) and len(value) == 0):
        return NULL
    if not isinstance(value, str):
        for part in value:
            encode(part, what)
        value = ",".join(value)
    keep.append(ffi.new("char[]", encode(value, what)))
    return keep[-1]


def pair(value: Any, what: str, keep: list, open_ends: bool = False):
    """Two numbers; None for an end that is open."""
    if value is None:
        return NULL
    if open_ends and np.ndim(value) == 1:
        value = [float("nan") if part is None else part for part in value]
    if np.shape(value) != (2,):
        raise TypeError(f"{what} must be two numbers, not {value!r}")
    keep.append(ffi.new("double[2]", array(value, what, finite=False).tolist()))
    return keep[-1]


def numbers(value: Any, what: str) -> np.ndarray:
    """Times: a number or several."""
    return np.atleast_1d(array(value, what)).reshape(-1)


# ---- verification -----------------------------------------------------------------------------------------------------------


Check = NamedTuple("Check", [("name", str), ("status", str), ("worst", float), ("tolerance", float), ("t", float), ("frame", int),
                             ("detail", str)])
Check.__doc__ = """One check of a verification: its ``status`` ("passed", "failed", "not checkable" ...), the ``worst`` value with its
``tolerance`` (NaN: none), and where: ``t`` (NaN: no place), ``frame`` (-1: no place)."""


class Printed:
    """What notebooks show as it is printed."""

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


class Verification(Printed):
    """What the independent checker says. True when it is good; ``print`` shows what ``thud verify`` does."""

    def __init__(self, context: Context, name: str, result: Any):
        self.verdict: str = decode(lib.thud_verify_verdict_name(result.verdict))  #: "good", "failed", "undecided" ...
        self.reason: str = decode(result.reason)  #: the first check that is not passed; "" when good
        #: every :class:`Check`
        self.checks: List[Check] = [Check(decode(c.name), decode(lib.thud_verify_status_name(c.status)), c.worst, c.tolerance, c.t,
                                          int(c.frame), decode(c.detail)) for c in result.checks[0:result.check_count]]
        #: how much was asked: (count, of how many, "steps" or "arcs" or ...)
        self.checked = (int(result.checked_count), int(result.checked_of), decode(result.checked_unit))
        text = ffi.new("char **")
        context.check(lib.thud_verify_write_report(context.pointer, encode(name), result, text))
        self.text: str = decode(text[0])  #: for people
        lib.thud_verify_free_text(context.pointer, text[0])

    def __getitem__(self, name: str) -> Check:
        """The check of this name."""
        for check in self.checks:
            if check.name == name:
                return check
        raise errors.not_found("there is no check", name, [check.name for check in self.checks])

    def __bool__(self) -> bool:
        return self.verdict == "good"

    def __str__(self) -> str:
        return self.text.rstrip()

    def __repr__(self) -> str:
        return f"<verification: {self.verdict}{': ' + self.reason if self.reason else ''}, {len(self.checks)} checks>"


def verify(what: Any, **options: Any) -> Verification:
    """Checks a run, or the record at a path, by code that shares nothing with the solvers: a :class:`Verification`.

    options: tolerance, seal, see docs/verification.md.

    >>> import thud
    >>> thud.verify(thud.run({"thud": 1, "system": {"coordinates": ["x"], "kinetic_energy": "x'^2/2", "forces": {"x": 2}},
    ...                       "initial": {"x": 0, "x'": 0}, "simulate": {"method": "event-driven", "end": 1}})).verdict
    'good'
    """
    record = getattr(what, "record", None)
    reading = record.reading() if record is not None else contextlib.nullcontext(path_text(what, "a record"))
    with reading as path, Context() as context:
        chosen = make_options(context, "thud_verify_options", lib.thud_verify_option_table(), options)
        result = ffi.new("thud_verify_result *")
        context.check(lib.thud_verify_record(context.pointer, encode(path), chosen, result))
        return Verification(context, path if record is None or not record.in_memory else record.title or "run", result)


# ---- pictures and pages -----------------------------------------------------------------------------------------------------


class Picture:
    """A picture in memory; notebooks show it. ``data`` are its bytes, ``format`` is "png", "svg" or "pdf"."""

    def __init__(self, data: bytes, format: str, scale: float = 1.0):
        self.data, self.format = data, format
        self.notes: List[str] = []  #: what was left out, one sentence each
        self._scale = scale  # pixels of a screen per pixel

    def save(self, path: Union[str, os.PathLike], overwrite: bool = False) -> str:
        """Writes it to a file, whose name has the ending of its format. A picture of thud is replaced, other files with
        ``overwrite``."""
        _ended(path, self.format)
        return put(path, io.BytesIO(self.data), overwrite or _is_drawn(path_text(path)))

    @property
    def size(self) -> Optional[tuple]:
        """(width, height) of a PNG in pixels."""
        return tuple(int.from_bytes(self.data[k:k + 4], "big") for k in (16, 20)) if self.format == "png" else None

    def _repr_png_(self):
        if self.format != "png":
            return None
        return self.data, {"width": round(self.size[0] * self._scale), "height": round(self.size[1] * self._scale)}

    def _repr_svg_(self):
        return self.data.decode("utf-8") if self.format == "svg" else None

    def _repr_pdf_(self):
        return self.data if self.format == "pdf" else None

    def __repr__(self) -> str:
        return f"<thud.Picture {self.format}{' %d x %d' % self.size if self.size else ''}, {len(self.data)} bytes>"


class Page:
    """An HTML page in memory, complete in itself; notebooks show it in a frame of its own."""

    def __init__(self, text: str):
        self.text = text

    def save(self, path: Union[str, os.PathLike], overwrite: bool = False) -> str:
        """Writes it to a file that any browser opens. A page of thud is replaced, other files with ``overwrite``."""
        return put(path, io.BytesIO(self.text.encode("utf-8")), overwrite or _is_drawn(path_text(path)))

    def _repr_html_(self) -> str:
        # Scripts of the page run, but as of a foreign place: they reach neither the notebook nor its server.
        return (f'<iframe srcdoc="{html.escape(self.text, quote=True)}" sandbox="allow-scripts" loading="lazy" '
                'style="width: 100%; height: 820px; border: 1px solid #8884; border-radius: 4px"></iframe>')

    def __repr__(self) -> str:
        return f"<thud.Page, {len(self.text)} characters>"


def _ended(path: Any, format: Optional[str]) -> str:
    """The format that is asked for by name, or by the ending of a path."""
    if format is None:
        format = os.path.splitext(path_text(path))[1][1:] if path is not None else "png"
    if format not in FORMATS:
        raise ValueError(f"a picture is png, svg or pdf, not {format!r}")
    if path is not None and not path_text(path).endswith("." + format):
        raise ValueError(f"{path_text(path)}: this picture is {format.upper()}; name it *.{format}, or make another by format=")
    return format


def picture(path: Any, format: Optional[str], overwrite: bool, size: dict, write) -> Picture:
    """A picture that write(context, options, path) draws; size: width, height, dpi, font_size."""
    format = _ended(path, format)
    with Context() as context:
        options = make_options(context, "thud_plot_options", lib.thud_plot_option_table(), size)
        made = Picture(written("." + format, lambda name: context.check(write(context, options, name))), format, 100 / options.dpi)
    if path is not None:
        made.save(path, overwrite)
    return made


@contextlib.contextmanager
def paths_of(runs: Any):
    """How many and char *[] of the records of runs or paths, those in memory under their titles."""
    runs = list(runs) if isinstance(runs, (list, tuple)) else [runs]
    if not 1 <= len(runs) <= 8:
        raise ValueError(f"1 to 8 runs fit into one picture or page, not {len(runs)}")
    with folder() as place, contextlib.ExitStack() as stack:
        names = []
        for k, run in enumerate(runs):
            record = getattr(run, "record", None)
            path = path_text(run, "a run or the path of a record") if record is None else stack.enter_context(record.reading())
            if record is not None and record.in_memory:
                title = re.sub(r"[^\w +-]+", " ", record.title).strip()[:60] or "run"
                link = os.path.join(place, str(k), title + (f" {k + 1}" if len(runs) > 1 else "") + ".h5")
                os.makedirs(os.path.dirname(link))
                os.symlink(path, link)
                path = link
            names.append(ffi.new("char[]", encode(path)))
        yield len(runs), ffi.new("char *[]", names)


def plot(runs: Any, *panels: str, components: Any = None, phase: Any = None, times: Any = None, window: Any = None,
         title: Optional[str] = None, cone: Optional[str] = None, profile: Any = None, field: Optional[str] = None,
         log: Any = None, difference: bool = False, path: Any = None, format: Optional[str] = None, overwrite: bool = False,
         **size: float) -> Picture:
    """A :class:`Picture` of one run or several, as ``thud plot`` draws it.

    panels      channels, components or expressions, one panel each; none: the state, reactions and impulses
    components  only these
    phase       two components or expressions: their curve in a plane, instead of panels over time
    times       of profiles, or the time of a field
    window      (from, to); None for an open end
    cone        a contact of quasi-static records: the path of its reaction in its friction cone
    profile     fields over their places; "line" for a string or beam
    field       of membranes and plates: "v", "pressure", "status", "u", "r"
    log         logarithmic axes: "x", "y" or panels
    difference  every further run minus the first one
    path        written there as well; its ending chooses the format
    size        width, height (inches), dpi, font_size

    >>> import thud
    >>> run = thud.run({"thud": 1, "system": {"coordinates": ["x"], "kinetic_energy": "x'^2/2", "potential_energy": "x^2/2"},
    ...                 "initial": {"x": 1, "x'": 0}, "simulate": {"method": "event-driven", "end": 6}})
    >>> thud.plot(run, "x", "x'^2/2 + x^2/2", dpi=50).size
    (315, 252)
    >>> run.plot(phase=("x", "x'"), format="svg").data[:5]
    b'<?xml'
    """
    keep: list = []
    texts = dict(panels=panels, components=components, phase=phase, cone=cone, profile=profile, logarithmic=log)
    with paths_of(runs) as (count, paths):
        if field is not None:
            if count > 1 or window is not None or any(value not in (None, ()) for value in texts.values()):
                raise ValueError("field= draws one run, and goes with times=, title= and sizes alone")
            choice = ffi.new("thud_field_choice *", {"field": joined(field, "field", keep), "title": joined(title, "title", keep),
                                                     "at": float("nan") if times is None else real(times, "times")})
            return picture(path, format, overwrite, size, lambda context, options, file: lib.thud_plot_field(
                context.pointer, paths[0], choice, options, file))
        texts.update(title=title, times=None if times is None else [f"{t:.17g}" for t in numbers(times, "times")])
        choice = ffi.new("thud_plot_choice *", {
            "difference": bool(difference), "window": pair(window, "window", keep, open_ends=True),
            **{name: joined(value, name, keep) for name, value in texts.items()}})
        notes: list = []

        def draw(context, options, file):
            made = context.make("thud_picture", lib.thud_picture_create, lib.thud_picture_destroy, context.pointer, count, paths,
                                choice)
            notes.extend(decode(lib.thud_picture_note(made, k)) for k in range(lib.thud_picture_note_count(made)))
            return lib.thud_plot_write(context.pointer, lib.thud_picture_figure(made), options, file)
        made = picture(path, format, overwrite, size, draw)
        made.notes = notes
        return made


def report(runs: Any, path: Any = None, title: Optional[str] = None, overwrite: bool = False, **options: int) -> Page:
    """One HTML :class:`Page` about a run or several side by side: verdicts, moving pictures, curves, events, warnings, scenes.

    path: written there as well. options: most_frames, most_points, most_events.

    >>> import thud
    >>> run = thud.run({"thud": 1, "system": {"coordinates": ["x"], "kinetic_energy": "x'^2/2"},
    ...                 "initial": {"x": 0, "x'": 1}, "simulate": {"method": "event-driven", "end": 1}})
    >>> thud.report([run, run], title="twice").text[:15]
    '<!doctype html>'
    """
    keep: list = []
    with paths_of(runs) as (count, paths), Context() as context:
        chosen = make_options(context, "thud_page_options", lib.thud_page_option_table(), options)
        name = joined(title, "title", keep)
        made = Page(written(".html", lambda file: context.check(lib.thud_page_write(
            context.pointer, count, paths, name, chosen, file))).decode("utf-8"))
    if path is not None:
        made.save(path, overwrite)
    return made


# ---- figures of arrays, as studies draw them ----------------------------------------------------------------------------------


def figure(title: str, x_label: str, y_label: str, series: Sequence[Mapping], log: bool = False, slope: float = 0, note: str = "",
           path: Any = None, format: Optional[str] = None, overwrite: bool = False, **size: float) -> Picture:
    """A picture of one panel; series: dicts of label, x, y and style (a name of thud_plot_style)."""
    keep: list = []
    curves = ffi.new("thud_plot_series[]", len(series))
    for curve, given in zip(curves, series):
        x, y = array(given["x"], "x", (-1,)), array(given["y"], "y", (-1,))
        keep.append((x, y))
        curve.label, curve.count = joined(given.get("label"), "label", keep), len(x)
        curve.x, curve.y = ffi.from_buffer("double[]", x), ffi.from_buffer("double[]", y)
        curve.style, curve.no_jumps = getattr(lib, "THUD_PLOT_" + given.get("style", "LINE_MARKERS")), True
    panel, slopes = ffi.new("thud_plot_panel *"), ffi.new("thud_plot_slope *", {"order": slope})
    slopes.series = min(range(len(series)), key=lambda k: np.min(series[k]["y"]))  # the lowest: the triangle is below it
    panel.y_label, panel.y_log, panel.series_count, panel.series = joined(y_label, "label", keep), log, len(series), curves
    panel.slope_count, panel.slopes = int(slope > 0), slopes
    made = ffi.new("thud_plot_figure *", {"panel_count": 1, "panels": panel, "x_log": log, "title": joined(title, "title", keep),
                                          "x_label": joined(x_label, "label", keep), "note": joined(note or None, "note", keep)})
    return picture(path, format, overwrite, size, lambda context, options, file: lib.thud_plot_write(
        context.pointer, made, options, file))


# ---- tables -----------------------------------------------------------------------------------------------------------------


def _labelled(pandas, channel, values: np.ndarray):
    """Numbers with names as these."""
    if channel.labels == ["false", "true"]:
        return values != 0
    if not channel.labels or not ((values >= -1) & (values < len(channel.labels)) & (values == np.floor(values))).all():
        return values
    return pandas.Categorical.from_codes(values.astype(int), channel.labels)


def frame_columns(run) -> dict:
    """Column names -> (channel or None, values) of the frames, as CSV tables name them; what is ragged is left out."""
    fixed = [channel for channel in run.frames.channels.values() if channel.width]
    made = {name: (None, run[name]) for name in run._columns()} if run._is_series() else {}
    shared = Counter(component for channel in fixed for component in channel.components)
    for channel in fixed:
        values = run.frames._fixed(channel)
        for k, component in enumerate(channel.components or [channel.name]):
            plain = component not in made and (channel.state or shared[component] == 1)
            made[component if plain else f"{channel.name}[{component}]"] = (channel, values[:, k])
    return made


def events_frame(events):
    """See Events.to_pandas."""
    pandas = needs("pandas")
    rows = []
    for event in events:
        row = {"kind": event.kind}
        for name, value in event.items():
            parts = {f"{name}[{part}]": entry for part, entry in value.items()} if isinstance(value, dict) else {name: value}
            for part, entry in parts.items():
                between = " -> " if isinstance(entry, tuple) else ", "
                row[part] = between.join(map(str, entry)) if isinstance(entry, (list, tuple, np.ndarray)) else entry
        rows.append(row)
    return pandas.DataFrame(rows, columns=None if rows else ["kind"], index=pandas.Index(events.t, name="t"))


class Results:
    """What :class:`thud.Run` has besides its numbers: verification, pictures, pages, tables."""

    verify, plot, report = verify, plot, report

    def snapshot(self, times: Any = None, forces: bool = False, view: Any = None, title: Optional[str] = None, path: Any = None,
                 format: Optional[str] = None, overwrite: bool = False, **size: float) -> Picture:
        """What the motion looks like at times (at most 9; None: at the end), side by side.

        forces: contact forces of bodies as strokes. view: (azimuth, elevation) of the eye in degrees.
        """
        keep: list = []
        at = np.empty(0) if times is None else numbers(times, "times")
        choice = ffi.new("thud_snapshot_choice *", {"count": len(at), "times": doubles(at) if len(at) else NULL, "forces": bool(forces),
                                                    "view": pair(view, "view", keep), "title": joined(title, "title", keep)})
        with paths_of(self) as (_, paths):
            return picture(path, format, overwrite, size, lambda context, options, file: lib.thud_plot_snapshot(
                context.pointer, paths[0], choice, options, file))

    def film(self, path: Any = None, frames: Optional[int] = None, rate: Optional[float] = None, window: Any = None,
             forces: bool = False, view: Any = None, title: Optional[str] = None, overwrite: bool = False, **size: float) -> Picture:
        """The motion as an animated PNG, which browsers and notebooks play.

        frames: how many (100). rate: per second; by default the film lasts as long as the motion. window: (from, to).
        """
        keep: list = []
        if rate is not None and not real(rate, "rate") > 0:
            raise ValueError(f"rate must be > 0, not {rate}")
        choice = ffi.new("thud_plot_film_choice *", {
            "frames": 0 if frames is None else whole(frames, "frames", 2, 100000), "rate": 0.0 if rate is None else rate,
            "window": pair(window, "window", keep, open_ends=True), "forces": bool(forces), "view": pair(view, "view", keep),
            "title": joined(title, "title", keep)})
        with paths_of(self) as (_, paths):
            return picture(path, "png", overwrite, {"dpi": 100, **size}, lambda context, options, file: lib.thud_plot_film(
                context.pointer, paths[0], choice, options, file))

    def _is_series(self: Any) -> bool:
        return any(channel.look == 4 for channel in self.frames.channels.values())

    def to_pandas(self: Any, times: Any = None, side: str = "+") -> Any:
        """A pandas.DataFrame indexed by t: the frames with a column per number, or the state at given times.

        Names are those of coordinates, velocities and components; where several channels share them the channel's name is in
        front, ``v_left[x']``. Numbers with names are categories. Lists (contacts of bodies, polynomials) are left out:
        ``run.frames[name]`` has them.
        """
        pandas = needs("pandas")
        if times is not None:
            state = self(numbers(times, "times"), side)
            return pandas.DataFrame(dict(state), index=pandas.Index(state.t, name="t"))
        columns = frame_columns(self)
        columns.pop("t", None)
        return pandas.DataFrame({name: values if channel is None else _labelled(pandas, channel, values)
                                 for name, (channel, values) in columns.items()}, index=pandas.Index(self.t, name="t"))

    def to_xarray(self: Any, times: Any = None, side: str = "+") -> Any:
        """An xarray.Dataset with the dimension t: a variable per channel, with the names of its components as a coordinate.

        With times the state at these. Channels with lists are left out and named in ``attrs["left_out"]``.
        """
        xarray = needs("xarray")
        attributes = {"title": self.title, "kind": self.record.kind, "method": self.method, "verdict": self.verdict}
        made: Dict[str, tuple] = {}
        coordinates, dimensions = {"t": self.t}, {}  # type: Dict[str, Any], Dict[tuple, str]
        if times is not None or self._is_series():
            state = self(self.t if times is None else numbers(times, "times"), side)
            coordinates = {"t": state.t, "component": list(state)}
            made["state"] = (("t", "component"), np.column_stack(list(state.values())) if len(state) else np.empty((len(state.t), 0)))
        left_out = []
        for channel in sorted(self.frames.channels.values() if times is None else (), key=lambda channel: not channel.state):
            if not channel.width:
                left_out.append(channel.name)
            elif channel.name != next(iter(self.frames.channels)):
                values, about = self.frames._fixed(channel), {"units": channel.unit, "long_name": channel.description}
                if channel.labels:
                    about["labels"] = channel.labels
                if channel.width == 1 and channel.components in ([], [channel.name]):
                    made[channel.name] = ("t", values[:, 0], about)
                    continue
                names = tuple(channel.components or map(str, range(channel.width)))
                dimension = dimensions.setdefault(names, f"{channel.name}_component")
                coordinates[dimension] = list(names)
                made[channel.name] = (("t", dimension), values, about)
        if left_out:
            attributes["left_out"] = left_out
        return xarray.Dataset(made, coordinates, attributes)

    def _repr_html_(self: Any) -> str:
        color = {"good": "#1a7f37", "coarse": "#9a6700", "stopped": "#9a6700", "unfinished": "#9a6700"}.get(self.verdict, "#cf222e")
        words = f"<b>{html.escape(self.title or self.record.kind)}</b>, {html.escape(self.method)}: " \
                f'<b style="color: {color}">{html.escape(self.verdict)}</b>' \
                f"{': ' + html.escape(self.reason) if self.reason else ''}; {len(self.frames)} frames, {len(self.events)} events"
        for warning in self.warnings:
            words += f"<br>warning ({html.escape(warning.code)}): {html.escape(str(warning))}"
        try:
            page = report(self, most_frames=300, most_points=1500, most_events=200)
            if len(page.text) <= PAGE_LIMIT:
                return f"<div>{words}</div>{page._repr_html_()}"
            words += f"<br>the page has {len(page.text) / 1e6:.0f} MB, run.report(path) writes it; here is a picture"
            return f"<div>{words}</div>{self._still()}"
        except errors.Error as failure:
            return f"<div>{words}<br>no page: {html.escape(str(failure))}</div>"

    def _still(self: Any) -> str:
        """A picture as text, of what the motion looks like or else of its state."""
        try:
            made = self.snapshot(np.linspace(self.t[0], self.t[-1], 3), dpi=100)
        except errors.NotFoundError:
            made = self.plot(dpi=100)
        return f'<img src="data:image/png;base64,{base64.b64encode(made.data).decode()}">'
