"""`pb_utils.InferenceRequest`: what came from a client, or what a model makes to call another model."""

from __future__ import annotations

import json
from typing import Any, Optional, Sequence, Union

from .host import FINALIZING, COMPLETING, INITIALIZING, host
from .parameters import from_wire, to_wire
from .sender import InferenceResponseSender, Responder
from .tensor import Tensor

SEQUENCE_START, SEQUENCE_END = 1, 2
RELEASE_ALL, RELEASE_RESCHEDULE = 1, 2
CorrelationId = Union[int, str]


class PreferredMemory:
    """Where the answer of a call should lie. All tensors lie in CPU memory here."""

    TRITONSERVER_MEMORY_CPU = 0
    TRITONSERVER_MEMORY_GPU = 2

    def __init__(self, preferred_memory_type: int, preferred_device_id: int = 0) -> None:
        self._type = preferred_memory_type
        self._device = preferred_device_id


class InferenceTrace:
    """Stands for the trace of a request, to be handed on to calls."""


class InferenceRequest:
    """A request. `inputs`, `requested_output_names` and `model_name` are needed to make one."""

    def __init__(
        self,
        request_id: str = "",
        correlation_id: CorrelationId = 0,
        inputs: Sequence[Tensor] = (),
        requested_output_names: Sequence[str] = (),
        model_name: str = "",
        model_version: int = -1,
        flags: int = 0,
        timeout: int = 0,
        preferred_memory: Optional[PreferredMemory] = None,
        trace: Optional[InferenceTrace] = None,
        parameters: Optional[dict[str, Any]] = None,
    ) -> None:
        if len(inputs) == 0:
            raise ValueError("Inputs for inference request should not be empty.")
        if len(requested_output_names) == 0:
            raise ValueError("Requested output names for inference request should not be empty.")
        if model_name == "":
            raise ValueError("model_name for inference request should not be empty.")
        if not isinstance(correlation_id, (int, str)):
            raise TypeError("correlation_id must be a number or a text")
        if parameters is not None and not isinstance(parameters, dict):
            raise TypeError("parameters must be a dict")
        self._request_id = request_id
        self._correlation_id: CorrelationId = correlation_id
        self._inputs = list(inputs)
        self._outputs = list(requested_output_names)
        self._model_name = model_name
        self._model_version = int(model_version)
        self._flags = flags
        self._timeout = timeout
        self._parameters = dict(parameters or {})
        self._wire_parameters = to_wire(self._parameters)
        self._trace = trace
        self._responder: Optional[Responder] = None
        self._release_flags = RELEASE_ALL

    @classmethod
    def from_wire(cls, part: dict[str, Any], inputs: list[Tensor], responder: Responder) -> InferenceRequest:
        """A request of an execution, as the server describes it."""
        made = cls.__new__(cls)
        sequence = part.get("sequence")
        made._request_id = part["id"]
        made._correlation_id = 0
        made._flags = 0
        if sequence is not None:
            made._correlation_id = int(sequence["id"]) if sequence["kind"] == "number" else sequence["id"]
            made._flags = (SEQUENCE_START if sequence["start"] else 0) | (SEQUENCE_END if sequence["end"] else 0)
        made._inputs = inputs
        made._outputs = part["outputs"]
        made._model_name = host.model_name
        made._model_version = -1
        made._timeout = part["timeoutMicroseconds"]
        made._parameters = from_wire(part["parameters"])
        made._wire_parameters = part["parameters"]
        made._trace = InferenceTrace()
        made._responder = responder
        made._release_flags = RELEASE_ALL
        return made

    def inputs(self) -> list[Tensor]:
        return self._inputs

    def request_id(self) -> str:
        return self._request_id

    def correlation_id(self) -> CorrelationId:
        return self._correlation_id

    def flags(self) -> int:
        return self._flags

    def set_flags(self, flags: int) -> None:
        self._flags = flags

    def timeout(self) -> int:
        """In microseconds; 0 = none."""
        return self._timeout

    def parameters(self) -> str:
        """As JSON text."""
        return json.dumps(self._parameters)

    def trace(self) -> Optional[InferenceTrace]:
        return self._trace

    def model_name(self) -> str:
        return self._model_name

    def model_version(self) -> int:
        return self._model_version

    def requested_output_names(self) -> list[str]:
        return list(self._outputs)

    def preferred_memory(self) -> PreferredMemory:
        return PreferredMemory(PreferredMemory.TRITONSERVER_MEMORY_CPU)

    def get_response_sender(self) -> InferenceResponseSender:
        if self._responder is None:
            raise RuntimeError("only a request that came to this model has a response sender")
        self._responder.taken = True
        return InferenceResponseSender(self._responder)

    def is_cancelled(self) -> bool:
        return self._responder is not None and self._responder.cancelled

    def set_release_flags(self, flags: int) -> None:
        """RELEASE_RESCHEDULE gives the request back to be executed again (iterative sequences)."""
        if flags not in (RELEASE_ALL, RELEASE_RESCHEDULE):
            raise ValueError(f"Unsupported release flags: {flags}")
        self._release_flags = flags

    @property
    def rescheduled(self) -> bool:
        return self._release_flags == RELEASE_RESCHEDULE

    @property
    def sender_taken(self) -> bool:
        return self._responder is not None and self._responder.taken

    def exec(self, decoupled: bool = False) -> Any:
        """Calls the model and waits: a response, or with `decoupled` an iterator of responses."""
        call = _calls().infer(self._call(decoupled))
        return call.responses() if decoupled else call.single()

    async def async_exec(self, decoupled: bool = False) -> Any:
        call = await _calls().infer_async(self._call(decoupled))
        return call.responses() if decoupled else await call.single_async()

    def _call(self, decoupled: bool) -> tuple[dict[str, Any], list[Tensor]]:
        message: dict[str, Any] = {
            "model": self._model_name,
            "id": self._request_id,
            "outputs": self._outputs,
            "parameters": self._wire_parameters,
            "timeoutMicroseconds": self._timeout,
            "decoupled": decoupled,
        }
        if self._model_version > 0:
            message["version"] = str(self._model_version)
        if self._correlation_id not in (0, "") or self._flags & (SEQUENCE_START | SEQUENCE_END):
            message["sequence"] = {
                "id": str(self._correlation_id),
                "kind": "text" if isinstance(self._correlation_id, str) else "number",
                "start": bool(self._flags & SEQUENCE_START),
                "end": bool(self._flags & SEQUENCE_END),
            }
        return message, self._inputs


def _calls() -> Any:
    if host.stage in (COMPLETING, INITIALIZING, FINALIZING) or host.calls is None:
        raise RuntimeError("BLS is only supported during the 'execute' function.")
    return host.calls
