"""Builders of scenes from numpy and scipy.sparse: sweeping processes, quasi-static structures, strings, beams, membranes, plates,
half-planes, composed friction laws.

Each function returns a :class:`thud.Scene`. Its keywords have the names of the scene format (docs/scene-format.md): those of the
section itself are in the signature; ``title``, ``units``, ``parameters``, ``definitions``, ``data``, ``draw`` and ``record``
belong to the scene, ``every`` to its record, and all others (``end``, ``step``, ``steps``, ``method`` ...) to ``simulate``. The
library refuses keys that it does not know. Wherever a number is expected, a str is an expression.
"""
from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import array, real, sound
from .scenes import Scene

__all__ = ["sweeping", "quasistatic", "contacts", "string", "beam", "membrane", "plate", "half_plane", "composed_friction", "table"]

Number = Union[float, str]  #: a number or an expression
ROOT = ("title", "units", "parameters", "definitions", "data", "draw", "record", "observe", "until")


def arrange(section: str, content: Mapping, keys: dict, initial: Any = None) -> dict:
    """The dict of a scene: what is not of the scene as a whole is an option of ``simulate``."""
    root: Dict[str, Any] = {"thud": 1}
    root.update((name, keys.pop(name)) for name in ROOT if keys.get(name) is not None)
    keys = {name: value for name, value in keys.items() if name not in ROOT}
    root[section] = {name: value for name, value in content.items() if value is not None}
    if initial is not None:
        root["initial"] = initial
    every = keys.pop("every", None)
    if every is not None:
        root["record"] = {**root.get("record", {}), "every": every}
    root["simulate"] = {**keys.pop("simulate", {}), **{name: value for name, value in keys.items() if value is not None}}
    return root


def table(x: Any, y: Any, variable: str = "t") -> str:
    """The expression that is linear between the points (x, y), equal to y at each x and constant beyond the ends: samples of a
    load over time, of an obstacle along x.

    >>> import thud
    >>> thud.table([0, 1], [2, 5])
    'if(t < 0.0, 2.0, if(t < 1.0, 2.0 + 3.0*(t - 0.0), 5.0))'
    """
    x, y = array(x, "x", (-1,)), array(y, "y", (-1,))
    if len(x) != len(y) or len(x) < 2:
        raise ValueError(f"x and y must have equal lengths of at least 2, not {len(x)} and {len(y)}")
    if not (np.diff(x) > 0).all():
        raise ValueError("x must increase from entry to entry")
    with np.errstate(over="ignore"):
        slope = np.diff(y) / np.diff(x)
    if not np.isfinite(slope).all():
        raise ValueError("x and y have a slope that is not finite")
    x, y, slope = x.tolist(), y.tolist(), slope.tolist()

    def number(value):
        return repr(value) if value >= 0 else f"({value!r})"

    def between(low, high):  # a tree, so that long tables are not deep
        if high - low == 1:
            return f"{number(y[low])} + {number(slope[low])}*({variable} - {number(x[low])})"
        middle = (low + high) // 2
        return f"if({variable} < {number(x[middle])}, {between(low, middle)}, {between(middle, high)})"

    last = len(x) - 1
    return (f"if({variable} < {number(x[0])}, {number(y[0])}, "
            f"if({variable} < {number(x[last])}, {between(0, last)}, {number(y[last])}))")


def _names(names: Optional[Sequence[str]], count: int, prefix: str, what: str) -> list:
    if names is None:
        return [f"{prefix}{k + 1}" for k in range(count)]
    names = list(names)
    if len(names) != count:
        raise ValueError(f"{what} has {len(names)} names, and there are {count}")
    return names


# ---- sweeping processes -----------------------------------------------------------------------------------------------------


