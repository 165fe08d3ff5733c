"""Closed convex sets of R^n: projection, support function, distance, normal cone, in the Euclidean or any other metric.

Sets are made by the functions of this module and do not change. They are combined by functions, or by operators::

    A + B   sum             A & B   intersection     x + A   translation
    3 * A   scaling         L @ A   linear image     x in A  membership

>>> import thud
>>> C = thud.sets.ball([0, 0], 1) + thud.sets.segment([0, 0], [4, 0])   # a stadium
>>> C.project([[2, 3], [2, 0.5]]).round(9).tolist()
[[2.0, 1.0], [2.0, 0.5]]
>>> round(C.support([1, 0]).value, 9)
5.0
"""
from __future__ import annotations

import inspect
import warnings
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional

import numpy as np

import thud  # noqa: F401  the examples use it

from . import _library, errors
from ._library import NULL, Context, array, doubles, ffi, lib, real, whole

MAX_DEPTH = 200  # of combinators within each other: C walks through them by recursion

Support = NamedTuple("Support", [("value", Any), ("point", np.ndarray)])
Support.__doc__ = "Value of a support function, and where it is attained (NaN where it is infinite)."
Info = NamedTuple("Info", [("exact", Any), ("converged", Any), ("iterations", Any), ("gap", Any)])
Info.__doc__ = """How good an answer is; arrays for several rows. ``exact``: by a finite method or a closed form; ``converged`` False: the
limit on iterations came first; ``gap``: certified bound on the error, of a projection in the metric, of a support function's value."""
_INFO = np.dtype({"names": ["exactness", "converged", "iterations", "gap"], "formats": ["i4", "?", "i4", "f8"],
                  "offsets": [ffi.offsetof("thud_set_info", name) for name in ("exactness", "converged", "iterations", "gap")],
                  "itemsize": ffi.sizeof("thud_set_info")})


# ---- arguments --------------------------------------------------------------------------------------------------------------


class _Argument(NamedTuple):
    name: str
    form: str  # one of _FORMS
    default: Any
    key: str  # in scenes


class _Kind(NamedTuple):
    key: str  # in scenes
    sizes: str  # what C takes before the arguments: n columns, m rows
    arguments: List[_Argument]


_KINDS: Dict[str, _Kind] = {}
# form of an argument: its sizes, and its type for the user
_FORMS = {"number": ("", float), "bound": ("", float), "count": ("", int), "vector": ("n", Any), "bounds": ("n", Any), "column": ("m", Any),
          "rows": ("mn", Any), "columns": ("mn", Any), "square": ("nn", Any), "set": ("", "Set"), "set_n": ("n", "Set"),
          "set_m": ("m", "Set"), "sets": ("", "Set")}


def as_set(value: Any, what: str) -> "Set":
    if not isinstance(value, Set):
        raise TypeError(f"{what} must be a set of thud.sets, not {type(value).__name__}")
    return value


def _checked(what: str, form: str, value: Any, sizes: Dict[str, int]) -> Any:
    """An argument as its set keeps it. Sizes that are not known yet are those of the argument."""
    if form in ("number", "bound"):
        return real(value, what, finite=form == "number")
    if form == "count":
        return whole(value, what, 0, 1000000)
    if form == "sets":
        return tuple(as_set(operand, f"{what}[{k}]") for k, operand in enumerate(value))
    letters = _FORMS[form][0]
    if form.startswith("set"):
        made: Any = as_set(value, what)
        have = (made.dimension,)[:len(letters)]
    else:
        made = np.array(array(value, what, (-1,) * len(letters), finite=form != "bounds"), order="C")
        made.flags.writeable = False
        have = made.shape
        if np.isnan(made).any():
            raise ValueError(f"{what} has a NaN")
    wanted = tuple(sizes.setdefault(letter, size) for letter, size in zip(letters, have))
    if have != wanted:
        raise ValueError(f"{what} must be of size {' x '.join(map(str, wanted))}, not {' x '.join(map(str, have))}")
    return made


# ---- sets -------------------------------------------------------------------------------------------------------------------


