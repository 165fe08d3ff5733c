"""Records and runs: what a motion was, by names.

A record has tables of frames and events. Their columns have names (coordinates, velocities, contacts, energies); this module finds
them by these names, and gives values and limits at any time.
"""
from __future__ import annotations

import contextlib
import json
import os
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, ContextManager, Dict, Iterator, List, Optional, Union

import numpy as np

from . import errors
from ._library import (NULL, Context, MemoryFile, array, decode, encode, ffi, lib, path_text, room, texts)
from .histories import Bodies, Contacts, Joints, Ledger
from .results import Results, events_frame, put

__all__ = ["Record", "Run", "Event", "State", "open_record"]

FRAMES, EVENTS = 0, 1
SERIES, TEXT = 4, 3
MANY_BODIES = ("position", "rotation", "angle", "velocity", "spin")  # their state, too large for tables of it


class Channel:
    """One column of a table of the record: what it is called, what its numbers mean."""

    __slots__ = ("index", "name", "unit", "role", "description", "width", "components", "labels", "type", "look", "group",
                 "at", "left", "state")

    def __init__(self, index: int, c):
        self.index = index
        self.name, self.unit, self.role = decode(c.name), decode(c.unit), decode(c.role)
        self.description = decode(c.description)
        self.width, self.type, self.look, self.group = c.width, int(c.type), int(c.look), max(1, c.group)
        count = c.width or c.group or 0
        self.components = [decode(c.components[k]) for k in range(count)] if c.components != NULL else []
        self.labels = [decode(c.labels[k]) for k in range(c.label_count)]
        self.at = decode(c.at) or None
        self.left = decode(c.left) or None
        self.state = bool(c.state)

    def __repr__(self) -> str:
        size = f"{self.width} wide" if self.width else "a list per row"
        return f"<channel {self.name!r} [{self.unit}], {size}: {self.description}>"


class Table:
    """Frames or events of a record, column by column."""

    def __init__(self, record: "Record", number: int, rows: int, channels: List[Channel]):
        self._record, self._number, self._rows = record, number, rows
        self.channels = {channel.name: channel for channel in channels}
        self._places: Dict[str, tuple] = {}
        for channel in sorted(channels, key=lambda channel: not channel.state):  # names of the state win
            for k, component in enumerate(channel.components if channel.width else []):
                self._places.setdefault(component, (channel, k))

    def __len__(self) -> int:
        return self._rows

    def keys(self) -> list:
        """Names of the channels, then of their components."""
        return list(self.channels) + [name for name in self._places if name not in self.channels]

    def __contains__(self, name: object) -> bool:
        return name in self.channels or name in self._places

    def __getitem__(self, name: str):
        """A channel ([rows, width], [rows] when it is 1 wide, a list per row when it is ragged), or a component ([rows])."""
        if name in self._places and name not in self.channels:
            channel, k = self._places[name]
            return self._fixed(channel)[:, k]
        if name not in self.channels:
            raise errors.not_found(f"the {'frames' if self._number == FRAMES else 'events'} of the record have no", name, self.keys())
        channel = self.channels[name]
        if channel.width:
            values = self._fixed(channel)
            return values[:, 0] if channel.width == 1 else values
        return self._ragged(channel)

    def _fixed(self, channel: Channel) -> np.ndarray:
        record = self._record
        key = (self._number, channel.name)
        if key not in record._cache:
            values = np.empty((self._rows, channel.width))
            with record._context:
                record._context.check(lib.thud_record_read(record._reader, self._number, channel.index, 0, self._rows,
                                                           ffi.from_buffer("double[]", values.reshape(-1)) if values.size else NULL))
            values.flags.writeable = False
            record._cache[key] = values
        return record._cache[key]

    def _ragged(self, channel: Channel) -> list:
        record = self._record
        key = (self._number, channel.name)
        if key in record._cache:
            return record._cache[key]
        with record._context:
            if channel.type == TEXT:
                made = []
                cell = ffi.new("thud_record_cell *")
                for row in range(self._rows):
                    record._context.check(lib.thud_record_read_cell(record._reader, self._number, channel.index, row, cell))
                    made.append(ffi.buffer(cell.text, cell.count)[:].decode("utf-8", "replace"))
            else:
                ends = np.zeros(self._rows, dtype=np.uintp)
                pointer = ffi.from_buffer("size_t[]", ends) if self._rows else NULL
                record._context.check(lib.thud_record_read_ends(record._reader, self._number, channel.index, 0, self._rows, NULL, pointer))
                total = int(ends[-1]) if self._rows else 0
                values = np.empty(total)
                if total:
                    record._context.check(lib.thud_record_read_values(record._reader, self._number, channel.index, 0, total,
                                                                      ffi.from_buffer("double[]", values)))
                values.flags.writeable = False
                made = np.split(values, ends[:-1].astype(np.intp)) if self._rows else []
                if channel.group > 1:
                    made = [part.reshape(-1, channel.group) for part in made]
        record._cache[key] = made
        return made

    def _role(self, role: str) -> Optional[Channel]:
        return next((channel for channel in self.channels.values() if channel.role == role), None)

    def _named(self, channel: Channel, value: float) -> str:
        k = int(value)
        return channel.labels[k] if 0 <= k < len(channel.labels) else str(value)

    def __repr__(self) -> str:
        return "\n".join([f"<{len(self)} {'frames' if self._number == FRAMES else 'events'}>",
                          *(f"  {channel!r}" for channel in self.channels.values())])


