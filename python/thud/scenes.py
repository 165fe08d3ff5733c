"""Scenes: what moves, as a file, a text or a dict; checked, resolved and run."""
from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import warnings
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import errors
from ._library import (NULL, Context, MemoryFile, Pulse, array, decode, encode, ffi, lib, make_options, path_text, whole)
from .records import Record, Run
from .sets import Set

if TYPE_CHECKING:
    from .bodies import Bodies
    from .motions import Motion
    from .system import System

__all__ = ["Scene", "run", "check", "schema_keys"]

SceneLike = Union["Scene", "System", "Bodies", str, os.PathLike, Mapping]


def plain(value: Any, where: str = "") -> Any:
    """A value of a dict scene as JSON knows it: numpy's numbers and arrays become numbers and lists."""
    if isinstance(value, Set):
        value = value.to_dict()
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"keys of a scene are texts; {where or 'the scene'} has the key {key!r}")
        return {key: plain(entry, f"{where}/{key}") for key, entry in value.items()}
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise ValueError(f"{where or 'the value'} must be finite, not {value}")
        return float(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.ndarray):
        return plain(value.tolist(), where)
    if isinstance(value, (list, tuple)):
        return [plain(entry, f"{where}/{k}") for k, entry in enumerate(value)]
    if callable(value):
        raise TypeError(f"{where}: a scene holds expressions, not Python functions; thud.System and thud.Bodies take functions")
    raise TypeError(f"{where or 'the scene'}: a scene cannot hold a {type(value).__name__}")


def flow(value: Any, where: str) -> str:
    """A value as a YAML flow value on one line."""
    try:
        return json.dumps(plain(value, where), ensure_ascii=False)
    except RecursionError:
        raise ValueError(f"{where or 'the scene'}: nested too deeply, or contains itself") from None


def _name_at(text: str, pointer: str) -> Optional[str]:
    """The ``name`` of the innermost part of a scene on the way to a place."""
    value, name = json.loads(text), None
    try:
        for key in pointer.split("/")[1:]:
            value = value[int(key) if isinstance(value, list) else key]
            name = value.get("name", name) if isinstance(value, dict) else name
    except (LookupError, TypeError, ValueError):
        pass
    return name if isinstance(name, str) else None