def sweeping(set: Mapping, initial: Any, *, coordinates: Optional[Sequence[str]] = None, metric: Any = None, **keys: Any) -> Scene:
    """A moving convex set sweeps a point along (docs/sweeping.md).

    set          the set as the scene format has it, {"ball": {"centre": ["t", 0], "radius": 1}} (docs/convex-sets.md)
    initial      where the point starts: numbers, or a dict by coordinates
    coordinates  names (default: those of initial, else u1, u2, ...)
    metric       a symmetric positive definite matrix

    >>> import thud
    >>> run = thud.sweeping({"interval": {"lower": "t - 1", "upper": "t + 1"}}, [0], end=3, steps=30).run()
    >>> run.verdict, round(float(run["u1"][-1]), 12)
    ('good', 2.0)
    """
    if not isinstance(initial, Mapping):
        values = list(np.atleast_1d(initial)) if not isinstance(initial, (list, tuple)) else list(initial)
        coordinates = _names(coordinates, len(values), "u", "coordinates")
        initial = dict(zip(coordinates, values))
    elif coordinates is None:
        coordinates = list(initial)
    return Scene(arrange("sweeping", {"coordinates": coordinates, "metric": metric, "set": set},
                         {"method": "catching-up", **keys}, initial))


# ---- quasi-static structures ------------------------------------------------------------------------------------------------


def _is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "tocoo")


def _entries(matrix: Any, what: str):
    """Rows, columns and values of a sparse matrix, duplicates summed."""
    coo = sound(matrix, what).tocsr().tocoo()
    return coo.row.tolist(), coo.col.tolist(), array(coo.data, what)


def _stiffness(K: Any):
    """Sparse: the lower triangle as a Matrix Market text, whose numbers are exact; dense: rows."""
    if not _is_sparse(K):
        if isinstance(K, np.ndarray):
            K = array(K, "stiffness", (-1, -1))
            if K.shape[0] != K.shape[1]:
                raise ValueError(f"stiffness must be square, not {K.shape[0]} x {K.shape[1]}")
            return K, len(K)
        K = [list(row) for row in K]
        return K, len(K)
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"stiffness must be square, not {K.shape[0]} x {K.shape[1]}")
    if np.dtype(K.dtype).kind not in "fiub":
        raise TypeError(f"stiffness must be a matrix of real numbers, not of {K.dtype}")
    K = sound(K, "stiffness").tocsr().astype(np.float64)
    rows, columns, values = _entries(K, "stiffness")
    size, skew = np.abs(values).max(initial=0), abs(K - K.T)
    if skew.nnz and skew.max() > 1e-12 * size:
        at = skew.tocoo()
        k = int(np.argmax(at.data))
        i, j = int(at.row[k]), int(at.col[k])
        raise ValueError(f"stiffness must be symmetric: its entry {i}, {j} is {K[i, j]}, and {j}, {i} is {K[j, i]}")
    lower = [(i + 1, j + 1, v) for i, j, v in zip(rows, columns, values.tolist()) if i >= j]
    lines = [f"{i} {j} {v!r}" for i, j, v in lower]
    n = K.shape[0]
    head = f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(lines)}\n"
    return {"matrix_market": head + "\n".join(lines) + "\n"}, n


def _direction(value: Any, names: list, what: str) -> Any:
    """An unknown by number, coefficients by number or in a row, or as the scene format has it."""
    if isinstance(value, Mapping):
        return {_direction(key, names, what): coefficient for key, coefficient in value.items()}
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        if not 0 <= value < len(names):
            raise ValueError(f"{what} is the unknown {value}, and they are numbered from 0 to {len(names) - 1}")
        return names[value]
    if isinstance(value, str):
        return value
    return {names[k]: v for k, v in enumerate(array(value, what, (len(names),)).tolist()) if v != 0}


def _contact(contact: Mapping, names: list, k: int) -> dict:
    if not isinstance(contact, Mapping):
        raise TypeError(f"contact {k} must be a dict with 'normal', 'tangential', 'mu' ..., not {type(contact).__name__}")
    made, what = dict(contact), contact.get("name", f"contact {k}")
    for key in ("normal", "tangential"):
        value = made.get(key)
        if isinstance(value, (list, tuple)) and not all(isinstance(v, (float, int)) for v in value):  # two, in space
            made[key] = [_direction(v, names, f"the {key} of {what}") for v in value]
        elif value is not None:
            made[key] = _direction(value, names, f"the {key} of {what}")
    return made