class Set:
    """A closed convex set of R^n. It is made by a function of :mod:`thud.sets` and does not change; it can be pickled, compared
    and hashed. Queries take a point (n numbers) or many (rows of a 2-D array), and a ``metric``: None for the Euclidean one, n
    positive weights, or a symmetric positive definite n x n matrix M with |x|_M^2 = x.Mx. ``info=True`` adds an :class:`Info`.

    >>> cone = thud.sets.coulomb_cone(0.5)
    >>> cone.dimension, cone.kind
    (3, 'coulomb_cone')
    >>> cone.project([1.0, 2.0, 0.0], metric=[1, 1, 4]).round(6).tolist()
    [1.6, 0.8, 0.0]
    """

    __slots__ = ("kind", "dimension", "_arguments", "_sizes", "_stopping", "_depth", "_built", "__weakref__")
    __array_ufunc__ = None  # numpy leaves operators to this class

    _arguments: tuple
    _sizes: Dict[str, int]
    _stopping: Optional[tuple]
    _depth: int
    _built: list
    kind: str  #: the function that made it
    dimension: int  #: of the space

    def __init__(self, *_, **__):
        raise TypeError("sets are made by the functions of thud.sets: thud.sets.ball([0, 0], 1)")

    @classmethod
    def _make(cls, kind: str, values: Any, stopping: Optional[tuple] = None) -> "Set":
        made = object.__new__(cls)
        made._stopping, made._sizes = stopping, {}
        made._arguments = tuple(_checked(f"{kind}: {argument.name}", argument.form, value, made._sizes)
                                for argument, value in zip(_KINDS[kind].arguments, values))
        operands = made._arguments[-1] if isinstance(made._arguments[-1], tuple) else made._arguments[-1:]
        made._depth = 1 + max((operand._depth for operand in operands if isinstance(operand, Set)), default=0)
        if made._depth > MAX_DEPTH:
            raise ValueError(f"{kind}: more than {MAX_DEPTH} sets within each other")
        object.__setattr__(made, "kind", kind)
        made._build_anew()
        object.__setattr__(made, "dimension", int(lib.thud_set_dimension(made._built[1])))
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise AttributeError(f"a set does not change; {name} cannot be set")
        object.__setattr__(self, name, value)

    def _build(self, context: Context):
        """The set in C, not owned: what combines it takes it over."""
        kind, passed, keep, operands, made = _KINDS[self.kind], [], [], [], ffi.new("thud_set **")
        in_order = sorted(zip(kind.arguments, self._arguments), key=lambda pair: pair[0].form != "count")  # C takes counts first
        try:
            for (_, form, *_), value in in_order:
                if isinstance(value, np.ndarray):
                    keep.append(np.ascontiguousarray(value.T) if form == "columns" else value)
                    passed.append(doubles(keep[-1]))
                elif isinstance(value, Set):
                    operands.append(value._build(context))
                    passed.append(operands[0])
                elif isinstance(value, tuple):
                    operands.extend(operand._build(context) for operand in value)
                    passed += [len(operands), ffi.new("thud_set *[]", operands)]
                else:
                    passed.append(value)
            create = getattr(lib, "thud_set_" + self.kind)
            context.check(create(context.pointer, *(self._sizes[letter] for letter in kind.sizes), *passed, made))
        except BaseException:
            for operand in operands:
                lib.thud_set_destroy(operand)
            raise
        if self._stopping is not None:
            error = lib.thud_set_set_tolerance(made[0], *self._stopping)
            if error:
                lib.thud_set_destroy(made[0])
                context.check(error)
        return made[0]

    def _build_anew(self) -> None:
        context = Context()
        with context:
            self._built = [context, context.own(self._build(context), lib.thud_set_destroy), None, NULL]  # and the last metric

    def _ready(self) -> list:
        if self._built[0]._generation != _library._generation:  # made before fork()
            self._build_anew()
        return self._built

    # ---- what it is ----

    def with_tolerance(self, tolerance: float, max_iterations: int = 100000) -> "Set":
        """The same set with another stopping rule of iterative answers; the gap is of the order of the tolerance's square root.

        >>> thud.sets.ball([0, 0], 1).with_tolerance(1e-9).project([2, 0]).tolist()
        [1.0, 0.0]
        """
        stopping = real(tolerance, "tolerance"), whole(max_iterations, "max_iterations", 1, 2**31 - 1)
        return Set._make(self.kind, self._arguments, stopping)

    def to_dict(self) -> dict:
        """The set as scenes and problem files write it.

        >>> thud.sets.box([0, 0], [1, float("inf")]).to_dict()
        {'box': {'lower': [0.0, 0.0], 'upper': [1.0, None]}}
        """
        def written(value: Any) -> Any:
            if isinstance(value, Set):
                return value.to_dict()
            if isinstance(value, (tuple, list)):
                return [written(entry) for entry in value]
            if isinstance(value, np.ndarray):
                return written(value.tolist())
            return None if isinstance(value, float) and np.isinf(value) else value
        kind = _KINDS[self.kind]
        content = {argument.key: written(value) for argument, value in zip(kind.arguments, self._arguments)}
        return {kind.key: content.get("", content)}

    # ---- queries ----

    def _rows(self, values: Any, what: str) -> np.ndarray:
        given = array(values, what)
        if given.ndim == 0 and self.dimension == 1:
            given = given.reshape(1)
        if given.ndim not in (1, 2) or given.shape[-1] != self.dimension:
            raise ValueError(f"{what} must be {self.dimension} numbers, or rows of so many; its shape is "
                             f"{' x '.join(map(str, given.shape)) or 'that of a number'}")
        return given

    def _place(self, metric: Any):
        """The metric in C; the last one is kept."""
        if metric is None:
            return NULL
        context, n, built = self._built[0], self.dimension, self._built
        given = array(metric, "metric")
        if given.ndim == 0:
            given = np.full(n, given)
        if given.shape not in ((n,), (n, n)):
            raise ValueError(f"metric must be {n} weights or a {n} x {n} matrix; its shape is {' x '.join(map(str, given.shape))}")
        if built[2] is None or not np.array_equal(built[2], given):
            create = lib.thud_metric_create if given.ndim == 2 else lib.thud_metric_create_diagonal
            numbers = np.ascontiguousarray(given.T)
            built[3] = context.make("thud_metric", create, lib.thud_metric_destroy, context.pointer, n, doubles(numbers))
            built[2] = given.copy()
        return built[3]

    def _query(self, name: str, info: bool, metric: Any, given: Mapping[str, Any], *widths: int) -> Any:
        """Answers of thud_set_<name>(set, metric, given ..., answers ..., info) for each row; an answer of width 0 is a number."""
        rows = [self._rows(values, what) for what, values in given.items()]
        shape = rows[0].shape
        if rows[-1].shape != shape:
            raise ValueError(f"{', '.join(given)} must have the same shape")
        answers = [np.full(shape[:-1] + (width,) * (width > 0), np.nan) for width in widths]
        count = 1 if len(shape) == 1 else shape[0]
        infos, call = np.zeros(count, _INFO), getattr(lib, "thud_set_" + name)
        with self._ready()[0] as context:
            first = (self._built[1],) if metric is Ellipsis else (self._built[1], self._place(metric))
            starts = [(doubles(numbers), self.dimension) for numbers in rows] if count else []
            starts += [(doubles(numbers), max(width, 1)) for numbers, width in zip(answers, widths)] if count else []
            for k in range(count):
                info_of_row = ffi.from_buffer("thud_set_info[]", infos) + k
                error = call(*first, *[start + k * width for start, width in starts], info_of_row)
                if error:
                    context.check(error)
        if not infos["converged"].all():
            missed = infos["gap"][~infos["converged"]]
            warnings.warn(errors.RunWarning(f"{self.kind}.{name}: {len(missed)} of {count} answers did not converge; the largest "
                                            f"certified gap is {missed.max():.3g}", "not-converged"), stacklevel=3)
        made = [answer if answer.ndim else answer.item() for answer in answers]
        made = made[0] if len(made) == 1 else Support(*made)
        if not info:
            return made
        columns = infos["exactness"] == 0, *(infos[column].copy() for column in (_INFO.names or ())[1:])
        return made, Info(*columns) if len(shape) == 2 else Info(*(column[0].item() for column in columns))

    def project(self, x: Any, metric: Any = None, *, info: bool = False) -> Any:
        """The point of the set that is closest to x in the metric, for each row of x.

        >>> thud.sets.box([0, 0], [1, 1]).project([[2, 0.5], [-1, 3]]).tolist()
        [[1.0, 0.5], [0.0, 1.0]]
        """
        return self._query("project", info, metric, {"x": x}, self.dimension)

    def support(self, d: Any, *, info: bool = False) -> Any:
        """:class:`Support`: sup of d.x over the set (infinite where it is unbounded) and a point where it is attained.

        >>> value, point = thud.sets.ball([1, 0], 2).support([0, 3])
        >>> value, point.tolist()
        (6.0, [1.0, 2.0])
        """
        return self._query("support", info, ..., {"d": d}, 0, self.dimension)

    def distance(self, x: Any, metric: Any = None, *, info: bool = False) -> Any:
        """Distance of x to the set in the metric; 0 inside.

        >>> thud.sets.ball([0, 0], 1).distance([3, 4])
        4.0
        """
        return self._query("distance", info, metric, {"x": x}, 0)

    def normal_cone_residual(self, x: Any, w: Any, metric: Any = None, *, info: bool = False) -> Any:
        """How far the covector w is from the normal cone at x: |x - proj(x + M^-1 w)|_M, 0 where w is in it.

        >>> ball = thud.sets.ball([0, 0], 1)
        >>> ball.normal_cone_residual([1, 0], [5, 0]), ball.normal_cone_residual([1, 0], [-0.5, 0])
        (0.0, 0.5)
        """
        return self._query("normal_cone_residual", info, metric, {"x": x, "w": w}, 0)

    def contains(self, x: Any, tolerance: float = 1e-9) -> Any:
        """Whether the Euclidean distance of x to the set is at most the tolerance.

        >>> thud.sets.half_space([0, 1], 0).contains([[3, -1], [3, 1]]).tolist(), [0, 0] in thud.sets.half_space([0, 1], 0)
        ([True, False], True)
        """
        return self.distance(x) <= real(tolerance, "tolerance")

    def __contains__(self, x: Any) -> bool:
        return bool(np.all(self.contains(x)))

    # ---- operators ----

    def __add__(self, other: Any) -> "Set":
        return sum(self, other) if isinstance(other, Set) else translation(other, self)

    def __radd__(self, other: Any) -> "Set":
        return translation(other, self)

    def __and__(self, other: Any) -> "Set":
        return intersection(self, other) if isinstance(other, Set) else NotImplemented  # type: ignore[return-value]

    def __mul__(self, factor: float) -> "Set":
        return scaling(factor, self)

    __rmul__ = __mul__

    def __rmatmul__(self, L: Any) -> "Set":
        return linear_image(L, self)

    def _identity(self) -> tuple:
        return (self.kind, self._stopping, *((value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value
                                             for value in self._arguments))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Set) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self):
        return Set._make, (self.kind, self._arguments, self._stopping)

    def __repr__(self) -> str:
        return f"<thud.sets.{self.kind} of R^{self.dimension}>"


