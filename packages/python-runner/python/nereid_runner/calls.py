"""What a model asks of the server while it runs: inferences, models to load, metrics, lines of the log."""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from typing import Any, Callable, Iterator, Optional

from .errors import TritonModelException, from_wire_error
from .memory import Segments, align
from .parameters import from_wire
from .response import InferenceResponse
from .tensor import Payload, Source, Tensor
from .waiting import Answer

Message = dict[str, Any]


class Lease:
    """The memory of one answer: given back when nothing looks at it any more."""

    shares = False

    def __init__(self, segments: Segments, release: Callable[[], None]) -> None:
        self._segments = segments
        self._release = release

    def view(self, ref: Message) -> memoryview:
        return self._segments.view(ref)

    def readable(self) -> bool:
        return True

    def __del__(self) -> None:
        self._release()


class Call:
    """One inference: its answers, in order."""

    def __init__(self, number: int, calls: Calls) -> None:
        self.number = number
        self._calls = calls
        self._answers: queue.SimpleQueue[Message] = queue.SimpleQueue()
        #: What has to stay as it is until the last answer.
        self.inputs: list[Any] = []
        self._listener: Optional[Callable[[], None]] = None
        self._lock = threading.Lock()

    def put(self, message: Message) -> None:
        """From the thread that reads."""
        if message["final"]:
            self.inputs = []
        with self._lock:
            self._answers.put(message)
            listener, self._listener = self._listener, None
        if listener is not None:
            listener()

    def single(self) -> InferenceResponse:
        return self._response(self._answers.get(), keep=True)

    async def single_async(self) -> InferenceResponse:
        await self._arrival()
        return self._response(self._answers.get(), keep=True)

    def responses(self) -> ResponseIterator:
        return ResponseIterator(self)

    def next(self) -> tuple[InferenceResponse, bool]:
        message = self._answers.get()
        return self._response(message, keep=False), message["final"]

    async def next_async(self) -> tuple[InferenceResponse, bool]:
        await self._arrival()
        return self.next()

    def cancel(self) -> None:
        self._calls.send({"type": "call-cancel", "call": self.number})

    async def _arrival(self) -> None:
        loop = asyncio.get_running_loop()
        there: asyncio.Future[None] = loop.create_future()

        def arrived() -> None:
            if not there.done():
                there.set_result(None)

        with self._lock:
            if not self._answers.empty():
                return
            self._listener = lambda: loop.call_soon_threadsafe(arrived)
        await there

    def _response(self, message: Message, keep: bool) -> InferenceResponse:
        """`keep`: the tensors stay in shared memory. Of a stream they do not: a model that keeps them would stop it."""
        if "error" in message:
            return InferenceResponse(error=from_wire_error(message["error"]))
        tensors: list[Tensor] = []
        if message["outputs"]:
            lease = self._calls.lease(self.number, message["answer"])
            tensors = [Tensor.from_ref(ref, lease) for ref in message["outputs"]]
            if not keep:
                tensors = [_detached(tensor) for tensor in tensors]
        return InferenceResponse(tensors, parameters=from_wire(message.get("parameters", {})))


def _detached(tensor: Tensor) -> Tensor:
    tensor.detach()
    return tensor


