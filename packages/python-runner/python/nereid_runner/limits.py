"""What a process of this runner sets on itself when it starts."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def ignore_signals() -> None:
    """The server ends its runners itself; a terminal's Ctrl-C reaches the whole process group."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def die_with_parent(parent: int) -> None:
    """Also where a model's code never lets another thread run, and its connection is seen to close too late."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def limit_memory(byte_length: int) -> None:
    """Private memory that may be asked for; 0 = no limit. A larger allocation is a MemoryError."""
    if byte_length > 0 and sys.platform.startswith("linux"):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = byte_length if hard == resource.RLIM_INFINITY else min(byte_length, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