def from_dict(value: Mapping) -> Set:
    """A set as scenes and problem files write it; numbers only.

    >>> thud.sets.from_dict({"ball": {"centre": [0, 0], "radius": 2}})
    <thud.sets.ball of R^2>
    """
    if not isinstance(value, Mapping) or len(value) != 1:
        raise TypeError("a set is written as a dict with one key, its kind: {'ball': {...}}")

    def read(argument: _Argument, given: Any) -> Any:
        if argument.form == "sets":
            return [from_dict(operand) for operand in given]
        if argument.form.startswith("set"):
            return from_dict(given)
        if not argument.form.startswith("bound"):
            return given
        unbounded = -np.inf if argument.name == "lower" else np.inf
        bounds = [unbounded if bound is None else bound for bound in (given if argument.form == "bounds" else [given])]
        return bounds if argument.form == "bounds" else bounds[0]

    (key, content), = value.items()
    kinds = {kind: row for kind, row in _KINDS.items() if row.key == key}
    if not kinds:
        raise errors.not_found("there is no set", key, sorted({row.key for row in _KINDS.values()}))
    for kind, row in kinds.items():
        keys = [argument.key for argument in row.arguments]
        if keys == [""]:
            return Set._make(kind, [read(row.arguments[0], content)])
        if isinstance(content, Mapping) and content.keys() == set(keys):
            return Set._make(kind, [read(argument, content[argument.key]) for argument in row.arguments])
    raise ValueError(f"{key} has the keys " + ", or ".join(", ".join(argument.key for argument in row.arguments) for row in kinds.values()))


