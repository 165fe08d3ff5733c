"""Motions stepped by hand: control, reinforcement learning, embedding.

A :class:`Motion` is the motion of a scene between two calls: it makes a step when it is asked to, hands out what it reached as a
:class:`Frame`, is saved, restored, copied, and, for rigid bodies, changed between steps.
"""
from __future__ import annotations

import contextlib
import functools
import json
import math
import os
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import errors
from ._library import (NULL, Context, MemoryFile, Pulse, array, decode, encode, ffi, lib, make_options, path_text, real, view,
                       whole)
from .bodies import BodyState
from .records import Channel, Event, Run
from .scenes import Scene, _adapted, finished

__all__ = ["Motion", "Frame", "Hit"]

LARGE = 4096  # numbers: larger arrays of a frame are read on demand, while the motion is there
CHUNK = 64  # steps in C between two looks at signals; grows with fast steps

# Family: C struct of its frames, of its figures, of its events; arrays of frames and events with the name of their length.
FAMILIES: Dict[str, Any] = {
    "sweep": ("thud_sweep_frame", "thud_sweep_motion_info", None, {"state": "state", "reaction": "state"}, {}),
    "stepping": ("thud_stepping_frame", "thud_stepping_motion_info", None,
                 {"q": "n", "v": "n", "v_left": "n", "v_average": "n", "v_limit": "n", "gap": "m", "reaction": "rows",
                  "atom": "m",
                  "acting": "m"}, {}),
    "event": ("thud_event_frame", "thud_event_motion_info", "thud_event", {"q": "n", "v": "n"},
              {"q": "n", "v_before": "n", "v_after": "n", "impulse": "rows", "involved": "m", "mode_before": "m",
               "mode_after": "m",
               "order": "m"}),
    "quasistatic": ("thud_quasistatic_frame", "thud_quasistatic_motion_info", "thud_quasistatic_event",
                    {"U": "U", "F": "load", "u": "r", "r": "r", "gap": "gap", "modes": "mode"}, {}),
    "friction": ("thud_friction_frame", "thud_friction_motion_info", "thud_friction_event",
                 {"velocity": "velocity", "force": "velocity", "force_low": "velocity", "force_high": "velocity", "slip": "slip",
                  "forces": "forces"}, {}),
    "line": ("thud_elastic_frame", "thud_elastic_motion_info", None, {"v": "v", "s": "s", "u": "u", "r": "r"}, {}),
    "surface": ("thud_elastic_frame", "thud_elastic_motion_info", None, {"v": "v", "s": "s", "u": "u", "r": "r"}, {}),
    "punch": ("thud_punch_frame", "thud_punch_motion_info", "thud_punch_event",
              {"pressure": "pressure", "traction": "pressure", "gap": "pressure", "displacement": "pressure", "slip": "pressure",
               "state": "pressure"}, {}),
    "body": ("thud_body_frame", "thud_body_motion_info", "thud_body_event", {}, {}),
}


def _enumerator(kind, value: int) -> str:
    """"impact" of THUD_EVENT_IMPACT: without what all names of the enumeration begin with."""
    words = {number: name.lower().split("_") for number, name in kind.elements.items()}
    common = len(os.path.commonprefix(list(words.values()))) if len(words) > 1 else 0
    return " ".join(words.get(value, [str(value)])[common:])


def _vector(value: Any) -> np.ndarray:
    return np.array([value.x, value.y, value.z])


@functools.lru_cache(None)
def _readers(struct: str) -> dict:
    """Field -> function of its value, for what can be said without other fields: all but pointers to arrays."""
    made: Dict[str, Callable] = {}
    for name, field in ffi.typeof(struct).fields:
        kind = field.type
        item = kind.item.cname if kind.kind in ("array", "pointer") else ""
        if name.startswith("reserved"):
            continue
        if kind.kind == "primitive":
            made[name] = lambda value: value
        elif kind.kind == "enum":
            made[name] = functools.partial(_enumerator, kind)
        elif kind.kind == "struct":
            inner = _readers(kind.cname)
            if list(inner) == ["x", "y", "z"]:
                made[name] = _vector
            else:
                made[name] = functools.partial(_plain, inner)
        elif kind.kind == "array" and item == "double":
            made[name] = lambda value: np.array(list(value))
        elif item == "char":
            made[name] = decode
    return made


def _plain(readers: dict, struct) -> dict:
    return {name: read(getattr(struct, name)) for name, read in readers.items()}


def _dtype(struct: str, field: str):
    item, by_size = dict(ffi.typeof(struct).fields)[field].type.item, {1: np.int8, 4: np.int32, 8: np.float64}
    return np.bool_ if item.cname == "_Bool" else by_size[ffi.sizeof(item)]


class Array(NamedTuple):
    """An array of frames: the C field, its numbers, what of them is shown."""
    field: str
    dtype: Any
    shape: tuple
    index: Any = slice(None)


