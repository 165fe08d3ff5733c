"""Lagrangian systems built in code: expressions and Python functions side by side.

Texts are expressions, as in a scene; what is callable is a Python function of (t, q, v). A system without functions is a scene. With
functions it has formulas where there are some, and the library calls the functions for the rest; it is run, recorded and verified
like every other, but for what only the functions know.
"""
from __future__ import annotations

import json
import weakref
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import errors
from ._library import Context, array, called_with, encode, ffi, lib
from .records import Run
from .scenes import Diagnosis, Scene, run_built

if TYPE_CHECKING:
    from .motions import Motion

__all__ = ["System"]

Number = Union[str, float, Callable]  # an expression, a constant, or a function of (t, q, v)

NAN, EPS = float("nan"), float(np.finfo(float).eps)
STEP = EPS ** (1 / 3)  # errors of truncation and rounding of central differences balance
AGREE = 1e-4  # of two step sizes, relative to the largest entry; smooth functions agree to 1e-8
AFFINE = 1e-9  # of a velocity form, relative to its terms
SMALL = 16  # numbers that are checked one by one

ARRAYS = {"mass": "MASS", "inertia": "INERTIA", "force": "FORCE", "potential": "POTENTIAL",
          "potential_gradient": "POTENTIAL_GRADIENT", "gap": "GAP", "gradient": "GRADIENT", "rate": "RATE", "slip": "SLIP",
          "slip_rate": "SLIP_RATE", "friction": "FRICTION", "restitution": "RESTITUTION", "force_dq": "FORCE_DQ",
          "force_dv": "FORCE_DV"}


def _label(what: str, function: Callable) -> str:
    label = f"the {what} (function {getattr(function, '__qualname__', type(function).__name__)})"
    called_with(function, "t, q, v", label)
    return label


def _refuse(label: str, why: str) -> None:
    raise errors.CallbackError(f"{label} {why}", "callback")


def _number(value: Any, label: str) -> float:
    """What a function of one number has returned."""
    if isinstance(value, (float, np.floating, int, np.integer)) or (isinstance(value, np.ndarray) and value.ndim == 0):
        try:
            value = float(value)
        except (TypeError, ValueError, OverflowError):
            _refuse(label, f"returned {value!r:.80}, which is not a number")
    else:
        shape = f" of the shape {value.shape}" if isinstance(value, np.ndarray) else ""
        _refuse(label, f"must return a number, not {type(value).__name__}{shape}")
    if value - value != 0.0:
        _refuse(label, f"returned {value}")
    return value


def _numbers(value: Any, shape: tuple, label: str) -> np.ndarray:
    """What a function of several numbers has returned."""
    try:
        made = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        _refuse(label, f"must return {' x '.join(map(str, shape))} numbers, not {value!r:.80}")
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        _refuse(label, "returned masked entries, which have no value")
    if made.shape != shape:
        _refuse(label, f"must return the shape {shape}, not {made.shape}")
    if not np.isfinite(made).all():
        _refuse(label, f"returned {made.ravel()[~np.isfinite(made.ravel())][0]}")
    return made


def _shown(state: np.ndarray) -> np.ndarray:
    """The same numbers for a function, which cannot make them writable."""
    return np.frombuffer(memoryview(state.data).toreadonly())


