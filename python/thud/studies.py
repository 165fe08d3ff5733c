"""Studies: a scene run many times, refined or with other parameters, and what follows from it. Nothing is recorded."""
from __future__ import annotations

import os
from typing import Any, Callable, List, NamedTuple, Optional, Sequence

import numpy as np

from . import errors
from ._library import NULL, Context, Pulse, array, decode, encode, ffi, lib, make_options, real, whole
from .results import Picture, Printed, figure, needs
from .scenes import Scene, SceneLike, without_functions

__all__ = ["Study", "Sweep", "Match", "study", "sweep"]

ffi.sizeof("thud_against_options")  # before thud_study_options, which it holds: cffi cannot complete them the other way round
FLAGS = {"parity": 1, "order": 2, "run-failed": 4}
# columns that are shown: of a refinement, and against the event-driven motion
NEXT = ("q_next", "q_second", "v_next", "graph_next")
ERRORS = ("q_error", "v_error", "graph_error", "impulse_error", "energy_error")


Match = NamedTuple("Match", [
    ("kind", str), ("t", float), ("constraints", list), ("partner", list), ("impulse", np.ndarray), ("t_error", np.ndarray),
    ("v_error", np.ndarray), ("impulse_error", np.ndarray), ("t_order", float), ("v_order", float), ("impulse_order", float)])
Match.__doc__ = """An event of the event-driven motion and what the stepped motion has for it, level by level: a ``partner`` that is
"found", "missed" or "unresolved", and errors (NaN: no partner). ``impulse`` of a Zeno limit is that of the whole accumulation."""


