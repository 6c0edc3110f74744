"""Datatypes by their names on the wire, in configurations, in Triton's numbers and in numpy."""

from __future__ import annotations

import struct
from typing import Any, Optional

import numpy as np

_ROWS: tuple[tuple[str, int, Any], ...] = (
    ("BOOL", 1, np.bool_),
    ("UINT8", 2, np.uint8),
    ("UINT16", 3, np.uint16),
    ("UINT32", 4, np.uint32),
    ("UINT64", 5, np.uint64),
    ("INT8", 6, np.int8),
    ("INT16", 7, np.int16),
    ("INT32", 8, np.int32),
    ("INT64", 9, np.int64),
    ("FP16", 10, np.float16),
    ("FP32", 11, np.float32),
    ("FP64", 12, np.float64),
    ("BYTES", 13, np.object_),
)
BF16 = "BF16"
TRITON_NUMBERS: dict[str, int] = {**{name: number for name, number, _ in _ROWS}, BF16: 14}
_NAMES = {number: name for name, number in TRITON_NUMBERS.items()}
NUMPY_TYPES: dict[str, Any] = {name: kind for name, _, kind in _ROWS}
_OF_NUMPY = {np.dtype(kind): name for name, _, kind in _ROWS if name != "BYTES"}
_LENGTH = struct.Struct("<I")


def wire_name(config_type: Any) -> Optional[str]:
    """`TYPE_FP32` (or `FP32`) as `FP32`, TYPE_STRING as BYTES; None for what is no datatype."""
    name = str(config_type)[5:] if str(config_type).startswith("TYPE_") else str(config_type)
    name = "BYTES" if name == "STRING" else name
    return name if name in TRITON_NUMBERS else None


def wire_name_of_number(number: int) -> Optional[str]:
    return _NAMES.get(number)


def datatype_of_array(array: np.ndarray) -> str:
    """TypeError for an array that has no datatype here, such as one of complex numbers."""
    if array.dtype.kind in "OSU":
        return "BYTES"
    name = _OF_NUMPY.get(array.dtype.newbyteorder("="))
    if name is None:
        raise TypeError(f"a tensor cannot be made of a numpy array of {array.dtype}")
    return name


def encode_bytes(array: np.ndarray) -> bytes:
    """Elements in row-major order, each its length as uint32 and its bytes. Texts become UTF-8."""
    parts: list[bytes] = []
    for item in array.ravel(order="C").tolist():
        if not isinstance(item, (bytes, bytearray)):
            item = bytes(item) if isinstance(item, memoryview) else str(item).encode("utf-8")
        data = bytes(item)
        parts.append(_LENGTH.pack(len(data)))
        parts.append(data)
    return b"".join(parts)


def decode_bytes(data: Any) -> np.ndarray:
    """A flat object array of `bytes`."""
    whole = bytes(data)
    items: list[bytes] = []
    at = 0
    while at < len(whole):
        (length,) = _LENGTH.unpack_from(whole, at)
        at += _LENGTH.size
        if at + length > len(whole):
            raise ValueError(f"an element of {length} bytes does not fit into what is left: {len(whole) - at} bytes")
        items.append(whole[at : at + length])
        at += length
    array = np.empty(len(items), dtype=np.object_)
    array[:] = items
    return array
