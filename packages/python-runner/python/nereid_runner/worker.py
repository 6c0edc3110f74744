"""The process of one instance: loads the model, then serves the connection of its instance until either end closes."""

from __future__ import annotations

import json
import os
import queue
import socket
import sys
import threading
from typing import Any, Optional

from .calls import Calls
from .errors import describe
from .execution import Execution
from .frames import Connection, Message, connect
from .host import host
from .limits import die_with_parent, ignore_signals, limit_memory
from .memory import Segments
from .model import Model

CALL_MESSAGES = ("call-place", "call-refused", "call-answer", "call-done")
SHARED_INPUTS = "SHARED_INPUTS"


def run_worker(descriptor: int) -> None:
    ignore_signals()
    parent = Connection(socket.socket(fileno=descriptor))
    code = 1
    try:
        code = _live(parent)
    finally:
        leave(code)


def _live(parent: Connection) -> int:
    """The whole life; returns the exit code."""
    order = parent.receive()
    if order is None:
        return 0
    die_with_parent(order["parent"])
    limit_memory(order["load"]["memoryLimitBytes"])
    try:
        model = Model(order["load"])
        if order["type"] == "complete":
            if model.completes:
                parent.send({"type": "completed", **model.complete()})
                return 0
            parent.send({"type": "unchanged"})
            order = parent.receive()
            if order is None:
                return 0
        Worker(order, model, parent).run()
    except BaseException as error:  # also a model that calls sys.exit while it loads
        text = describe(error)
        print(text, file=sys.stderr, flush=True)
        parent.send({"type": "failed", "message": text})
        return 1
    return 0


class Worker:
    """One instance. The main thread runs the model, another reads from the server, a third from the supervisor."""

    def __init__(self, order: dict[str, Any], model: Model, parent: Connection) -> None:
        self._order = order
        self._model = model
        self._parent = parent
        self._segments = Segments()
        self._work: queue.SimpleQueue[Optional[Message]] = queue.SimpleQueue()
        self._executions: dict[int, Execution] = {}
        self._probes: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._connection: Optional[Connection] = None
        self._shares = _flag(order["load"], SHARED_INPUTS)
        self._name: str = order["instance"]["name"]

    def run(self) -> None:
        # Until its connection is open, what it asks goes to the server through the supervisor.
        early = Calls(lambda message: self._parent.send({"type": "relay", "message": message}), self._segments)
        host.calls = early
        threading.Thread(target=self._hear_parent, args=(early,), name="supervisor", daemon=True).start()
        self._model.initialize(self._order["config"], self._order["instance"])
        hello = {"role": "instance", "index": self._order["index"]}
        self._connection = connect(os.environ["NEREID_RUNNER_SOCKET"], hello)
        calls = Calls(self._send, self._segments)
        host.calls = calls
        threading.Thread(target=self._read, args=(self._connection, calls), name="server", daemon=True).start()
        if self._model.tells_readiness:
            threading.Thread(target=self._probe, name="readiness", daemon=True).start()
        self._parent.send({"type": "ready", "readiness": self._model.tells_readiness})
        self._serve()
        self._model.finalize()

    def _send(self, message: Message) -> None:
        """To the server. A model may have closed what it did not open; without its connection the instance is of no use."""
        try:
            if self._connection is not None:
                self._connection.send(message)
        except OSError as error:
            print(f"the connection to the server is lost: {error}", file=sys.stderr, flush=True)
            leave(1)

    def _serve(self) -> None:
        """Executions, one after the other; returns when the instance is no longer wanted."""
        while (message := self._work.get()) is not None:
            self._segments.forget(message.get("forget"))
            execution = self._executions[message["id"]]
            execution.run(self._model.execute, self._name)
            self._drop_finished()

    def _drop_finished(self) -> None:
        for number, execution in list(self._executions.items()):
            if execution.returned and execution.over:
                self._executions.pop(number, None)

    def _read(self, connection: Connection, calls: Calls) -> None:
        while (message := connection.receive()) is not None:
            kind = message["type"]
            if kind == "execute-requests":
                self._segments.announce(message.get("segments"))
                self._executions[message["id"]] = Execution(message, self._segments, self._send, self._shares)
                self._work.put(message)
            elif kind in CALL_MESSAGES:
                calls.receive(message)
            elif kind == "check-readiness":
                self._probes.put(message["check"])
            elif kind in ("place", "drop", "cancel"):
                self._segments.announce(message.get("segments"))
                execution = self._executions.get(message["id"])
                if execution is not None:
                    execution.receive(message)
        self._work.put(None)

    def _probe(self) -> None:
        """Those that came while the model was asked get the same answer."""
        while True:
            checks = [self._probes.get()]
            ready, why = self._model.is_ready()
            while not self._probes.empty():
                checks.append(self._probes.get())
            for check in checks:
                reason = {} if why is None else {"message": why}
                self._send({"type": "readiness", "check": check, "ready": ready, **reason})

    def _hear_parent(self, early: Calls) -> None:
        while (message := self._parent.receive()) is not None:
            if message["type"] == "finish":
                self._work.put(None)
            elif message["type"] == "relayed":
                early.receive(message["message"])
        # The supervisor has gone without a word.
        leave(0)


def leave(code: int) -> None:
    """Without a look at threads that a model may have left running, or at streams that it closed."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _flag(load: dict[str, Any], key: str) -> bool:
    parameters = json.loads(load["model"]["config"]).get("parameters") or {}
    return str((parameters.get(key) or {}).get("string_value", "")).lower() in ("yes", "true", "1")
