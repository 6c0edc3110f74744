"""The runner process: speaks with the server about load and life, and has one child process for each instance."""

from __future__ import annotations

import itertools
import os
import queue
import sys
import threading
from typing import Any, Optional

from .child import Child
from .frames import Connection, Message, connect
from .limits import die_with_parent, ignore_signals

FINISH_WITHIN_S = 4.5


def run_supervisor() -> None:
    ignore_signals()
    die_with_parent(os.getppid())
    control = connect(os.environ["NEREID_RUNNER_SOCKET"], {"role": "control", "pid": os.getpid()})
    Supervisor(control).run()


class Supervisor:
    """The main thread starts children, and must, because they die with the thread that started them. Another hears the server."""

    def __init__(self, control: Connection) -> None:
        self._control = control
        self._orders: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._children: dict[int, Child] = {}
        self._load: Message = {}
        self._config = ""
        self._relays: dict[int, tuple[Child, int]] = {}
        self._numbers = itertools.count(1)
        self._ending = False

    def run(self) -> None:
        threading.Thread(target=self._hear, name="server", daemon=True).start()
        while True:
            order = self._orders.get()
            if order["type"] == "load":
                self._attempt("load", self._begin, order)
            elif order["type"] == "start-instances":
                self._attempt("start-instances", self._grow, order)
            elif order["type"] == "shutdown":
                self._finish()

    def _hear(self) -> None:
        """Answers pings also while a model loads or computes."""
        while (message := self._control.receive()) is not None:
            kind = message["type"]
            if kind == "ping":
                self._control.send({"type": "pong", "sequence": message["sequence"]})
            elif kind == "call-done":
                self._answer_relay(message)
            elif kind == "stop-instances":
                for index, child in list(self._children.items()):
                    if index >= message["count"]:
                        # Ends by itself when the server closes its connection.
                        child.expected = True
                        del self._children[index]
            else:
                self._orders.put(message)
        os._exit(0)

    def _attempt(self, stage: str, act: Any, order: Message) -> None:
        try:
            act(order)
        except Exception as error:
            self._control.send({"type": "failed", "stage": stage, "message": str(error)})

    def _begin(self, order: Message) -> None:
        self._load = order
        self._config = order["model"]["config"]
        said: Message = {"declared": {"inputs": [], "outputs": [], "config": {}}}
        first: Optional[Child] = None
        if order["model"].get("autoComplete", True):
            first, said = self._complete()
            self._config = said.get("config", self._config)
        readiness = self._start(0, first)
        loaded = {"type": "loaded", **said["declared"], "execution": "requests"}
        self._control.send({**loaded, "readiness": True} if readiness else loaded)

    def _complete(self) -> tuple[Optional[Child], Message]:
        """`auto_complete_config`, in a process that is thrown away after it. A model without it keeps the process."""
        child = Child(self._describe(0)["name"], self._environment())
        child.order({"type": "complete", "load": self._load})
        said = child.answer()
        if said["type"] == "unchanged":
            return child, {"declared": {"inputs": [], "outputs": [], "config": {}}}
        child.expected = True
        child.kill()
        return None, said

    def _grow(self, order: Message) -> None:
        if "instances" in order:
            self._load["model"]["instances"] = order["instances"]
        for index in range(order["count"]):
            if index not in self._children:
                self._start(index)
        self._control.send({"type": "started", "count": order["count"]})

    def _start(self, index: int, begun: Optional[Child] = None) -> bool:
        """Starts an instance, in a process that has begun or a new one, and waits until it can execute. Whether it tells of its readiness."""
        instance = self._describe(index)
        child = begun or Child(instance["name"], self._environment())
        child.order(
            {"type": "serve", "index": index, "instance": instance, "load": self._load, "config": self._config}
        )
        ready = child.answer(relay=lambda message: self._relay(child, message))
        self._children[index] = child
        child.on_death(lambda how: self._died(child, how), lambda message: self._relay(child, message))
        return bool(ready["readiness"])

    def _describe(self, index: int) -> Message:
        instances = self._load["model"]["instances"]
        if index < len(instances):
            return instances[index]
        last = instances[-1] if instances else {"kind": "KIND_CPU", "device": None}
        return {**last, "name": f"{self._load['model']['name']}_{index}"}

    def _environment(self) -> dict[str, str]:
        threads = str(self._load["session"].get("intraOpThreads", 1))
        libraries = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        return {**{name: threads for name in libraries}, **os.environ}

    def _relay(self, child: Child, message: Message) -> None:
        """What a child says to the server before its own connection is open."""
        if "call" in message:
            number = next(self._numbers)
            self._relays[number] = (child, message["call"])
            message = {**message, "call": number}
        self._control.send(message)

    def _answer_relay(self, message: Message) -> None:
        asked = self._relays.pop(message["call"], None)
        if asked is not None:
            child, number = asked
            child.order({"type": "relayed", "message": {**message, "call": number}})

    def _died(self, child: Child, how: str) -> None:
        if not self._ending and not child.expected:
            self._fatal(f"Stub process '{child.name}' is not healthy. {how}")

    def _fatal(self, why: str) -> None:
        self._control.send({"type": "fatal", "message": why})
        self._ending = True

    def _finish(self) -> None:
        """`finalize` of every instance, side by side."""
        self._ending = True
        children = list(self._children.values())
        for child in children:
            child.expected = True
            child.order({"type": "finish"})
        for child in children:
            child.wait(FINISH_WITHIN_S)
        sys.stdout.flush()
        os._exit(0)
