"""What the codes of messages mean."""
from __future__ import annotations

from typing import NamedTuple

from . import errors
from ._library import decode, encode, ffi, lib

__all__ = ["Explanation", "explain", "message_codes"]


class Explanation(NamedTuple):
    """What one code means."""
    code: str
    text: str  #: what the message says
    cause: str
    cure: str
    example: str  #: lines of a scene or of a shell

    def __str__(self) -> str:
        example = self.example.replace("\n", "\n         ")
        return f"{self.code}: {self.text}\ncause    {self.cause}\ncure     {self.cure}\nexample  {example}"


def explain(code: str) -> Explanation:
    """Cause and cure behind the code of a warning or an error (``Error.code``, ``RunWarning.code``), with an example.

    >>> import thud
    >>> thud.explain("unknown-key").text
    'A key is not known at this place.'
    """
    if not isinstance(code, str):
        raise TypeError(f"code is a word like 'unknown-key', not {type(code).__name__}")
    row = lib.thud_explain(encode(code)) if "\0" not in code else ffi.NULL
    if row == ffi.NULL:
        raise errors.NotFoundError(f"no message has the code {code!r}; thud.message_codes() lists all", "unknown-code")
    return Explanation(*(decode(getattr(row, name)) for name in Explanation._fields))


def message_codes() -> list[str]:
    """All codes, warnings first.

    >>> import thud
    >>> "coarse" in thud.message_codes()
    True
    """
    codes: list[str] = []
    while (row := lib.thud_explain_at(len(codes))) != ffi.NULL:
        codes.append(decode(row.code))
    return codes