# ---- the functions that make sets -------------------------------------------------------------------------------------------


def _kind(name: str, sizes: str, arguments: str, summary: str, example: str, result: str, key: str = "") -> Callable[..., Set]:
    """A function that makes sets; its arguments are name:form, or name=default:form, or name:form:key in scenes."""
    row = _KINDS[name] = _Kind(key or name, sizes, [])
    parameters = []
    for word in arguments.split():
        label, form, *at = word.split(":")
        label, _, default = label.partition("=")
        row.arguments.append(_Argument(label, form, default, at[0] if at else label))
        parameters.append(inspect.Parameter(
            label, inspect.Parameter.VAR_POSITIONAL if form == "sets" else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=int(default) if default else inspect.Parameter.empty, annotation=_FORMS[form][1]))
    signature = inspect.Signature(parameters, return_annotation=Set)

    def make(*given: Any, **named: Any) -> Set:
        bound = signature.bind(*given, **named)
        bound.apply_defaults()
        return Set._make(name, bound.arguments.values())
    make.__name__ = make.__qualname__ = name
    make.__signature__ = signature  # type: ignore[attr-defined]
    make.__doc__ = f"{summary}\n\n    >>> thud.sets.{example}\n    {result}\n    "
    return make


half_space = _kind("half_space", "n", "normal:vector offset:number", "{ x : normal.x <= offset }, normal != 0.",
                   "half_space([0, 2], 2).project([1, 5]).tolist()", "[1.0, 1.0]")