def _load(load: Any, names: list) -> dict:
    if isinstance(load, Mapping):
        return dict(load)
    pairs = load if isinstance(load, (list, tuple)) and load and isinstance(load[0], (list, tuple)) and len(load[0]) == 2 and \
        isinstance(load[0][1], str) else [(load, None)]
    terms: dict = {}
    for vector, factor in pairs:
        for name, value in zip(names, array(vector, "load", (len(names),)).tolist()):
            if value != 0:
                terms.setdefault(name, []).append(value if factor is None else f"({value!r})*({factor})")
    return {name: parts[0] if len(parts) == 1 else " + ".join(map(str, parts)) for name, parts in terms.items()}


def contacts(normal: Any, tangential: Any = None, *, gap: Any = 0.0, mu: Any = None, threshold: Any = None,
             names: Optional[Sequence[str]] = None) -> list:
    """The contacts of :func:`quasistatic` from matrices, one contact per row.

    normal       [m, n], dense or scipy.sparse: row k times U opens contact k
    tangential   [m, n], or a pair of them in space: what slips; None: no friction
    gap          at U = 0: a number, or m of them
    mu           coefficients of friction, or with the method "threshold" ``threshold``: one for all, or m of them

    >>> import numpy as np, thud
    >>> thud.contacts(np.array([[0, -1.0]]), np.array([[1.0, 0]]), mu=0.3)
    [{'name': 'contact1', 'normal': {1: -1.0}, 'tangential': {0: 1.0}, 'gap': 0.0, 'mu': 0.3}]
    """
    def rows(matrix, what):
        if not _is_sparse(matrix):
            return [{k: v for k, v in enumerate(row) if v != 0} for row in array(matrix, what, (-1, -1)).tolist()]
        made = [{} for _ in range(matrix.shape[0])]
        for row, column, value in zip(*_entries(matrix, what)):
            if value != 0:
                made[row][column] = float(value)
        return made

    def each(value, what):
        if value is None or isinstance(value, str) or np.ndim(value) == 0:
            return [value if value is None or isinstance(value, str) else real(value, what)] * count
        value = list(value)
        if len(value) != count:
            raise ValueError(f"{what} has {len(value)} entries for {count} contacts")
        return [v if isinstance(v, str) else real(v, what) for v in value]

    normals = rows(normal, "normal")
    count = len(normals)
    slips = [] if tangential is None else [rows(one, "tangential") for one in
                                           (tangential if isinstance(tangential, (list, tuple)) and np.ndim(tangential[0]) == 2
                                            else [tangential])]
    if any(len(slip) != count for slip in slips):
        raise ValueError(f"tangential must have {count} rows, as many as normal")
    names = _names(names, count, "contact", "names")
    made = []
    for k, (g, m, s) in enumerate(zip(each(gap, "gap"), each(mu, "mu"), each(threshold, "threshold"))):
        entry = {"name": names[k], "normal": normals[k]}
        if slips:
            entry["tangential"] = slips[0][k] if len(slips) == 1 else [slip[k] for slip in slips]
        entry["gap"] = g
        entry.update((key, value) for key, value in (("mu", m), ("threshold", s)) if value is not None)
        made.append(entry)
    return made


