"""Requests of a batch as one set of arrays, and the outputs divided among them again."""

from __future__ import annotations

import json
from typing import Any, Callable

from ..errors import Refusal
from ..request import InferenceRequest
from ..response import InferenceResponse
from ..tensor import Tensor


def run_batches(
    requests: list[InferenceRequest], batches: bool, run: Callable[[dict[str, Tensor]], list[Tensor]]
) -> list[InferenceResponse]:
    """`run` takes tensors by name and returns the outputs. Requests that do not fit together run one after the other."""
    if batches and len(requests) > 1 and _fit_together(requests):
        return _divide(run(_join(requests)), requests)
    return [InferenceResponse(run({tensor.name(): tensor for tensor in request.inputs()})) for request in requests]


def parameter(config: dict[str, Any], key: str) -> str:
    """A text of the configuration's `parameters`; empty where there is none."""
    return str(((config.get("parameters") or {}).get(key) or {}).get("string_value", ""))


def config_of(args: dict[str, str]) -> dict[str, Any]:
    return json.loads(args["model_config"])


def _layout(request: InferenceRequest) -> list[tuple[str, int, tuple[int, ...]]]:
    return sorted((tensor.name(), tensor.triton_dtype(), tuple(tensor.shape()[1:])) for tensor in request.inputs())


def _fit_together(requests: list[InferenceRequest]) -> bool:
    first = _layout(requests[0])
    return all(_layout(request) == first for request in requests[1:])


def _join(requests: list[InferenceRequest]) -> dict[str, Tensor]:
    parts: dict[str, list[Tensor]] = {}
    for request in requests:
        for tensor in request.inputs():
            parts.setdefault(tensor.name(), []).append(tensor)
    return {name: Tensor.joined(tensors) for name, tensors in parts.items()}


def _divide(outputs: list[Tensor], requests: list[InferenceRequest]) -> list[InferenceResponse]:
    sizes = [request.inputs()[0].shape()[0] for request in requests]
    for tensor in outputs:
        if tensor.shape()[:1] != [sum(sizes)]:
            raise Refusal(
                f"output '{tensor.name()}' has shape {tensor.shape()} for a batch of {sum(sizes)}: its first dimension must be the batch's"
            )
    responses = []
    start = 0
    for size in sizes:
        responses.append(InferenceResponse([tensor.rows(start, start + size) for tensor in outputs]))
        start += size
    return responses