box = _kind("box", "n", "lower:bounds upper:bounds", "{ lower <= x <= upper }, componentwise; bounds may be infinite.",
            "box([0, 0], [1, float('inf')]).project([2, 7]).tolist()", "[1.0, 7.0]")
interval = _kind("interval", "", "lower:bound upper:bound", "[lower, upper] of R; bounds may be infinite.",
                 "interval(-1, 1).support(2.0).value", "2.0")
ball = _kind("ball", "n", "centre:vector radius:number", "{ |x - centre| <= radius }, radius >= 0.",
             "ball([0, 0, 0], 2).distance([0, 3, 4])", "3.0")
ellipsoid = _kind("ellipsoid", "n", "centre:vector Q:square:shape",
                  "{ x : (x - centre).Q(x - centre) <= 1 }, Q symmetric positive definite.",
                  "ellipsoid([0, 0], [[0.25, 0], [0, 1]]).support([1, 0]).value", "2.0")
coulomb_cone = _kind("coulomb_cone", "", "mu:number dimension=3:count", "Coulomb's cone { x = (x_N, x_T) : |x_T| <= mu x_N }, mu >= 0.",
                     "coulomb_cone(1.0, 2).project([0, 2]).round(12).tolist()", "[1.0, 1.0]")
coulomb_dual_cone = _kind("coulomb_dual_cone", "", "mu:number dimension=3:count", "The dual { mu |x_T| <= x_N } of Coulomb's cone.",
                          "coulomb_dual_cone(0.5, 2).contains([1, 2])", "True")
