"""A process of this runner for one instance, and the socket between the two."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Optional

from .frames import Connection, Message

_MAIN = Path(__file__).resolve().parent.parent / "main.py"


class Child:
    """A process that was started and may die at any time."""

    def __init__(self, name: str, environment: dict[str, str]) -> None:
        self.name = name
        self.expected = False
        self._oom_kills = _oom_kills()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._connection = Connection(ours)
        command = [sys.executable, "-u", "-B", str(_MAIN), "--worker", str(theirs.fileno())]
        self._process = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environment, close_fds=True
        )
        theirs.close()

    def order(self, message: Message) -> None:
        try:
            self._connection.send({**message, "parent": os.getpid()})
        except OSError:
            pass  # It has died; whoever waits for it is told so.

    def answer(self, relay: Optional[Callable[[Message], None]] = None) -> Message:
        """What it says to its order. RuntimeError with its own words, or with how it died."""
        while (message := self._connection.receive()) is not None:
            if message["type"] == "relay" and relay is not None:
                relay(message["message"])
            elif message["type"] == "failed":
                self.expected = True
                self.kill()
                raise RuntimeError(message["message"])
            else:
                return message
        raise RuntimeError(f"Stub process '{self.name}' is not healthy. {self._how_it_died()}")

    def on_death(self, tell: Callable[[str], None], relay: Callable[[Message], None]) -> None:
        def listen() -> None:
            while (message := self._connection.receive()) is not None:
                if message["type"] == "relay":
                    relay(message["message"])
                elif message["type"] == "failed":
                    tell(message["message"])
            tell(self._how_it_died())

        threading.Thread(target=listen, name=f"watch {self.name}", daemon=True).start()

    def wait(self, seconds: float) -> None:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _how_it_died(self) -> str:
        code: Any = self._process.wait()
        if code >= 0:
            return f"It ended with exit code {code}; its last lines are in the verbose log."
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        if -code == signal.SIGKILL and _oom_kills() > self._oom_kills:
            return "The system ended it for lack of memory (SIGKILL)."
        return f"It was ended by {name}."


def _oom_kills() -> int:
    """How often the kernel has ended a process of this control group for its memory; 0 where it does not tell."""
    try:
        for line in Path("/sys/fs/cgroup/memory.events").read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    except OSError:
        pass
    return 0
