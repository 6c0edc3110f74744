"""`pb_utils.TritonError`, `TritonModelException`, and how a model's failure is told to clients."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

_OWN = str(Path(__file__).resolve().parent)


class TritonModelException(Exception):
    """To be raised by models."""


class TritonError:
    """The error of one response."""

    UNKNOWN = 0
    INTERNAL = 1
    NOT_FOUND = 2
    INVALID_ARG = 3
    UNAVAILABLE = 4
    UNSUPPORTED = 5
    ALREADY_EXISTS = 6
    CANCELLED = 7

    def __init__(self, message: str, code: int = 1) -> None:
        self._message = str(message)
        self._code = int(code)

    def message(self) -> str:
        return self._message

    def code(self) -> int:
        return self._code

    def __str__(self) -> str:
        return self._message


_WIRE_CODES = {
    TritonError.UNKNOWN: "UNKNOWN",
    TritonError.INTERNAL: "INTERNAL",
    TritonError.NOT_FOUND: "NOT_FOUND",
    TritonError.INVALID_ARG: "INVALID_ARGUMENT",
    TritonError.UNAVAILABLE: "UNAVAILABLE",
    TritonError.UNSUPPORTED: "UNSUPPORTED",
    TritonError.ALREADY_EXISTS: "ALREADY_EXISTS",
    TritonError.CANCELLED: "CANCELLED",
}
_CODES = {name: code for code, name in _WIRE_CODES.items()}


def to_wire_error(error: TritonError) -> dict[str, Any]:
    return {"code": _WIRE_CODES.get(error.code(), "INTERNAL"), "message": error.message()}


def from_wire_error(error: dict[str, Any]) -> TritonError:
    return TritonError(error.get("message", ""), _CODES.get(error.get("code", ""), TritonError.INTERNAL))


class Refusal(Exception):
    """A rule of the API that a model broke; told without a traceback."""


def describe(error: BaseException) -> str:
    """`ValueError: text` and below it where it was raised, innermost first; a refusal is its text alone."""
    if isinstance(error, Refusal):
        return str(error)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not _is_own(frame.filename)]
    if isinstance(error, SyntaxError):
        text = "".join(traceback.format_exception_only(type(error), error)).strip()
    else:
        text = f"{type(error).__name__}: {error}"
    if not frames:
        return text
    lines = "".join(f"  {frame.filename}({frame.lineno}): {frame.name}\n" for frame in reversed(frames))
    return f"{text}\n\nAt:\n{lines}"


def _is_own(filename: str) -> bool:
    return filename.startswith((_OWN, "<frozen importlib")) or filename.endswith("triton_python_backend_utils.py")
