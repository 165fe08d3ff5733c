"""Contact problems: u = W r + q with unilateral contact and Coulomb friction (rolling, spinning, general laws, bilateral rows), in
their local, global and two-block form; solved, judged, compared.

Impulses r and velocities u are contact by contact, the normal component first. Components per contact: 1 normal (an LCP), 2 plane,
3 space (or plane with rolling), 4 with spinning, 5 with rolling, 6 with both.

>>> import thud
>>> answer = thud.solve([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-1, 2, 0], 0.5)   # one contact in space that slides
>>> answer.verdict, answer.r.tolist(), answer.u.tolist()
('solved', [1.0, -0.5, 0.0], [0.0, 1.5, 0.0])
"""
from __future__ import annotations

import contextlib
import difflib
import json
import os
import threading
import warnings
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

import thud  # noqa: F401  the examples use it

from . import _library, errors
from ._library import NULL, Context, Pulse, array, decode, doubles, encode, ffi, lib, make_options, path_text, real, room, sound, whole
from .results import joined, needs, written
from .scenes import Scene
from .sets import as_set, from_dict

__all__ = ["ContactProblem", "Answer", "Residual", "Solution", "Interval", "Certificate", "Method", "Comparison", "solve",
           "methods", "compare"]

PathLike = Union[str, os.PathLike]
# Arrays of the three forms with their sizes: s components, c contacts with d each, m bilateral rows, n velocities, B bodies with k
# velocities each, j joints with J starts.
SHAPES: Dict[str, Dict[str, str]] = {
    "local": {"q": "s", "W": "ss", "V": "sm", "R": "mm", "s": "m"},
    "global": {"f": "n", "M": "nn", "H": "ns", "w": "s", "G": "nm", "b": "m"},
    "two-block": {"inverse_mass": "Bkk", "free_velocity": "Bk", "body_a": "c", "body_b": "c", "jacobian_a": "cdk", "jacobian_b": "cdk",
                  "w": "s", "joint_start": "J", "joint_a": "j", "joint_b": "j", "joint_jacobian_a": "mk", "joint_jacobian_b": "mk",
                  "joint_w": "m"}}
FORMS = tuple(SHAPES)
SHOWN = 10  # contacts and solutions that are printed
LEADING = ("W", "M", "inverse_mass")  # which form it is
COEFFICIENTS = ("mu", "mu_rolling", "mu_spinning")
MATRICES = ("W", "V", "R", "M", "H", "G")
INDICES = ("body_a", "body_b", "joint_start", "joint_a", "joint_b")
OF_ROWS = {name for shapes in SHAPES.values() for name, letters in shapes.items() if set(letters) & set("mjJ")}  # bilateral ones
DIMENSIONS = {name: len(letters) for shapes in SHAPES.values() for name, letters in shapes.items()}
TEXTS = ("title", "description", "math_info")
FIELDS = (*DIMENSIONS, *COEFFICIENTS, "laws")
_F8 = np.dtype(np.float64)
_PROBLEM, _RESIDUAL, _DOUBLES = (ffi.typeof(name) for name in ("thud_contact_problem *", "thud_contact_residual *", "double[]"))


# ---- what a problem is made of ----------------------------------------------------------------------------------------------


def _indices(value: Any, what: str) -> np.ndarray:
    given = np.asarray(value)
    if given.ndim != 1 or (given.dtype.kind not in "iu" and given.size):
        raise TypeError(f"{what} must be a list of whole numbers")
    if given.size and (given.min() < -1 or given.max() > 2**31 - 1):
        raise ValueError(f"{what} has a number that is not an index")
    return np.array(given, dtype=np.int32)


def _matrix(value: Any, what: str) -> Any:
    """A dense matrix in Fortran's order, or one of scipy.sparse: compressed columns, or rows of small square blocks."""
    if not hasattr(value, "tocsc"):
        return np.asfortranarray(array(value, what, (-1, -1), finite=False))
    if value.dtype.kind not in "fiub":
        raise TypeError(f"{what} must be a matrix of real numbers, not of {value.dtype}")
    sound(value, what)
    blocks = value.format == "bsr" and value.blocksize[0] == value.blocksize[1] <= 6
    made = value.copy() if blocks else value.tocsc(copy=True)
    made.sum_duplicates()
    made.sort_indices()
    if made.nnz > 2**31 - 1:
        raise ValueError(f"{what} is too large: entries are counted by 32 bits")
    made.data = made.data.astype(np.float64, copy=False)
    made.indptr, made.indices = made.indptr.astype(np.int32), made.indices.astype(np.int32)
    return made


def _stored(name: str, value: Any) -> Any:
    """The value of a field as a problem keeps it."""
    if name in MATRICES:
        return _matrix(value, name)
    if name in INDICES:
        return _indices(value, name)
    if name == "laws":
        return tuple(None if law is None else as_set(law, f"laws[{k}]") for k, law in enumerate(value))
    if name in COEFFICIENTS:
        return real(value, name, finite=False) if np.ndim(value) == 0 else array(value, name, (-1,), finite=False)
    if name in DIMENSIONS:
        return array(value, name, (-1,) * DIMENSIONS[name], finite=False)  # the library looks for NaN
    near = difflib.get_close_matches(name, FIELDS, 1)
    raise TypeError(f"a contact problem has no {name!r}" + (f" (did you mean {near[0]!r}?)" if near else ""))


def _pointer(values: np.ndarray) -> Any:
    return ffi.from_buffer("int32_t[]" if values.dtype == np.int32 else _DOUBLES, values) if values.size else NULL


