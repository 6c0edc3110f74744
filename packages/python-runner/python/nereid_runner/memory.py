"""Shared memory of the server: segments are mapped when first used, and tensors are views on them."""

from __future__ import annotations

import mmap
import threading
from typing import Any, Iterable, Optional

ALIGNMENT = 64


def align(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT


class Segments:
    """The segments that were announced to one instance."""

    def __init__(self) -> None:
        self._announced: dict[int, dict[str, Any]] = {}
        self._mapped: dict[int, mmap.mmap] = {}
        self._lock = threading.Lock()

    def announce(self, segments: Optional[Iterable[dict[str, Any]]]) -> None:
        for segment in segments or ():
            self._announced[segment["id"]] = segment

    def forget(self, ids: Optional[Iterable[int]]) -> None:
        """Unmapped when the last view is gone."""
        with self._lock:
            for segment in ids or ():
                self._announced.pop(segment, None)
                self._mapped.pop(segment, None)

    def view(self, place: dict[str, Any]) -> memoryview:
        """The bytes at `segment`, `offset`, `byteLength`; writable."""
        start = place["offset"]
        return memoryview(self._memory(place["segment"]))[start : start + place["byteLength"]]

    def _memory(self, segment: int) -> mmap.mmap:
        with self._lock:
            memory = self._mapped.get(segment)
            if memory is None:
                info = self._announced[segment]
                with open(info["path"], "r+b") as file:
                    memory = mmap.mmap(file.fileno(), info["byteLength"])
                self._mapped[segment] = memory
            return memory
