"""Parameters of requests and responses: Python's values and those of the protocol's JSON."""

from __future__ import annotations

import math
from typing import Any

Value = Any
_SAFE = 2**53


def from_wire(parameters: dict[str, Any]) -> dict[str, Value]:
    return {name: _read(value) for name, value in parameters.items()}


def to_wire(parameters: dict[str, Value]) -> dict[str, Any]:
    """TypeError for a value that is no text, number or boolean."""
    return {str(name): _write(name, value) for name, value in parameters.items()}


def _read(value: Any) -> Value:
    if isinstance(value, dict):
        return int(value["int64"]) if "int64" in value else float(value["double"])
    return value


def _write(name: str, value: Value) -> Any:
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < _SAFE else {"int64": str(value)}
    if isinstance(value, float):
        if math.isfinite(value) and not value.is_integer():
            return value
        if math.isfinite(value):
            return {"double": repr(value)}
        return {"double": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    raise TypeError(f"parameter '{name}' must be a text, a number or a boolean, got {type(value).__name__}")