class Study(Printed):
    """Motions with 2^n steps, compared. ``study["q_error"]`` and so on are columns, a value per level; ``print`` shows the table.

    ``orders``: fitted over the last three octaves, by the quantity ("q", "v", "graph" ...). ``flags``: "parity" (even and odd
    refinements converge to different motions), "order" (differences do not shrink as they should), "run-failed"; ``message`` says
    what they mean here. ``events``: of a comparison with the event-driven motion, a :class:`Match` for each of its events.
    """

    def __init__(self, title: str, columns: Sequence[str], raw: Any):
        self.title, self.method, self.message = title, decode(raw.method), decode(raw.message)
        self.flags: List[str] = [name for name, bit in FLAGS.items() if raw.flags & bit]
        self._columns = columns
        self._values = {name: np.array([getattr(row, name) for row in raw.rows[0:raw.count]])
                        for name, field in ffi.typeof(raw.rows).item.fields if field.type.kind == "primitive"}
        self.orders = {name.partition("_")[0]: getattr(raw, name) for name, _ in ffi.typeof(raw[0]).fields
                       if name in ("q_order", "v_order", "graph_order", "impulse_order", "energy_order")}
        self.expected_order: float = getattr(raw, "expected_order", 1.0)  #: of q
        self.error_estimate: float = getattr(raw, "error_estimate", float("nan"))  #: of q at the finest level
        self.events: List[Match] = []

    @property
    def good(self) -> bool:
        """No flag is set."""
        return not self.flags

    def keys(self) -> list:
        """Names of the columns."""
        return list(self._values)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._values:
            raise errors.not_found("the study has no column", name, self._values)
        return self._values[name]

    def __len__(self) -> int:
        return len(self._values["level"])

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row per level."""
        return needs("pandas").DataFrame(self._values).set_index("level")

    def plot(self, **choices: Any) -> Picture:
        """Errors over the step in a doubly logarithmic picture, with a triangle of the expected order; path=, format=, sizes as in
        :func:`thud.plot`."""
        series = []
        for name in self._columns:
            shown = (self[name] > 0) & np.isfinite(self[name])
            if shown.any() and name != "q_second":
                series.append({"label": name, "x": self["step"][shown], "y": self[name][shown]})
        if not series:
            raise errors.UnsupportedError("there are no differences to draw: " + (self.message or "all are 0"), "unsupported")
        return figure(f"{self.title}: {self.method}", "step", "error", series, log=True,
                      slope=self.expected_order if self.good else 0, **choices)

    def __str__(self) -> str:
        columns = [name for name in self._columns if np.isfinite(self[name]).any()]
        rows = [["steps", *columns]] + [[str(steps), *(f"{self[name][k]:.4e}" for name in columns)] for k, steps in enumerate(self["steps"])]
        fitted = ", ".join(f"{name} {'exact' if np.isinf(value) else f'{value:.2f}'}" for name, value in self.orders.items()
                           if not np.isnan(value))
        return "\n".join([f"{self.title}: {self.method}", *("".join(f"{cell:>15}" for cell in row) for row in rows),
                          f"orders: {fitted or 'none'}", "verdict: good" if self.good else f"verdict: failed: {self.message}"])

    def __repr__(self) -> str:
        return f"<thud.Study {self.title!r}, {self.method}: {len(self)} levels, q of order {self.orders['q']:.3g}, " \
               f"{', '.join(self.flags) or 'good'}>"


def study(scene: SceneLike, changes: Any = None, /, *, levels: Sequence[int] = (6, 12), against: Optional[str] = None,
          progress: Optional[Callable] = None, **parameters: Any) -> Study:
    """Refines the step: the scene is run with 2^first .. 2^last steps and the motions are compared, each with the next.

    against   "event-driven": compared with the event-driven motion of the scene instead, as a whole and event by event
    progress  called as progress(part done, 0, 1)

    >>> import thud
    >>> ball = {"thud": 1, "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -2},
    ...         "constraints": [{"name": "floor", "gap": "z", "restitution": 0.5}]},
    ...         "initial": {"z": 1, "z'": 0}, "simulate": {"method": "moreau-jean", "end": 1.7, "steps": 10}}
    >>> made = thud.study(ball, levels=(7, 11), against="event-driven")
    >>> made.good, round(made.orders["q"], 1), [event.kind for event in made.events]
    (True, 1.1, ['impact'])
    """
    if isinstance(levels, str) or np.shape(levels) != (2,):
        raise TypeError(f"levels must be two whole numbers, (first, last), not {levels!r}")
    if against not in (None, "event-driven"):
        raise ValueError(f'against must be "event-driven", not {against!r}')
    wanted, pulse = without_functions(scene, changes, parameters, "a study"), Pulse(progress)
    with Context() as context:
        options = make_options(context, "thud_study_options", lib.thud_study_option_table(), {
            name: whole(level, "levels", -100, 100) for name, level in zip(("first_level", "last_level"), levels)})
        options.progress = pulse.progress
        columns: Sequence[str] = NEXT
        call, raw, free = lib.thud_study_refine, ffi.new("thud_study *"), lib.thud_study_free
        if against is not None:
            compared = make_options(context, "thud_against_options", lib.thud_against_option_table(), {})
            compared.study, options = options[0], compared
            call, raw, free, columns = lib.thud_study_against, ffi.new("thud_against *"), lib.thud_against_free, ERRORS
        error = call(context.pointer, wanted._tree(context), options, raw)
        pulse.raise_signal()
        context.check(error)
        try:
            made = Study(_title(wanted), columns, raw)
            if against is not None:
                made.events = [_match(raw, event) for event in raw.events[0:raw.event_count]]
            return made
        finally:
            free(raw)


def _title(wanted: Scene) -> str:
    return wanted.to_dict().get("title") or os.path.basename(wanted.name)


def _match(raw, event) -> Match:
    columns = {name: np.array([getattr(match, name) for match in event.matches[0:raw.count]])
               for name in ("t_error", "v_error", "impulse_error")}
    return Match(kind=decode(lib.thud_event_kind_name(event.kind)), t=event.t,
                 constraints=[decode(raw.constraints[i]) for i in range(raw.m) if event.involved[i]],
                 partner=[decode(lib.thud_partner_name(match.partner)) for match in event.matches[0:raw.count]],
                 impulse=np.array(event.impulse[0:raw.m + raw.s]), **columns,
                 t_order=event.t_order, v_order=event.v_order, impulse_order=event.impulse_order)


# ---- sweeps -----------------------------------------------------------------------------------------------------------------


class Sweep:
    """Runs with other values of a parameter. ``value``, ``t``, ``quantity``, ``run``: arrays with an entry per point of the section."""

    def __init__(self, title: str, parameter: str, quantity: str, runs: int, raw: Any):
        self.title, self.parameter, self.name, self.runs = title, parameter, quantity, runs
        self.failed: int = raw.failed  #: runs that ended early; their points up to there are in
        self.message: str = decode(raw.message)  #: of the first of these
        layout = np.dtype([("run", np.uintp), ("value", float), ("t", float), ("quantity", float)])
        points = np.frombuffer(ffi.buffer(raw.points, raw.count * layout.itemsize)[:], layout) if raw.count else np.empty(0, layout)
        self.run, self.value, self.t, self.quantity = points["run"].astype(np.intp), points["value"], points["t"], points["quantity"]

    @property
    def good(self) -> bool:
        """All runs went to their ends."""
        return self.failed == 0

    def __len__(self) -> int:
        return len(self.value)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row per point."""
        return needs("pandas").DataFrame({"run": self.run, self.parameter: self.value, "t": self.t, self.name: self.quantity})

    def plot(self, **choices: Any) -> Picture:
        """The points over the parameter: a bifurcation diagram; path=, format=, sizes as in :func:`thud.plot`."""
        shown = np.isfinite(self.quantity)
        if not shown.any():
            raise errors.UnsupportedError("the sweep has no points" + (f": {self.message}" if self.message else ""), "unsupported")
        return figure(self.title, self.parameter, self.name, [{"x": self.value[shown], "y": self.quantity[shown], "style": "POINTS"}],
                      note=f"{shown.sum()} points, {self.runs} runs" + (f", {self.failed} ended early" if self.failed else ""), **choices)

    def __repr__(self) -> str:
        return f"<thud.Sweep of {self.parameter}: {self.runs} runs, {len(self)} points" \
               f"{f', {self.failed} runs ended early: {self.message}' if self.failed else ''}>"


