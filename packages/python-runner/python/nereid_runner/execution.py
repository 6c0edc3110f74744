"""One execution: the requests of a batch go to the model, and their responses back to the server."""

from __future__ import annotations

import inspect
import itertools
import threading
import time
from typing import Any, Callable, Optional

from .calls import write_payloads
from .errors import Refusal, describe
from .host import host
from .memory import Segments, align
from .request import InferenceRequest
from .response import InferenceResponse
from .sender import Responder
from .tensor import Payload, Tensor
from .waiting import Answer

Message = dict[str, Any]


class Inputs:
    """The memory of one request's inputs, until its final response."""

    def __init__(self, segments: Segments, shares: bool) -> None:
        self._segments = segments
        self.shares = shares
        self._open = True

    def view(self, ref: Message) -> memoryview:
        if not self._open:
            raise RuntimeError("the request has had its final response: read its inputs before, with as_numpy()")
        return self._segments.view(ref)

    def readable(self) -> bool:
        return self._open

    def close(self) -> None:
        self._open = False


class Execution:
    """`execute-requests` from its arrival to the last final response."""

    def __init__(self, message: Message, segments: Segments, send: Callable[[Message], None], shares: bool) -> None:
        self.id: int = message["id"]
        self.decoupled: bool = message["decoupled"]
        self._message = message
        self._segments = segments
        self._send = send
        self._arena: Optional[Message] = message.get("arena")
        self._arena_used = 0
        self.returned = False
        self._arena_lock = threading.Lock()
        self._numbers = itertools.count()
        self._rooms: dict[int, Answer[Optional[Message]]] = {}
        parts = message["requests"]
        self._inputs = [Inputs(segments, shares) for _ in parts]
        self._responders = [Responder(index, part["outputs"], self) for index, part in enumerate(parts)]

    @property
    def over(self) -> bool:
        return all(responder.final for responder in self._responders)

    def receive(self, message: Message) -> None:
        """`place`, `drop` or `cancel`, from the thread that reads."""
        if message["type"] == "cancel":
            self._responders[message["request"]].cancelled = True
            return
        room = self._rooms.pop(message["response"], None)
        if room is not None:
            room.set(message["arena"] if message["type"] == "place" else None)

    def run(self, execute: Callable[[list[InferenceRequest]], Any], instance: str) -> None:
        """Calls the model; every request of a model that is not decoupled is answered when this returns."""
        requests = self._requests()
        started = time.monotonic_ns()
        ended = started
        try:
            result = execute(requests)
            if inspect.isawaitable(result):
                future = host.start(_awaited(result))
                if self.decoupled:
                    future.add_done_callback(lambda done: self._late(done.exception(), instance))
                    result = None
                else:
                    result = future.result()
            ended = time.monotonic_ns()
            self._settle(requests, result)
        except BaseException as error:  # whatever a model raises, its clients get an answer
            ended = max(ended, time.monotonic_ns())
            self._fail_open(error, instance)
        if not self.decoupled:
            for responder in self._responders:
                responder.finished.wait()
        self.returned = True
        self._send({"type": "returned", "id": self.id, "inferStartNs": started, "inferEndNs": ended})

    def _requests(self) -> list[InferenceRequest]:
        made = []
        for part, inputs, responder in zip(self._message["requests"], self._inputs, self._responders):
            tensors = [Tensor.from_ref(ref, inputs) for ref in part["inputs"]]
            made.append(InferenceRequest.from_wire(part, tensors, responder))
        return made

    def _settle(self, requests: list[InferenceRequest], result: Any) -> None:
        """What `execute` returned. Refusal when it breaks a rule."""
        if self.decoupled:
            if result is not None:
                raise Refusal(
                    f"Python model '{host.model_name}' is using the decoupled mode and the execute function must return None."
                )
            for request, responder in zip(requests, self._responders):
                if request.rescheduled:
                    responder.reschedule()
            return
        if result is None and all(responder.taken for responder in self._responders):
            return
        _check_list(result, requests)
        for response, request, responder in zip(result, requests, self._responders):
            if request.rescheduled:
                responder.reschedule()
            elif response is not None:
                try:
                    responder.deliver(response, final=True)
                except Exception as error:  # the other requests have their answers
                    responder.fail("INTERNAL", describe(error))

    def _fail_open(self, error: BaseException, instance: str) -> None:
        text = f"Failed to process the request(s) for model '{instance}', message: {describe(error)}"
        for responder in self._responders:
            responder.fail("INTERNAL", text)

    def _late(self, error: Optional[BaseException], instance: str) -> None:
        """A coroutine of a decoupled model is over; what it left open is in other hands unless it failed."""
        if error is not None:
            self._fail_open(error, instance)

    # The responders' side.

    def room(self, request: int, byte_length: int) -> Optional[tuple[Message, Optional[int]]]:
        if not self.decoupled:
            place = self._arena_room(byte_length)
            if place is not None:
                return place, None
        number = next(self._numbers)
        answer: Answer[Optional[Message]] = Answer()
        self._rooms[number] = answer
        self._send({"type": "room", "id": self.id, "request": request, "response": number, "byteLength": byte_length})
        granted = answer.wait()
        return None if granted is None else (granted, number)

    def _arena_room(self, byte_length: int) -> Optional[Message]:
        with self._arena_lock:
            start = align(self._arena_used)
            if self._arena is None or start + byte_length > self._arena["byteLength"]:
                return None
            self._arena_used = start + byte_length
            offset = self._arena["offset"] + start
            return {"segment": self._arena["segment"], "offset": offset, "byteLength": byte_length}

    def write(self, payloads: list[Payload], place: Message) -> list[Message]:
        return write_payloads(payloads, place, self._segments)

    def respond(self, request: int, message: Message) -> None:
        self._send({"type": "respond", "id": self.id, "request": request, **message})

    def closed(self, request: int) -> None:
        self._inputs[request].close()


def _check_list(result: Any, requests: list[InferenceRequest]) -> None:
    if not isinstance(result, list):
        raise Refusal(f"Expected a list in the execute return, found type '{type(result)}'.")
    if len(result) != len(requests):
        raise Refusal(
            "Number of InferenceResponse objects do not match the number of InferenceRequest objects. "
            f"InferenceRequest(s) size is:{len(requests)}, and InferenceResponse(s) size is:{len(result)}\n"
        )
    for response, request in zip(result, requests):
        if request.rescheduled:
            if response is not None:
                raise Refusal(
                    "Expected a None object in the execute function return list for rescheduled request, "
                    f"found type '{type(response)}'."
                )
        elif not isinstance(response, InferenceResponse) and not (response is None and request.sender_taken):
            raise Refusal(
                f"Expected an 'InferenceResponse' object in the execute function return list, found type '{type(response)}'."
            )


async def _awaited(result: Any) -> Any:
    return await result
