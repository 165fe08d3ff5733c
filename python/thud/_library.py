"""The shared libraries, and what all objects that own C memory share: contexts, errors, options, arrays.

Every object of the module that computes owns a :class:`Context`, so that different objects may be used by different threads at
the same time: cffi releases the GIL during each call. One object is used by one thread at a time; :class:`Context` refuses the
rest, a callback that calls its own motion included. After ``fork()`` a child makes objects of its own.
"""
from __future__ import annotations

import atexit
import collections
import contextlib
import errno
import glob
import os
import resource
import sys
import tempfile
import threading
import weakref
from typing import Any, Callable, Optional

import numpy as np

from . import errors
from ._declarations import ffi

VERSION = "0.1.0"


def _candidates():
    """Where libthud-io may be: named by THUD_LIBRARY, beside this file, known to the system."""
    named = os.environ.get("THUD_LIBRARY")
    if named:
        yield os.path.join(named, "libthud-io.so") if os.path.isdir(named) else named
        return
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libthud-io.so")
    if os.path.exists(beside):
        yield beside
    yield f"libthud-io.so.{VERSION.rpartition('.')[0]}"
    yield from sorted(glob.glob("/usr/local/lib/libthud-io.so"))


def _open_library():
    tried = []
    for path in _candidates():
        try:
            library = ffi.dlopen(path, ffi.RTLD_NOW | getattr(os, "RTLD_NODELETE", 0))  # destructors may come late
        except OSError as failure:
            tried.append(str(failure))
            continue
        try:
            version = ffi.string(library.thud_version()).decode()
        except (AttributeError, ffi.error) as failure:
            raise ImportError(f"{path} is not a library of thud ({failure})") from None
        if version != VERSION:
            raise ImportError(f"{path} is version {version} of thud, and this module is of version {VERSION}; install both from one tree")
        return library
    raise ImportError("the shared library of thud is not to be found (" + "; ".join(tried) + "); build it with `make python` "
                      "in a checkout, `pip install .`, or name its folder in THUD_LIBRARY")


lib = _open_library()
NULL = ffi.NULL

_generation = 0  # of processes: a child of fork() may not touch what its parent has made


def _begin_anew():
    global _generation
    _generation += 1


os.register_at_fork(after_in_child=_begin_anew)
atexit.register(_begin_anew)  # what is alive then is not destroyed one by one


