"""DLPack with numpy's help. numpy has no bfloat16 and, in old versions, no bool: those travel through it as integers."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .datatypes import BF16, datatype_of_array

CPU_DEVICES = (1, 3)
_UINT, _BFLOAT, _BOOL = 1, 4, 6
_NAME = b"dltensor"


class _DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def _header(capsule: Any) -> _Tensor:
    """The description inside a capsule; ValueError when it was used already or is none."""
    return _Tensor.from_address(_get_pointer(capsule, _NAME))


class _Holder:
    """What numpy asks of an exporter, around a bare capsule."""

    def __init__(self, capsule: Any, device: tuple[int, int]) -> None:
        self._capsule = capsule
        self._device = device

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


def import_dlpack(source: Any) -> tuple[str, np.ndarray]:
    """
    Datatype and array of anything that speaks DLPack, or of a bare capsule. The array shares the exporter's memory; that of BF16
    holds its bits as uint16. A tensor on a GPU is copied to the CPU where its library has `cpu()`; ValueError where it has not.
    """
    if hasattr(source, "__dlpack_device__") and source.__dlpack_device__()[0] not in CPU_DEVICES:
        if not hasattr(source, "cpu"):
            raise ValueError("the tensor is not in CPU memory: copy it there first")
        source = source.cpu()
    if hasattr(source, "detach") and getattr(source, "requires_grad", False):
        source = source.detach()
    capsule = source.__dlpack__() if hasattr(source, "__dlpack__") else source
    header = _header(capsule)
    if header.device_type not in CPU_DEVICES:
        raise ValueError("the tensor is not in CPU memory: copy it there first")
    code, bits = header.dtype.code, header.dtype.bits
    if code in (_BFLOAT, _BOOL):
        header.dtype.code = _UINT
    holder = _Holder(capsule, (header.device_type, header.device_id))
    array = np.from_dlpack(holder)
    if code == _BFLOAT and bits == 16:
        return BF16, array
    if code == _BOOL:
        array = array.view(np.bool_)
    return datatype_of_array(array), array


def export_dlpack(datatype: str, array: np.ndarray) -> Any:
    """A capsule on the array's own memory."""
    if datatype == "BYTES":
        raise ValueError("DLPack does not have tensors of bytes")
    if not array.flags.writeable:
        # Old consumers cannot be told that they must not write.
        array = array.copy()
    if datatype == "BOOL":
        capsule = array.view(np.uint8).__dlpack__()
        _header(capsule).dtype.code = _BOOL
        return capsule
    capsule = array.__dlpack__()
    if datatype == BF16:
        _header(capsule).dtype.code = _BFLOAT
    return capsule