generalized_coulomb = _kind(
    "generalized_coulomb", "n", "coupling:vector mu:number",
    "{ x : |x| <= mu |1 + coupling.x| }, convex where mu |coupling| <= 1: friction whose normal force depends on it.",
    "generalized_coulomb([0.5], 0.5).support([1.0]).value.__round__(9)", "0.666666667")
polyhedron = _kind("polyhedron", "nm", "A:rows b:column equalities=0:count",
                   "{ x : A x <= b }; the first ``equalities`` rows hold with =.",
                   "polyhedron([[1, 1], [-1, 0], [0, -1]], [1, 0, 0]).project([2, 2]).round(12).tolist()", "[0.5, 0.5]")
cone_of_gradients = _kind("cone_of_gradients", "nm", "A:rows:gradients", "{ x : A x <= 0 }.",
                          "cone_of_gradients([[-1, 0], [0, -1]]).project([-1, 3]).tolist()", "[0.0, 3.0]", key="cone")
cone_of_generators = _kind("cone_of_generators", "nm", "G:rows:generators", "{ sum l_i g_i, l >= 0 }, g_i the rows of G.",
                           "cone_of_generators([[1, 0], [1, 1]]).contains([3, 1])", "True", key="cone")
affine = _kind("affine", "nm", "A:rows b:column", "{ x : A x = b }; dependent rows are allowed where they agree.",
               "affine([[1, 1]], [2]).project([0, 0]).round(12).tolist()", "[1.0, 1.0]")
half_line = _kind("half_line", "n", "origin:vector direction:vector", "{ origin + s direction, s >= 0 }, direction != 0.",
                  "half_line([0, 0], [1, 0]).project([-3, 1]).tolist()", "[0.0, 0.0]")
segment = _kind("segment", "n", "first:vector:from second:vector:to", "All points between two, which may coincide.",
                "segment([0, 0], [4, 0]).project([3, 1]).tolist()", "[3.0, 0.0]")
product = _kind("product", "", "operands:sets:", "Cartesian product, in the order given.",
                "product(thud.sets.interval(0, 1), thud.sets.ball([0, 0], 1)).dimension", "3")
translation = _kind("translation", "", "offset:vector:by operand:set_n:set", "offset + C; also ``offset + C``.",
                    "translation([5, 0], thud.sets.ball([0, 0], 1)).project([0, 0]).tolist()", "[4.0, 0.0]")
scaling = _kind("scaling", "", "factor:number:by operand:set:set",
                "factor C, factor >= 0; also ``factor * C``. 0 gives the closed limit, the recession cone.",
                "scaling(3, thud.sets.ball([0, 0], 1)).distance([5, 0])", "2.0")
sum = _kind("sum", "", "operands:sets:", "Closure of C1 + ... + Ck; also ``C1 + C2``.",  # noqa: A001
            "sum(thud.sets.ball([0], 1), thud.sets.interval(0, 2)).support([1.0]).value", "3.0")
linear_image = _kind("linear_image", "m", "L:columns:matrix operand:set_n:set", "Closure of { L x : x in C }; also ``L @ C``.",
                     "linear_image([[2, 0], [0, 1]], thud.sets.ball([0, 0], 1)).support([1, 0]).value", "2.0", key="image")
linear_preimage = _kind("linear_preimage", "n", "L:columns:matrix operand:set_m:set", "{ x : L x in C }.",
                        "linear_preimage([[1, 1]], thud.sets.interval(0, 2)).project([2, 2]).round(9).tolist()", "[1.0, 1.0]",
                        key="preimage")
intersection = _kind("intersection", "", "operands:sets:", "C1 and ... and Ck; also ``C1 & C2``.",
                     "intersection(thud.sets.ball([0, 0], 1), thud.sets.half_space([1, 0], 0)).distance([3, 0]).__round__(6)", "3.0")
polar = _kind("polar", "", "operand:set:", "{ y : x.y <= 1 for all x of C }, C with 0; for a cone the polar cone.",
              "polar(thud.sets.ball([0, 0], 4)).distance([0, 1.25])", "1.0")

__all__ = ["Set", "Support", "Info", "from_dict", *_KINDS]