class Scene:
    """A scene: a recipe that can be run any number of times, changed, pickled.

    source: the path of a scene file; the text of one (a str with a line end, or that begins with ``{``); a dict with the same
    keys; another Scene; or a System or Bodies. ``folder`` is where files that a text or dict names are looked for.

    >>> import thud
    >>> ball = thud.Scene({
    ...     "thud": 1, "parameters": {"e": 0.5},
    ...     "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -2},
    ...                "constraints": [{"name": "floor", "gap": "z", "restitution": "e"}]},
    ...     "initial": {"z": 1, "z'": 0},
    ...     "simulate": {"method": "event-driven", "end": 4}})
    >>> ball.kind, ball.method, ball.coordinates
    ('system', 'event-driven', ['z'])
    >>> ball.with_changes(e=0).run()["z"][-1]
    0.0
    """

    __slots__ = ("text", "name", "changes", "functions")

    def __init__(self, source: SceneLike, folder: Optional[Union[str, os.PathLike]] = None):
        self.changes: tuple = ()  #: (dotted path, YAML value) in the order in which they are made
        self.functions: tuple = ()  #: what Python functions move: (body, planar, {"force", "slope", "path"}), see thud.Bodies
        self.text: str
        self.name: str
        if hasattr(source, "_as_scene"):  # a System, or Bodies
            source = source._as_scene()
            source = source if isinstance(source, Scene) else source.scene  # which says that it has functions
        if isinstance(source, Scene):
            self.text, self.name, self.changes, self.functions = source.text, source.name, source.changes, source.functions
        elif isinstance(source, Mapping):
            self.text, self.name = flow(source, "") + "\n", "scene"
        elif isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
            self.text, self.name = source, "scene"
        else:
            self.name = path_text(source, "a scene")
            try:
                with open(self.name, "rb") as stream:
                    self.text = stream.read().decode("utf-8")
            except UnicodeDecodeError as failure:
                raise errors.SceneError(f"{self.name}: the file is not UTF-8 ({failure.reason} at byte {failure.start})", "syntax") from None
            except OSError as failure:
                raise errors.FileError(f"{self.name}: cannot be read ({failure.strerror}); "
                                       "a scene is a path, a text of several lines, or a dict", "file") from None
            except ValueError as failure:
                raise errors.FileError(f"{self.name!r}: {failure}", "file") from None
        if folder is not None:
            self.name = os.path.join(path_text(folder, "folder"), os.path.basename(self.name))

    def with_changes(self, changes: Optional[Mapping[str, Any]] = None, /, **parameters: Any) -> "Scene":
        """The same scene with other values: ``{"simulate.end": 2}`` by dotted paths, parameters by name; a whole section is
        replaced by a dict, ``{"simulate": {"method": "moreau-jean", "end": 2, "step": 0.01}}``."""
        made = Scene(self)
        if changes is not None and not isinstance(changes, Mapping):
            raise TypeError(f"changes must be a dict of dotted paths and values, not {type(changes).__name__}")
        items = list((changes or {}).items()) + list(parameters.items())
        for path, _ in items:
            encode(path, "the path of a change")
        made.changes += tuple((path, flow(value, path)) for path, value in items)
        return made

    # ---- what it is ----

    @contextlib.contextmanager
    def _worded(self):
        """Errors for who writes Python: without the program's flags, and, where nobody has written the text of the scene, with the name
        of what is wrong instead of a line."""
        try:
            yield
        except errors.Error as failure:
            message, place = re.sub(r"^--set (?=\S+: )", "", failure.message), failure.place
            if place is not None and place.file == self.name and self.text.startswith("{") and "\n" not in self.text.rstrip("\n"):
                message = message.partition(": ")[2]
                name = _name_at(self.text, place.path)
                if name and repr(name) not in message and message.startswith(place.path + ":"):
                    message = f"{place.path} ({name!r}){message[len(place.path):]}"
            failure._reword(message)
            raise

    def _tree(self, context: Context):
        with self._worded():
            return self._plain_tree(context)

    def _plain_tree(self, context: Context):
        text = encode(self.text, "a scene")
        made = ffi.new("thud_tree **")
        context.check(lib.thud_tree_read_text(context.pointer, encode(self.name, "the name of a scene"), text, len(text), made))
        tree = context.own(made[0], lib.thud_tree_destroy)
        root = lib.thud_tree_root(tree)
        for path, value in self.changes:
            key = encode(path)
            is_section = "." not in path and lib.thud_node_find(lib.thud_node_find(root, b"parameters"), key) == NULL and (
                value.startswith("{") or lib.thud_node_find(root, key) != NULL)
            change = lib.thud_tree_put if is_section else lib.thud_tree_set
            try:
                context.check(change(tree, key, encode(value)))
            except errors.NotFoundError as failure:
                if "." not in path:
                    failure._reword(f"{failure.message} (keywords are parameters; other values go by paths: "
                                    '{"simulate.end": 2})')
                raise
        return tree

    def _build(self, context: Context):
        tree = self._tree(context)
        with self._worded():
            if self.functions:
                from .bodies import build_with_functions
                return build_with_functions(context, tree, self.functions)
            return context.make("thud_scene", lib.thud_scene_build, lib.thud_scene_destroy, context.pointer, tree)

    def _info(self):
        with Context() as context:
            scene = self._build(context)
            info = lib.thud_scene_get_info(scene)
            return (decode(info.title), decode(info.kind), decode(info.method),
                    [decode(info.coordinates[k]) for k in range(info.dimension)], info.start, info.end, info.steps)

    @property
    def title(self) -> str:
        """The scene's title."""
        return self._info()[0]

    @property
    def kind(self) -> str:
        """Its kind of motion by the section that describes it: "system", "bodies", "sweeping" ..."""
        return self._info()[1]

    @property
    def method(self) -> str:
        """The method it is run by."""
        return self._info()[2]

    @property
    def coordinates(self) -> list:
        """Names of its coordinates, where it has any."""
        return self._info()[3]

    def to_dict(self) -> dict:
        """The scene as a dict, with its changes."""
        with Context() as context:
            return _as_dict(context, self._tree(context))

    def resolve(self) -> dict:
        """The scene as a dict with every default filled in."""
        with Context() as context:
            tree = self._tree(context)
            resolved = context.make("thud_tree", lib.thud_scene_resolve, lib.thud_tree_destroy, context.pointer, tree)
            return _as_dict(context, resolved)

    def check(self) -> "Diagnosis":
        """What ``thud check`` says, without running: a :class:`Diagnosis`."""
        with Context() as context:
            scene = self._build(context)
            data, text = ffi.new("char **"), ffi.new("char **")
            context.check(lib.thud_scene_check(scene, encode(os.path.basename(self.name)), data, text))
            try:
                return Diagnosis(json.loads(decode(data[0])), decode(text[0]))
            finally:
                lib.thud_scene_free_text(scene, data[0])
                lib.thud_scene_free_text(scene, text[0])

    def run(self, changes: Optional[Mapping[str, Any]] = None, /, **keywords: Any) -> Run:
        """See :func:`thud.run`."""
        return run(self, changes, **keywords)

    def motion(self, changes: Optional[Mapping[str, Any]] = None, /, **keywords: Any) -> Motion:
        """The motion of the scene, to be stepped by hand: a :class:`thud.Motion`."""
        from .motions import Motion
        return Motion(self, changes, **keywords)

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the scene with its changes as a file that ``thud run`` takes (JSON is YAML)."""
        text = self.text if not self.changes else json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"
        with open(path_text(path), "x", encoding="utf-8") as stream:
            stream.write(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and (self.text, self.name, self.changes) == (other.text, other.name, other.changes) and \
            self.functions == other.functions

    def __hash__(self) -> int:
        return hash((self.text, self.name, self.changes))

    def __getstate__(self):
        return {"text": self.text, "name": self.name, "changes": self.changes, "functions": self.functions}

    def __setstate__(self, state):
        for name in self.__slots__:
            setattr(self, name, state.get(name, ()))

    def __repr__(self) -> str:
        return f"<thud.Scene {os.path.basename(self.name)!r}, {len(self.text)} characters, {len(self.changes)} changes>"


def _as_dict(context: Context, tree) -> dict:
    written = ffi.new("char **")
    context.check(lib.thud_tree_write_json(tree, written))
    try:
        return json.loads(decode(written[0]))
    finally:
        lib.thud_tree_free_text(tree, written[0])


class Diagnosis(dict):
    """What a scene means, before it is run: the keys of ``thud check --json``; ``print`` shows it for people."""

    def __init__(self, values: dict, text: str):
        super().__init__(values)
        self.text = text

    def __str__(self) -> str:
        return self.text.rstrip()

    __repr__ = __str__


def check(scene: SceneLike, changes: Optional[Mapping[str, Any]] = None, /, **parameters: Any) -> Diagnosis:
    """What ``thud check`` says of a scene, without running it.

    >>> import thud
    >>> thud.check("thud: 1\\nsystem: {coordinates: [x], kinetic_energy: x'^2/2}\\ninitial: {x: 0, \\"x'\\": 1}\\n"
    ...            "simulate: {method: moreau-jean, end: 1, steps: 10}\\n")["coordinates"]
    ['x']
    """
    source, changes, parameters = _adapted(scene, changes, parameters)
    if hasattr(source, "_run"):  # built of functions
        return source.with_changes(changes, **parameters).check()
    return Scene(source).with_changes(changes, **parameters).check()


def _adapted(scene: Any, changes: Optional[Mapping], keywords: dict) -> tuple:
    """What stands for a scene becomes one; ``_adapt`` decides which keywords are parameters."""
    if hasattr(scene, "_adapt"):
        return scene._adapt(changes, keywords)
    return scene._as_scene() if hasattr(scene, "_as_scene") else scene, changes, keywords


def without_functions(scene: SceneLike, changes: Optional[Mapping], keywords: dict, what: str) -> Scene:
    """The scene with its changes, for what runs it from its text many times."""
    source, changes, parameters = _adapted(scene, changes, keywords)
    if getattr(source, "has_functions", False) or getattr(source, "functions", ()):
        raise errors.UnsupportedError(f"{what} takes scenes of expressions, and this one has Python functions; run it in a loop "
                                      "instead", "unsupported")
    return Scene(source).with_changes(changes, **parameters)


def schema_keys(scene: SceneLike) -> dict:
    """Every key of a scene with the value that holds: what was given, and the defaults."""
    return Scene(scene).resolve()


# ---- runs -------------------------------------------------------------------------------------------------------------------


def run(scene: SceneLike, changes: Optional[Mapping[str, Any]] = None, /, *, record: Optional[Union[str, os.PathLike]] = None,
        overwrite: bool = False, at: Optional[Sequence[float]] = None, threads: int = 1,
        progress: Optional[Callable[[float, float, float], Any]] = None, max_events: int = 1000,
        **parameters: Any) -> Run:
    """Runs a scene and returns its :class:`Run`: verdict, motion, events, ledger, all in memory.

    scene       a path, a text, a dict, a :class:`Scene`, a :class:`System` or a :class:`Bodies`
    changes     values by dotted paths, ``{"simulate.end": 2}``, or whole sections, ``{"simulate": {...}}``;
                further keywords are parameters of the scene, ``mu=0.3``
    record      a path: the record is written there (HDF5) and stays; by default it is in memory alone
    overwrite   an existing record may be replaced
    at          times whose states belong to the result, ``run.samples``
    threads     of the computation; results do not depend on it
    progress    called now and then as progress(t, start, end); a true result stops the run
    max_events  in ``run.result["events"]``; the record has them all

    A scene that cannot start raises :class:`thud.Error`. A run that is not good is a result: look at ``run.verdict``, or call
    ``run.require_good()``. Warnings of the run go through :mod:`warnings`. Ctrl-C ends a run with the verdict ``stopped``, and
    what there is by then is kept.

    >>> import thud
    >>> drop = {"thud": 1, "system": {"coordinates": ["z"], "kinetic_energy": "z'^2/2", "forces": {"z": -9.81},
    ...         "constraints": [{"name": "floor", "gap": "z", "restitution": 0.5}]},
    ...         "initial": {"z": 1, "z'": 0}, "simulate": {"method": "event-driven", "end": 1}}
    >>> run = thud.run(drop, {"simulate.end": 0.8})
    >>> run.verdict, round(run.events[0].t, 6), round(float(run(0.8)["z"]), 6)
    ('good', 0.451524, 0.176136)
    """
    source, changes, parameters = _adapted(scene, changes, parameters)
    if hasattr(source, "_run"):  # built of functions: runs itself
        return source._run(changes, parameters, dict(record=record, overwrite=overwrite, at=at, threads=threads,
                                                     progress=progress, max_events=max_events))
    wanted = Scene(source).with_changes(changes, **parameters)
    context = Context(threads)
    with context:
        built = wanted._build(context)
        return run_built(context, built, record, overwrite, at, progress, max_events)


def run_built(context: Context, built, record, overwrite, at, progress, max_events) -> Run:  # type: ignore[return]
    """The run of a built scene; the context is entered."""
    with contextlib.ExitStack() as stack:
        memory = MemoryFile(".h5") if record is None else None
        path = path_text(record, "record") if memory is None else stack.enter_context(memory.opened())
        times = None if at is None else array(at, "at", (-1,))
        pulse = Pulse(progress)
        options = make_options(context, "thud_run_options", lib.thud_run_option_table(), {})
        name = ffi.new("char[]", encode(path))
        options.record, options.overwrite, options.progress = name, bool(overwrite) or memory is not None, pulse.progress
        options.max_events = whole(max_events, "max_events", 0, 2**31 - 1)
        if times is not None:
            options.sample_count, options.sample_times = len(times), ffi.from_buffer("double[]", times)
        result = ffi.new("thud_run_result *")
        error = lib.thud_scene_run(built, options, result)
        if error == lib.THUD_OK and (context.failure is not None or pulse.failure is not None):  # a Python function has raised
            lib.thud_run_result_free(context.pointer, result)
        context.check(error)
        pulse.raise_failure()
        return finished(context, result, memory, None if memory is not None else path, pulse)


def callers() -> int:
    """The stacklevel of warnings that names the line of the user, however many calls of the module are between."""
    level, frame = 1, sys._getframe().f_back
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


def finished(context: Context, result, memory, path, pulse=None) -> Run:
    """The Run of a result of the library, which is freed."""
    try:
        values, text = json.loads(decode(result.json)), decode(result.report)
    finally:
        lib.thud_run_result_free(context.pointer, result)
    values.pop("record", None)
    if memory is not None:  # the name of a file that nobody has
        text = "\n".join(line for line in text.split("\n") if not line.startswith("  record "))
    made = Run(Record(memory if memory is not None else path), values, text)
    for warning in made.warnings:
        warnings.warn(warning, stacklevel=callers())
    if pulse is not None and pulse.interrupted:
        warnings.warn(errors.RunWarning("interrupted: the run is kept up to t = %.6g" % made.result.get("time", float("nan")),
                                        "interrupted"), stacklevel=callers())
    return made