class Hit(NamedTuple):
    """What a ray meets: the body, its part, the place on the way (0 to 1), point and normal, whether it began inside."""
    body: str
    part: int
    fraction: float
    point: np.ndarray
    normal: np.ndarray
    inside: bool


class Frame(Mapping):
    """What a motion has reached: ``frame.t``, values by name (``frame["x"]``, ``frame["x'"]``), arrays (``frame.q``, ``frame.v``,
    ``frame.reaction``, ``frame.gap``; of bodies ``frame.positions`` ... and ``frame["ball"]``, a :class:`thud.BodyState`) and
    figures (``frame.ledger``). Arrays are read-only copies; those with more than 4096 numbers are copied when they are asked for,
    which has to be before the next step."""

    __slots__ = ("_motion", "_count", "_struct", "_raw", "events")

    def __init__(self, motion: Motion, struct: Any, raw: dict, events: List[Event]):
        self._motion, self._count, self._struct, self._raw = motion, motion._count, struct, raw
        self.events = events  #: of the step, when it was asked for them

    def __getattr__(self, name: str) -> Any:
        motion = self._motion
        array = motion._arrays.get(name)
        if array is None:
            read = motion._figures.get(name)
            if read is None:
                raise AttributeError(f"the frame has no {name!r}; it has {', '.join([*motion._figures, *motion._arrays])}")
            return read(getattr(self._struct, name))
        raw = self._raw.get(array.field)
        if raw is None:
            if motion._count != self._count:
                raise errors.ArgumentError(f"frame.{name} is large and was not read before the next step; read it at once, or "
                                           "use motion.view", "argument")
            raw = self._raw[array.field] = motion._bytes(self._struct, array)
        return np.frombuffer(raw, array.dtype).reshape(array.shape)[array.index]

    def __getitem__(self, name: str) -> Any:
        motion = self._motion
        place = motion._places.get(name)
        if place is not None:
            return float(getattr(self, place[0])[place[1]])
        if name in motion._numbers:
            k = motion._numbers[name]
            return motion._body_state(self.positions[k], self.rotations[k], self.velocities[k], self.spins[k])
        if name in motion._arrays or name in motion._figures:
            return getattr(self, name)
        raise errors.not_found("the frame has no", name, self)

    def __iter__(self) -> Iterator[str]:
        motion = self._motion
        return iter([*motion._places, *motion._numbers, *motion._figures, *motion._arrays])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        shown = [f"{name} = {self[name]:.6g}" for name in list(self._motion._places)[:8]]
        return f"<frame at t = {self.t:.9g}{': ' if shown else ''}{', '.join(shown)}>"