def _put_matrix(target: Any, stored: Any) -> Any:
    """Writes a thud_matrix that borrows; returns what has to be kept."""
    target.rows, target.columns = stored.shape
    if isinstance(stored, np.ndarray):
        target.storage = 1
        target.dense = pointer = _pointer(stored.T)
        return pointer
    blocks = stored.format == "bsr"
    data = np.ascontiguousarray(stored.data.transpose(0, 2, 1)) if blocks else stored.data  # C has columns within blocks
    pointers = _pointer(stored.indptr), _pointer(stored.indices), _pointer(data)
    if blocks:
        target.storage, b = 3, target.blocks
        b.rows_per_block, b.columns_per_block = stored.blocksize
        b.block_rows, b.block_columns = (size // width for size, width in zip(stored.shape, stored.blocksize))
        b.row_start, b.block_column, b.values = pointers
    else:
        target.storage, s = 2, target.sparse
        s.rows, s.columns = stored.shape
        s.column_start, s.row, s.value = pointers
    return pointers


def _take(pointer: Any, *shape: int, dtype: Any = _F8) -> Any:
    """A copy of numbers of C; None for NULL."""
    if pointer == NULL:
        return None
    made = np.empty(shape, dtype)
    if made.size:
        ffi.memmove(made, pointer, made.nbytes)
    return made


def _take_matrix(matrix: Any) -> Any:
    shape = matrix.rows, matrix.columns
    if matrix.storage == 0:
        return None
    if matrix.storage == 1:
        return np.zeros(shape) if matrix.dense == NULL else _take(matrix.dense, *shape[::-1]).T
    sparse = needs("scipy.sparse")
    if matrix.storage == 2:
        s = matrix.sparse
        starts = _take(s.column_start, shape[1] + 1, dtype=np.int32)
        return sparse.csc_matrix((_take(s.value, starts[-1]), _take(s.row, starts[-1], dtype=np.int32), starts), shape)
    b = matrix.blocks
    starts = _take(b.row_start, b.block_rows + 1, dtype=np.int32)
    data = _take(b.values, starts[-1], b.columns_per_block, b.rows_per_block).transpose(0, 2, 1)
    return sparse.bsr_matrix((data, _take(b.block_column, starts[-1], dtype=np.int32), starts), shape)


def _fields_of(c: Any) -> dict:
    """Arrays of a problem in C, copied, without laws; and its dimension."""
    two, form = c.two_block, FORMS[c.form]
    sizes = {"s": c.dimension * c.contacts, "c": c.contacts, "d": c.dimension, "m": c.bilateral, "n": lib.thud_contact_ndof(c),
             "B": two.bodies, "k": two.block, "j": two.joints, "J": two.joints + 1}
    fields = {name: _take(getattr(c, name), c.contacts) for name in COEFFICIENTS}
    for name, letters in SHAPES[form].items():
        if not c.bilateral and name in OF_ROWS:
            continue
        if name in MATRICES:
            fields[name] = _take_matrix(getattr(c, name))
        else:
            shape = [sizes[letter] for letter in letters]
            dtype = np.int32 if name in INDICES else np.float64
            found = _take(getattr(two if form == "two-block" else c, name), *shape, dtype=dtype)
            fields[name] = np.zeros(shape, dtype) if found is None and 0 in shape else found
    return {**fields, "dimension": c.dimension}


class Residual(float):
    """How wrong an answer is: a number, what tolerances are compared with, and its parts.

    natural, bilateral, dynamics   the parts, each relative to ``scale``; the number is the largest of them
    worst_contact, worst_value     the contact with the largest part of the natural map, and that part
    penetration, penetration_contact; cone_excess, cone_contact   the worst of each kind, and where (-1: nowhere)
    dissipation                    -r.u, > 0 when contacts take energy
    u                              the velocities, of :meth:`ContactProblem.evaluate`
    """

    PARTS = tuple(name for name, field in ffi.typeof("thud_contact_residual").fields if field.type.kind == "primitive")
    __slots__ = ("_c", "u")
    _c: Any
    u: Optional[np.ndarray]

    def __new__(cls, c: Any, u: Optional[np.ndarray] = None) -> "Residual":
        c = ffi.new(_RESIDUAL, c)
        made = float.__new__(cls, c.residual)
        made._c, made.u = c, u
        return made

    def __getattr__(self, name: str) -> Any:
        if name in Residual.PARTS:
            return getattr(self._c, name)
        raise AttributeError(f"a residual has no {name!r}; it has {', '.join(Residual.PARTS)}")

    def __reduce__(self):
        return Residual, ({name: getattr(self, name) for name in Residual.PARTS}, self.u)


class ContactProblem:
    """A contact problem in one of three forms. Arrays are numpy arrays, matrices also those of scipy.sparse (block rows of square
    blocks stay blocks); numbers are borrowed where their layout allows: do not change them while the problem is in use.

    local       ``W, q, mu``: u = W r + q; bilateral rows ``V, R, s``: u = W r + V l + q, 0 = V'r + R l + s
    global      ``M, H, f, w``: M v = f + H r, u = H'v + w; bilateral rows ``G, b``: M v = f + H r + G l, 0 = G'v + b
    two-block   ``inverse_mass`` [bodies, n, n], ``free_velocity`` [bodies, n], ``body_a``, ``body_b`` [contacts] (-1: the world),
                ``jacobian_a``, ``jacobian_b`` [contacts, dimension, n], ``w``; joints ``joint_start, joint_a, joint_b,
                joint_jacobian_a, joint_jacobian_b, joint_w`` (thud/contact.h)

    ``mu`` is a number per contact, or one for all; None without friction (an LCP). ``mu_rolling`` and ``mu_spinning`` are lengths;
    ``laws`` are sets of :mod:`thud.sets` instead of discs (None: the disc), in units of r_N. The dimension follows from the number
    of contacts; with one mu for all say ``dimension``. ``solution`` and ``guesses`` are dicts of r, u, v and l.

    >>> import thud
    >>> problem = thud.ContactProblem(M=[[2, 0], [0, 2]], H=[[1, 0], [0, 1]], f=[-4, 2], mu=[0.25])
    >>> problem.form, problem.dimension, problem.contacts, problem.to_local().q.tolist()
    ('global', 2, 1, [-2.0, 1.0])
    >>> residual = problem.evaluate([4, -1])
    >>> residual < 1e-12, residual.u.tolist()
    (True, [0.0, 0.5])
    """

    title = description = math_info = ""
    solution: Optional[dict] = None
    guesses: Sequence[dict] = ()

    def __init__(self, W: Any = None, q: Any = None, mu: Any = None, *, dimension: Optional[int] = None, title: str = "",
                 description: str = "", math_info: str = "", solution: Optional[Mapping] = None, guesses: Sequence[Mapping] = (),
                 **fields: Any):
        self._state(dict(W=W, q=q, mu=mu, **fields), dimension)
        self.title, self.description, self.math_info = title, description, math_info
        self.solution = None if solution is None else self._checked_solution(solution)
        self.guesses = [self._checked_solution(guess) for guess in guesses]
        with self._use() as context:
            context.check(lib.thud_contact_validate(context.pointer, self._c, NULL))

    @classmethod
    def _plain(cls, fields: dict, dimension: Optional[int] = None) -> "ContactProblem":
        """Without validation, which solvers repeat."""
        made = cls.__new__(cls)
        made._state(fields, dimension)
        return made

    def _state(self, fields: dict, dimension: Optional[int]) -> None:
        self._data = data = {name: _stored(name, value) for name, value in fields.items() if value is not None}
        self._keep: Dict[Any, Any] = {}
        self._own: Optional[Context] = None
        leading = [name for name in LEADING if name in data]
        if len(leading) != 1:
            raise ValueError("give W and q (local form), M, H and f (global form) or inverse_mass, free_velocity ... (two-block form)")
        self.form: str = FORMS[LEADING.index(leading[0])]  #: "local", "global" or "two-block"
        if wrong := data.keys() - SHAPES[self.form].keys() - {*COEFFICIENTS, "laws"}:
            raise ValueError(f"the {self.form} form has no {min(wrong)}")
        self._c = ffi.new(_PROBLEM)
        self._c.form = FORMS.index(self.form)
        if "V" in data:
            data.setdefault("R", np.zeros((data["V"].shape[1],) * 2, order="F"))
            data.setdefault("s", np.zeros(data["V"].shape[1]))
        sizes = self._sizes()
        self._put(sizes)
        self._put_contacts(sizes["s"], sizes.get("c"), dimension)
        if "laws" in data:
            self._put_laws()
        self.kind: str = decode(lib.thud_contact_kind_name(self._c))  #: what it is in words: "3D friction, local form"

    def _sizes(self) -> Dict[str, int]:
        """Sizes by their letters; arrays that are missing or do not fit together are refused."""
        data, sizes = self._data, {}  # type: ignore[var-annotated]
        optional = {"w", "b", "joint_w"} | (set() if OF_ROWS & data.keys() else OF_ROWS)
        for name, letters in SHAPES[self.form].items():
            if name in data:
                have = data[name].shape
                wanted = tuple(sizes.setdefault(letter, size) for letter, size in zip(letters, have))
                if have != wanted:
                    raise ValueError(f"{name} must be {' x '.join(map(str, wanted))}, not {' x '.join(map(str, have))}")
            elif name not in optional:
                raise ValueError(f"the {self.form} form needs {name}")
        if "J" in sizes and sizes["J"] != sizes["j"] + 1:
            raise ValueError("joint_start has one number more than there are joints")
        size = sizes.get("c", 0) * sizes.get("d", 0)
        if self.form == "two-block" and sizes.setdefault("s", size) != size:
            raise ValueError(f"w must be {size}, not {sizes['s']}")
        return sizes

    def _put(self, sizes: Dict[str, int]) -> None:
        """Arrays and sizes for C."""
        two_block = self.form == "two-block"
        target = self._c.two_block if two_block else self._c
        for name, stored in self._data.items():
            if name in MATRICES:
                self._keep[name] = _put_matrix(getattr(target, name), stored)
            elif name in DIMENSIONS and stored.size:
                self._keep[name] = pointer = _pointer(stored)
                setattr(target, name, pointer)
        self._c.bilateral = self.bilateral = sizes.get("m", 0)
        self.ndof = sizes["B"] * sizes["k"] if two_block else sizes.get("n", 0)
        if two_block:
            target.bodies, target.block, target.joints = sizes["B"], sizes["k"], sizes.get("j", 0)

    def _put_contacts(self, size: int, contacts: Optional[int], dimension: Optional[int]) -> None:
        data = self._data
        given = [name for name in (*COEFFICIENTS, "laws") if name in data]
        counts = {len(data[name]) for name in given if type(data[name]) is not float} | (set() if contacts is None else {contacts})
        if dimension is None:
            dimension = self._guess_dimension(size, counts, given)
        dimension = whole(dimension, "dimension", 1, 6)
        contacts = size // dimension
        if contacts * dimension != size or counts - {contacts}:
            raise ValueError(f"{size} components are not {dimension} for each of {max(counts, default=contacts)} contacts")
        if dimension > 1 and given == ["laws"]:
            data["mu"] = 0.0
        for name in COEFFICIENTS:
            if name in data:
                if type(data[name]) is float:
                    data[name] = np.full(contacts, data[name])
                self._keep[name] = pointer = _pointer(data[name])
                setattr(self._c, name, pointer)
        self._c.dimension, self._c.contacts, self._c.friction = dimension, contacts, dimension == 3 and "mu_rolling" in data
        self.dimension, self.contacts, self.size = dimension, contacts, size

    def _guess_dimension(self, size: int, counts: set, given: list) -> int:
        if counts and min(counts) > 0:
            contacts = min(counts)
            if size % contacts or size > 6 * contacts:
                raise ValueError(f"{size} components cannot be those of {contacts} contact{'s' if contacts > 1 else ''}: each has the "
                                 "same number of them, 1 to 6; give a coefficient per contact, or a number for all of them")
            return max(1, size // contacts)
        if not given:
            return 1
        possible = {(False, False): (2, 3), (True, False): (3, 5), (False, True): (4,), (True, True): (6,)}[
            "mu_rolling" in given, "mu_spinning" in given]
        possible = tuple(d for d in possible if size % d == 0) if size else (3,)
        if len(possible) != 1:
            raise ValueError(f"how many components has a contact? {size} in all; say dimension=2 or 3, or give mu contact by contact")
        return possible[0]

    def _put_laws(self) -> None:
        self._own = context = Context()
        self._laws = ffi.new("thud_set *[]", max(1, self.contacts))
        with context:
            for k, law in enumerate(self._data["laws"]):
                if law is not None:
                    made = context.own(law._build(context), lib.thud_set_destroy)
                    self._keep[k] = self._laws[k] = made
        self._c.laws = self._laws

    def _use(self, threads: int = 1) -> Context:
        """A context for calls with this problem; laws have their own."""
        if self._own is None:
            return Context(threads) if threads > 1 else _desk().context
        if self._own._generation != _library._generation:
            self._put_laws()
        return self._own

    # ---- what it is ----

    def __getattr__(self, name: str) -> Any:
        if name not in FIELDS or "_data" not in self.__dict__:
            raise AttributeError(f"a contact problem has no {name!r}")
        stored: Any = self._data.get(name)
        if isinstance(stored, np.ndarray):
            stored = stored.view()
            stored.flags.writeable = False
        return stored.copy() if name in MATRICES and hasattr(stored, "tocsc") else stored

    def __dir__(self):
        return [*super().__dir__(), *FIELDS]

    def replace(self, **fields: Any) -> "ContactProblem":
        """The same problem with other arrays: ``problem.replace(q=...)``.

        >>> thud.ContactProblem([[1.0]], [-1.0]).replace(q=[-2.0]).q.tolist()
        [-2.0]
        """
        given: Any = {**self.__getstate__(), "solution": None, "guesses": (), **fields}
        return ContactProblem(**given)

    def _checked_solution(self, solution: Any) -> dict:
        """r, u, v and l, where they are given, of a dict or an :class:`Answer`."""
        if isinstance(solution, Answer):
            solution = {name: getattr(solution, name) for name in "ruvl"}
        solution = dict(solution)
        sizes = {"r": self.size, "u": self.size, "v": self.ndof, "l": self.bilateral}
        if wrong := solution.keys() - sizes.keys():
            raise ValueError(f"a solution has r, u, v and l, not {min(wrong)!r}")
        return {name: array(value, name, (sizes[name],)) for name, value in solution.items() if value is not None}

    # ---- judging and converting ----

    def evaluate(self, r: Any, l: Any = None, v: Any = None) -> Residual:  # noqa: E741
        """How wrong impulses r are (with l of the bilateral rows, and v of the global form): a :class:`Residual` with its parts."""
        given = self._checked_solution({"r": r, "v": v, "l": l})
        if self.bilateral and l is None:
            raise ValueError(f"the problem has {self.bilateral} bilateral rows: give their impulses l")
        u, found = room(self.size), ffi.new(_RESIDUAL)
        with self._use() as context:
            context.check(lib.thud_contact_evaluate(context.pointer, self._c, *(doubles(given.get(name)) for name in "rvl"), doubles(u), found))
        return Residual(found[0], u)

    def to_local(self, storage: Optional[str] = None) -> "ContactProblem":
        """The local form: W = H'M^-1 H, q = H'M^-1 f + w. storage: "dense", "sparse", "blocks", or whichever suits the fill."""
        storages = (None, "dense", "sparse", "blocks")
        if storage not in storages:
            raise ValueError(f"storage is one of dense, sparse, blocks or None, not {storage!r}")
        return self._converted(lib.thud_contact_to_local, storages.index(storage))

    def to_global(self) -> "ContactProblem":
        """The global form of a two-block problem."""
        return self._converted(lib.thud_contact_to_global)

    def _converted(self, convert: Any, *arguments: Any) -> "ContactProblem":
        with self._use() as context:
            owned = context.make("thud_owned_problem", convert, lib.thud_owned_problem_destroy, context.pointer, self._c, *arguments)
            fields = _fields_of(lib.thud_owned_problem_view(owned))
        return ContactProblem(laws=self._data.get("laws"), title=self.title, description=self.description, **fields)

    # ---- files ----

    @classmethod
    def read(cls, path: PathLike, format: str = "auto") -> "ContactProblem":  # noqa: A002
        """A problem from a file: FCLIB (HDF5), Siconos' text (.dat), or thud's native YAML; with its solution and guesses."""
        name = path_text(path)
        with Context() as context:
            options = make_options(context, "thud_problem_read_options", lib.thud_problem_read_option_table(), {"format": format})
            file = context.make("thud_problem_file", lib.thud_problem_read, lib.thud_problem_file_destroy, context.pointer,
                                encode(name, "path"), options)
            contents = lib.thud_problem_file_contents(file)
            fields = _fields_of(contents.problem)
            if contents.problem.laws != NULL:
                fields["laws"] = [None if law is None else from_dict(law) for law in Scene(name).to_dict()["laws"]]
            size, ndof = lib.thud_contact_size(contents.problem), lib.thud_contact_ndof(contents.problem)
            sizes = {"r": size, "u": size, "v": ndof, "l": contents.problem.bilateral}

            def solution(given: Any) -> dict:
                return {entry: _take(getattr(given, entry), sizes[entry]) for entry in sizes if getattr(given, entry) != NULL}
            about: Any = {text: decode(getattr(contents, text)) for text in TEXTS}
            return cls(**about, solution=solution(contents.solution) or None,
                       guesses=[solution(contents.guesses[k]) for k in range(contents.guess_count)], **fields)

    def write(self, path: PathLike, *, overwrite: bool = False, solution: Optional[Union[Mapping, "Answer"]] = None) -> None:
        """Writes FCLIB (.h5, .hdf5) or thud's native YAML (.yaml, .yml), as the ending says; with a solution, or an answer."""
        name = path_text(path)
        format = {".h5": 1, ".hdf5": 1, ".yaml": 3, ".yml": 3}.get(os.path.splitext(name)[1])  # noqa: A001
        if format is None:
            raise ValueError(f"{name}: problems are written to .h5, .hdf5, .yaml or .yml")
        solutions = [(self.solution or {}) if solution is None else self._checked_solution(solution), *self.guesses]
        keep = [{entry: doubles(numbers) for entry, numbers in values.items() if numbers.size} for values in solutions]
        texts = {key: ffi.new("char[]", encode(text, key)) for key in TEXTS if (text := getattr(self, key))}
        guesses = ffi.new("thud_problem_solution[]", keep[1:])
        contents = ffi.new("thud_problem_contents *", dict(problem=self._c, solution=keep[0], guess_count=len(guesses), guesses=guesses, **texts))
        with self._use() as context:
            context.check(lib.thud_problem_write(context.pointer, encode(name, "path"), format, contents, bool(overwrite)))

    def __getstate__(self) -> dict:
        return {**self._data, **{name: getattr(self, name) for name in (*TEXTS, "solution", "guesses", "dimension")}}

    def __setstate__(self, state: dict) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __repr__(self) -> str:
        rows = f", {self.bilateral} bilateral rows" if self.bilateral else ""
        return f"<thud.ContactProblem {self.title!r}: {self.kind}, {self.contacts} contacts{rows}>"


# ---- answers ----------------------------------------------------------------------------------------------------------------


Solution = NamedTuple("Solution", [("r", np.ndarray), ("u", np.ndarray), ("isolated", bool)])
Solution.__doc__ = "One of all solutions; ``isolated`` False: a point of a continuum."
Interval = NamedTuple("Interval", [("contact", int), ("low", float), ("high", float), ("low_outer", float), ("high_outer", float),
                                   ("limited", bool)])
Interval.__doc__ = """Between which bounds the normal impulse of a contact lies over all solutions with the velocity found: [low, high]
is attained (high may be infinite), [low_outer, high_outer] is proved; limited: larger ones were not looked at."""
Certificate = NamedTuple("Certificate", [("contacts", np.ndarray), ("multipliers", np.ndarray), ("value", float), ("reach", float),
                                         ("rows", np.ndarray), ("row_multipliers", np.ndarray)])
Certificate.__doc__ = """Proof that there is no solution: multipliers of non-penetration (and of bilateral rows) that contradict each
other; value < 0, and impulses beyond ``reach`` (infinite as a rule) are not excluded."""
Method = NamedTuple("Method", [("name", str), ("summary", str), ("accepts", frozenset)])
Method.__doc__ = """A method and what it accepts: "lcp", "2d", "3d", "rolling", "spinning", "laws", "bilateral", "local", "global",
"two-block", "operator"."""

QUICK = 100  # components: smaller problems take so little time that Ctrl-C can wait for their end
VERDICTS = ("solved", "best_effort", "infeasible")


class Answer:
    """A contact problem answered: impulses ``r``, velocities ``u`` (``v`` of the bodies, ``l`` of bilateral rows), ``residual`` (a
    :class:`Residual`), ``verdict`` ("solved", "best_effort", "infeasible") with its ``reason``, ``method``, ``iterations``,
    ``worst`` (contacts, where not solved), ``certificate`` (where infeasible), ``warnings``,
    ``solutions`` (with ``all=True``), ``distance`` to what ``closest`` names. Uniqueness is that of impulses with the same velocity.

    >>> import thud
    >>> table = thud.ContactProblem([[1, 1], [1, 1]], [-1, -1])            # two supports, one degree of freedom
    >>> answer = thud.solve(table)
    >>> answer.unique, [(round(i.low, 9), round(i.high, 9)) for i in answer.intervals]
    (False, [(0.0, 1.0), (0.0, 1.0)])
    >>> thud.solve(table, closest=[0, 0]).r.round(9).tolist()
    [0.5, 0.5]
    """

    v: Optional[np.ndarray] = None
    l: Optional[np.ndarray] = None  # noqa: E741
    certificate: Optional[Certificate] = None
    solutions: Sequence[Solution] = ()
    distance: Optional[float] = None
    reason: str = ""
    worst: Sequence[int] = ()
    warnings: Sequence[errors.RunWarning] = ()
    solution_count: int = 0
    _unique: Any = None
    _forces: Any = None

    def __init__(self, problem: Any, size: int, c: Any):
        """problem: a :class:`ContactProblem`, or the arrays of a dense local one."""
        self._stated = problem
        self.verdict: str = VERDICTS[c.verdict]
        self.residual, self.method, self.iterations = Residual(c.residual), decode(c.method), c.iterations
        self.r, self.u = _take(c.r, size), _take(c.u, size)
        if type(problem) is ContactProblem:
            self.v = _take(c.v, problem.ndof) if problem.ndof else None
            self.l = _take(c.l, problem.bilateral) if problem.bilateral else None
        if c.verdict:
            self.reason, self.worst = decode(c.reason), tuple(c.worst[0:c.worst_count])
            self.certificate = _certificate(c.certificate)
        if c.has_uniqueness:
            self._unique = c.uniqueness.verdict
        if c.solution_count:
            self.solution_count = c.solution_count
            self.solutions = [Solution(_take(s.r, size), _take(s.u, size), s.isolated) for s in c.solutions[0:c.solutions_kept]]
        if c.warning_count:
            self.warnings = tuple(errors.RunWarning(decode(w.message), _warning_code(w.code)) for w in c.warnings[0:c.warning_count])
        if c.has_closest:
            self.r, self.distance, self.residual = _take(c.closest_r, size), c.closest.distance, Residual(c.closest_residual)
            self.l = None if self.l is None else _take(c.closest_l, self.problem.bilateral)

    @property
    def problem(self) -> ContactProblem:
        """The problem that was solved."""
        if isinstance(self._stated, tuple):
            W, q, mu = self._stated
            self._stated = ContactProblem._plain(dict(W=W.T, q=q, mu=mu))
        return self._stated

    def require_solved(self) -> "Answer":
        """This answer, where it is solved; :class:`thud.NotGood` otherwise."""
        if self.verdict != "solved":
            failure = errors.NotGood(f"the problem is not solved ({self.verdict}): {self.reason}", "not-good")
            failure.run = self
            raise failure
        return self

    # ---- the set of all impulses with this velocity ----

    def _force_set(self) -> tuple:
        if self._forces is None or self._forces[0]._generation != _library._generation:
            context, pulse, made = Context(), Pulse(), ffi.new("thud_force_set **")
            with context, self.problem._own or contextlib.nullcontext():
                options = make_options(context, "thud_force_set_options", lib.thud_force_set_option_table(), {})
                options.stop.ask = pulse.ask
                error = lib.thud_force_set_create(context.pointer, self.problem._c, doubles(self.r), doubles(self.u), options, made)
                pulse.raise_signal()
                context.check(error)
                self._forces = context, pulse, context.own(made[0], lib.thud_force_set_destroy)
        return self._forces

    def _ask(self, call: Any, *arguments: Any) -> None:
        context, pulse, forces = self._force_set()
        with context:
            error = call(forces, *arguments)
            pulse.raise_signal()
            context.check(error)

    @property
    def unique(self) -> Optional[bool]:
        """Whether the impulses are unique; None: not known."""
        if self.solution_count > 1:
            return False
        if self._unique is None and self.verdict == "solved":
            info = ffi.new("thud_uniqueness_info *")
            self._ask(lib.thud_force_set_uniqueness, info)
            self._unique = int(info.verdict)
        return {0: True, 1: False}.get(self._unique)

    def interval(self, contact: int) -> Interval:
        """The :class:`Interval` of the normal impulse of one contact."""
        contact = whole(contact, "contact", 0, max(0, self.problem.contacts - 1))
        c = ffi.new("thud_force_interval *")
        self._ask(lib.thud_force_set_interval, contact, c, NULL, NULL)
        return Interval(contact, c.low, c.high, c.low_outer, c.high_outer, c.limited)

    @property
    def intervals(self) -> List[Interval]:
        """Those of all contacts."""
        return [self.interval(contact) for contact in range(self.problem.contacts)]

    def __getstate__(self) -> dict:
        return {**self.__dict__, "_stated": self.problem, "_forces": None}

    def __str__(self) -> str:
        lines = [f"{self.verdict} by {self.method}, {self.iterations} iterations, residual {float(self.residual):.2e}"]
        lines += [self.reason] if self.reason else []
        found = self.solutions or [Solution(self.r, self.u, True)] if self.verdict == "solved" else []
        for k, solution in enumerate(found[:SHOWN]):
            lines.append(f"solution {k + 1} of {self.solution_count}:" if self.solutions else "contact: impulse; velocity")
            rows = zip(*(part.reshape(self.problem.contacts, -1) for part in solution[:2])) if self.problem.contacts else ()
            lines += [f"  {contact}: {r}; {u}" for contact, (r, u) in zip(range(SHOWN), rows)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<thud.Answer: {self.verdict} by {self.method}, {self.iterations} iterations, residual {float(self.residual):.2e}>"


def _certificate(c: Any) -> Optional[Certificate]:
    if c.count == 0 and c.row_count == 0:
        return None
    return Certificate(_take(c.contacts, c.count, dtype=np.int32), _take(c.multipliers, c.count), c.value, c.reach,
                       _take(c.rows, c.row_count, dtype=np.int32), _take(c.row_multipliers, c.row_count))


def _warning_code(code: int) -> str:
    return decode(lib.thud_answer_warning_name(code))


# ---- solving ----------------------------------------------------------------------------------------------------------------


class _Desk:
    """What every call of :func:`solve` in a thread uses again."""

    __slots__ = ("context", "pulse", "options", "template", "out", "dense", "W", "main")

    def __init__(self):
        self.context, self.pulse = Context(), Pulse()
        self.options, self.template = ffi.new("thud_answer_options *"), ffi.new("thud_answer_options *")
        lib.thud_options_init(lib.thud_answer_option_table(), self.template, ffi.sizeof("thud_answer_options"))
        self.main = threading.current_thread() is threading.main_thread()  # signals come to no other thread
        self.out, self.dense = ffi.new("thud_answer **"), ffi.new("thud_contact_problem *")
        self.W = self.dense.W
        self.W.storage = 1

    def place(self, W: np.ndarray, q: np.ndarray, mu: Optional[np.ndarray]) -> Optional[tuple]:
        """A dense local problem without further ado, where the arrays allow it: copies of W', q and mu, or None."""
        size, p = q.size, self.dense
        contacts = size if mu is None else mu.size
        if (W.shape != (size, size) or q.ndim != 1 or W.dtype is not _F8 or q.dtype is not _F8 or not size or not contacts or size % contacts
                or size > 3 * contacts or not q.flags.c_contiguous
                or mu is not None and (mu.ndim != 1 or mu.dtype is not _F8 or not mu.flags.c_contiguous or size == contacts)):
            return None
        keep = W.T.copy(), q.copy(), None if mu is None else mu.copy()  # the answer asks again when asked about its forces
        self.W.dense, p.q = ffi.from_buffer(_DOUBLES, keep[0]), ffi.from_buffer(_DOUBLES, keep[1])
        p.mu = NULL if mu is None else ffi.from_buffer(_DOUBLES, keep[2])
        self.W.rows = self.W.columns = size
        p.dimension, p.contacts = size // contacts, contacts
        return keep


_desks = threading.local()


def _desk() -> _Desk:
    desk = getattr(_desks, "desk", None)
    if desk is None or desk.context._generation != _library._generation:
        desk = _desks.desk = _Desk()
    elif desk.context._lock.locked():  # called from within a call
        return _Desk()
    return desk


_EXAMINATIONS = {"small": 0, "never": 1, "always": 2}
_METHODS: Dict[str, Any] = {}


def _method(name: str) -> Any:
    if name not in _METHODS:
        found = lib.thud_solver_method_find(encode(name, "method"))
        if found == NULL:
            near = difflib.get_close_matches(name, [method.name for method in methods()], 1)
            raise errors.NotFoundError(f"there is no method {name!r}" + (f" (did you mean {near[0]!r}?)" if near else "")
                                       + "; see thud.methods()", "not-found")
        _METHODS[name] = found
    return _METHODS[name]


def _problem_of(problem: Any, q: Any, mu: Any, dimension: Optional[int], options: dict) -> ContactProblem:
    """The problem, and what is left in options is for the solver."""
    fields = {name: options.pop(name) for name in FIELDS if name in options}
    if isinstance(problem, ContactProblem):
        if q is not None or mu is not None or dimension is not None or fields:
            raise TypeError("a ContactProblem has its arrays already; problem.replace(...) changes them")
        return problem
    if isinstance(problem, (str, os.PathLike)):
        raise TypeError("a problem in a file is read first: thud.ContactProblem.read(path)")
    if "W" in fields and problem is not None:
        raise TypeError("W is given twice")
    fields.update({name: value for name, value in (("W", problem), ("q", q), ("mu", mu)) if value is not None})
    return ContactProblem._plain(fields, dimension)


def solve(problem: Any = None, q: Any = None, mu: Any = None, *, method: str = "auto", tolerance: float = 1e-8, all: bool = False,  # noqa: A002
          closest: Any = None, start: Any = None, forces: str = "small", threads: int = 1,
          dimension: Optional[int] = None, **options: Any) -> Answer:
    """Solves a contact problem: ``solve(W, q, mu)``, or a :class:`ContactProblem`; further arrays of one go by keyword.

    method      of :func:`methods`; "auto" turns from one to the other
    tolerance   largest residual that counts as solved
    all         all solutions (small LCPs and planar friction), as ``answer.solutions``
    closest     True, or impulses: of all impulses with the velocity found those closest to the start (True) or to these
    start       warm start: impulses, or an :class:`Answer`
    forces      whether uniqueness is examined at once: "small" problems only, "never", "always"
    options     of the solvers: max_iterations, max_seconds, relaxation ...

    An answer that is not solved is a result: look at ``verdict``, or call :meth:`Answer.require_solved`. Ctrl-C raises
    KeyboardInterrupt.

    >>> import thud
    >>> thud.solve([[2, 1], [1, 2]], [-1, -1]).r.round(9).tolist()            # without mu: an LCP
    [0.333333333, 0.333333333]
    >>> len(thud.solve([[1, 2], [2, 1]], [-1, -1], all=True).solutions)
    3
    """
    desk, kept = _desk(), None
    stated: Any
    if type(problem) is np.ndarray and type(q) is np.ndarray and (mu is None or type(mu) is np.ndarray) and not options and dimension is None:
        kept = desk.place(problem, q, mu)
    if kept:
        stated, size, c = kept, q.size, desk.dense
    else:
        stated = _problem_of(problem, q, mu, dimension, options)
        size, c = stated.size, stated._c
    context = desk.context if threads == 1 and (kept or stated._own is None) else (
        Context(threads) if kept else stated._use(whole(threads, "threads", 1, 256)))
    asked = desk.options
    asked[0] = desk.template[0]
    with context:
        if options:
            asked.solver = make_options(context, "thud_solver_options", lib.thud_solver_option_table(), options)[0]
        if desk.main and (size > QUICK or all or options or forces != "small"):
            asked.stop.ask = desk.pulse.ask
        asked.solver.tolerance = tolerance if type(tolerance) is float else real(tolerance, "tolerance")
        if method != "auto":
            asked.method = _method(method)
        asked.all = bool(all)
        if forces != "small" or closest is not None or start is not None:
            kept = kept, _ask_forces(asked, stated, size, forces, closest, start)
        error = lib.thud_answer_find(context.pointer, c, asked, desk.out)
        if error:
            context.check(error)
        found = desk.out[0]
        try:
            desk.pulse.raise_signal()
            if found.verdict == 3:
                raise errors.make_error(_library._error_name(found.error), decode(found.reason),
                                        decode(lib.thud_error_code(found.error)))
            made = Answer(stated, size, found)
        finally:
            lib.thud_answer_destroy(found)
    for warning in made.warnings:
        warnings.warn(warning, stacklevel=2)
    return made


def _ask_forces(asked: Any, problem: Any, size: int, forces: str, closest: Any, start: Any) -> tuple:
    """Writes what is asked about forces and the start; returns what has to be kept."""
    if forces not in _EXAMINATIONS:
        raise ValueError(f"forces is one of small, never, always, not {forces!r}")
    wanted = closest is not None and closest is not False
    if wanted and closest is not True:
        if start is not None:
            raise ValueError("closest=True is closest to the start; give either start or the impulses of closest")
        start = closest
    start, start_l = (start.r, start.l) if isinstance(start, Answer) else (start, None)
    bilateral = problem.bilateral if isinstance(problem, ContactProblem) else 0
    kept = tuple(doubles(None if values is None else array(values, what, (count,)))
                 for values, what, count in ((start, "start", size), (start_l, "l of start", bilateral)))
    asked.forces, asked.closest = 2 if wanted else _EXAMINATIONS[forces], wanted
    asked.start, asked.start_l = kept
    return kept


def methods() -> List[Method]:
    """The methods of :func:`solve`.

    >>> "auto" in [method.name for method in thud.methods()]
    True
    """
    words = {getattr(lib, name): name[len("THUD_ACCEPTS_"):].lower().replace("_", "-") for name in dir(lib) if name.startswith("THUD_ACCEPTS_")}
    found = [lib.thud_solver_method_at(k) for k in range(lib.thud_solver_method_count())]
    return [Method(decode(lib.thud_solver_method_name(method)), decode(lib.thud_solver_method_summary(method)),
                   frozenset(word for bit, word in words.items() if lib.thud_solver_method_accepts(method) & bit)) for method in found]


# ---- comparing --------------------------------------------------------------------------------------------------------------


class Comparison:
    """Methods measured on problems: ``rows`` (a dict per problem and method), ``summary`` (what "auto" loses against the best single
    method), ``unreadable`` (files that are no problems, and why). ``print`` shows it."""

    def __init__(self, context: Context, table: Any, unreadable: list, interrupted: bool):
        self._context, self._table = context, table
        self.unreadable, self.interrupted = unreadable, interrupted
        self.rows: List[dict] = []
        data = json.loads(written(".json", self._write))
        for problem in data["problems"]:
            head = {"problem": problem["name"], **{name: problem[name] for name in ("kind", "dimension", "contacts", "trivial")}}
            self.rows += [{**head, "method": result.pop("solver"), **result} for result in problem["results"]]
        self.summary: dict = data["summary"]

    def _write(self, path: bytes, overwrite: bool = False) -> None:
        with self._context as context:
            context.check(lib.thud_compare_write(self._table, path, bool(overwrite)))

    def write(self, path: PathLike, overwrite: bool = False) -> None:
        """Writes the table (.csv, .md, .json) or the performance profile (.png, .svg, .pdf)."""
        self._write(encode(path_text(path), "path"), overwrite)

    def to_pandas(self) -> Any:
        """``rows`` as a pandas.DataFrame."""
        return needs("pandas").DataFrame(self.rows)

    def __str__(self) -> str:
        return written(".md", self._write).decode("utf-8")

    _repr_markdown_ = __str__

    def __repr__(self) -> str:
        return f"<thud.Comparison: {self.summary['auto_solved']} of {self.summary['problems']} solved by auto, {len(self.rows)} measurements>"


def _named_problems(given: Any) -> list:
    """(name, problem or path) of everything that is named; folders are searched as `thud compare` does."""
    if isinstance(given, Mapping):
        return list(given.items())
    if isinstance(given, (str, os.PathLike)) and os.path.isdir(given):
        found = [name for name in sorted(os.listdir(given)) if name.endswith((".dat", ".h5", ".hdf5", ".yaml", ".yml"))]
        if not found:
            raise errors.NotFoundError(f"{given}: the folder has no file that ends in .dat, .h5, .hdf5, .yaml or .yml", "not-found")
        return [(name, os.path.join(given, name)) for name in found]
    if isinstance(given, (ContactProblem, str, os.PathLike)):
        given = [given]
    return [(problem.title or "problem", problem) if isinstance(problem, ContactProblem)
            else (path_text(problem, "a problem"), ContactProblem.read(problem)) for problem in given]


def compare(problems: Any, *, tolerance: float = 1e-8, methods: Union[str, Sequence[str], None] = None,  # noqa: A002
            title: Optional[str] = None, **options: Any) -> Comparison:
    """Measures every method that takes a problem, and "auto" (or only ``methods``), on a folder, files, problems, or a dict by name.

    options: max_seconds (per run), runs, repeat_seconds. A file of a folder that cannot be read is warned of and listed in
    ``unreadable``. Ctrl-C ends with what was measured by then.

    >>> table = thud.compare({"drop": thud.ContactProblem([[1.0]], [-1.0])}, methods=["lemke"], runs=1)
    >>> [(row["method"], row["status"]) for row in table.rows]
    [('lemke', 'solved')]
    """
    context, pulse, unreadable, keep = Context(), Pulse(), [], []  # type: ignore[var-annotated]
    named = _named_problems(problems)
    for name in methods.split(",") if isinstance(methods, str) else methods or ():
        _method(name)
    with context:
        asked = make_options(context, "thud_compare_options", lib.thud_compare_option_table(), {"tolerance": tolerance, **options})
        asked.stop.ask, asked.methods = pulse.ask, joined(methods, "methods", keep)
        if title is not None:
            asked.title = joined(title, "title", keep)
        table = context.make("thud_compare", lib.thud_compare_create, lib.thud_compare_destroy, context.pointer, asked)
    for name, problem in named:
        try:
            if not isinstance(problem, ContactProblem):
                problem = ContactProblem.read(problem)
        except errors.Error as failure:
            unreadable.append((name, str(failure)))
            warnings.warn(errors.RunWarning(str(failure), "unreadable"), stacklevel=2)
            continue
        with problem._own or contextlib.nullcontext(), context:
            error = lib.thud_compare_measure(table, encode(name, "name"), NULL, problem._c)
            pulse.raise_failure()
            if pulse.interrupted:
                warnings.warn(errors.RunWarning("interrupted: the table holds what was measured until then", "interrupted"), stacklevel=2)
                break
            context.check(error)
    return Comparison(context, table, unreadable, pulse.interrupted)