def encode(value: Any, what: str = "text") -> bytes:
    """UTF-8 for C: str without NUL."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    try:
        encoded = value.encode("utf-8")
    except UnicodeEncodeError as failure:
        raise ValueError(f"{what} has characters that no file can hold (lone surrogates)") from failure
    if b"\0" in encoded:
        raise ValueError(f"{what} has a NUL character")
    return encoded


def decode(pointer) -> str:
    """A text of C; "" for NULL."""
    return "" if pointer == NULL else ffi.string(pointer).decode("utf-8", "replace")


def path_text(path: Any, what: str = "path") -> str:
    """A path as text: str or os.PathLike."""
    try:
        path = os.fspath(path)
    except TypeError:
        raise TypeError(f"{what} must be a path (str or os.PathLike), not {type(path).__name__}") from None
    return os.fsdecode(path)


class Context:
    """A thud_context and who may use it. ``with context:`` is required around every C call on objects made with it."""

    __slots__ = ("pointer", "failure", "_generation", "_lock", "_doomed", "_children", "_ended", "__weakref__")

    def __init__(self, threads: int = 1):
        options = ffi.new("thud_context_options *")
        lib.thud_options_init(lib.thud_context_option_table(), options, ffi.sizeof(options[0]))
        options.threads = whole(threads, "threads", 1, 256)
        made = ffi.new("thud_context **")
        error = lib.thud_context_create(options, made)
        if error != lib.THUD_OK:
            raise errors.make_error(_error_name(error), decode(lib.thud_error_text(error)), decode(lib.thud_error_code(error)))
        self.pointer = made[0]
        self.failure: Optional[BaseException] = None  # raised by a callback during the present call
        self._generation = _generation
        self._lock = threading.Lock()
        self._doomed: list = []
        self._children = 0  # objects that have to be destroyed before the context
        self._ended = False

    def __enter__(self) -> "Context":
        if self._generation != _generation:
            raise errors.InUse("this object was made before fork(); a child makes objects of its own")
        if not self._lock.acquire(blocking=False):
            raise errors.InUse("this object is at work already: in another thread, or further up in this one; "
                               "give every thread an object of its own")
        self.failure = None
        return self

    def __exit__(self, *_) -> None:
        while self._doomed:
            self._destroy(*self._doomed.pop())
        self._lock.release()

    def __del__(self):
        # In a cycle that is collected the context may come before what was made with it: the last of these ends it then.
        if getattr(self, "pointer", None) is None or self._generation != _generation:
            return
        while self._doomed:
            self._destroy(*self._doomed.pop())
        self._ended = True
        if self._children == 0:
            lib.thud_context_destroy(self.pointer)
            self.pointer = None

    def _destroy(self, destroy: Callable, pointer) -> None:
        destroy(pointer)
        self._children -= 1
        if self._ended and self._children == 0 and self.pointer is not None:
            lib.thud_context_destroy(self.pointer)
            self.pointer = None

    def own(self, pointer, destroy: Callable):
        """The pointer, destroyed when nothing refers to it any more; it keeps the context alive."""
        def end(raw, context=self):
            if context._generation != _generation:
                return
            if context._lock.acquire(blocking=False):
                try:
                    context._destroy(destroy, raw)
                finally:
                    context._lock.release()
            else:  # at work in another thread, or a collection within a call: done at its end
                context._doomed.append((destroy, raw))
        self._children += 1
        return ffi.gc(pointer, end)

    def check(self, error: int) -> None:
        """Raises what a call has returned; an exception of a callback comes first."""
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        if error != lib.THUD_OK:
            message = decode(lib.thud_context_last_message(self.pointer))
            code = decode(lib.thud_context_last_code(self.pointer)) or decode(lib.thud_error_code(error))
            raise errors.make_error(_error_name(error), message or decode(lib.thud_error_text(error)), code)

    def make(self, kind: str, create: Callable, destroy: Callable, *arguments):
        """create(*arguments, &object) with a C type name, owned."""
        made = ffi.new(f"{kind} **")
        self.check(create(*arguments, made))
        return self.own(made[0], destroy)


def _error_name(error: int) -> str:
    return decode(lib.thud_error_name(error)).replace("THUD_ERROR_", "")


# ---- numbers and arrays -----------------------------------------------------------------------------------------------------


def whole(value: Any, what: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{what} must be a whole number, not {value!r}")
    if not low <= value <= high:
        raise ValueError(f"{what} must be in {low}..{high}, not {value}")
    return int(value)


def real(value: Any, what: str, finite: bool = True) -> float:
    """A number."""
    if isinstance(value, (str, bytes, complex, np.complexfloating)):
        raise TypeError(f"{what} must be a number, not {value!r}")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as failure:
        raise TypeError(f"{what} must be a number, not {type(value).__name__}") from failure
    if finite and not np.isfinite(number):
        raise ValueError(f"{what} must be finite, not {number}")
    return number


def called_with(function: Callable, arguments: str, what: str) -> Callable:
    """The function, when it can be called with so many arguments, "t, q, v"."""
    import inspect  # slow to import, and needed with functions alone
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of C code that does not say what it takes
        return function
    try:
        signature.bind(*arguments.split(", "))
    except TypeError:
        raise TypeError(f"{what} is called with ({arguments}), but takes {signature}") from None
    return function


def array(values: Any, what: str, shape: Optional[tuple] = None, finite: bool = True) -> np.ndarray:
    """Doubles in C order, without a copy where they are that already. shape: -1 stands for any length."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{what} has masked entries, which have no value; fill them")
    try:
        given = np.asarray(values)
    except Exception as failure:
        raise TypeError(f"{what} is not an array of numbers ({failure})") from failure
    if given.dtype.kind not in "fiub":
        if given.dtype.kind == "O":
            try:
                given = given.astype(np.float64)
            except (TypeError, ValueError) as failure:
                raise TypeError(f"{what} is not an array of numbers (rows of different lengths, or texts?)") from failure
        else:
            raise TypeError(f"{what} must be an array of real numbers, not of {given.dtype}")
    made = np.require(given, np.float64, ("C", "A"))  # aligned: arrays over bytes of files may not be
    if given.ndim == 0:
        made = made.reshape(())
    if shape is not None:
        if made.ndim != len(shape) or any(want not in (-1, have) for want, have in zip(shape, made.shape)):
            wanted = " x ".join("any" if n < 0 else str(n) for n in shape) or "a number"
            raise ValueError(f"{what} must have the shape {wanted}, not {' x '.join(map(str, made.shape)) or 'a number'}")
    if finite and not np.isfinite(made).all():
        where = np.argwhere(~np.isfinite(np.atleast_1d(made)))[0]
        raise ValueError(f"{what} must be finite: entry {', '.join(map(str, where))} is not")
    return made