def quasistatic(stiffness: Any, load: Any, contacts: Sequence[Mapping], *, unknowns: Optional[Sequence[str]] = None,
                initial: Any = None, period: Any = None, continuum: Optional[bool] = None, mass: Any = None,
                rate: Any = None, **keys: Any) -> Scene:
    """An elastic structure that touches obstacles with friction and is loaded slowly (docs/quasistatic.md).

    stiffness  a numpy matrix, rows of expressions, or a scipy.sparse matrix (its numbers reach the library exactly)
    load       a dict unknown -> expression of t; a vector; or pairs (vector, expression), which are added up:
               ``[(weight, "1"), (push, "sin(t)")]``
    contacts   dicts with ``normal``, ``tangential``, ``mu``, ``gap``, ``name``; directions are unknowns by name ("-n"), by number,
               coefficients by name or number, or rows of numbers. :func:`thud.contacts` makes them of matrices
    unknowns   names (default u1, u2, ...)
    initial    displacements, by name or all of them

    >>> import numpy as np, thud
    >>> block = thud.quasistatic(np.array([[1, 0.5], [0.5, 1]]), {"n": 2, "x": "1.5*sin(t)"},
    ...                          [{"normal": "-n", "tangential": "x", "mu": 0.5}], unknowns=["n", "x"], end=1, steps=50)
    >>> block.run().verdict
    'good'
    """
    matrix, n = _stiffness(stiffness)
    names = _names(unknowns, n, "u", "unknowns")
    made = [_contact(contact, names, k) for k, contact in enumerate(contacts)]
    if initial is not None and not isinstance(initial, Mapping):
        initial = dict(zip(names, array(initial, "initial", (n,)).tolist()))
    content = {"unknowns": names if unknowns is not None else None, "stiffness": matrix, "load": _load(load, names),
               "contacts": made, "period": period, "continuum": continuum, "mass": mass, "rate": rate}
    return Scene(arrange("quasistatic", content, keys, initial))


# ---- strings and beams ------------------------------------------------------------------------------------------------------


def _line(section: str, given: dict) -> Scene:
    keys, nodes, initial, length = given.pop("keys"), given["nodes"], given.pop("initial"), given["length"]
    listed = np.ndim(nodes) > 0
    if listed:
        given["nodes"] = nodes = array(nodes, "nodes", (-1,))

    def of_x(value, what):
        """Values at the nodes become an expression of x."""
        if isinstance(value, Mapping) or np.ndim(value) == 0:
            return value
        if not listed and isinstance(length, str):
            raise ValueError(f"{what} at the nodes needs a length that is a number")
        places = nodes if listed else np.linspace(0, 1 if length is None else length, int(nodes))
        return table(places, array(value, what, (len(places),)), "x")

    given["obstacle"] = of_x(given["obstacle"], "obstacle")
    if given["loads"] is not None:
        given["loads"] = [{**load, "density": of_x(load["density"], "density")} if "density" in load else load for load in given["loads"]]
    if initial is not None:
        initial = {"u": of_x(initial["u"] if isinstance(initial, Mapping) else initial, "initial")}
    return Scene(arrange(section, given, keys, initial))


def string(nodes: Any, *, tension: Number, length: Any = None, extension: Any = None, friction: Any = None, obstacle: Any = None,
           lift: Any = None, ends: Optional[Mapping] = None, loads: Optional[Sequence[Mapping]] = None, initial: Any = None,
           **keys: Any) -> Scene:
    """A string over an obstacle with friction (docs/strings-and-beams.md). ``nodes``: how many, or their places. ``obstacle``,
    ``density`` of loads and ``initial`` (of u): a number, an expression of x, or values at the nodes (linear between them).

    >>> import thud
    >>> run = thud.string(65, tension=1, obstacle=-0.1, loads=[{"density": -8, "factor": "t"}], end=1, steps=4).run()
    >>> run.verdict, round(float(run["v"][-1].min()), 12)
    ('good', -0.1)
    """
    return _line("string", locals())


def beam(nodes: Any, *, bending: Number, length: Any = None, extension: Any = None, friction: Any = None, obstacle: Any = None,
         lift: Any = None, ends: Optional[Mapping] = None, loads: Optional[Sequence[Mapping]] = None, initial: Any = None,
         **keys: Any) -> Scene:
    """A supported beam over an obstacle with friction; arguments as of :func:`string`.

    >>> import thud
    >>> thud.beam(41, bending=1, obstacle=-1, loads=[{"density": -1000, "factor": "t"}], end=0.2, steps=4).run().verdict
    'good'
    """
    return _line("beam", locals())


# ---- membranes and plates ---------------------------------------------------------------------------------------------------


