"""Answers that one thread waits for and another brings."""

from __future__ import annotations

import threading
from typing import Any, Generic, Optional, TypeVar

T = TypeVar("T")


class Answer(Generic[T]):
    """Is set once; `wait` gives the value to any number of threads."""

    def __init__(self) -> None:
        self._there = threading.Event()
        self._value: Optional[T] = None

    def set(self, value: Any) -> None:
        self._value = value
        self._there.set()

    def wait(self) -> Any:
        self._there.wait()
        return self._value