def sound(matrix: Any, what: str) -> Any:
    """A matrix of scipy.sparse whose indices lie within it; scipy itself believes them when it converts."""
    try:
        if hasattr(matrix, "check_format"):
            matrix.check_format(full_check=True)
        elif matrix.format == "coo":
            for index, size in zip((matrix.row, matrix.col), matrix.shape):
                if len(index) != len(matrix.data) or len(index) and not 0 <= index.min() <= index.max() < size:
                    raise ValueError("an index is outside of it")
    except (ValueError, TypeError, IndexError) as failure:
        raise ValueError(f"{what} is not a sound sparse matrix: {failure}") from None
    return matrix


def doubles(values: Optional[np.ndarray]):
    """The memory of an array of :func:`array` for C; the array must outlive the call. NULL for None."""
    return NULL if values is None else ffi.from_buffer("double[]", values.reshape(-1))


def room(*shape: int) -> np.ndarray:
    """An array for C to write to."""
    return np.zeros(shape, dtype=np.float64)


def view(pointer, shape: tuple, owner: Any, dtype=np.float64) -> np.ndarray:
    """Memory of C as a read-only array that keeps its owner alive; no copy."""
    count = int(np.prod(shape))
    if count == 0:
        return np.empty(shape, dtype)
    kept = ffi.gc(ffi.cast("char *", pointer), lambda _, owner=owner: None)
    made = np.frombuffer(ffi.buffer(kept, count * np.dtype(dtype).itemsize), dtype=dtype).reshape(shape)
    made.flags.writeable = False
    return made


def texts(values, keep: list):
    """char *[] of a sequence of str; what C borrows is appended to keep."""
    pointers = [ffi.new("char[]", encode(value)) for value in values]
    made = ffi.new("char *[]", pointers) if pointers else NULL
    keep.extend(pointers)
    keep.append(made)
    return made


# ---- options ----------------------------------------------------------------------------------------------------------------


def make_options(context: Context, struct: str, table, given: dict):
    """An options struct with its defaults and what is given by name; choices by their names."""
    options = ffi.new(f"{struct} *")
    lib.thud_options_init(table, options, ffi.sizeof(struct))
    for name, value in given.items():
        key = encode(name, "the name of an option")
        if isinstance(value, str):
            context.check(lib.thud_options_set_text(context.pointer, table, options, key, encode(value, name)))
        else:
            number = float(value) if isinstance(value, (bool, np.bool_)) else real(value, name, finite=False)
            context.check(lib.thud_options_set_number(context.pointer, table, options, key, number))
    return options


# ---- memory files -----------------------------------------------------------------------------------------------------------


