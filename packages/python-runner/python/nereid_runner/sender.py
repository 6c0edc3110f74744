"""The responses of one request: `pb_utils.InferenceResponseSender`, and the way they take to the server."""

from __future__ import annotations

import threading
from typing import Any, Optional, Protocol

from .errors import Refusal, TritonError, describe, to_wire_error
from .memory import align
from .response import InferenceResponse
from .tensor import Payload

FINAL = 1
_CLOSED = "Unable to send response. Response sender has been closed."


class Outlet(Protocol):
    """The execution a request belongs to."""

    decoupled: bool

    def room(self, request: int, byte_length: int) -> Optional[tuple[dict[str, Any], Optional[int]]]:
        """Memory for one response and its number, None for the arena's; nothing when nobody wants the response."""

    def respond(self, request: int, message: dict[str, Any]) -> None: ...

    def write(self, payloads: list[Payload], place: dict[str, Any]) -> list[dict[str, Any]]: ...

    def closed(self, request: int) -> None:
        """The final response is about to go: its inputs may no longer be read."""


class Responder:
    """Sends the responses of one request in the order they are given; knows when there may be no more."""

    def __init__(self, index: int, wanted: list[str], outlet: Outlet) -> None:
        self._index = index
        self._wanted = set(wanted)
        self._outlet = outlet
        self._lock = threading.RLock()
        self._closed_by_model = False
        self._sent = 0
        self._final = False
        self.cancelled = False
        self.taken = False
        self.finished = threading.Event()

    @property
    def final(self) -> bool:
        return self._final

    def send(self, response: Optional[InferenceResponse], flags: int) -> None:
        """What a model gives its sender. Refusal where the rules of the API are broken."""
        if flags not in (0, FINAL):
            raise Refusal("Unable to send response. Unsupported flag provided.")
        if response is not None and not isinstance(response, InferenceResponse):
            raise Refusal(f"Unable to send response. Expected an 'InferenceResponse' object, found type '{type(response)}'.")
        with self._lock:
            if response is None and flags == 0:
                raise Refusal("Inference Response object must be provided when the response flags is set to zero.")
            if self._closed_by_model:
                raise Refusal(_CLOSED)
            if not self._outlet.decoupled:
                self._check_single(response)
            if flags == FINAL:
                self._closed_by_model = True
            if response is not None:
                self._sent += 1
                self.deliver(response, final=flags == FINAL or not self._outlet.decoupled)
            elif self._outlet.decoupled:
                self.finish({})

    def _check_single(self, response: Optional[InferenceResponse]) -> None:
        if response is not None and self._sent > 0:
            raise Refusal("Unable to send response. Non-decoupled model cannot send more than one response.")
        if response is None and self._sent == 0:
            raise Refusal("Unable to send response. Non-decoupled model cannot send complete final before sending a response.")

    def deliver(self, response: InferenceResponse, final: bool) -> None:
        """Writes the wanted outputs to shared memory and sends them. Waits for room."""
        with self._lock:
            if self._final:
                return
            if response.has_error():
                error = response.error()
                # An error ends a request that has a single response; of others it is one of them.
                self._send({"outputs": [], "error": to_wire_error(error or TritonError("unknown error"))}, final)
                return
            payloads = [tensor.payload() for tensor in response.output_tensors() if tensor.name() in self._wanted]
            message: dict[str, Any] = {"outputs": []}
            if response.wire_parameters:
                message["parameters"] = response.wire_parameters
            if payloads or not final:
                room = self._outlet.room(self._index, _bytes_of(payloads))
                if room is None:
                    if final:
                        self._send({"outputs": []}, True)
                    return
                place, number = room
                message["outputs"] = self._outlet.write(payloads, place)
                if number is not None:
                    message["response"] = number
            self._send(message, final)

    def finish(self, more: dict[str, Any]) -> None:
        """An empty final response."""
        with self._lock:
            if not self._final:
                self._send({"outputs": [], **more}, True)

    def fail(self, code: str, message: str) -> None:
        """Ends the request with an error of the runner's; what the model still sends is refused."""
        with self._lock:
            self._closed_by_model = True
            self.finish({"error": {"code": code, "message": message}})

    def reschedule(self) -> None:
        with self._lock:
            self._closed_by_model = True
            self.finish({"reschedule": True})

    def _send(self, message: dict[str, Any], final: bool) -> None:
        if final:
            self._final = True
            self._outlet.closed(self._index)
        self._outlet.respond(self._index, {**message, "final": final})
        if final:
            self.finished.set()


def _bytes_of(payloads: list[Payload]) -> int:
    total = 0
    for payload in payloads:
        total = align(total) + payload.byte_length
    return total


class InferenceResponseSender:
    """What models send the responses of a request with, from any thread."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    def send(self, response: Optional[InferenceResponse] = None, flags: int = 0) -> None:
        try:
            self._responder.send(response, flags)
        except Refusal as refusal:
            raise RuntimeError(describe(refusal)) from None

    def is_cancelled(self) -> bool:
        return self._responder.cancelled