class _Bodies:
    """Changes of a motion of rigid bodies between two steps, and questions about it. Vectors are of the world."""

    family: str
    bodies: List[str]
    planar: bool
    _context: Context
    _count: int
    _numbers: Dict[str, int]
    _run: Any
    _bodies: Any
    _motion: Any
    _frame: Any
    _status: int
    _result: Optional[Run]

    def _check_open(self) -> None:
        raise NotImplementedError

    def _body(self, name: str):
        if self.family != "body":
            raise errors.UnsupportedError(f"this is a motion of the family {self.family!r}, not of rigid bodies", "unsupported")
        if self._run is not None and self._count == 0:
            raise errors.ArgumentError("a recorded motion is changed after its first step, which records the start", "argument")
        found = lib.thud_bodies_find(self._bodies, encode(name, "the name of a body"))
        if found.index1 == 0:
            raise errors.not_found("there is no body", name, self.bodies)
        return found

    def _vector(self, values: Any, what: str) -> dict:
        """Three numbers; in the plane two."""
        numbers = array(values, what)
        if self.planar and numbers.shape == (2,):
            numbers = np.append(numbers, 0.0)
        x, y, z = array(numbers, what, (3,)).tolist()
        return {"x": x, "y": y, "z": z}

    def _turning(self, values: Any, what: str) -> dict:
        """A spin or torque; in the plane a number."""
        if self.planar and np.ndim(values) == 0:
            values = [0, 0, real(values, what)]
        return self._vector(values, what)

    def _push(self, force, torque, point, lasting=False):
        push = ffi.new("thud_body_push *", {"size": ffi.sizeof("thud_body_push"), "force": self._vector(force, "force"),
                                            "torque": self._turning(torque, "torque"), "lasting": bool(lasting)})
        if point is not None:
            push.at_point, push.point = True, self._vector(point, "point")
        return push

    def _change(self, function, name: str, *arguments) -> None:
        with self._context as context:
            self._check_open()
            context.check(function(self._motion, self._body(name), *arguments))
            self._count += 1  # frames of before are of before

    def apply_force(self, name: str, force: Any = (0, 0, 0), torque: Any = (0, 0, 0), point: Any = None, lasting: bool = False) -> None:
        """A force (N) at the centre of mass or at a point, and a torque, over the next step (nothing at the end of the motion);
        ``lasting``: until :meth:`release_forces`.

        >>> import thud
        >>> motion = thud.Motion({"thud": 1, "gravity": [0, 0, 0], "simulate": {"end": 1, "step": 0.1},
        ...                       "bodies": [{"name": "ball", "shape": {"sphere": 0.1}, "mass": 2}]})
        >>> frame = motion.step()
        >>> motion.apply_force("ball", [4, 0, 0])
        >>> motion.step()["ball"].velocity.round(12).tolist()
        [0.2, 0.0, 0.0]
        """
        push = self._push(force, torque, point, lasting)
        if self._status == lib.THUD_MOTION_COMPLETED and self._result is None:
            with self._context:
                self._body(name)  # there is no next step
            return
        self._change(lib.thud_body_motion_apply_force, name, push)

    def release_forces(self, name: str) -> None:
        """Takes back all lasting forces on the body."""
        self._change(lib.thud_body_motion_release_forces, name)

    def apply_impulse(self, name: str, impulse: Any = (0, 0, 0), torque: Any = (0, 0, 0), point: Any = None) -> None:
        """An impulse (N s) at once, and one of rotation (N m s)."""
        self._change(lib.thud_body_motion_apply_impulse, name, self._push(impulse, torque, point))

    def _state(self, name: str, position, rotation, velocity, spin):
        """The present state (of an absent body that of its definition) with what is given."""
        state = ffi.new("thud_body_state *")
        with self._context as context:
            body = self._body(name)
            if name in self._numbers and not lib.thud_body_motion_is_present(self._motion, body):
                seen, k = ffi.new("thud_bodies_view *"), self._numbers[name]
                context.check(lib.thud_bodies_get(self._bodies, seen))
                state.position, state.rotation = seen.pose[k].position, seen.pose[k].rotation
                state.velocity, state.spin = seen.velocity[k], seen.spin[k]
            else:
                context.check(lib.thud_body_motion_get_state(self._motion, body, state))
        if position is not None:
            state.position = self._vector(position, "position")
        if rotation is not None and self.planar and np.ndim(rotation) == 0:
            half = real(rotation, "rotation") / 2
            rotation = [np.cos(half), 0, 0, np.sin(half)]
        if rotation is not None:
            w, x, y, z = array(rotation, "rotation", (4,)).tolist()
            length = (w * w + x * x + y * y + z * z) ** 0.5
            if not length > 0:
                raise ValueError("rotation must be a quaternion (w, x, y, z) that is not 0")
            state.rotation = {"w": w / length, "x": x / length, "y": y / length, "z": z / length}
        if velocity is not None:
            state.velocity = self._vector(velocity, "velocity")
        if spin is not None:
            state.spin = self._turning(spin, "spin")
        return state

    def state(self, name: str) -> BodyState:
        """Where a body is and how it moves: a :class:`thud.BodyState` of arrays (in the plane [2], and numbers)."""
        with self._context as context:
            state = ffi.new("thud_body_state *")
            context.check(lib.thud_body_motion_get_state(self._motion, self._body(name), state))
        return self._body_state(*(np.array([getattr(part, c) for c in names]) for part, names in (
            (state.position, "xyz"), (state.rotation, "wxyz"), (state.velocity, "xyz"), (state.spin, "xyz"))))

    def _body_state(self, position, rotation, velocity, spin) -> BodyState:
        if not self.planar:
            return BodyState(position, rotation, velocity, spin)
        return BodyState(position[:2], 2 * float(np.arctan2(rotation[3], rotation[0])), velocity[:2], float(spin[2]))

    def set_state(self, name: str, position: Any = None, rotation: Any = None, velocity: Any = None, spin: Any = None) -> None:
        """Puts a body elsewhere or gives it another velocity; what is not given stays. Overlaps are refused."""
        self._change(lib.thud_body_motion_set_state, name, self._state(name, position, rotation, velocity, spin))

    def add(self, name: str, position: Any = None, rotation: Any = None, velocity: Any = None, spin: Any = None) -> None:
        """Brings a body of the scene with ``absent: true`` into the motion, as its definition says or in another state."""
        given = position, rotation, velocity, spin
        self._change(lib.thud_body_motion_add, name, NULL if all(part is None for part in given) else self._state(name, *given))

    def remove(self, name: str) -> None:
        """Takes a body out of the motion for good."""
        self._change(lib.thud_body_motion_remove, name)

    def is_present(self, name: str) -> bool:
        """Whether the body takes part in the motion now."""
        with self._context:
            return bool(lib.thud_body_motion_is_present(self._motion, self._body(name)))

    def set_material(self, name: str, material: Optional[str], part: int = -1) -> None:
        """Another material of the scene for a part of the body, or for all of them (-1). None: no friction, no restitution."""
        number = -1
        if material is not None:
            with self._context as context:
                self._body(name)
                seen = ffi.new("thud_bodies_view *")
                context.check(lib.thud_bodies_get(self._bodies, seen))
                names = [decode(seen.material_names[k]) for k in range(seen.material_count)]
            if material not in names:
                raise errors.not_found("there is no material", material, names)
            number = names.index(material)
        self._change(lib.thud_body_motion_set_material, name, whole(part, "part", -1, 2**31 - 1), number)

    def _joint(self, joint: str):
        with self._context as context:
            self._check_open()
            if self.family != "body":
                raise errors.UnsupportedError(f"this is a motion of the family {self.family!r}, not of rigid bodies", "unsupported")
            if self._run is not None and self._count == 0:
                raise errors.ArgumentError("a recorded motion is changed after its first step, which records the start", "argument")
            name, seen = encode(joint, "the name of a joint"), ffi.new("thud_bodies_view *")
            context.check(lib.thud_bodies_get(self._bodies, seen))
            names = [decode(seen.joints[k].name) for k in range(seen.joint_count)]
        if joint not in names:
            raise errors.not_found("there is no joint", joint, names)
        return name

    def _change_joint(self, function, joint: str, *arguments) -> None:
        name = self._joint(joint)
        with self._context as context:
            context.check(function(self._motion, name, *arguments))
            self._count += 1  # frames of before are of before

    def detach(self, joint: str) -> None:
        """Lets a joint go, with its limits, its motor and its friction.

        >>> import thud
        >>> bodies = thud.Bodies(planar=True, gravity=[0, -10])
        >>> bodies.add_disc(0.1, name="lamp", mass=1)
        'lamp'
        >>> bodies.add_joint("fixed", "lamp", at=[0, 0], name="hook")
        >>> motion = bodies.motion(end=1, step=0.1)
        >>> frame = motion.run(until=0.5)
        >>> motion.detach("hook")
        >>> motion.is_attached("hook"), round(motion.run(until=1)["lamp"].velocity[1], 9)
        (False, -5.0)
        """
        self._change_joint(lib.thud_body_motion_detach, joint)

    def attach(self, joint: str) -> None:
        """Lets a joint act that has ``absent: true`` or was detached; its equations must hold where its bodies are."""
        self._change_joint(lib.thud_body_motion_attach, joint)

    def is_attached(self, joint: str) -> bool:
        """Whether the joint acts now."""
        name = self._joint(joint)
        with self._context:
            return bool(lib.thud_body_motion_is_attached(self._motion, name))

    def set_motor(self, joint: str, *, speed: Optional[float] = None, position: Optional[float] = None, at_most: Optional[float] = None,
                  coordinate: int = 0) -> None:
        """Another target or bound of a motor of the scene; what is not given stays. ``coordinate``: 1 is the angle of a cylindrical
        joint.

        >>> import thud
        >>> bodies = thud.Bodies(planar=True, gravity=[0, 0])
        >>> bodies.add_disc(0.1, name="wheel", mass=200, inertia=1)
        'wheel'
        >>> bodies.add_joint("hinge", "wheel", at=[0, 0], name="shaft", motor={"speed": 0, "at_most": 2})
        >>> motion = bodies.motion(end=1, step=0.1)
        >>> frame = motion.step()
        >>> motion.set_motor("shaft", speed=3)
        >>> round(motion.run(until=0.5)["wheel"].spin, 9)  # 2 Nm turn 1 kg m2
        1.0
        """
        if speed is not None and position is not None:
            raise TypeError("a motor has either a speed or a position")
        motor = ffi.new("thud_body_motor *", {"size": ffi.sizeof("thud_body_motor"), "at_most": -1})
        if speed is not None:
            motor.motor, motor.target = lib.THUD_JOINT_MOTOR_SPEED, real(speed, "speed")
        if position is not None:
            motor.motor, motor.target = lib.THUD_JOINT_MOTOR_POSITION, real(position, "position")
        if at_most is not None:
            motor.at_most = real(at_most, "at_most")
            if not motor.at_most >= 0:
                raise ValueError("at_most must not be negative")
        self._change_joint(lib.thud_body_motion_set_motor, joint, whole(coordinate, "coordinate", 0, 1), motor)

    def cast_ray(self, origin: Any, way: Any, ignore: Optional[str] = None) -> Optional[Hit]:
        """The first body that the ray from ``origin`` along ``way`` (its whole length) meets; None: none.

        >>> import thud
        >>> motion = thud.Motion({"thud": 1, "simulate": {"end": 1, "step": 0.1},
        ...                       "bodies": [{"name": "floor", "shape": "plane", "fixed": True}]})
        >>> hit = motion.cast_ray([0, 0, 3], [0, 0, -10])
        >>> hit.body, round(hit.fraction, 9)
        ('floor', 0.3)
        """
        ray = ffi.new("thud_ray *", {"origin": self._vector(origin, "origin"), "way": self._vector(way, "way")})
        query = ffi.new("thud_body_query *", {"size": ffi.sizeof("thud_body_query"), "category": 2**32 - 1, "mask": 2**32 - 1})
        hit, met = ffi.new("thud_body_hit *"), ffi.new("bool *")
        with self._context as context:
            if ignore is not None:
                query.ignored = self._body(ignore)
            elif self.family != "body":
                self._body("")
            context.check(lib.thud_body_motion_cast_ray(self._motion, ray, query, hit, met))
        if not met[0]:
            return None
        return Hit(self.bodies[hit.number], hit.part, hit.fraction, np.array([hit.point.x, hit.point.y, hit.point.z]),
                   np.array([hit.normal.x, hit.normal.y, hit.normal.z]), bool(hit.inside))

    def contacts(self) -> dict:
        """The contacts of the last step: names of the bodies ``a`` and ``b``, arrays of ``point``, ``normal`` (from b to a),
        ``gap``, ``impulse`` on a, ``sliding``."""
        self._check_bodies()
        with self._context:
            lib.thud_motion_present(self._motion, self._frame)
            given = self._frame.contacts
            if given == NULL or given.count == 0:
                return {"a": [], "b": [], "point": np.empty((0, 3)), "normal": np.empty((0, 3)), "gap": np.empty(0),
                        "impulse": np.empty((0, 3)), "sliding": np.empty(0, bool)}
            count = given.count

            def read(pointer, width, dtype=np.float64):
                made = np.frombuffer(ffi.buffer(pointer, count * width * np.dtype(dtype).itemsize), dtype).copy()
                return made.reshape(count, width) if width > 1 else made
            return {"a": [self.bodies[k] for k in read(given.body_a, 1, np.int32)],
                    "b": [self.bodies[k] for k in read(given.body_b, 1, np.int32)],
                    "point": read(given.point, 3), "normal": read(given.normal, 3), "gap": read(given.gap, 1),
                    "impulse": read(given.force, 3), "sliding": read(given.state, 1, np.uint8) == lib.THUD_BODY_CONTACT_SLIDES}

    def _check_bodies(self):
        if self.family != "body":
            raise errors.UnsupportedError(f"this is a motion of the family {self.family!r}, not of rigid bodies", "unsupported")