class MemoryFile:
    """A file that is in memory alone: the library writes and reads it by its name in /proc. Elsewhere a temporary file.

    Each takes a file descriptor, and a process often may have 1024. So at most ``OPEN`` of those that are not in use have one
    (and their readers another); the others, least recently used, are bytes until they are read again.
    """

    OPEN = max(4, min(64, resource.getrlimit(resource.RLIMIT_NOFILE)[0] % 2**63 // 8))
    _idle: "collections.OrderedDict" = collections.OrderedDict()  # id -> weak reference, least recently used first
    _guard = threading.RLock()

    __slots__ = ("release", "_suffix", "_path", "_descriptor", "_content", "_users", "__weakref__")

    def __init__(self, suffix: str, content: Optional[bytes] = None):
        self.release: Callable = lambda: True  #: closes what reads the file; False: it is at work
        self._suffix, self._content, self._users = suffix, content, 0
        self._path: Any = None
        self._descriptor: Any = None

    @contextlib.contextmanager
    def opened(self):
        """The path of the file, which stays as it is within ``with``."""
        with self._guard:
            self._wake()
            self._users += 1
            self._idle.pop(id(self), None)
        try:
            yield self._path
        finally:
            with self._guard:
                self._users -= 1
                self._rest()

    @property
    def path(self) -> str:
        """The path of the file; it is recently used now."""
        with self._guard:
            self._wake()
            self._rest()
            return self._path

    def read(self) -> bytes:
        """What it holds."""
        with self._guard:
            if self._content is not None:
                return self._content
            with open(self._path, "rb") as stream:
                return stream.read()

    def _wake(self) -> None:
        if self._path is not None:
            return
        if hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"):
            try:
                self._descriptor = os.memfd_create("thud" + self._suffix)
            except OSError as failure:
                if failure.errno != errno.EMFILE or not self._idle:
                    raise
                self._park(len(self._idle) // 2)
                self._descriptor = os.memfd_create("thud" + self._suffix)
            self._path = f"/proc/self/fd/{self._descriptor}"
        else:
            self._descriptor, self._path = tempfile.mkstemp(self._suffix)
        if self._content is not None:
            with open(self._path, "wb") as stream:
                stream.write(self._content)
            self._content = None

    def _rest(self) -> None:
        """Nobody uses it at this moment."""
        if self._users == 0:
            self._idle[id(self)] = weakref.ref(self)
            self._idle.move_to_end(id(self))
            if len(self._idle) > self.OPEN:
                self._park(self.OPEN)

    @classmethod
    def _park(cls, most: int) -> None:
        """Takes the descriptors of all but ``most``, the least recently used first."""
        for key, reference in list(cls._idle.items())[:-1]:
            file = reference()
            if len(cls._idle) <= most:
                break
            if file is None:
                cls._idle.pop(key, None)
            elif file.release():
                file._content = file.read()
                file._close()

    def _close(self) -> None:
        self._idle.pop(id(self), None)
        if self._path is not None:
            os.close(self._descriptor)
            if not self._path.startswith("/proc/"):
                with contextlib.suppress(OSError):
                    os.unlink(self._path)
            self._path = None

    def __del__(self):
        with self._guard:
            self._close()


def _renew_guard():
    MemoryFile._guard = threading.RLock()  # a thread of the parent may have had it


os.register_at_fork(after_in_child=_renew_guard)


# ---- callbacks --------------------------------------------------------------------------------------------------------------


class Pulse:
    """Lets Ctrl-C through while C works: a progress or stop function that Python's signal handlers run in."""

    def __init__(self, progress: Optional[Callable] = None):
        self.interrupted = False
        self.failure: Optional[BaseException] = None

        def failed(kind, value, trace):
            if issubclass(kind, KeyboardInterrupt):
                self.interrupted = True
            else:
                self.failure = value
            return 1

        def report(_, t, start, end):
            return 0 if progress is None else int(bool(progress(t, start, end)))

        self.failed = failed
        self.progress = ffi.callback("int(void *, double, double, double)", report, error=1, onerror=failed)
        self.ask = ffi.callback("int(void *)", lambda _: 0, error=1, onerror=failed)

    def raise_signal(self) -> None:
        """What a signal handler or the user's progress function has raised while C was at work."""
        if self.interrupted or self.failure is not None:
            failure, self.interrupted, self.failure = self.failure, False, None
            raise failure or KeyboardInterrupt

    def raise_failure(self) -> None:
        """What the user's progress function has raised."""
        if self.failure is not None:
            raise self.failure


if sys.maxsize < 2**32:
    raise ImportError("thud's Python module needs a 64-bit Python")