def _indices(values: Any, what: str, columns: int, count: int) -> np.ndarray:
    made = np.asarray(values)
    if made.dtype.kind not in "iu" or made.ndim != 2 or made.shape[1] != columns:
        raise ValueError(f"{what} must be whole numbers, any x {columns}, not {made.dtype}, {' x '.join(map(str, made.shape))}")
    if made.size and (made.min() < 0 or made.max() >= count):
        raise ValueError(f"{what} must be within 0..{count - 1}, the numbers of the points")
    return made


def boundary(triangles: np.ndarray) -> np.ndarray:
    """[k, 2] edges that one triangle has alone."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    _, first, times = np.unique(np.sort(edges, axis=1), axis=0, return_index=True, return_counts=True)
    return edges[first[times == 1]]


def _mesh(mesh: Any) -> Any:
    """A mapping of the scene format, or (points, triangles[, groups]) as text of Gmsh's format 2.2."""
    if isinstance(mesh, Mapping):
        return mesh
    try:
        points, triangles, *rest = mesh
    except (TypeError, ValueError):
        raise TypeError("mesh must be a dict of the scene format, or (points, triangles, groups)") from None
    points = array(points, "points", (-1, 2))
    triangles = _indices(triangles, "triangles", 3, len(points))
    groups = dict(rest[0]) if rest and rest[0] is not None else {"edge": "boundary"}
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(groups))]
    for k, name in enumerate(groups):
        if not isinstance(name, str) or not name or '"' in name or "\n" in name:
            raise ValueError(f"the name of a group is a text without quotation marks, not {name!r}")
        lines.append(f'1 {k + 1} "{name}"')
    lines += ["$EndPhysicalNames", "$Nodes", str(len(points))]
    lines += [f"{k + 1} {x!r} {y!r} 0" for k, (x, y) in enumerate(points.tolist())]
    elements = []
    for k, (name, edges) in enumerate(groups.items()):
        if isinstance(edges, str) and edges == "boundary":
            edges = boundary(triangles)
        elements += [f"1 2 {k + 1} {k + 1} {a + 1} {b + 1}"
                     for a, b in _indices(edges, f"the edges of {name!r}", 2, len(points)).tolist()]
    elements += [f"2 2 0 0 {a + 1} {b + 1} {c + 1}" for a, b, c in triangles.tolist()]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    lines += [f"{k + 1} {element}" for k, element in enumerate(elements)] + ["$EndElements"]
    return {"gmsh": "\n".join(lines) + "\n"}


def _heights(obstacle: Any) -> Any:
    """{"heights": [rows, columns], "box": ...}: the first row is at the bottom here, at the top in the scene format."""
    if not isinstance(obstacle, Mapping) or "heights" not in obstacle:
        if obstacle is not None and not isinstance(obstacle, (str, Mapping)) and np.ndim(obstacle) > 0:
            raise TypeError('an obstacle of heights is {"heights": array, "box": [left, bottom, right, top]}')
        return obstacle
    heights = array(obstacle["heights"], "heights", (-1, -1))
    rest = {key: value for key, value in obstacle.items() if key != "heights"}
    return {**rest, "table": "\n".join(" ".join(map(repr, row)) for row in heights[::-1].tolist()) + "\n"}


def _surface(section: str, given: dict) -> Scene:
    keys = given.pop("keys")
    return Scene(arrange(section, {**given, "mesh": _mesh(given["mesh"]), "obstacle": _heights(given["obstacle"])}, keys))


def membrane(mesh: Any, *, tension: Number, edges: Mapping, obstacle: Any = None, pins: Any = None, lift: Any = None,
             load: Any = None, load_factor: Any = None, v_factor: Any = None, u_factor: Any = None,
             in_plane: Optional[Mapping] = None, force_factor: Any = None, **keys: Any) -> Scene:
    """A membrane over an obstacle, with friction in its plane (docs/membranes-and-plates.md).

    mesh      {"disc": [x, y, radius], "rings": 16}, {"rectangle": [left, bottom, right, top], "cells": [nx, ny]}, or
              (points [n, 2], triangles [m, 3], groups): groups are name -> edges [k, 2] or "boundary"; without them the
              boundary is the group "edge"
    edges     group -> {"v": height, "u": [x, y]}, free where they are missing
    obstacle  a number, an expression of x and y, or {"heights": array [rows, columns], "box": [left, bottom, right, top]}: the first
              row is at the bottom, linear between the places

    >>> import numpy as np, thud
    >>> bumps = {"heights": -0.3 * np.ones((5, 5)), "box": [0, 0, 1, 1]}
    >>> sheet = thud.membrane({"rectangle": [0, 0, 1, 1], "cells": [8, 8]}, tension=1, load=-20, obstacle=bumps,
    ...                       edges={side: {"v": 0} for side in ("left", "right", "bottom", "top")}, end=1, steps=1)
    >>> round(float(sheet.run()["v"][-1].min()), 12)
    -0.3
    """
    return _surface("membrane", locals())