class Event(Mapping):
    """Something that happened at a time: ``event.t``, ``event.kind``, and every number of it by name."""

    __slots__ = ("t", "kind", "_values")

    def __init__(self, t: float, kind: str, values: dict):
        self.t, self.kind, self._values = t, kind, values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<{self.kind} at t = {self.t:.12g}: {', '.join(map(str, self._values))}>"


class Events(Sequence):
    """The events of a run in the order of time. Index them, loop over them, take a column by name (``events["t"]``), or those of
    one kind (``events.of("impact")``)."""

    def __init__(self, table: Table, rows: Optional[Sequence] = None):
        self._table = table
        self._rows = range(len(table)) if rows is None else rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, place):
        if isinstance(place, str):
            values = self._table[place]
            return [values[row] for row in self._rows] if isinstance(values, list) else values[np.asarray(self._rows, dtype=int)]
        if isinstance(place, slice):
            return Events(self._table, list(self._rows)[place])
        return self._event(self._rows[place])

    @property
    def t(self) -> np.ndarray:
        """Their times."""
        return self[next(iter(self._table.channels))] if self._table.channels else np.empty(0)

    @property
    def kinds(self) -> list:
        """The kind of each."""
        return [self._kind(row) for row in self._rows]

    def of(self, *kinds: str) -> "Events":
        """Those of these kinds."""
        return Events(self._table, [row for row in self._rows if self._kind(row) in kinds])

    def to_pandas(self) -> Any:
        """A pandas.DataFrame indexed by t: ``kind`` and a column per number, ``impulse[floor]``; NaN where it does not apply."""
        return events_frame(self)

    def _kind(self, row: int) -> str:
        channel = list(self._table.channels.values())[1]
        value = self._table[channel.name][row]
        return value if isinstance(value, str) else self._table._named(channel, value)

    def _event(self, row: int) -> Event:
        channels = list(self._table.channels.values())
        values = {}
        for channel in channels[2:]:
            value = self._table[channel.name][row]
            if isinstance(value, str):
                if value:
                    values[channel.name] = value
                continue
            value = np.atleast_1d(value)
            absent = np.isnan(value) | (value < 0 if channel.labels else False)
            if len(value) and not absent.all():
                values[channel.name] = self._meaning(channel, row, value)
        return Event(float(self._table[channels[0].name][row]), self._kind(row), values)

    def _meaning(self, channel: Channel, row: int, value: np.ndarray):
        """Labels become their names, what belongs to constraints a dict by these, components a dict by theirs."""
        table = self._table
        if channel.labels == ["false", "true"] and channel.width == 1:
            return bool(value[0])
        parts: Any = [table._named(channel, k) for k in np.ravel(value)] if channel.labels else value
        if channel.at is not None:
            owner = table.channels[channel.at]
            names = [table._named(owner, k) for k in np.ravel(table[channel.at][row])]
            if channel.labels:
                parts = [tuple(parts[k * channel.group:(k + 1) * channel.group]) for k in range(len(names))]
            return {name: part[0] if len(part) == 1 else part for name, part in
                    zip(names, parts if channel.labels else value.reshape(len(names), -1))}
        if channel.width and channel.components and channel.components != [channel.name]:
            return dict(zip(channel.components, parts if channel.labels else map(float, value)))
        if channel.width == 1:
            return parts[0] if channel.labels else int(value[0]) if channel.type in (1, 2) else float(value[0])
        return parts

    def __repr__(self) -> str:
        return f"<{len(self)} events: {', '.join(f'{kind} {self.kinds.count(kind)}' for kind in dict.fromkeys(self.kinds))}>"