class Motion(_Bodies):
    """The motion of a scene, stepped by hand.

    scene     whatever :func:`thud.run` takes
    changes   as for :func:`thud.run`; further keywords are parameters of the scene
    threads   of the computation
    record    True: :meth:`finish` gives a :class:`thud.Run` with verdict and record; a path: the record is also kept there

    The first step hands out the start, as the library does; each further one makes a step (an arc of event-driven motions).

    >>> import thud
    >>> ball = {"thud": 1, "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -10},
    ...         "constraints": [{"name": "floor", "gap": "z", "restitution": 0.5}]},
    ...         "initial": {"z": 1}, "simulate": {"method": "moreau-jean", "end": 1, "steps": 100}}
    >>> motion = thud.Motion(ball)
    >>> frame = motion.run(until=0.2)
    >>> round(frame.t, 9), round(frame["z"], 6), frame.gap.shape
    (0.2, 0.8, (1,))
    >>> kept = motion.save()
    >>> [round(frame["z"], 3) for frame in motion][-1] == round(motion.frame["z"], 3)
    True
    >>> motion.restore(kept)
    >>> motion.t == 0.2, motion.status
    (True, 'running')
    """

    def __init__(self, scene: Any, changes: Optional[Mapping[str, Any]] = None, /, *, threads: int = 1,
                 record: Union[bool, str, os.PathLike] = False, overwrite: bool = False, **parameters: Any):
        source, changes, parameters = _adapted(scene, changes, parameters)
        if not hasattr(source, "_build"):
            source = Scene(source)
        if changes is not None or parameters:
            source = source.with_changes(changes, **parameters)
        self._recipe, self._threads = source, threads
        self._count, self._status, self._reason, self._result = 0, lib.THUD_MOTION_RUNNING, "", None
        self._run = None
        self._memory: Optional[MemoryFile] = None
        self._path: Optional[str] = None
        self._using = contextlib.ExitStack()  # the file of the record, until it is finished
        self._context = Context(threads)
        with self._context as context:
            self._scene = source._build(context)
            self._motion = ffi.cast("thud_kind_object *", lib.thud_scene_motion(self._scene)).motion
            self.family = decode(lib.thud_motion_family(self._motion))  #: "stepping", "event", "body" ...
            if self.family not in FAMILIES:
                raise errors.UnsupportedError(f"motions of the family {self.family!r} are not known to this module",
                                              "unsupported")
            self._describe()
            if record is not False and record is not None:
                self._begin_record(record, overwrite)
            elif self.family == "body":
                if json.loads(decode(lib.thud_scene_resolved_text(self._scene))).get("changes"):
                    raise errors.UnsupportedError("the scene has `changes`, which a run makes: step it with record=True",
                                                  "unsupported")
                context.check(lib.thud_body_motion_set_changes(self._motion, NULL, NULL, NULL))

    def _describe(self) -> None:
        """Names and lengths of what frames hold."""
        fields: Dict[str, str]
        frame, info, self._event_type, fields, self._event_fields = FAMILIES[self.family]
        self._frame_type, self._frame, self._info = frame, ffi.new(frame + " *"), ffi.new(info + " *")
        self._reached, self._done = ffi.new("thud_reached *"), ffi.new("size_t *")
        self._numbers = {}  # names of bodies
        self._places: Dict[str, tuple] = {}  # of numbers
        self._arrays: Dict[str, Array] = {}
        self._figures = {name: read for name, read in _readers(frame).items() if name not in fields}
        self.bodies: List[str] = []  #: names of the rigid bodies
        self.joints: List[str] = []  #: names of their joints, in the order of the frames' arrays joint_forces, joint_moments
        self.planar = False  #: they move in the plane
        layout = lib.thud_scene_layout(self._scene)
        channels = {c.name: c for c in (Channel(k, layout.channels[0] + k) for k in range(layout.count[0]))}
        self._sizes = {name: channel.width for name, channel in channels.items()}
        system = lib.thud_scene_system(self._scene, NULL, NULL)
        if system != NULL:
            n, m = lib.thud_system_dimension(system), lib.thud_system_constraint_count(system)
            self._sizes.update(n=n, m=m, rows=m + lib.thud_system_slip_count(system))
            names = [decode(lib.thud_system_coordinate(system, k)) for k in range(n)]
            velocities = channels["v" if "v" in channels else "v_left"].components
            self._places.update({name: ("q", k) for k, name in enumerate(names)},
                                **{name: ("v", k) for k, name in enumerate(velocities)})
            self.constraints = [decode(lib.thud_system_constraint(system, k).name) for k in range(m)]
        elif self.family == "body":
            self._describe_bodies()
        step = {"v": 2} if decode(lib.thud_scene_get_info(self._scene).kind) == "beam" else {}  # deflections and slopes
        for field, size in fields.items():
            stride, length = step.get(field, 1), self._sizes.get(size, 0)
            if length or self._sizes.get("n"):
                self._arrays[field] = Array(field, _dtype(frame, field), (stride * length,), slice(None, None, stride))
            if field in channels and channels[field].state and system == NULL:
                self._places.update({name: (field, k) for k, name in enumerate(channels[field].components)})

    def _describe_bodies(self) -> None:
        made, seen = ffi.new("thud_bodies **"), ffi.new("thud_bodies_view *")
        self._context.check(lib.thud_scene_bodies(self._scene, made))
        self._bodies = made[0]
        self._context.check(lib.thud_bodies_get(self._bodies, seen))
        count, self.planar = seen.count, bool(seen.planar)
        self.bodies = [decode(seen.name[k]) for k in range(count)]
        self._numbers = {name: k for k, name in enumerate(self.bodies)}
        for name, field, width, first, last in (("poses", "pose", 7, 0, 7), ("positions", "pose", 7, 0, 3), ("rotations", "pose", 7, 3, 7),
                                                ("velocities", "velocity", 3, 0, 3), ("spins", "spin", 3, 0, 3)):
            self._arrays[name] = Array(field, np.float64, (count, width), np.s_[:, first:last])
        self._arrays.update({name: Array(name, np.bool_, (count,)) for name in ("asleep", "absent")})
        self.joints = [decode(seen.joints[k].name) for k in range(seen.joint_count)]
        if self.joints:
            self._arrays.update({name + "s": Array(name, np.float64, (len(self.joints), 3)) for name in ("joint_force", "joint_moment")})

    def _begin_record(self, record, overwrite: bool) -> None:
        context = self._context
        if record is True:
            self._memory, overwrite = MemoryFile(".h5"), True
            path = self._using.enter_context(self._memory.opened())
        else:
            path = self._path = path_text(record, "record")
        self._pulse = Pulse()
        options = make_options(context, "thud_run_options", lib.thud_run_option_table(), {})
        self._name = ffi.new("char[]", encode(path))
        options.record, options.overwrite = self._name, bool(overwrite)

        def destroy(run, scene=self._scene):  # a run is destroyed before its scene
            lib.thud_run_destroy(run)
        self._run = context.make("thud_run", lib.thud_run_create, destroy, self._scene, options)

    def _check_open(self) -> None:
        if self._result is not None:
            raise errors.ArgumentError("the motion is finished: its Run is what finish() returned", "argument")

    # ---- what it reached ----

    def _bytes(self, struct, array: Array) -> bytes:
        """The numbers of a field; zeros where it has none."""
        pointer, size = getattr(struct, array.field), math.prod(array.shape) * np.dtype(array.dtype).itemsize
        return ffi.buffer(pointer, size)[:] if pointer != NULL else bytes(size)

    def _present(self, events: Optional[list] = None) -> Frame:
        """What is reached; the context is entered."""
        struct = ffi.new(self._frame_type + " *")
        lib.thud_motion_present(self._motion, struct)
        raw = {}
        for array in self._arrays.values():
            if array.field not in raw and math.prod(array.shape) <= LARGE:
                raw[array.field] = self._bytes(struct, array)
        return Frame(self, struct, raw, [] if events is None else events)

    @property
    def frame(self) -> Frame:
        """What is reached, without a step."""
        with self._context:
            return self._present()

    @property
    def t(self) -> float:
        """The time that is reached."""
        with self._context:
            lib.thud_motion_present(self._motion, self._frame)
            return self._frame.t

    @property
    def status(self) -> str:
        """"running", "completed", or why it ended: "not converged", "blow-up" ..."""
        return decode(lib.thud_motion_status_name(self._status))

    @property
    def reason(self) -> str:
        """Of a motion that failed: what, where and when."""
        return self._reason

    @property
    def going(self) -> bool:
        """Whether there is more to come."""
        return self._status == lib.THUD_MOTION_RUNNING and self._result is None

    @property
    def info(self) -> dict:
        """Figures of the motion so far: steps, impacts, residuals, the energy balance ..."""
        with self._context:
            lib.thud_motion_get_info(self._motion, self._info)
            made = _plain(_readers(FAMILIES[self.family][1]), self._info)
        made["status"] = self.status
        return made

    def view(self, name: str) -> np.ndarray:
        """An array of the present frame without a copy, read-only: "q", "v", "gap", "reaction" ...; of bodies "positions" [n, 3],
        "rotations" [n, 4] (w, x, y, z), "velocities" and "spins" [n, 3]. It shows what is reached until the next step, and may
        show anything after it; it keeps the motion alive."""
        array = self._arrays.get(name)
        if array is None:
            raise errors.not_found("the frames of this motion have no array", name, self._arrays)
        with self._context:
            lib.thud_motion_present(self._motion, self._frame)
            pointer = getattr(self._frame, array.field)
            if pointer == NULL:
                return np.zeros(array.shape, array.dtype)[array.index]
            return view(pointer, array.shape, self, array.dtype)[array.index]

    @property
    def arrays(self) -> list:
        """Names of the arrays that frames and :meth:`view` have."""
        return list(self._arrays)

    @property
    def poses(self) -> np.ndarray:
        """[bodies, 7] positions and quaternions (w, x, y, z) side by side: a view (see :meth:`view`), and in one piece of memory."""
        return self.view("poses")

    @property
    def positions(self) -> np.ndarray:
        """[bodies, 3] of the centres of mass: a view (see :meth:`view`)."""
        return self.view("positions")

    @property
    def rotations(self) -> np.ndarray:
        """[bodies, 4] quaternions (w, x, y, z): a view."""
        return self.view("rotations")

    @property
    def velocities(self) -> np.ndarray:
        """[bodies, 3] of the centres of mass: a view."""
        return self.view("velocities")

    @property
    def spins(self) -> np.ndarray:
        """[bodies, 3] angular velocities in the axes of the world: a view."""
        return self.view("spins")

    # ---- going on ----

    def _advance(self, most: int, until: float, sink=NULL) -> int:
        """Steps in C; the context is entered. How many were made."""
        context = self._context
        self._check_open()
        if self._status != lib.THUD_MOTION_RUNNING:
            raise errors.ArgumentError(f"the motion has ended: {self.status}{': ' + self._reason if self._reason else ''}",
                                       "ended")
        if self._run is not None:
            return self._advance_recorded(most, until)
        reached, done = self._reached, self._done
        error = lib.thud_motion_advance(self._motion, most, until, sink, done, reached)
        self._count += 1
        if error == lib.THUD_OK:
            self._status = reached.status
            if self._status >= lib.THUD_MOTION_FAILED:
                self._reason = decode(lib.thud_context_last_message(context.pointer))
        context.check(error)
        return done[0]

    def _advance_recorded(self, most: int, until: float) -> int:
        going, done = ffi.new("bool *"), 0
        while done < most:
            error = lib.thud_run_step(self._run, going)
            self._count += 1
            done += 1
            if error == lib.THUD_OK and not going[0]:
                lib.thud_motion_get_info(self._motion, self._info)
                self._status = self._info.status or lib.THUD_MOTION_COMPLETED
                if self._status >= lib.THUD_MOTION_FAILED:
                    self._reason = decode(lib.thud_context_last_message(self._context.pointer))
            self._context.check(error)
            lib.thud_motion_present(self._motion, self._frame)
            if not going[0] or self._frame.t >= until:
                break
        return done

    def step(self, events: bool = False) -> Frame:
        """One step and what it reached. ``events=True``: ``frame.events`` are those of the step."""
        with self._context:
            found: list = []
            if not events:
                self._advance(1, np.inf)
            elif self._run is not None:
                raise errors.UnsupportedError("a recorded motion has its events in the Run of finish()", "unsupported")
            else:
                self._advance(1, np.inf, self._sink(found))
            frame = self._present(found)
            if events and self.family == "stepping" and frame.impact:
                atoms = {name: float(frame.reaction[k]) for k, name in enumerate(self.constraints) if frame.atom[k]}
                found.append(Event(frame.t, "impact", {"impulse": atoms, "v_left": frame.v_left, "v": frame.v}))
            return frame

    def _sink(self, found: list):
        if self._event_type is None:
            return NULL

        def take(_, given):
            found.append(self._event(ffi.cast(self._event_type + " *", given)))
            return 0

        def failed(kind, value, trace):
            self._context.failure = value

        self._taker = ffi.callback("int(void *, const void *)", take, error=-1, onerror=failed)
        sink = ffi.new("thud_motion_sink *")
        sink.event = self._taker
        return sink

    def _event(self, struct) -> Event:
        values = _plain(_readers(self._event_type), struct)
        kind, t = values.pop("kind", None), values.pop("t")
        for field, size in self._event_fields.items():
            array = Array(field, _dtype(self._event_type, field), (self._sizes[size],))
            values[field] = np.frombuffer(self._bytes(struct, array), array.dtype)
        if self.family == "body":
            kind = _enumerator(ffi.typeof("thud_body_event_kind"), kind)
            values.update({key[-1]: self.bodies[number] for key in ("body_a", "body_b") if (number := values.pop(key)) >= 0})
        return Event(t, kind or values.pop("regime", "event"), values)

    def run(self, until: Optional[float] = None, steps: Optional[int] = None) -> Frame:
        """Steps in the library's own loop: ``steps`` of them, or until a time is reached, or to the end; what was reached."""
        left = whole(steps, "steps", 0, 2**62) if steps is not None else None
        end = np.inf if until is None else real(until, "until")
        end -= 1e-12 * max(1.0, abs(end)) if until is not None else 0  # nodes are multiples of the step but for rounding
        chunk = 1 if self._count == 0 else CHUNK
        while self.going and (left is None or left > 0):
            if self._count > 0 and self.t >= end:
                break
            with self._context:
                begin = time.perf_counter()
                done = self._advance(chunk if left is None else min(chunk, left), end)
                taken = time.perf_counter() - begin
            left = None if left is None else left - done
            chunk = min(10**6, 2 * chunk) if taken < 0.02 else max(1, chunk // 2)
        return self.frame

    def __iter__(self) -> Iterator[Frame]:
        """Frames to the end; a step that fails has none, and ``motion.status`` says why."""
        while self.going:
            frame = self.step()
            if self._status < lib.THUD_MOTION_FAILED:
                yield frame

    def finish(self) -> Run:
        """Of a motion with ``record=``: closes the record and returns the run. Before the end the verdict is "stopped"."""
        with self._context as context:
            self._check_open()
            if self._run is None:
                raise errors.ArgumentError("nothing is recorded: make the motion with record=True", "argument")
            result = ffi.new("thud_run_result *")
            context.check(lib.thud_run_finish(self._run, result))
            self._result = finished(context, result, self._memory, self._path, self._pulse)
            self._using.close()
            return self._result

    # ---- states ----

    def save(self) -> bytes:
        """The whole state; :meth:`restore` goes on from it with the same bits. What Python functions remember is not part of it."""
        with self._context:
            size = lib.thud_motion_state_size(self._motion)
            room = ffi.new("char[]", size)
            lib.thud_motion_save(self._motion, room)
            return bytes(ffi.buffer(room, size)) + self._status.to_bytes(4, "little") + (self._count > 0).to_bytes(1, "little")

    def restore(self, state: bytes) -> None:
        """Goes back (or on) to a saved state of a motion of the same scene."""
        if not isinstance(state, (bytes, bytearray, memoryview)):
            raise TypeError(f"a state is bytes, as save() returns them, not {type(state).__name__}")
        state = bytes(state)
        with self._context as context:
            if self._run is not None:
                raise errors.UnsupportedError("a recorded motion cannot be restored: its record would not be that of one motion",
                                              "unsupported")
            if len(state) < 5 or not lib.THUD_MOTION_RUNNING <= int.from_bytes(state[-5:-1],
                                                                               "little") <= lib.THUD_MOTION_NOT_HELD:
                raise errors.ArgumentError("these bytes are not a state of a motion", "format")
            try:
                context.check(lib.thud_motion_restore(self._motion, state[:-5], len(state) - 5))
            except errors.FileError as failure:  # of a wrong format, and no file is involved
                raise errors.ArgumentError(failure.message, failure.code) from None
            self._status, self._reason = int.from_bytes(state[-5:-1], "little"), ""
            self._count = self._count + 1 if state[-1] else 0

    def __copy__(self) -> "Motion":
        if self._run is not None:
            raise errors.UnsupportedError("a recorded motion cannot be copied", "unsupported")
        made = Motion(self._recipe, threads=self._threads)
        made.restore(self.save())
        return made

    def __deepcopy__(self, memory) -> "Motion":
        return self.__copy__()

    def __reduce__(self):
        raise TypeError("a Motion is at work in this process and cannot be pickled; pickle its scene and the bytes of "
                        "motion.save(), and restore them in a motion of the same scene")

    def __repr__(self) -> str:
        return f"<thud.Motion of the family {self.family!r} at t = {self.t:.9g}: {self.status}>"
