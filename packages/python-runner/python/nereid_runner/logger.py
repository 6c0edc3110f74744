"""`pb_utils.Logger`: lines of the server's log."""

from __future__ import annotations

import sys

from .host import host


class LogLevel:
    INFO, WARNING, ERROR, VERBOSE = "INFO", "WARNING", "ERROR", "VERBOSE"


class Logger:
    """Its functions take one text."""

    INFO, WARNING, ERROR, VERBOSE = LogLevel.INFO, LogLevel.WARNING, LogLevel.ERROR, LogLevel.VERBOSE

    @staticmethod
    def log(message: str, level: str = LogLevel.INFO) -> None:
        if level not in (LogLevel.INFO, LogLevel.WARNING, LogLevel.ERROR, LogLevel.VERBOSE):
            raise ValueError(f"there is no log level {level!r}")
        if host.calls is None:
            # No line to the server in this stage; standard error reaches its verbose log.
            print(message, file=sys.stderr)
        else:
            host.calls.log(level, str(message))

    @staticmethod
    def log_info(message: str) -> None:
        Logger.log(message, LogLevel.INFO)

    @staticmethod
    def log_warn(message: str) -> None:
        Logger.log(message, LogLevel.WARNING)

    @staticmethod
    def log_error(message: str) -> None:
        Logger.log(message, LogLevel.ERROR)

    @staticmethod
    def log_verbose(message: str) -> None:
        Logger.log(message, LogLevel.VERBOSE)