class State(Mapping):
    """The motion at one time (or several): numbers by name. ``state.t``, ``state["x"]``; of rigid bodies ``state["ball"]`` as well,
    a :class:`thud.BodyState` of arrays ([..., times] at several)."""

    __slots__ = ("t", "side", "_values")

    def __init__(self, t: Any, side: str, values: dict):
        self.t, self.side, self._values = t, side, values

    def __getitem__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            if f"{name}.x" in self._values and f"{name}.vx" in self._values:
                return self._body(name)
            raise errors.not_found("the state has no", name, self._values) from None

    def _body(self, name: str):
        from .bodies import BodyState  # which needs this module

        def part(*components):
            values = [self._values[f"{name}.{component}"] for component in components]
            return np.array(values) if len(values) > 1 else values[0]
        if f"{name}.angle" in self._values:
            return BodyState(part("x", "y"), part("angle"), part("vx", "vy"), part("w"))
        return BodyState(part("x", "y", "z"), part("qw", "qx", "qy", "qz"), part("vx", "vy", "vz"), part("wx", "wy", "wz"))

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} = {value:.6g}" if np.ndim(value) == 0 else f"{name}: {np.shape(value)}"
                          for name, value in list(self._values.items())[:12])
        return f"<state at t = {self.t}{'' if not self.side else ' ' + self.side}: {shown}{' ...' if len(self) > 12 else ''}>"


class Record:
    """A record: the file, its texts and tables. :func:`thud.open` opens one; ``run.record`` is that of a run."""

    def __init__(self, source: Union[str, MemoryFile]):
        self._memory = source if isinstance(source, MemoryFile) else None
        self._file = "" if isinstance(source, MemoryFile) else source
        self._context = Context()
        self._cache: Dict[tuple, Any] = {}
        self._open_reader = self._open_sampler = None
        self._closed = False
        with self._context:
            info = lib.thud_record_reader_info(self._reader)
            self.title, self.kind, self.method = decode(info.title), decode(info.kind), decode(info.method)
            self.verdict, self.reason, self.finished = decode(info.verdict), decode(info.reason), bool(info.finished)
            self.thud_version = decode(info.thud_version)
            self._texts = (decode(info.scene), decode(info.resolved), decode(info.summary), decode(info.source))
            self._tables = []
            for number in range(3):
                channels = [Channel(k, lib.thud_record_reader_channel(self._open_reader, number, k))
                            for k in range(info.channel_count[number])]
                self._tables.append(Table(self, number, info.rows[number], channels))

        if self._memory is not None:
            reference = weakref.ref(self)

            def release() -> bool:
                record = reference()
                return record is None or record._release()
            self._memory.release = release

    @property
    def path(self) -> str:
        """The file; of a record in memory the name that it has at this moment."""
        return self._file if self._memory is None else self._memory.path

    def reading(self) -> ContextManager[str]:
        """``with record.reading() as path:`` the file for the library, which stays there meanwhile."""
        return contextlib.nullcontext(self._file) if self._memory is None else self._memory.opened()

    @property
    def _reader(self):
        """The reader; the context is entered, so that nobody closes it meanwhile."""
        if self._closed:
            raise errors.ArgumentError(f"the record {self.title!r} was closed", "closed")
        path = self.path
        if self._open_reader is None:
            self._open_reader = self._context.make("thud_record_reader", lib.thud_record_open, lib.thud_record_reader_destroy,
                                                   self._context.pointer, encode(path))
        return self._open_reader

    @property
    def _sampler(self):
        """What gives the state at any time; the context is entered."""
        reader = self._reader
        if self._open_sampler is None:
            def destroy(sampler, reader=reader):  # a sampler is destroyed before its reader
                lib.thud_record_sampler_destroy(sampler)
            keep: list = []
            names = [] if any(channel.state for channel in self._tables[FRAMES].channels.values()) else \
                [name for name in MANY_BODIES if name in self._tables[FRAMES].channels]
            self._open_sampler = self._context.make("thud_record_sampler", lib.thud_record_sampler_create, destroy, reader,
                                                    len(names), texts(names, keep))
        return self._open_sampler

    def _release(self) -> bool:
        """Closes the file until it is read again; False: it is being read."""
        try:
            with self._context:
                self._open_reader = self._open_sampler = None
        except errors.InUse:
            return False
        return True

    def close(self) -> None:
        """See :meth:`Run.close`."""
        self._closed = True
        self._open_reader = self._open_sampler = None
        self._cache.clear()

    @property
    def in_memory(self) -> bool:
        """There is no file."""
        return self._memory is not None

    @property
    def scene(self) -> Optional[dict]:
        """The scene as it was given, as a dict."""
        return json.loads(self._texts[0]) if self._texts[0] else None

    @property
    def resolved(self) -> Optional[dict]:
        """The scene with every default filled in."""
        return json.loads(self._texts[1]) if self._texts[1] else None

    @property
    def summary(self) -> dict:
        """The result that the run wrote at its end; empty when it never ended."""
        return json.loads(self._texts[2]) if self._texts[2] else {}

    @property
    def source(self) -> str:
        """The text that the scene was read from, "" when it was not kept."""
        return self._texts[3]

    def __repr__(self) -> str:
        where = "in memory" if self.in_memory else self.path
        return f"<record {where}: {self.kind}, {len(self._tables[0])} frames, {len(self._tables[1])} events, {self.verdict}>"