SECTIONS = ("impacts", "zeros", "period", "end")


def sweep(scene: SceneLike, parameter: str, values: Any, quantity: str, changes: Any = None, /, *, section: str = "impacts",
          after: float = 0.0, threads: Optional[int] = None, progress: Optional[Callable] = None, **parameters: Any) -> Sweep:
    """Runs a scene for many values of a parameter, on all processors: a bifurcation diagram, or points of a Poincare section.

    values    (first, last, count), or an array of values that are spread evenly
    quantity  what a point shows: an expression of t, coordinates and velocities (left limits at impacts)
    section   where: "impacts", "impacts:NAME" (of a constraint), "zeros:EXPRESSION" (upwards), "period:EXPRESSION", "end"
    after     points before this time are left out
    threads   results do not depend on it

    >>> import thud
    >>> drop = {"thud": 1, "parameters": {"h": 1}, "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -2},
    ...         "constraints": [{"name": "floor", "gap": "z", "restitution": 0.5}]},
    ...         "initial": {"z": "h", "z'": 0}, "simulate": {"method": "event-driven", "end": "1.5*sqrt(h)"}}
    >>> thud.sweep(drop, "h", (1, 9, 3), "z'").quantity
    array([-2.        , -4.47213595, -6.        ])
    """
    kind, _, where = section.partition(":") if isinstance(section, str) else ("", "", "")
    if kind not in SECTIONS or (kind in ("zeros", "period")) and not where or (kind == "end" and where):
        raise ValueError(f"section must be impacts, impacts:NAME, zeros:EXPRESSION, period:EXPRESSION or end, not {section!r}")
    wanted, pulse, (low, high, count) = without_functions(scene, changes, parameters, "a sweep"), Pulse(progress), _spread(values)
    with Context(min(64, os.cpu_count() or 1) if threads is None else threads) as context:
        options = make_options(context, "thud_sweep_study_options", lib.thud_sweep_study_option_table(), {})
        names = [ffi.new("char[]", encode(text, "a name")) if text else NULL for text in (parameter, quantity, where)]
        options.parameter, options.quantity, options.where = names
        setattr(options, "from", low)
        options.to, options.count, options.section, options.after = high, count, SECTIONS.index(kind), real(after, "after")
        options.progress, raw = pulse.progress, ffi.new("thud_sweep_study *")
        error = lib.thud_study_sweep(context.pointer, wanted._tree(context), options, raw)
        pulse.raise_signal()
        context.check(error)
        try:
            return Sweep(_title(wanted), parameter, quantity, count, raw)
        finally:
            lib.thud_sweep_study_free(raw)


def _spread(values: Any) -> tuple:
    """First, last, count."""
    if isinstance(values, tuple) and len(values) == 3:
        return real(values[0], "values"), real(values[1], "values"), whole(values[2], "values (the count)", 1, 10**6)
    given = array(values, "values", (-1,))
    if not len(given):
        raise ValueError("values must not be empty")
    even = np.linspace(given[0], given[-1], len(given))
    if not np.allclose(given, even, rtol=0, atol=1e-12 * np.abs(even).max()):
        raise ValueError("values must be spread evenly (numpy.linspace); run other values by thud.run one by one")
    return float(given[0]), float(given[-1]), len(given)
