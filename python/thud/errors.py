"""Failures are exceptions, findings are results.

A call that could not do its work raises a subclass of :class:`Error` with what the library says: what is wrong, where, and what
to do. A motion that ran and is not good is a result (:class:`thud.Run`) whose verdict says so;
:meth:`thud.Run.require_good` turns that into :class:`NotGood`.
"""
from __future__ import annotations

import difflib
import re
from typing import Any, Iterable, NamedTuple, Optional

__all__ = ["Error", "SceneError", "ArgumentError", "UnqualifiedError", "UnsupportedError", "FileError", "NotFoundError",
           "OutOfMemory", "CallbackError", "Interrupted", "InternalError", "InUse", "NotGood", "RunWarning", "Place"]


class Place(NamedTuple):
    """Where in a scene something is wrong."""
    file: str
    line: int
    column: int
    path: str  #: JSON pointer of the key, "" where it is not known


class Error(Exception):
    """A call of thud that failed.

    >>> import thud
    >>> try:
    ...     thud.check("thud: 1\\nsystem: {coordinates: [x], kinetic_energy: x'^2/2, forces: {x: sin(}}\\ninitial: {x: 0}\\n")
    ... except thud.Error as error:
    ...     print(type(error).__name__, error.place.line)
    SceneError 2
    """

    code = "error"  #: what is wrong, in one word that stays the same: "unknown-key", "missing-key" (:func:`explain`)

    def __init__(self, message: str, code: Optional[str] = None, place: Optional[Place] = None):
        super().__init__(message)
        self.message = message  #: one sentence
        if code is not None:
            self.code = code
        found = None if place is not None else re.match(r"(.+?):(\d+):(\d+): (?:(/\S*): )?", message, re.S)
        #: where in a scene, as :class:`Place`; None where there is no place
        self.place = Place(found[1], int(found[2]), int(found[3]), found[4] or "") if found else place

    def __str__(self) -> str:
        return self.message

    def __reduce__(self):
        return type(self), (self.message, self.code, self.place)

    def _reword(self, message: str) -> None:
        """Another sentence; code and place stay."""
        self.message, self.args = message, (message,)


class SceneError(Error, ValueError):
    """A scene that cannot be read or does not mean anything; :attr:`place` says where."""


class ArgumentError(Error, ValueError):
    """An argument that the library refuses: a wrong size, a NaN, a matrix that is not positive definite."""


class UnqualifiedError(Error, ArithmeticError):
    """Constraints are positively dependent: there is no admissible velocity."""


class UnsupportedError(Error, NotImplementedError):
    """What was asked for does not exist for this problem."""


class FileError(Error, OSError):
    """A file that cannot be opened, read, written, or that exists already."""


class NotFoundError(Error, LookupError):
    """A name that is not there."""

    def __str__(self) -> str:
        return self.message


class OutOfMemory(Error, MemoryError):
    """No memory."""


class CallbackError(Error, RuntimeError):
    """A Python function that a motion calls has refused or returned nonsense."""


class Interrupted(Error, RuntimeError):
    """Work that was asked to stop before it had a result."""


class InternalError(Error, RuntimeError):
    """A fault of thud itself."""


class InUse(Error, RuntimeError):
    """The object is at work in another thread, or in a call further up from within which it was used again."""
    code = "in-use"


class NotGood(Error, RuntimeError):
    """Raised by ``require_good``: the result is there, as :attr:`run`, and its verdict is not good."""
    code = "not-good"
    run: Any = None


class RunWarning(UserWarning):
    """What a run warns of. ``code`` is stable, ``t`` the time (NaN: none)."""

    def __init__(self, message: str, code: str = "", t: float = float("nan")):
        super().__init__(message)
        self.code = code
        self.t = t

    def __reduce__(self):
        return type(self), (self.args[0], self.code, self.t)


CLASSES = {
    "MEMORY": OutOfMemory, "ARGUMENT": ArgumentError, "DIMENSION": ArgumentError, "OVERFLOW": ArgumentError,
    "NOT_FINITE": ArgumentError, "NOT_SPD": ArgumentError, "SINGULAR": ArgumentError, "EMPTY_SET": ArgumentError,
    "UNQUALIFIED": UnqualifiedError, "UNSUPPORTED": UnsupportedError, "NOT_CONVERGED": Error, "CALLBACK": CallbackError,
    "SYNTAX": SceneError, "SCHEMA": SceneError, "FILE": FileError, "FORMAT": FileError, "EXISTS": FileError,
    "NOT_FOUND": NotFoundError, "INTERRUPTED": Interrupted, "INTERNAL": InternalError,
}


def make_error(name: str, message: str, code: str) -> Error:
    """The exception of THUD_ERROR_<name> with its message and its code."""
    return CLASSES.get(name, Error)(message, code)


def some(names: Iterable[str]) -> str:
    """Names for a message."""
    names = list(names)
    return ", ".join(names[:30]) + (f" and {len(names) - 30} more" if len(names) > 30 else "")


def not_found(what: str, name: object, names: Iterable[str], code: str = "not-found") -> NotFoundError:
    """``not_found("there is no body", "bal", ["ball"])``: with what the name may have meant, and what there is."""
    names = list(names)
    near = difflib.get_close_matches(name, names, 1) if isinstance(name, str) else []
    meant = f" (did you mean {near[0]!r}?)" if near else ""
    return NotFoundError(f"{what} {name!r}{meant}; there are {some(names)}" if names else f"{what} {name!r}; there are none", code)
