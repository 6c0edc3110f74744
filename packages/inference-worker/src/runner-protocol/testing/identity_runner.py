"""A runner in nothing but Python's standard library: each output gives back the input of the same place.

It is the worked example of docs/runner-protocol.md. Model: INPUT (FP32) -> OUTPUT, TEXT (BYTES) -> TEXT_OUT.
Arguments of the tests: --protocol=<n> says another version, --garbage sends a frame that is no JSON.
"""

import json
import mmap
import os
import signal
import socket
import struct
import sys
import threading
import time
from collections import deque

PROTOCOL = 1
ALIGNMENT = 64
SOURCES = {"OUTPUT": "INPUT", "TEXT_OUT": "TEXT"}
INPUTS = [
    {"name": "INPUT", "datatype": "FP32", "dims": ["batch", -1]},
    {"name": "TEXT", "datatype": "BYTES", "dims": ["batch", 1]},
]
OUTPUTS = [
    {"name": "OUTPUT", "datatype": "FP32", "dims": ["batch", -1]},
    {"name": "TEXT_OUT", "datatype": "BYTES", "dims": ["batch", 1]},
]


class Connection:
    """Messages over the server's Unix socket: uint32 LE length, then UTF-8 JSON."""

    def __init__(self, hello):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(os.environ["NEREID_RUNNER_SOCKET"])
        self.send(hello)

    def send(self, message):
        body = json.dumps(message).encode()
        self.socket.sendall(struct.pack("<I", len(body)) + body)

    def receive(self):
        """The next message; None once the server has closed the connection."""
        header = self._exactly(4)
        body = header and self._exactly(struct.unpack("<I", header)[0])
        return body and json.loads(body)

    def _exactly(self, length):
        data = bytearray()
        while len(data) < length:
            part = self.socket.recv(length - len(data))
            if not part:
                return None
            data += part
        return bytes(data)


class BadRequest(Exception):
    """Something the sender of the request can put right."""


class Instance:
    """One execution place: its own connection; executions run and are answered in the order they come."""

    def __init__(self, index):
        self.announced = {}
        self.mapped = {}
        self.ahead = deque()
        self.waiting = None
        self.connection = Connection({"type": "hello", "role": "instance", "protocol": PROTOCOL, "index": index})
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while (request := self._next()) is not None:
            try:
                if request["type"] == "execute":
                    self._execute(request)
                elif request["type"] == "collect":
                    self._collect(request)
                elif self.waiting is not None and self.waiting[0] == request["id"]:  # discard
                    self.waiting = None
            except Exception as error:  # every execution gets exactly one answer
                self.waiting = None
                code = "INVALID_ARGUMENT" if isinstance(error, BadRequest) else "INTERNAL"
                self.connection.send({"type": "failed", "id": request["id"], "code": code, "message": str(error)})
        leave()

    def _next(self):
        """The next message to act on. While outputs wait to be collected, executions sent ahead wait behind them."""
        if self.waiting is None and self.ahead:
            return self.ahead.popleft()
        while (request := self.connection.receive()) is not None:
            self.announced.update((segment["id"], segment) for segment in request.get("segments", []))
            if self.waiting is None or request["type"] != "execute":
                return request
            self.ahead.append(request)
        return None

    def _memory(self, segment):
        """Mapped when first used, because a `collect` may use what an execution behind it announced."""
        if segment not in self.mapped:
            with open(self.announced[segment]["path"], "r+b") as file:
                self.mapped[segment] = mmap.mmap(file.fileno(), self.announced[segment]["byteLength"])
        return self.mapped[segment]

    def _execute(self, request):
        for segment in request.get("forget", []):
            self.announced.pop(segment, None)
            if (memory := self.mapped.pop(segment, None)) is not None:
                memory.close()
        started = time.monotonic_ns()
        inputs = {tensor["name"]: tensor for tensor in request["inputs"]}
        placed, loose = [], []
        for output in request["outputs"]:
            source = inputs.get(SOURCES.get(output["name"]))
            if source is None:
                raise BadRequest(f"output '{output['name']}' needs an input that was not sent")
            data = self._read(source)
            if "place" in output:
                self._write(output["place"], data)
                placed.append(output["place"])
            else:
                kept = {"name": output["name"], "datatype": source["datatype"], "shape": source["shape"]}
                loose.append((kept, data))
        times = {"inferStartNs": started, "inferEndNs": time.monotonic_ns()}
        self._answer(request["id"], times, placed, loose, request.get("arena"))

    def _collect(self, request):
        if self.waiting is None or self.waiting[0] != request["id"]:
            raise RuntimeError(f"nothing to collect for execution {request['id']}")
        waiting, self.waiting = self.waiting, None
        self._answer(*waiting, request["arena"])

    def _answer(self, execution, times, placed, loose, arena):
        """Puts the loose outputs into the arena, each at a multiple of 64 from its start, or says how much they need."""
        used, refs = 0, []
        for tensor, data in loose:
            offset = -(-used // ALIGNMENT) * ALIGNMENT
            refs.append(({**tensor, "byteLength": len(data)}, offset, data))
            used = offset + len(data)
        if used > (arena["byteLength"] if arena else 0):
            self.waiting = (execution, times, placed, loose)
            self.connection.send({"type": "overflow", "id": execution, "byteLength": used})
            return
        outputs = list(placed)
        for tensor, offset, data in refs:
            ref = {**tensor, "segment": arena["segment"], "offset": arena["offset"] + offset}
            self._write(ref, data)
            outputs.append(ref)
        self.connection.send({"type": "executed", "id": execution, **times, "outputs": outputs})

    def _read(self, ref):
        return self._memory(ref["segment"])[ref["offset"] : ref["offset"] + ref["byteLength"]]

    def _write(self, ref, data):
        self._memory(ref["segment"])[ref["offset"] : ref["offset"] + len(data)] = data


def leave():
    """Nothing is worth flushing, and no thread may hold up the end."""
    os._exit(0)


def limit_memory(byte_length):
    if byte_length > 0 and sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (byte_length, byte_length))


def main(arguments):
    # The server ends its runners itself; a terminal's Ctrl-C reaches the whole process group.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    said = next((int(text.split("=")[1]) for text in arguments if text.startswith("--protocol=")), PROTOCOL)
    control = Connection({"type": "hello", "role": "control", "protocol": said, "pid": os.getpid()})
    if "--garbage" in arguments:
        control.socket.sendall(struct.pack("<I", 3) + b"}{!")
    instances = []
    while (request := control.receive()) is not None:
        kind = request["type"]
        if kind == "load":
            if not os.path.exists(request["file"]):
                control.send({"type": "failed", "stage": "load", "message": f"no such file: {request['file']}"})
                continue
            limit_memory(request["memoryLimitBytes"])
            instances.append(Instance(0))
            control.send({"type": "loaded", "inputs": INPUTS, "outputs": OUTPUTS})
        elif kind == "start-instances":
            while len(instances) < request["count"]:
                instances.append(Instance(len(instances)))
            control.send({"type": "started", "count": len(instances)})
        elif kind == "ping":
            control.send({"type": "pong", "sequence": request["sequence"]})
        elif kind == "shutdown":
            break
    leave()


if __name__ == "__main__":
    main(sys.argv[1:])
