"""`pb_utils.Tensor`."""

from __future__ import annotations

from typing import Any, Optional, Protocol

import numpy as np

from .datatypes import BF16, NUMPY_TYPES, TRITON_NUMBERS, datatype_of_array, decode_bytes, encode_bytes
from .dlpack import export_dlpack, import_dlpack


class Source(Protocol):
    """Shared memory that a tensor lies in, as long as it may be read."""

    @property
    def shares(self) -> bool:
        """Whether arrays may be views on it instead of copies."""

    def view(self, ref: dict[str, Any]) -> memoryview:
        """RuntimeError when it may no longer be read."""

    def readable(self) -> bool: ...


class Tensor:
    """
    A named tensor in CPU memory. One that came from the server becomes a numpy array when it is first asked for; the array is a copy
    of the model's own, and may be kept and changed.
    """

    def __init__(self, name: str, array: Any) -> None:
        if name == "":
            raise ValueError("Tensor name cannot be an empty string.")
        if not isinstance(array, np.ndarray):
            raise TypeError(f"Tensor '{name}' must be made of a numpy array, got {type(array).__name__}")
        self._name = name
        self._datatype = datatype_of_array(array)
        self._shape: tuple[int, ...] = array.shape
        self._array: Optional[np.ndarray] = array
        self._ref: Optional[dict[str, Any]] = None
        self._source: Optional[Source] = None

    @classmethod
    def from_ref(cls, ref: dict[str, Any], source: Source) -> Tensor:
        """A tensor where it lies in the server's memory."""
        tensor = cls.__new__(cls)
        tensor._name = ref["name"]
        tensor._datatype = ref["datatype"]
        tensor._shape = tuple(ref["shape"])
        tensor._array = None
        tensor._ref = ref
        tensor._source = source
        return tensor

    @classmethod
    def from_dlpack(cls, name: str, tensor: Any) -> Tensor:
        if name == "":
            raise ValueError("Tensor name cannot be an empty string.")
        datatype, array = import_dlpack(tensor)
        made = cls.__new__(cls)
        made._name = name
        made._datatype = datatype
        made._shape = array.shape
        made._array = array
        made._ref = None
        made._source = None
        return made

    def name(self) -> str:
        return self._name

    def triton_dtype(self) -> int:
        return TRITON_NUMBERS[self._datatype]

    def shape(self) -> list[int]:
        return list(self._shape)

    def is_cpu(self) -> bool:
        return True

    def as_numpy(self) -> np.ndarray:
        """BYTES as objects of type `bytes`."""
        if self._datatype == BF16:
            raise TypeError(f"tensor '{self._name}' is BF16, which numpy does not have: use to_dlpack() or __dlpack__()")
        return self._bits()

    def to_dlpack(self) -> Any:
        return export_dlpack(self._datatype, self._bits())

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        if stream is not None and stream != -1:
            raise ValueError("a tensor in CPU memory takes no stream")
        return self.to_dlpack()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def _bits(self) -> np.ndarray:
        """The array; that of BF16 as uint16."""
        if self._array is None:
            self._array = self._read()
        return self._array

    def _read(self) -> np.ndarray:
        if self._ref is None or self._source is None:
            raise RuntimeError(f"tensor '{self._name}' has no data")
        data = self._source.view(self._ref)
        if self._datatype == "BYTES":
            return decode_bytes(data).reshape(self._shape)
        kind = np.uint16 if self._datatype == BF16 else NUMPY_TYPES[self._datatype]
        array = np.frombuffer(data, dtype=kind).reshape(self._shape)
        if not self._source.shares:
            return array.copy()
        array.flags.writeable = False
        return array

    # What follows is the runner's, not the model's.

    @property
    def datatype(self) -> str:
        """As on the wire, such as FP32."""
        return self._datatype

    @classmethod
    def joined(cls, parts: list[Tensor]) -> Tensor:
        """Those of several requests, one behind the other along the first dimension."""
        return parts[0]._with(np.concatenate([part._bits() for part in parts]))

    def rows(self, start: int, end: int) -> Tensor:
        return self._with(self._bits()[start:end])

    def _with(self, array: np.ndarray) -> Tensor:
        made = type(self).__new__(type(self))
        made._name, made._datatype, made._shape, made._array = self._name, self._datatype, array.shape, array
        made._ref = made._source = None
        return made

    def shared_ref(self) -> Optional[tuple[dict[str, Any], Source]]:
        """Where it lies in shared memory, while nobody can have changed a copy of it."""
        if self._ref is None or self._source is None or not self._source.readable():
            return None
        if self._array is not None and not self._source.shares:
            return None
        return self._ref, self._source

    def detach(self) -> None:
        """Makes its own copy and lets go of the memory it lay in."""
        self._bits()
        self._ref = self._source = None

    def payload(self) -> Payload:
        """Its bytes, ready to be written."""
        if self._datatype == "BYTES":
            return Payload(self._name, self._datatype, self._shape, encode_bytes(self._bits()))
        return Payload(self._name, self._datatype, self._shape, self._bits())


class Payload:
    """A tensor on its way into shared memory."""

    def __init__(self, name: str, datatype: str, shape: tuple[int, ...], data: Any) -> None:
        self.byte_length = len(data) if isinstance(data, bytes) else int(data.nbytes)
        self._facts = {"name": name, "datatype": datatype, "shape": [int(dim) for dim in shape]}
        self._data = data

    def write(self, view: memoryview, segment: int, offset: int) -> dict[str, Any]:
        """Writes it to `view`, which lies at `offset` of the segment; returns its tensor reference."""
        if isinstance(self._data, bytes):
            view[:] = self._data
        elif self.byte_length > 0:
            native = self._data.dtype.newbyteorder("<")
            target = np.frombuffer(view, dtype=native).reshape(self._data.shape)
            np.copyto(target, self._data)
        return {**self._facts, "segment": segment, "offset": offset, "byteLength": self.byte_length}
