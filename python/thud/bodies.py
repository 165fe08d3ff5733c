"""Rigid bodies built in code: shapes, materials, springs; forces and paths as expressions or Python functions."""
from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, Mapping, Optional, Sequence

import numpy as np

from . import errors
from ._library import NULL, Context, array, called_with, doubles, encode, ffi, lib, real
from .records import Run
from .scenes import Scene, run
from .structures import arrange

if TYPE_CHECKING:
    from .motions import Motion

__all__ = ["Bodies", "BodyState"]

#: word of a shape in scenes -> its number in the library; None: not in space (first) or not in the plane (second)
SHAPES = {"sphere": (0, None), "ellipsoid": (1, None), "capsule": (2, 11), "box": (3, 12), "cylinder": (4, None), "cone": (5, None),
          "plane": (6, None), "hull": (7, None), "height_field": (8, None), "mesh": (9, None), "disc": (None, 10),
          "polygon": (None, 13), "segment": (None, 14), "half_plane": (None, 15), "particle": (0, 10)}


class BodyState:
    """What a force function sees: ``position`` (of the centre of mass), ``rotation`` (the unit quaternion (w, x, y, z) of the body's
    frame; in the plane its angle), ``velocity`` and ``spin`` (world). Vectors are tuples; in the plane they have two numbers, and
    the spin is one."""

    __slots__ = ("position", "rotation", "velocity", "spin")

    def __init__(self, position: Any, rotation: Any, velocity: Any, spin: Any):
        self.position, self.rotation, self.velocity, self.spin = position, rotation, velocity, spin

    def __repr__(self) -> str:
        return f"<body at {self.position}, velocity {self.velocity}>"


def quaternion(matrix: np.ndarray) -> list:
    """(w, x, y, z) of a rotation matrix."""
    R = array(matrix, "rotation", (3, 3))
    if np.abs(R @ R.T - np.eye(3)).max() > 1e-9 or np.linalg.det(R) < 0:
        raise ValueError("rotation is not a rotation matrix: its columns must be orthonormal and right-handed")
    squares = np.array([1 + R[0, 0] + R[1, 1] + R[2, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2],
                        1 - R[0, 0] + R[1, 1] - R[2, 2], 1 - R[0, 0] - R[1, 1] + R[2, 2]])
    k = int(np.argmax(squares))
    w, x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], squares[k]
    a, b, c = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    q = np.array([[squares[0], w, x, y], [w, z, a, b], [x, a, z, c], [y, b, c, z]][k]) / (2 * np.sqrt(squares[k]))
    return q.tolist()


def _check_arrays(word: str, number: Optional[int], def_: dict) -> None:
    """Shapes of arrays are built once where they are given: what the library refuses is said there."""
    with Context() as context:
        made, struct = ffi.new("thud_shape **"), ffi.new("thud_shape_def *")
        struct.size, struct.kind = ffi.sizeof("thud_shape_def"), number
        for name, value in def_.items():
            setattr(struct, name, value)
        context.check(lib.thud_shape_create(context.pointer, struct, made))
        lib.thud_shape_destroy(made[0])