class _Bench:
    """What the functions of one built scene work with: the state, where the library writes it, and their callbacks.

    Functions see read-only views of two arrays that stay where they are for as long as the scene lives. Ctrl-C within a function
    is noted for the progress of the run, and the function called again.
    """

    def __init__(self, context: Context, names: Sequence[str]):
        self._context, self.names, self.n = weakref.ref(context), names, len(names)
        self._q, self._v = np.zeros(self.n), np.zeros(self.n)
        self.q, self.v = _shown(self._q), _shown(self._v)
        self.moved = np.zeros(self.n)  # a displaced state
        self.shown = _shown(self.moved)
        self.interrupted = False
        self.items: List[dict] = []
        self.keep: list = []

    def _failed(self, kind, value, trace):
        context = self._context()
        if context is not None and context.failure is None:
            context.failure = value.with_traceback(trace)

    def number(self, kind: str, first: int, function: Callable, label: str, negative: bool = False) -> None:
        """One entry of an array, given by a function of (t, q, v)."""
        q, v = self.q, self.v

        def call(t):
            try:
                value = function(t, q, v)
            except KeyboardInterrupt:
                self.interrupted = True
                value = function(t, q, v)
            if value.__class__ is not float or value - value != 0.0:
                value = _number(value, label)
            return -value if negative else value
        self._add(kind, first, 1, ffi.callback("double(double)", call, error=NAN, onerror=self._failed), None)

    def numbers(self, kind: str, first: int, shape: tuple, label: str, function: Optional[Callable],
                compute: Optional[Callable] = None) -> np.ndarray:
        """Entries of an array: from a function of (t, q, v), or ``compute(t, out)``. Neither: constants, which are set in the
        array that is returned."""
        count = int(np.prod(shape))
        out = np.zeros(shape)
        memory = ffi.from_buffer("double[]", out.reshape(-1))
        q, v, small = self.q, self.v, count <= SMALL and len(shape) == 1

        def call(t):
            try:
                value = function(t, q, v)
            except KeyboardInterrupt:
                self.interrupted = True
                value = function(t, q, v)
            if small and value.__class__ in (tuple, list) and len(value) == count:
                try:
                    memory[0:count] = value  # numbers alone, and as many
                    total = sum(value)
                    if total - total == 0.0:
                        return 0
                except TypeError:
                    pass
            elif count == len(shape) == 1 and not hasattr(value, "__len__"):
                value = (_number(value, label),)
            out[...] = _numbers(value, shape, label)
            return 0

        def work(t):
            try:
                compute(t, out)
            except KeyboardInterrupt:
                self.interrupted = True
                compute(t, out)
            return 0

        chosen = call if function is not None else work if compute is not None else (lambda t: 0)
        self._add(kind, first, count, ffi.callback("int(double)", chosen, error=-1, onerror=self._failed), memory)
        self.keep.append(out)
        return out

    def _add(self, kind: str, first: int, count: int, callback, memory) -> None:
        item = {"array": getattr(lib, "THUD_ARRAY_" + ARRAYS[kind]), "first": first, "count": count,
                "q": ffi.from_buffer("double[]", self._q), "v": ffi.from_buffer("double[]", self._v)}
        item["number" if memory is None else "numbers"] = callback
        if memory is not None:
            item["out"] = memory
        self.items.append(item)
        self.keep.append(callback)

    # ---- derivatives ----

    def slopes(self, function: Callable, read: Callable, t: float, by: str, label: str) -> list:
        """Central differences of read(function(...)) by all coordinates, or by the time; steps h and 2 h have to agree."""
        moved, shown, q, v = self.moved, self.shown, self.q, self.v
        made, worst, scale = [], (0.0, (0, 0.0, 0.0)), 0.0
        for k in range(self.n if by == "q" else 1):
            moved[:] = q
            centre = float(q[k]) if by == "q" else t
            h = STEP * max(1.0, abs(centre))
            points = centre + h, centre - h, centre + 2 * h, centre - 2 * h
            values: List[Any] = []
            for point in points:
                if by == "q":
                    moved[k] = point
                value = read(function(t if by == "q" else point, shown, v))
                values.append(value if value.__class__ is float else value.copy())
            fine = (values[0] - values[1]) / (points[0] - points[1])
            coarse = (values[2] - values[3]) / (points[2] - points[3])
            if fine.__class__ is float:
                largest, off, size = max([abs(value) for value in values]), abs(fine - coarse), max(abs(fine), abs(coarse))
            else:
                largest, off, size = np.abs(values).max(), np.abs(fine - coarse).max(), max(np.abs(fine).max(),
                                                                                            np.abs(coarse).max())
            off -= 16 * EPS * largest / h  # rounding
            scale = max(scale, size)
            if off > worst[0]:
                worst = (off, (k, fine, coarse))
            made.append(fine)
        if worst[0] > AGREE * scale:
            k, fine, coarse = worst[1]
            place = int(np.argmax(np.abs(np.atleast_1d(fine - coarse))))
            name = self.names[k] if by == "q" else "t"
            _refuse(label, f"cannot be differenced by {name} at t = {t:.9g}, q = {self.q}: steps of two lengths give "
                           f"{np.ravel(fine)[place]:.6g} and {np.ravel(coarse)[place]:.6g}; it has a kink or noise there: give its "
                           "derivative as a function")
        return made

    def affine(self, function: Callable, t: float, row: Optional[np.ndarray], label: str) -> float:
        """The row a and the number b of a velocity form a.v + b, from its values."""
        def at(v):
            return _number(function(t, self.q, _shown(v)), label)
        rest = at(np.zeros(self.n))
        if row is not None:
            size = abs(rest)
            for k in range(self.n):
                unit = np.zeros(self.n)
                unit[k] = 1
                row[k] = at(unit) - rest
                size += abs(row[k] * self.v[k])
            here = at(self._v.copy())
            if abs(here - (row @ self.v + rest)) > AFFINE * (size + abs(here)):
                _refuse(label,
                        f"must be affine in the velocities: at v = {self.v} it is {here:.9g}, not {row @ self.v + rest:.9g}")
        return rest