class ResponseIterator:
    """The responses of a decoupled model; the last one may be empty."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._over = False

    def __iter__(self) -> Iterator[InferenceResponse]:
        return self

    def __next__(self) -> InferenceResponse:
        if self._over:
            raise StopIteration
        response, self._over = self._call.next()
        return response

    def __aiter__(self) -> ResponseIterator:
        return self

    async def __anext__(self) -> InferenceResponse:
        if self._over:
            raise StopAsyncIteration
        response, self._over = await self._call.next_async()
        return response

    def cancel(self) -> None:
        if not self._over:
            self._call.cancel()


class Calls:
    """The open calls of one instance. `send` puts a message on its connection."""

    def __init__(self, send: Callable[[Message], None], segments: Segments) -> None:
        self.send = send
        self._segments = segments
        self._numbers = itertools.count(1)
        self._open: dict[int, Call] = {}
        self._places: dict[int, Callable[[Message], None]] = {}
        self._done: dict[int, Answer[Message]] = {}
        # Memory is given back from wherever Python drops an object, even from the middle of a send.
        self._releases: queue.SimpleQueue[Message] = queue.SimpleQueue()
        threading.Thread(target=self._give_back, name="releases", daemon=True).start()

    def receive(self, message: Message) -> None:
        """A message of the server, from the thread that reads."""
        self._segments.announce(message.get("segments"))
        kind, number = message["type"], message["call"]
        if kind == "call-answer":
            call = self._open.pop(number, None) if message["final"] else self._open.get(number)
            if call is not None:
                call.put(message)
        elif kind == "call-done":
            waiting = self._done.pop(number, None)
            if waiting is not None:
                waiting.set(message)
        else:
            self._places.pop(number)(message)

    def infer(self, request: tuple[Message, list[Tensor]]) -> Call:
        """Starts a call; waits for the memory of its inputs."""
        call, payloads = self._prepare(request)
        if payloads:
            place: Answer[Message] = Answer()
            self._ask_room(call, payloads, place.set)
            self._start(call, request[0], payloads, place.wait())
        else:
            self._start(call, request[0], payloads, None)
        return call

    async def infer_async(self, request: tuple[Message, list[Tensor]]) -> Call:
        call, payloads = self._prepare(request)
        place: Optional[Message] = None
        if payloads:
            loop = asyncio.get_running_loop()
            there: asyncio.Future[Message] = loop.create_future()
            self._ask_room(call, payloads, lambda message: loop.call_soon_threadsafe(there.set_result, message))
            place = await there
        self._start(call, request[0], payloads, place)
        return call

    def _prepare(self, request: tuple[Message, list[Tensor]]) -> tuple[Call, list[Payload]]:
        """Which inputs lie in shared memory already, and which need room there."""
        call = Call(next(self._numbers), self)
        shared: list[tuple[Message, Source]] = []
        payloads: list[Payload] = []
        for tensor in request[1]:
            ref = tensor.shared_ref()
            if ref is None:
                payloads.append(tensor.payload())
            else:
                shared.append(({**ref[0], "name": tensor.name()}, ref[1]))
        call.inputs = shared
        return call, payloads

    def _ask_room(self, call: Call, payloads: list[Payload], then: Callable[[Message], Any]) -> None:
        total = 0
        for payload in payloads:
            total = align(total) + payload.byte_length
        self._places[call.number] = then
        self.send({"type": "call-room", "call": call.number, "byteLength": total})

    def _start(self, call: Call, message: Message, payloads: list[Payload], place: Optional[Message]) -> None:
        if place is not None and place["type"] == "call-refused":
            call.put({"answer": 0, "outputs": [], "final": True, "error": place["error"]})
            return
        refs = [ref for ref, _ in call.inputs]
        if place is not None:
            refs += write_payloads(payloads, place["arena"], self._segments)
        self._open[call.number] = call
        self.send({"type": "call-infer", "call": call.number, "inputs": refs, **message})

    def manage(self, **request: Any) -> Message:
        """A `call-manage` and its answer; TritonModelException when it was refused."""
        return self._ask({"type": "call-manage", **request})

    def metric(self, **request: Any) -> Message:
        return self._ask({"type": "metric", **request})

    def log(self, level: str, message: str) -> None:
        self.send({"type": "log", "level": level, "message": message})

    def _ask(self, request: Message) -> Message:
        number = next(self._numbers)
        answer: Answer[Message] = Answer()
        self._done[number] = answer
        self.send({**request, "call": number})
        done = answer.wait()
        if "error" in done:
            raise TritonModelException(done["error"].get("message", "the server refused it"))
        return done

    def lease(self, call: int, answer: int) -> Lease:
        release = {"type": "call-release", "call": call, "answer": answer}
        releases = self._releases
        return Lease(self._segments, lambda: releases.put(release))

    def _give_back(self) -> None:
        while True:
            self.send(self._releases.get())


def write_payloads(payloads: list[Payload], place: Message, segments: Segments) -> list[Message]:
    """Writes tensors one behind the other, each at a multiple of 64 from the start of `place`; returns their references."""
    refs: list[Message] = []
    used = 0
    for payload in payloads:
        used = align(used)
        offset = place["offset"] + used
        at = {"segment": place["segment"], "offset": offset, "byteLength": payload.byte_length}
        view = segments.view(at) if payload.byte_length > 0 else memoryview(bytearray())
        refs.append(payload.write(view, place["segment"], offset))
        used += payload.byte_length
    return refs