class Run(Results):
    """A motion that was run, or the record of one.

    ``run.verdict``, ``run.reason``: what it is worth. ``run.t``: times of the frames. ``run["x"]``: a coordinate, velocity or any
    other recorded number at these times. ``run(0.5)``, ``run(0.5, side="-")``: the state at any time, and its left limit.
    ``run.events``, ``run.ledger``, ``run.warnings``, ``run.bodies``, ``run.result`` (all figures of the run).

    >>> import thud
    >>> run = thud.run({"thud": 1, "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -2},
    ...     "constraints": [{"name": "floor", "gap": "z", "restitution": 0.5}]}, "initial": {"z": 1, "z'": 0},
    ...     "simulate": {"method": "event-driven", "end": 1.5}})
    >>> run.verdict, [(event.kind, event.t) for event in run.events]
    ('good', [('impact', 1.0)])
    >>> [float(run(1, side=side)["z'"]) for side in "-+"]
    [-2.0, 1.0]
    """

    def __init__(self, record: Record, result: Optional[dict] = None, text: str = ""):
        self.record = record
        #: every figure of the run by name, as ``thud run --json`` prints it
        self.result = result if result is not None else record.summary
        self._text = text
        self._sampled: Any = None  # names of the state, and the times from which to which it is known

    # ---- what it is worth ----

    @property
    def verdict(self) -> str:
        """"good", "coarse", "failed", "stopped", ...: one word."""
        return self.result.get("verdict", self.record.verdict)

    @property
    def reason(self) -> str:
        """Why it is not good; "" when it is. Of a run that ``until`` has ended: the condition and when it was met."""
        return self.result.get("reason", self.record.reason)

    @property
    def until(self) -> Optional[float]:
        """The time at which the condition of the scene's ``until`` was met; None: it was not, or the scene has none.

        >>> import thud
        >>> run = thud.run({"thud": 1, "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -2}},
        ...     "initial": {"z": 1, "z'": 0}, "observe": {"depth": "1 - z"}, "until": "depth > 0.25",
        ...     "simulate": {"method": "event-driven", "end": 1.5}})
        >>> round(run.until, 12), float(run(0.25)["depth"])
        (0.5, 0.0625)
        """
        return (self.result.get("until") or {}).get("t")

    @property
    def code(self) -> str:
        """The code of the reason (:func:`thud.explain`); "" when it has none, or for a record that was opened."""
        return self.result.get("code") or ""

    @property
    def good(self) -> bool:
        """Whether the verdict is "good"."""
        return self.verdict == "good"

    def require_good(self) -> "Run":
        """The run itself when it is good; otherwise :class:`thud.NotGood` with verdict and reason.

        >>> import thud
        >>> thud.run("thud: 1\\nsystem: {coordinates: [x], kinetic_energy: x'^2/2}\\ninitial: {x: 0, \\"x'\\": 1}\\n"
        ...          "simulate: {method: moreau-jean, end: 1, steps: 10}\\n").require_good().verdict
        'good'
        """
        if not self.good:
            failure = errors.NotGood(f"the verdict of the run is {self.verdict}: {self.reason or 'see run.result'}")
            failure.run = self
            raise failure
        return self

    @property
    def title(self) -> str:
        """The title of its scene."""
        return self.record.title

    @property
    def method(self) -> str:
        """The method that made it."""
        return self.record.method

    @property
    def warnings(self) -> list:
        """What the run warns of: :class:`thud.RunWarning` with ``code`` and ``t``."""
        return [errors.RunWarning(entry.get("message", ""), entry.get("code", ""),
                                  float("nan") if entry.get("t") is None else entry["t"])
                for entry in self.result.get("warnings", [])]

    @property
    def samples(self) -> list:
        """States at the times that :func:`thud.run` was asked for with ``at=``."""
        return self.result.get("samples", [])

    # ---- numbers by name ----

    @property
    def frames(self) -> Table:
        """The table of frames: every channel, raw."""
        return self.record._tables[FRAMES]

    @property
    def events(self) -> Events:
        """What happened, in the order of time."""
        return Events(self.record._tables[EVENTS])

    @property
    def t(self) -> np.ndarray:
        """[frames] times of the frames."""
        return self.frames[next(iter(self.frames.channels))]

    def keys(self) -> list:
        """Names that ``run[name]`` takes."""
        return list(dict.fromkeys(self._columns() + self.frames.keys()))

    def __contains__(self, name: object) -> bool:
        return name in self.frames or name in self._columns()

    def __getitem__(self, name: str) -> np.ndarray:
        """Values at the times of the frames: a component ("x", "x'", "floor") or a whole channel ("gap", "reaction")."""
        if not isinstance(name, str):
            raise TypeError(f"a name, not {name!r}; run(t) gives the state at a time")
        table = self.frames
        if name in table.channels and table.channels[name].look != SERIES:
            return table[name]
        if name in self._columns() and not (name in table._places and table._places[name][0].state):
            k = self._columns().index(name)
            return self._sample(self.t, "+")[..., k]
        return table[name]

    def _prepare(self) -> tuple:
        if self._sampled is None:
            record, span = self.record, ffi.new("double[2]")
            with record._context:
                sampler = record._sampler
                lib.thud_record_sampler_span(sampler, span, span + 1)
                names = [decode(lib.thud_record_sampler_column(sampler, k).component)
                         for k in range(lib.thud_record_sampler_width(sampler))]
            self._sampled = names, span[0], span[1]
        return self._sampled

    def _columns(self) -> list:
        """Names of the state: coordinates and velocities."""
        return self._prepare()[0]

    def _sample(self, times: np.ndarray, side: str) -> np.ndarray:
        record, width = self.record, len(self._columns())
        made = np.empty((len(times), width))
        t, jumps = ffi.new("double *"), ffi.new("bool *")
        left, right = room(max(1, width)), room(max(1, width))
        left_pointer, right_pointer = ffi.from_buffer("double[]", left), ffi.from_buffer("double[]", right)
        chosen = left if side == "-" else right
        other = right if side == "-" else left
        with record._context as context:
            sampler = record._sampler
            for k, time in enumerate(times):
                t[0] = time
                context.check(lib.thud_record_sample(sampler, t, left_pointer, right_pointer, jumps))
                made[k] = chosen[:width]
                if np.isnan(made[k]).any():  # the record ends or begins here: it has the other limit alone
                    made[k] = np.where(np.isnan(made[k]), other[:width], made[k])
        return made

    def __call__(self, t: Any, side: str = "+") -> State:
        """The state at a time (or an array of times): ``run(0.5)``, its left limit ``run(0.5, side="-")``.

        Event-driven motions have the accuracy of their arcs at every time; others are linear between recorded frames.
        """
        if side not in ("+", "-"):
            raise ValueError(f'side must be "+" or "-", not {side!r}')
        times = array(t, "t")
        if times.ndim > 1:
            raise ValueError("t must be a number or a list of numbers")
        flat = np.atleast_1d(times)
        names, low, high = self._prepare()
        slack = 1e-12 * max(1.0, abs(low), abs(high))
        outside = flat[(flat < low - slack) | (flat > high + slack)]
        if len(outside):
            raise errors.ArgumentError(f"t = {outside[0]:.17g} is outside of the run, {low:.17g} to {high:.17g}", "argument")
        values = self._sample(np.clip(flat, low, high), side)
        if times.ndim == 0:
            return State(float(times), side, {name: float(values[0, k]) for k, name in enumerate(names)})
        return State(times, side, {name: values[:, k] for k, name in enumerate(names)})

    @property
    def ledger(self) -> Ledger:
        """Where the energy went: name -> [frames]."""
        channel = self.frames._role("ledger")
        if channel is None:
            return Ledger()
        values = self.frames._fixed(channel)
        return Ledger({name: values[:, k] for k, name in enumerate(channel.components)})

    @property
    def bodies(self) -> Bodies:
        """The rigid bodies by name."""
        return Bodies(self)

    @property
    def joints(self) -> Joints:
        """The joints of rigid bodies by name; empty where there are none.

        >>> import thud
        >>> pendulum = thud.Bodies(planar=True, gravity=[0, -10])
        >>> pendulum.add_disc(0.1, name="bob", mass=3, position=[0, -2])
        'bob'
        >>> pendulum.add_joint("hinge", "bob", at=[0, 0], name="pivot")
        >>> pendulum.run(end=0.1, step=0.01).joints["pivot"].force[-1].round(9).tolist()
        [0.0, 30.0]
        """
        return Joints(self)

    def contacts(self, frame: int = -1) -> Contacts:
        """The contacts of rigid bodies in the step that ended at a frame; none where the frame does not hold them.

        >>> import thud
        >>> run = thud.run({"thud": 1, "materials": {"stone": {"friction": 0.5}}, "simulate": {"end": 0.1, "step": 0.01},
        ...     "bodies": [{"name": "ground", "fixed": True, "shape": "plane", "material": "stone"},
        ...                {"name": "ball", "shape": {"sphere": 0.1}, "position": [0, 0, 0.1], "mass": 2, "material": "stone"}]})
        >>> run.contacts().a, run.contacts().b, float(run.contacts().impulse[0, 2].round(4))
        (['ball'], ['ground'], 0.1962)
        """
        if "contact_a" not in self.frames.channels:
            raise errors.UnsupportedError(f"this record is of a motion of the kind {self.record.kind!r}, which has no rigid bodies; "
                                          "reactions have names: run.keys()", "unsupported")
        if isinstance(frame, bool) or not isinstance(frame, (int, np.integer)):
            raise TypeError(f"frame must be a whole number, not {frame!r}")
        if not -len(self.frames) <= frame < len(self.frames):
            raise IndexError(f"there is no frame {frame}; there are {len(self.frames)}")
        table = self.frames
        names: Any = [[table._named(table.channels[name], k) for k in table[name][frame]] for name in ("contact_a", "contact_b")]
        parts = [table["contact_" + name][frame] for name in Contacts._fields[3:]]
        if len(parts[-1]) < len(names[0]):  # no rolling or spinning friction
            parts[-1] = np.zeros((len(names[0]),) + parts[-1].shape[1:])
        return Contacts(float(self.t[frame]), *names, *parts)

    # ---- elsewhere ----

    def close(self) -> None:
        """Closes the record: a file can be replaced afterwards, and nothing can be read any more. ``with thud.open(path) as run:``
        does it at the end."""
        self.record.close()

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def save(self, path: Union[str, os.PathLike], overwrite: bool = False) -> str:
        """Writes the record to a file (HDF5), which ``thud verify``, ``thud plot`` and :func:`thud.open` read."""
        with self.record.reading() as name, open(name, "rb") as source:
            return put(path, source, overwrite)

    def __str__(self) -> str:
        return self._text.rstrip() or repr(self)

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:.6g} to {self.t[-1]:.6g}" if len(self.frames) else "no frames"
        return (f"<thud.Run {self.title!r}, {self.method}: {self.verdict}, {span}, "
                f"{len(self.frames)} frames, {len(self.events)} events>")

    def __reduce__(self):
        return _unpickle, (self._bytes(), self.result, self._text)

    def _bytes(self) -> bytes:
        with self.record.reading() as name, open(name, "rb") as stream:
            return stream.read()


def _unpickle(data: bytes, result: dict, text: str) -> Run:
    return Run(Record(MemoryFile(".h5", data)), result, text)


def open_record(path: Union[str, os.PathLike]) -> Run:
    """Opens a record (HDF5) that ``thud run``, a C program or :meth:`Run.save` has written; exported as ``thud.open``.

    >>> import os, tempfile, thud
    >>> path = os.path.join(tempfile.mkdtemp(), "ball.h5")
    >>> kept = thud.run("thud: 1\\nsystem: {coordinates: [x], kinetic_energy: x'^2/2}\\ninitial: {x: 0, \\"x'\\": 1}\\n"
    ...                 "simulate: {method: moreau-jean, end: 1, steps: 10}\\n").save(path)
    >>> with thud.open(path) as run:
    ...     run.verdict, len(run.t)
    ('good', 11)
    >>> os.remove(path)
    """
    return Run(Record(path_text(path)))