class System:
    """A mechanical system: coordinates, masses, forces, constraints, laws, each an expression or a Python function.

    coordinates       names; ``x'`` is the velocity of ``x``
    kinetic_energy    an expression, quadratic in the velocities; or
    mass              numbers or expressions ([n] or [n][n]), or a function that returns [n, n], [n] (a diagonal) or a number (n = 1)
    inertia           with a mass function: its terms c(q, v) (see docs/lagrangian-systems.md); default: differences of the mass
    potential_energy  an expression or a function, with ``potential_gradient`` [n] (default: differences)
    forces            a dict by coordinates of expressions and functions, or one function that returns [n]
    force_dq, force_dv  Jacobians [n, n] of all smooth forces for implicit schemes: functions or numbers; default: differences
    constraints       a list of dicts as in scenes: name, one of gap, phi, equation, velocity_form (expressions or functions),
                      ``gradient`` [n] and ``rate`` (of functions; default: checked differences, and of velocity forms, which are
                      affine, their values at unit velocities), restitution and friction: {mu, slip, ...}, each with functions
    friction          a list of dicts: name, threshold, slip (a list of velocities, or one)
    parameters, definitions, data, initial, simulate, record, units, title, draw, percussions, impact_law, on_energy_gain,
    allow_any_restitution, observe (named quantities), until (a condition that ends the run)  as in scenes

    Functions are called as ``function(t, q, v)`` with read-only arrays of the coordinates and velocities. These are the same two
    arrays in every call: copy what is to be kept. A function that depends on something else (the input of a controller) is a
    closure; it may be changed between the steps of a :class:`thud.Motion`. Functions work with time stepping and with
    ``arcs: runge-kutta`` of event-driven motions; power series and proofs need expressions.

    >>> import thud
    >>> ball = thud.System(["z"], mass=[1], forces={"z": lambda t, q, v: -9.81},
    ...                    constraints=[{"name": "floor", "gap": "z", "restitution": lambda t, q, v: 0.5}],
    ...                    initial={"z": 1}, simulate={"method": "moreau-jean", "end": 1, "steps": 1000})
    >>> run = ball.run()
    >>> run.verdict, len(run.events) > 0
    ('good', True)

    >>> fall = thud.System(["z"], mass=[1], forces={"z": lambda t, q, v: -10.0}, initial={"z": 1},
    ...                    observe={"energy": "kinetic + 10*z"}, until="z < 0.5",
    ...                    simulate={"method": "moreau-jean", "end": 1, "steps": 100})
    >>> run = fall.run()
    >>> round(run.t[-1], 9), abs(float(run["energy"][-1]) - 10) < 0.01
    (0.32, True)
    """

    def __init__(self, coordinates: Sequence[str], *, kinetic_energy: Optional[str] = None, mass: Any = None,
                 potential_energy: Optional[Number] = None, forces: Union[Mapping[str, Number], Callable, None] = None,
                 constraints: Sequence[Mapping[str, Any]] = (), friction: Sequence[Mapping[str, Any]] = (),
                 inertia: Optional[Callable] = None, potential_gradient: Any = None, force_dq: Any = None, force_dv: Any = None,
                 percussions: Any = None, impact_law: Any = None, on_energy_gain: Optional[str] = None,
                 allow_any_restitution: Optional[bool] = None, parameters: Optional[Mapping[str, Any]] = None,
                 definitions: Optional[Mapping[str, str]] = None, data: Any = None, initial: Optional[Mapping[str, Any]] = None,
                 simulate: Optional[Mapping[str, Any]] = None, record: Optional[Mapping[str, Any]] = None,
                 units: Optional[Mapping[str, str]] = None, title: Optional[str] = None, draw: Any = None,
                 observe: Optional[Mapping[str, Any]] = None, until: Optional[str] = None):
        if isinstance(coordinates, str):
            raise TypeError("coordinates must be a list of names")
        self.coordinates = list(coordinates)  #: names
        n = self._n = len(self.coordinates)
        if n == 0 or not all(isinstance(name, str) for name in self.coordinates):
            raise ValueError("a system has at least one coordinate, and their names are texts")
        self._makers: list = []  # (path in the scene, bench -> None)
        self._changes: tuple = ()
        if callable(kinetic_energy):
            raise TypeError("kinetic_energy must be an expression; give the mass matrix as a function: mass=")
        system = {"coordinates": self.coordinates, "kinetic_energy": kinetic_energy,
                  "mass": self._mass(mass, inertia), "potential_energy": self._potential(potential_energy, potential_gradient),
                  "forces": self._forces(forces), "percussions": percussions, "impact_law": impact_law,
                  "on_energy_gain": on_energy_gain, "allow_any_restitution": allow_any_restitution}
        self._laws, self._slips = 0, 0
        system["constraints"] = [self._constraint(k, dict(entry)) for k, entry in enumerate(constraints)]
        system["friction"] = [self._friction(f"system.friction.{k}", dict(entry), str(entry.get("name", f"law {k}")), "threshold")
                              for k, entry in enumerate(friction)]
        for name, jacobian in (("force_dq", force_dq), ("force_dv", force_dv)):
            if jacobian is not None:
                self._matrix(name, jacobian, f"Jacobian {name}")
        scene = {"thud": 1, "title": title, "units": units, "parameters": parameters, "definitions": definitions, "data": data,
                 "system": {key: value for key, value in system.items() if value not in (None, [])},
                 "initial": dict(initial or {}), "simulate": dict(simulate or {}), "draw": draw, "record": record,
                 "observe": None if observe is None else dict(observe), "until": until}
        for name in self.coordinates:
            scene["initial"].setdefault(name, 0)
        self._scene = Scene({key: value for key, value in scene.items() if value is not None})

    # ---- parts ----

    def _replace(self, path: str, make: Callable) -> None:
        self._makers.append((path, make))

    def _value(self, value: Any, path: str, kind: str, place: int, what: str, placeholder: Any) -> Any:
        """A number or expression as it is; of a function, a formula that stands in its place."""
        if not callable(value):
            return value
        label = _label(what, value)
        self._replace(path, lambda bench: bench.number(kind, place, value, label))
        return placeholder

    def _matrix(self, kind: str, given: Any, what: str) -> None:
        n = self._n
        if callable(given):
            self._replace(kind, lambda bench: bench.numbers(kind, 0, (n, n), _label(what, given), given))
        else:
            constant = array(given, what, (n, n))

            def make(bench):
                bench.numbers(kind, 0, (n, n), what, None)[...] = constant
            self._replace(kind, make)

    def _mass(self, mass: Any, inertia: Any) -> Any:
        n = self._n
        if not callable(mass):
            if inertia is not None:
                raise TypeError("inertia belongs to a mass that is a function; expressions are differentiated")
            return [mass] if n == 1 and isinstance(mass, (int, float, str)) else mass
        label = _label("mass", mass)
        if not (inertia is None or callable(inertia) or (isinstance(inertia, (int, float)) and inertia == 0)):
            raise TypeError("inertia must be a function of (t, q, v), or 0 for a mass that does not depend on q")

        def read(value):
            if n == 1 and not hasattr(value, "__len__"):
                return np.array([[_number(value, label)]])
            made = np.asarray(value)
            return np.diag(_numbers(made, (n,), label)) if made.shape == (n,) and n > 1 else _numbers(
                made.reshape(1, 1) if made.shape == (1,) else value, (n, n), label)

        def make(bench):
            def matrix(t, out):
                out[...] = read(mass(t, bench.q, bench.v))

            def christoffel(t, out):
                slopes = np.array(bench.slopes(mass, read, t, "q", label))  # [k, i, j] = dM_ij/dq_k
                v = bench.v
                rate = v @ slopes.reshape(n, n * n)  # dM/dt
                out[...] = rate.reshape(n, n) @ v - slopes @ v @ v / 2
            bench.numbers("mass", 0, (n, n), label, None, matrix)
            if callable(inertia):
                bench.numbers("inertia", 0, (n,), _label("inertia", inertia), inertia)
            elif inertia is None:
                bench.numbers("inertia", 0, (n,), label, None, christoffel)
        self._replace("system.mass", make)
        return [1] * n

    def _potential(self, potential: Any, gradient: Any) -> Any:
        if not callable(potential):
            if gradient is not None:
                raise TypeError("potential_gradient belongs to a potential_energy that is a function")
            return potential
        label = _label("potential energy", potential)

        def make(bench):
            bench.number("potential", 0, potential, label)
            self._derivative(bench, "potential_gradient", 0, (self._n,), gradient, potential, label, "q", 1)
        self._replace("system.potential_energy", make)
        return 0

    @staticmethod
    def _derivative(bench: _Bench, kind: str, first: int, shape: tuple, given: Any, function: Callable, label: str, by: str,
                    sign: int) -> None:
        """A derivative by the user (a function or constants), else by differences."""
        if callable(given):
            name = _label(f"derivative of {label[4:]}", given)
            if sign > 0:
                bench.numbers(kind, first, shape, name, given)
            else:
                bench.numbers(kind, first, shape, name, lambda t, q, v: -np.asarray(given(t, q, v), dtype=float))
        elif given is not None:
            constant = np.atleast_1d(array(given, f"derivative of {label[4:]}"))
            if constant.shape != shape:
                raise ValueError(f"the derivative of {label[4:]} must have the shape {shape}, not {constant.shape}")
            bench.numbers(kind, first, shape, label, None)[...] = sign * constant
        else:
            def compute(t, out):
                out[...] = bench.slopes(function, lambda value: _number(value, label), t, by, label)
                out *= sign
            bench.numbers(kind, first, shape, label, None, compute)

    def _forces(self, forces: Any) -> Any:
        n = self._n
        if callable(forces):
            label = _label("force", forces)
            self._replace("system.forces", lambda bench: bench.numbers("force", 0, (n,), label, forces))
            return None
        if forces is None:
            return None
        if not isinstance(forces, Mapping):
            raise TypeError(f"forces must be a dict by coordinates, or one function, not {type(forces).__name__}")
        made = {}
        for name, value in forces.items():
            if name not in self.coordinates:
                raise errors.not_found("forces: there is no coordinate", name, self.coordinates)
            made[name] = self._value(value, f"system.forces.{name}", "force", self.coordinates.index(name), f"force on {name!r}",
                                     0)
        return made

    def _constraint(self, k: int, entry: dict) -> dict:
        n, path = self._n, f"system.constraints.{k}"
        what = f"{entry.get('name', f'constraint{k}')!r}"
        gradient, rate = entry.pop("gradient", None), entry.pop("rate", None)
        form = next((key for key in ("gap", "phi", "equation", "velocity_form") if callable(entry.get(key))), None)
        if form is None and (gradient is not None or rate is not None):
            raise TypeError(f"constraint {what}: gradient and rate belong to a gap, equation or velocity form that is a "
                            "function; expressions are differentiated")
        if form is not None:
            function = entry[form]
            label = _label(f"{form.replace('_', ' ')} of {what}", function)
            entry[form] = 0 if form in ("equation", "velocity_form") else 1
            sign = -1 if form == "phi" else 1

            def make(bench):
                if form != "velocity_form":
                    bench.number("gap", k, function, label, sign < 0)
                    self._derivative(bench, "gradient", k * n, (n,), gradient, function, label, "q", sign)
                    self._derivative(bench, "rate", k, (1,), rate, function, label, "t", sign)
                else:
                    self._form(bench, "gradient", k * n, "rate", k, gradient, rate, function, label)
            self._replace(f"{path}.{form}", make)
        if "restitution" in entry:
            entry["restitution"] = self._value(entry["restitution"], f"{path}.restitution", "restitution", k,
                                               f"restitution of {what}", 0)
        if entry.get("friction") is not None:
            entry["friction"] = self._friction(f"{path}.friction", dict(entry["friction"]), what, "mu")
        return entry

    def _form(self, bench: _Bench, row: str, first: int, rest: str, place: int, gradient: Any, rate: Any, function: Callable,
              label: str) -> None:
        """The row and the rest of a velocity that is affine in v."""
        n = self._n
        if gradient is None:
            bench.numbers(row, first, (n,), label, None, lambda t, out: bench.affine(function, t, out, label))
        else:
            self._derivative(bench, row, first, (n,), gradient, function, label, "v", 1)

        def value(t, out):
            out[0] = bench.affine(function, t, None, label)
        if rate is None:
            bench.numbers(rest, place, (1,), label, None, value)
        else:
            self._derivative(bench, rest, place, (1,), rate, function, label, "t", 1)

    def _friction(self, path: str, entry: dict, what: str, size: str) -> dict:
        n, law = self._n, self._laws
        self._laws += 1
        if callable(entry.get(size)) and "normal_scale" in entry:
            raise TypeError(f"friction of {what}: normal_scale belongs to a mu that is an expression; multiply the "
                            "function by it")
        if size in entry:
            entry[size] = self._value(entry[size], f"{path}.{size}", "friction", law,
                                      f"{'friction coefficient' if size == 'mu' else 'threshold'} of {what}", 0)
        gradient, rate = entry.pop("slip_gradient", None), entry.pop("slip_rate", None)
        slip = entry.get("slip")
        slips = [slip] if callable(slip) or isinstance(slip, (str, int, float)) else list(slip or [])
        if (gradient is not None or rate is not None) and not (len(slips) == 1 and callable(slips[0])):
            raise TypeError(f"friction of {what}: slip_gradient and slip_rate belong to one slip velocity that is a function")
        for j, function in enumerate(slips):
            place = self._slips
            self._slips += 1
            if callable(function):
                slips[j] = 0
                label = _label(f"slip of {what}", function)
                self._replace(f"{path}.slip", lambda bench, place=place, function=function, label=label: self._form(
                    bench, "slip", place * n, "slip_rate", place, gradient, rate, function, label))
        if slip is not None:
            entry["slip"] = slips
        return entry

    # ---- use ----

    @property
    def has_functions(self) -> bool:
        """Whether parts of it are Python functions."""
        return bool(self._makers)

    @property
    def scene(self) -> Scene:
        """The scene of a system of expressions."""
        if self._makers:
            raise errors.UnsupportedError("this system has Python functions, which no scene can hold; run it, or step its motion",
                                          "unsupported")
        return self._scene

    def _as_scene(self):
        return self if self._makers else self._scene

    def with_changes(self, changes: Optional[Mapping[str, Any]] = None, /, **parameters: Any) -> "System":
        """The same system with other values, by dotted paths and parameters by name, like :meth:`thud.Scene.with_changes`.

        >>> import thud
        >>> system = thud.System(["x"], mass=[1], forces={"x": lambda t, q, v: -q[0]}, initial={"x": 1},
        ...                      simulate={"method": "moreau-jean", "end": 1, "steps": 10})
        >>> len(system.with_changes({"simulate.steps": 20}).run().t)
        21
        """
        if changes is not None and not isinstance(changes, Mapping):
            raise TypeError(f"changes must be a dict of dotted paths and values, not {type(changes).__name__}")
        for path in changes or {}:
            encode(path, "the path of a change")
            for replaced, _ in self._makers:
                if path == replaced or path.startswith(replaced + ".") or replaced.startswith(path + "."):
                    raise errors.ArgumentError(f"{path}: {replaced} is a Python function here; make another System", "argument")
        made = object.__new__(System)
        made.__dict__.update(self.__dict__)
        made._scene = self._scene.with_changes(changes, **parameters)
        return made

    def _build_bench(self, context: Context):
        """A built scene, and the bench of its functions (None: there are none); the context is entered."""
        if not self._makers:
            return self._scene._build(context), None
        bench = _Bench(context, self.coordinates)
        for _, make in self._makers:
            make(bench)
        items = ffi.new("thud_system_replacement[]", bench.items)

        def destroy(scene, bench=bench):  # the functions live as long as the scene
            lib.thud_scene_destroy(scene)
        try:
            scene = context.make("thud_scene", lib.thud_scene_build_functions, destroy, context.pointer,
                                 self._scene._tree(context),
                                 len(bench.items), items)
        except errors.UnsupportedError as failure:
            if "series" not in str(failure):
                raise
            raise errors.UnsupportedError(f"{failure} (Python functions work with time stepping and with simulate: {{arcs: "
                                          "runge-kutta}; power series and proofs need expressions)", "unsupported") from None
        return scene, bench

    def _build(self, context: Context):
        return self._build_bench(context)[0]

    def _run(self, changes, parameters, options: dict) -> Run:
        wanted = self.with_changes(changes, **parameters) if changes or parameters else self
        context = Context(options["threads"])
        with context:
            built, bench = wanted._build_bench(context)
            given = options["progress"]

            def progress(t, start, end):
                if bench is not None and bench.interrupted:
                    raise KeyboardInterrupt
                return given is not None and given(t, start, end)
            return run_built(context, built, options["record"], options["overwrite"], options["at"], progress,
                             options["max_events"])

    def run(self, changes: Optional[Mapping[str, Any]] = None, /, **keywords: Any) -> Run:
        """See :func:`thud.run`."""
        from .scenes import run
        return run(self, changes, **keywords)

    def motion(self, changes: Optional[Mapping[str, Any]] = None, /, **keywords: Any) -> Motion:
        """The motion of the system, to be stepped by hand: a :class:`thud.Motion`."""
        from .motions import Motion
        return Motion(self, changes, **keywords)

    def check(self) -> Diagnosis:
        """What ``thud check`` says of it, without running (see :func:`thud.check`)."""
        if not self._makers:
            return self._scene.check()
        context = Context()
        with context:
            scene = self._build(context)
            data, text = ffi.new("char **"), ffi.new("char **")
            context.check(lib.thud_scene_check(scene, b"system", data, text))
            try:
                return Diagnosis(json.loads(ffi.string(data[0]).decode()), ffi.string(text[0]).decode())
            finally:
                lib.thud_scene_free_text(scene, data[0])
                lib.thud_scene_free_text(scene, text[0])

    def __reduce__(self):
        if self._makers:
            raise TypeError("a System with Python functions cannot be pickled; pickle what it is made of, or write a function "
                            "that makes it")
        return _unpickle, (self.coordinates, self._scene)

    def __repr__(self) -> str:
        names = ", ".join(self.coordinates[:8]) + (" ..." if self._n > 8 else "")
        return f"<thud.System of {names}, {len(self._makers)} parts by functions>"


def _unpickle(coordinates, scene):
    made = object.__new__(System)
    made.__dict__.update(coordinates=coordinates, _n=len(coordinates), _makers=[], _changes=(), _scene=scene)
    return made