def plate(mesh: Any, *, bending: Number, edges: Mapping, poisson: Any = None, obstacle: Any = None, pins: Any = None,
          lift: Any = None, load: Any = None, load_factor: Any = None, v_factor: Any = None, u_factor: Any = None,
          in_plane: Optional[Mapping] = None, force_factor: Any = None, **keys: Any) -> Scene:
    """A plate over an obstacle; arguments as of :func:`membrane`, edges also with ``support``: "clamped" or "held".

    >>> import thud
    >>> thud.plate({"disc": [0, 0, 1], "rings": 6}, bending=1, load=-64, edges={"edge": {"v": 0}}, obstacle=-0.5,
    ...            end=1, steps=1).run().verdict
    'good'
    """
    return _surface("plate", locals())


# ---- half-planes and composed friction --------------------------------------------------------------------------------------


def half_plane(material: Any, load: Mapping, *, mesh: Any, profile: Any = None, friction: Any = None, period: Any = None,
               **keys: Any) -> Scene:
    """An elastic half-plane under a rigid punch (docs/half-plane.md).

    material  {"young": .., "poisson": ..}, a list of two, or {"modulus": .., "coupling": ..}
    load      {"P": .., "Q": ..} ..., expressions of t
    mesh      {"elements": 400, "left": -1, "right": 1}, or the edges of the elements
    profile   {"parabola": R} ..., an expression of x, or samples (x, gap)

    >>> import thud
    >>> flat = thud.half_plane({"modulus": 2, "coupling": 0}, {"P": 1}, mesh={"elements": 100, "left": -1, "right": 1},
    ...                        method="frictionless", end=1, steps=1)
    >>> round(float(flat.run()["depth"][-1]), 3)
    0.221
    """
    if not isinstance(mesh, Mapping):
        mesh = {"edges": array(mesh, "mesh", (-1,))}
    if isinstance(profile, str):
        profile = {"gap": profile}
    elif profile is not None and not isinstance(profile, Mapping):
        try:
            x, gap = profile
        except (TypeError, ValueError):
            raise TypeError("profile must be a dict, an expression of x, or (x, gap)") from None
        x = array(x, "x", (-1,))
        profile = {"table": {"x": x, "gap": array(gap, "gap", (len(x),))}}
    return Scene(arrange("half_plane", {"material": material, "mesh": mesh, "profile": profile, "friction": friction,
                                        "load": load, "period": period}, keys))


def composed_friction(coordinates: Sequence[str], laws: Sequence[Mapping], velocity: Mapping, *,
                      internal: Optional[Sequence[str]] = None, **keys: Any) -> Scene:
    """A friction law composed of others, answered for given velocities (docs/composed-friction.md).

    >>> import thud
    >>> brake = [{"name": "ground", "threshold": 1, "slip": ["x' + spin'", "y'"]},
    ...          {"name": "brake", "threshold": 0.5, "slip": ["spin'"]}]
    >>> wheel = thud.composed_friction(["x", "y"], brake, {"x": 0, "y": 1}, internal=["spin"], end=1, steps=1)
    >>> round(float(wheel.run()["F_y"][-1]), 12)
    -1.0
    """
    return Scene(arrange("friction", {"coordinates": list(coordinates), "internal": None if internal is None else list(internal),
                                      "laws": [dict(law) for law in laws], "velocity": velocity}, keys))