class Bodies:
    """Rigid bodies in space, or in the plane, with everything that a scene of ``bodies`` may have (docs/bodies.md).

    planar      the plane z = 0: vectors have two numbers, rotations and spins one
    gravity     default: 9.81 m/s^2 along -z (in the plane -y), in the units of the scene
    units       {"length": "m", "mass": "kg", "time": "s"}
    parameters  names for expressions; ``thud.run(bodies, mu=0.3)`` changes them

    Every ``add_...`` takes the keys of a body: ``name``, ``material``, ``density`` or ``mass`` (with ``inertia`` and ``centre``),
    ``position``, ``rotation`` ({"axis", "angle"}, a quaternion, a matrix, in the plane an angle), ``velocity``, ``spin``,
    ``fixed``, ``path``, ``force``, ``torque``, ``gravity_scale``, ``group``, ``category``, ``mask``, ``absent``; it returns the name.
    Numbers may be expressions of the parameters. A force is a list of expressions of t, x, y, z, x', ..., or a function
    ``force(t, state) -> force`` or ``-> (force, torque)`` (``slope(t, state) -> (by_place, by_velocity)``, two matrices of
    6 x 6, lets the step take it implicitly); a path is {"position", "axis", "angle"} with expressions of t, or a function
    ``path(t) -> (position, rotation, velocity, spin)``, whose rotation and spin may be None. ``thud verify`` checks a motion
    with functions by the values that they gave, and says that the functions themselves are not checked.

    >>> import thud
    >>> table = thud.Bodies()
    >>> table.material("felt", friction=0.2, density=1700)
    'felt'
    >>> table.add_ground(material="felt")
    'ground'
    >>> table.add_sphere(0.03, name="ball", material="felt", position=[0, 0, 0.03], velocity=[1.4, 0, 0])
    'ball'
    >>> run = thud.run(table, end=0.5, step=0.002)
    >>> run.verdict, round(float(run.bodies["ball"].velocity[-1, 0]), 12)  # 5/7 of 1.4 m/s
    ('good', 1.0)
    """

    def __init__(self, planar: bool = False, gravity: Any = None, units: Optional[Mapping[str, str]] = None,
                 title: Optional[str] = None, parameters: Optional[Mapping[str, Any]] = None, data: Optional[Mapping] = None):
        self.planar = bool(planar)
        self._root = {"title": title, "units": units, "parameters": None if parameters is None else dict(parameters), "data": data,
                      "planar": self.planar, "gravity": gravity}
        self._materials: Dict[str, dict] = {}
        self._pairs: list = []
        self._entries: list = []
        self._by_name: Dict[str, dict] = {}
        self._springs: list = []
        self._joints: list = []
        self._changes: list = []
        self._observed: Dict[str, Any] = {}
        self.until: Optional[str] = None  #: a condition that ends the run
        self._functions: Dict[str, dict] = {}
        self.draw: Optional[list] = None  #: marks of pictures, as in scenes

    # ---- materials ----

    def material(self, name: str, *, friction: Any = None, restitution: Any = None, rolling: Any = None, spinning: Any = None,
                 density: Any = None, axis: Any = None) -> str:
        """A material: what happens where bodies of it touch. ``friction``: Coulomb's coefficient, or two numbers along and across
        ``axis``; ``rolling`` and ``spinning`` are lengths. Returns its name."""
        if name in self._materials:
            raise errors.ArgumentError(f"there is a material {name!r} already", "argument")
        law = {"friction": friction, "restitution": restitution, "rolling": rolling, "spinning": spinning, "density": density,
               "axis": axis}
        self._materials[name] = {key: value for key, value in law.items() if value is not None}
        return name

    def pair(self, a: str, b: str, **law: Any) -> None:
        """The law between two materials, instead of what the rule makes of both: ``friction``, ``restitution``, ``rolling``,
        ``spinning``, ``axis``."""
        self._pairs.append({"materials": [a, b], **law})

    # ---- bodies ----

    def add(self, shape: Any = None, *, name: Optional[str] = None, parts: Optional[Sequence[Mapping]] = None, **keys: Any) -> str:
        """A body of any shape of the scene format: ``add({"sphere": 0.1})``, or of ``parts``; returns its name."""
        word = "compound" if shape is None else shape if isinstance(shape, str) else next(iter(shape), "body")
        if name is None:
            k = 1 + sum(entry.get("name", "").startswith(word + "-") for entry in self._entries)
            while f"{word}-{k}" in self._by_name:
                k += 1
            name = f"{word}-{k}"
        encode(name, "name")
        if name in self._by_name:
            raise errors.ArgumentError(f"there is a body {name!r} already", "argument")
        entry: Dict[str, Any] = {"name": name}
        if shape is not None:
            entry["shape"] = shape
        if parts is not None:
            entry["parts"] = [self._part(part) for part in parts]
        functions = {}
        for key, value in keys.items():
            if value is None:
                continue
            if callable(value) and key in KINDS:
                functions[key] = called_with(value, "t" if key == "path" else "t, state", f"the {key} of {name!r}")
                value = {"functions": True}
            elif key == "rotation":
                value = self._rotation(value)
            if key != "slope":
                entry[key] = value
        if "slope" in keys and keys["slope"] is not None and "force" not in functions:
            raise errors.ArgumentError("slope belongs to a force that is a function", "argument")
        if "force" in functions and keys.get("torque") is not None:
            raise errors.ArgumentError("a force that is a function returns the torque, too: (force, torque)", "argument")
        self._entries.append(entry)
        self._by_name[name] = entry
        if functions:
            self._functions[name] = functions
        return name

    def _part(self, part: Mapping) -> dict:
        """{"sphere": 0.1, "position": ...} is short for {"shape": {"sphere": 0.1}, "position": ...}."""
        made = dict(part)
        words = [key for key in made if key in SHAPES]
        if "shape" not in made and len(words) == 1:
            value = made.pop(words[0])
            made["shape"] = words[0] if value is None else {words[0]: value}
        if "rotation" in made:
            made["rotation"] = self._rotation(made["rotation"])
        return made

    def _rotation(self, value: Any) -> Any:
        if hasattr(value, "as_quat"):  # scipy's Rotation
            x, y, z, w = np.asarray(value.as_quat(), dtype=float)
            return [float(w), float(x), float(y), float(z)]
        if not isinstance(value, (str, Mapping)) and np.ndim(value) == 2:
            return quaternion(value)
        return value

    def add_box(self, size: Any, **keys: Any) -> str:
        """A box with these whole edges."""
        return self.add({"box": size}, **keys)

    def add_sphere(self, radius: Any, **keys: Any) -> str:
        """A ball; in the plane :meth:`add_disc`."""
        return self.add({"sphere": radius}, **keys)

    def add_disc(self, radius: Any, **keys: Any) -> str:
        """A disc of the plane."""
        return self.add({"disc": radius}, **keys)

    def add_ellipsoid(self, semi_axes: Any, **keys: Any) -> str:
        """An ellipsoid with three semi-axes."""
        return self.add({"ellipsoid": semi_axes}, **keys)

    def add_capsule(self, radius: Any, length: Any, **keys: Any) -> str:
        """A capsule along z (in the plane y); ``length`` between the centres of its caps."""
        return self.add({"capsule": {"radius": radius, "length": length}}, **keys)

    def add_cylinder(self, radius: Any, length: Any, **keys: Any) -> str:
        """A cylinder along z."""
        return self.add({"cylinder": {"radius": radius, "length": length}}, **keys)

    def add_cone(self, radius: Any, height: Any, **keys: Any) -> str:
        """A cone along z, its frame at half of its height."""
        return self.add({"cone": {"radius": radius, "height": height}}, **keys)

    def add_particle(self, **keys: Any) -> str:
        """A point with a ``mass``."""
        return self.add("particle", **keys)

    def add_hull(self, points: Any, **keys: Any) -> str:
        """The convex hull of points [n, 3]; in the plane a polygon, the hull of points [n, 2]."""
        word = "polygon" if self.planar else "hull"
        return self.add({word: self._points(word, points, {})}, **keys)

    def add_segment(self, ends: Any, **keys: Any) -> str:
        """A segment of the plane, fixed or on a path."""
        return self.add({"segment": self._points("segment", ends, {})}, **keys)

    def add_ground(self, name: str = "ground", **keys: Any) -> str:
        """A fixed half-space z <= 0 (in the plane y <= 0), turned and moved as ``rotation`` and ``position`` say."""
        if "path" not in keys:
            keys.setdefault("fixed", True)
        return self.add("half_plane" if self.planar else "plane", name=name, **keys)

    def add_mesh(self, vertices: Any, faces: Any, *, open: bool = False, **keys: Any) -> str:  # noqa: A002
        """A fixed body, or one on a path, of triangles: vertices [n, 3], faces [m, 3] counter-clockwise seen from outside. A mesh
        that has holes (unless ``open``) or is inside out is refused. What forces move is a hull, or parts that are.

        >>> import thud
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> scene = thud.Bodies()
        >>> scene.add_mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], fixed=True)
        'mesh-1'
        >>> scene.add_mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3]], fixed=True)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        thud.errors.ArgumentError: mesh: it has a hole: the edge from vertex 0 to 2 of triangle 0 has no neighbour; set `open` ...
        """
        triangles = np.asarray(faces)
        if triangles.dtype.kind not in "iu" or triangles.ndim != 2 or triangles.shape[1] != 3:
            raise ValueError(f"faces must be whole numbers, any x 3, not {triangles.dtype}, {' x '.join(map(str, triangles.shape))}")
        if triangles.size and (triangles.min() < 0 or triangles.max() >= min(len(vertices), 2**31 - 1)):
            raise ValueError(f"faces must be numbers of vertices, 0..{len(vertices) - 1}")
        corners = np.require(triangles, np.int32, ("C", "A"))
        index = f"{ffi.typeof(ffi.new('thud_shape_def *').triangles).item.cname}[]"
        points = self._points("mesh", vertices, {"triangles": ffi.from_buffer(index, corners.reshape(-1)),
                                                 "triangle_count": len(corners), "open": bool(open)})
        mesh: Dict[str, Any] = {"vertices": points, "triangles": corners}
        if open:
            mesh["open"] = True
        return self.add({"mesh": mesh}, **keys)

    def add_height_field(self, heights: Any, *, size: Any = None, spacing: Any = None, **keys: Any) -> str:
        """Ground with heights [rows, columns] over a grid around the origin, columns along x and rows along y, the first row at the
        smallest y; either its whole ``size`` or the ``spacing`` of its grid. Fixed unless it has a ``path``.

        >>> import numpy as np, thud
        >>> hills = thud.Bodies()
        >>> hills.add_height_field(np.zeros((3, 3)), size=[2, 2])
        'height_field-1'
        """
        grid = array(heights, "heights", (-1, -1))
        if (size is None) == (spacing is None):
            raise ValueError("give either size (of the whole field) or spacing (of its grid)")
        if min(grid.shape) < 2:
            raise ValueError(f"heights must be 2 x 2 at least, not {grid.shape[0]} x {grid.shape[1]}")
        if "path" not in keys:
            keys.setdefault("fixed", True)
        field = {"size": size} if size is not None else {"spacing": spacing}
        return self.add({"height_field": {**field, "heights": grid}}, **keys)

    def add_compound(self, parts: Sequence[Mapping], **keys: Any) -> str:
        """One body of several shapes: ``[{"sphere": 0.1, "position": [0, 0, 0.2], "material": "stone"}, ...]``, each with
        ``position``, ``rotation``, ``material`` and ``density``."""
        return self.add(parts=parts, **keys)

    def _points(self, word: str, points: Any, def_: dict) -> np.ndarray:
        width = 2 if word in ("polygon", "segment") else 3
        made = array(points, "vertices" if word == "mesh" else "points", (-1, width))
        if self.planar == (SHAPES[word][1] is None):
            raise errors.ArgumentError(f"a {word} is a shape of {'space' if self.planar else 'the plane'}", "argument")
        if word == "segment" and len(made) != 2:
            raise ValueError(f"a segment has 2 ends, not {len(made)}")
        spatial = np.zeros((len(made), 3))
        spatial[:, :width] = made
        _check_arrays(word, SHAPES[word][self.planar], {"points": doubles(spatial) if len(made) else NULL,
                                                        "point_count": len(made), **def_})
        return made

    def generate(self, kind: str, *, name: str, **keys: Any) -> None:
        """Many bodies at once, called name-1, name-2, ...: ``grid``, ``packing``, ``heap``, ``wall``, ``arch``, ``tower``, ``chain``,
        ``drum`` with the keys of docs/bodies.md.

        >>> import thud
        >>> pile = thud.Bodies()
        >>> pile.generate("grid", name="ball", counts=[2, 2, 2], spacing=0.3, body={"shape": {"sphere": 0.1}, "density": 1})
        >>> thud.check(pile, end=1, step=0.01)["bodies"]
        8
        """
        encode(name, "name")
        self._entries.append({"generate": kind, "name": name, **keys})

    def __getitem__(self, name: str) -> dict:
        """The entry of a body, as a dict of the scene format that may be changed."""
        try:
            return self._by_name[name]
        except KeyError:
            raise errors.not_found("there is no body", name, self._by_name) from None

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __len__(self) -> int:
        return len(self._by_name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    # ---- what acts on them ----

    def add_spring(self, a: str, b: Optional[str] = None, **keys: Any) -> None:
        """A spring with a damper between two bodies (without b: the world): ``at_a``, ``at_b`` (points in their frames), ``length``,
        ``stiffness``, ``damping``, ``name``."""
        self._springs.append({"a": a, **({} if b is None else {"b": b}), **keys})

    def add_joint(self, kind: str, a: Optional[str] = None, b: Optional[str] = None, **keys: Any) -> None:
        """A joint of any kind of docs/joints.md between two bodies (without b: the world), with the keys of that page: ``at``, ``axis``,
        ``length``, ``limits``, ``motor``, ``friction``, ``spring``, ``name`` ... ``run.joints`` has its forces.

        >>> import math, thud
        >>> crane = thud.Bodies(planar=True)
        >>> crane.add_box([0.3, 0.1], name="cart", mass=2)
        'cart'
        >>> crane.add_disc(0.1, name="load", mass=1, position=[1, 0])
        'load'
        >>> crane.add_joint("slider", "cart", at=[0, 0], axis=[1, 0], name="rail")
        >>> crane.add_joint("rod", "load", "cart", name="rope")
        >>> run = crane.run(end=1, step=0.01)
        >>> run.verdict, list(run.joints), run.joints["rail"].force.shape
        ('good', ['rail', 'rope'], (101, 2))
        >>> round(math.dist(run(1.0)["load"].position, run(1.0)["cart"].position), 12)
        1.0
        >>> door = thud.Bodies(planar=True, gravity=[0, 0])
        >>> door.add_box([0.9, 0.04], name="door", mass=6, position=[0.45, 0])
        'door'
        >>> door.add_joint("hinge", "door", at=[0, 0], name="hinge", limits=[0, None], spring={"stiffness": 8, "damping": 1, "rest": -0.3})
        >>> hinge = door.run(end=0.1, step=0.01).joints["hinge"]    # the spring presses the door against its stop
        >>> hinge.spring[-1].round(9), (hinge.limit[-1] / 0.01).round(9)
        (-2.4, 2.4)
        """
        self._joints.append({"joint": kind, **{key: body for key, body in (("a", a), ("b", b)) if body is not None}, **keys})

    # ---- what changes, what is seen ----

    def change(self, at: Any = None, do: Optional[str] = None, *, when: Optional[str] = None, **keys: Any) -> None:
        """A change of the running motion at a time or ``when`` a condition holds for the first time: ``add``, ``remove``, ``set``,
        ``impulse``, ``force``, ``release``, ``material``, ``pair``, ``attach``, ``detach``, ``motor`` with the keys of docs/bodies.md.
        Conditions are expressions over the names of docs/observe.md.

        >>> import thud
        >>> bodies = thud.Bodies(gravity=[0, 0, -10])
        >>> bodies.add_sphere(0.1, name="ball", mass=1, position=[0, 0, 2])
        'ball'
        >>> bodies.change(do="set", body="ball", velocity=[0, 0, 0], when="ball.z < 1")
        >>> run = bodies.run(end=0.5, step=0.01)
        >>> [(event.kind, round(event.t, 12)) for event in run.events]
        [('state', 0.45)]
        """
        if do is None:
            raise TypeError("a change needs `do`: what is done")
        if (at is None) == (when is None):
            raise TypeError("a change needs either a time, at, or a condition, when")
        self._changes.append({**({"at": at} if when is None else {"when": when}), "do": do, **keys})

    def apply_impulse(self, body: str, impulse: Any = None, torque: Any = None, point: Any = None, *, at: Any = None,
                      when: Optional[str] = None) -> None:
        """An impulse (N s) on a body, and one of rotation (N m s), at a time or when a condition holds for the first time.

        >>> import thud
        >>> bodies = thud.Bodies(planar=True, gravity=[0, 0])
        >>> bodies.add_disc(0.1, name="puck", mass=2, velocity=[1, 0])
        'puck'
        >>> bodies.apply_impulse("puck", [0, 4], when="puck.x > 0.295")
        >>> run = bodies.run(end=0.5, step=0.01)
        >>> run(0.5)["puck"].position.round(9).tolist()
        [0.5, 0.4]
        """
        given = {"impulse": impulse, "moment": torque, "point": point}
        self.change(at, "impulse", when=when, body=body, **{key: value for key, value in given.items() if value is not None})

    def detach(self, joint: str, *, at: Any = None, when: Optional[str] = None) -> None:
        """Lets a joint go, with its limits, its motor and its friction.

        >>> import thud
        >>> sling = thud.Bodies(planar=True, gravity=[0, 0])
        >>> sling.add_disc(0.1, name="stone", mass=1, position=[1, 0], velocity=[0, 2])
        'stone'
        >>> sling.add_joint("rod", "stone", at_a=[0, 0], at_b=[0, 0], name="string")
        >>> sling.detach("string", when="stone.x <= 0")
        >>> run = sling.run(end=1, step=0.001)
        >>> (abs(run(1.0)["stone"].velocity - [-2, 0]) < 0.01).tolist()  # straight on
        [True, True]
        """
        self.change(at, "detach", when=when, joint=joint)

    def attach(self, joint: str, *, at: Any = None, when: Optional[str] = None) -> None:
        """Lets a joint act that has ``absent=True`` or was detached; its equations must hold where its bodies are.

        >>> import thud
        >>> lamps = thud.Bodies(planar=True, gravity=[0, -10])
        >>> lamps.add_disc(0.1, name="lamp", mass=1)
        'lamp'
        >>> lamps.add_joint("hinge", "lamp", at=[0, 0], name="hook")
        >>> lamps.add_joint("fixed", "lamp", at=[0, 0], name="clamp", absent=True)
        >>> lamps.detach("hook", at=0.2)
        >>> lamps.attach("clamp", at=0.2)
        >>> run = lamps.run(end=1, step=0.1)
        >>> run.verdict, [event.kind for event in run.events], bool(abs(run(1.0)["lamp"].position).max() < 1e-12)
        ('good', ['detach', 'attach'], True)
        """
        self.change(at, "attach", when=when, joint=joint)

    def set_motor(self, joint: str, *, speed: Any = None, position: Any = None, at_most: Any = None, coordinate: Optional[str] = None,
                  at: Any = None, when: Optional[str] = None) -> None:
        """Another target or bound of a motor; what is not given stays. ``coordinate``: ``"sliding"`` or ``"turning"`` of a cylindrical
        joint.

        >>> import thud
        >>> wheel = thud.Bodies(planar=True, gravity=[0, 0])
        >>> wheel.add_disc(0.1, name="wheel", mass=200, inertia=1)
        'wheel'
        >>> wheel.add_joint("hinge", "wheel", at=[0, 0], name="shaft", motor={"speed": 3, "at_most": 2})
        >>> wheel.set_motor("shaft", at_most=0, when="wheel.w > 0.995")
        >>> run = wheel.run(end=1, step=0.01)
        >>> round(run(1.0)["wheel"].spin, 9)  # 2 Nm for half a second
        1.0
        """
        given = {"speed": speed, "position": position, "at_most": at_most, "coordinate": coordinate}
        self.change(at, "motor", when=when, joint=joint, **{key: value for key, value in given.items() if value is not None})

    def observe(self, name: str, value: Any = None, *, unit: Optional[str] = None, **form: Any) -> None:
        """A named quantity of the run: an expression over positions, velocities, forces of joints and energies, or one of the forms of
        docs/observe.md (``distance``, ``first``, ``first_contact``, ``contact_force``, ``component``).

        >>> import thud
        >>> bodies = thud.Bodies(gravity=[0, 0, -10])
        >>> bodies.material("ice")
        'ice'
        >>> bodies.add_ground(material="ice")
        'ground'
        >>> bodies.add_sphere(0.1, name="ball", mass=1, position=[0, 0, 0.6], material="ice")
        'ball'
        >>> bodies.observe("speed", "-ball.vz", unit="m/s")
        >>> bodies.observe("hit", first_contact=["ground", "ball"])
        >>> bodies.until = "ball.vz < -1.95"
        >>> run = bodies.run(end=1, step=0.01)
        >>> round(run.t[-1], 9), round(float(run["speed"][-1]), 9), run.verdict
        (0.2, 2.0, 'good')
        """
        encode(name, "the name of what is observed")
        if name in self._observed:
            raise errors.ArgumentError(f"{name!r} is observed already", "argument")
        if (value is None) == (not form):
            raise TypeError("observe takes an expression or one of the forms, like first_contact=[a, b]")
        if form or unit is not None:
            value = {**({} if value is None else {"value": value}), **form, **({} if unit is None else {"unit": unit})}
        self._observed[name] = value

    # ---- the scene ----

    def to_scene(self, **simulate: Any) -> dict:
        """The scene as a dict. Functions are ``{"functions": true}`` in it: it runs with them alone."""
        root = {key: value for key, value in self._root.items() if value is not None}
        further = {"materials": self._materials, "pairs": self._pairs, "springs": self._springs, "joints": self._joints,
                   "changes": self._changes, "observe": self._observed}
        root.update((key, value) for key, value in further.items() if value)
        made = arrange("bodies", {}, {"draw": self.draw, "until": self.until, **simulate})
        return copy.deepcopy({"thud": 1, **root, **made, "bodies": self._entries})

    def _as_scene(self, **simulate: Any) -> Scene:
        scene = Scene(self.to_scene(**simulate))
        scene.functions = tuple((name, self.planar, dict(given)) for name, given in self._functions.items())
        return scene

    def _adapt(self, changes: Optional[Mapping], keywords: dict) -> tuple:
        """What thud.run and thud.check are asked for: names of parameters stay, all others are of ``simulate``."""
        parameters = self._root["parameters"] or {}
        simulate = {key: keywords.pop(key) for key in list(keywords) if key not in parameters}
        return self._as_scene(**simulate), changes, keywords

    def run(self, changes: Optional[Mapping[str, Any]] = None, /, **keywords: Any) -> Run:
        """``thud.run(bodies, ...)``: ``end``, ``step`` or ``steps``, ``every`` (of the record), other options of ``simulate``,
        parameters, and the keywords of :func:`thud.run`."""
        return run(self, changes, **keywords)

    def motion(self, changes: Optional[Mapping[str, Any]] = None, /, **keywords: Any) -> Motion:
        """Their motion, to be stepped by hand: a :class:`thud.Motion`, with the keywords of :meth:`run`."""
        from .motions import Motion
        return Motion(self, changes, **keywords)

    def __repr__(self) -> str:
        return f"<thud.Bodies {self._root['title'] or ''!r}, {'in the plane' if self.planar else 'in space'}: {', '.join(self)}>"


# ---- functions --------------------------------------------------------------------------------------------------------------


def _vector(value: Any, what: str, planar: bool) -> list:
    """Three numbers for C."""
    try:
        numbers = [float(x) for x in value]
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be {2 if planar else 3} numbers, not {value!r}") from None
    if len(numbers) != (2 if planar else 3):
        raise ValueError(f"{what} must have {2 if planar else 3} numbers, not {len(numbers)}")
    return numbers + [0.0] if planar else numbers


def _turning(value: Any, what: str, planar: bool) -> list:
    """A spin or a torque: in the plane a number, about z."""
    if value is None or planar:
        return [0.0, 0.0, 0.0 if value is None else real(value, what, finite=False)]
    return _vector(value, what, False)


def _state_of(state, planar: bool) -> BodyState:
    x, q, v, w = state.position, state.rotation, state.velocity, state.spin
    if planar:
        return BodyState((x.x, x.y), 2 * float(np.arctan2(q.z, q.w)), (v.x, v.y), w.z)
    return BodyState((x.x, x.y, x.z), (q.w, q.x, q.y, q.z), (v.x, v.y, v.z), (w.x, w.y, w.z))


def _force_callback(name: str, planar: bool, force: Callable):
    def ask(_, t, state, out_force, out_torque):
        given, torque = force(t, _state_of(state, planar)), None
        if len(given) == 2 and np.ndim(given[0]) == 1:
            given, torque = given
        out_force.x, out_force.y, out_force.z = _vector(given, f"the force of {name!r}", planar)
        out_torque.x, out_torque.y, out_torque.z = _turning(torque, f"the torque of {name!r}", planar)
        return 0
    return ask


def _slope_callback(name: str, planar: bool, slope: Callable):
    freedoms = [0, 1, 5] if planar else list(range(6))
    places = np.ix_(freedoms, freedoms)

    def ask(_, t, state, by_place, by_velocity):
        both = slope(t, _state_of(state, planar))
        if len(both) != 2:
            raise ValueError(f"the slope of {name!r} must be (by_place, by_velocity)")
        for matrix, out in zip(both, (by_place, by_velocity)):
            whole = np.zeros((6, 6))
            whole[places] = array(matrix, f"the slope of {name!r}", (len(freedoms),) * 2, finite=False)
            ffi.buffer(out, 288)[:] = whole.tobytes()
        return 0
    return ask


def _path_callback(name: str, planar: bool, path: Callable):
    def ask(_, t, pose, velocity, spin):
        try:
            position, rotation, v, w = path(t)
        except (TypeError, ValueError) as failure:
            if failure.__traceback__.tb_next is not None:
                raise
            raise TypeError(f"the path of {name!r} must return (position, rotation, velocity, spin)") from None
        pose.position.x, pose.position.y, pose.position.z = _vector(position, f"the position of {name!r}", planar)
        q = pose.rotation
        if rotation is None:
            q.w, q.x, q.y, q.z = 1, 0, 0, 0
        elif planar:
            half = 0.5 * real(rotation, f"the angle of {name!r}", finite=False)
            q.w, q.x, q.y, q.z = float(np.cos(half)), 0, 0, float(np.sin(half))
        else:
            parts = quaternion(rotation) if np.ndim(rotation) == 2 else [float(x) for x in rotation]
            if len(parts) != 4 or not abs(sum(x * x for x in parts) - 1) < 1e-6:
                raise ValueError(f"the rotation of {name!r} must be a unit quaternion (w, x, y, z) or a matrix, not {rotation!r}")
            q.w, q.x, q.y, q.z = parts
        velocity.x, velocity.y, velocity.z = _vector(v, f"the velocity of {name!r}", planar)
        spin.x, spin.y, spin.z = _turning(w, f"the spin of {name!r}", planar)
        return 0
    return ask


KINDS = {"force": ("thud_body_force_fn", _force_callback), "slope": ("thud_body_slope_fn", _slope_callback),
         "path": ("thud_body_path_fn", _path_callback)}


def build_with_functions(context: Context, tree: Any, functions: Sequence[tuple]):
    """The built scene of a tree with these functions; they live as long as it does."""
    def failed(_, value, trace):
        if context.failure is None:
            context.failure = value.with_traceback(trace)

    given = ffi.new("thud_body_functions[]", len(functions))
    keep: list = [given]
    for row, (name, planar, by_kind) in zip(given, functions):
        keep.append(ffi.new("char[]", encode(name)))
        row.name = keep[-1]
        for kind, function in by_kind.items():
            type_name, make = KINDS[kind]
            keep.append(ffi.callback(type_name, make(name, planar, function), error=-1, onerror=failed))
            setattr(row, kind, keep[-1])

    def destroy(scene, _keep=keep):
        lib.thud_scene_destroy(scene)
    return context.make("thud_scene", lib.thud_scene_build_bodies, destroy, context.pointer, tree, len(functions), given)
