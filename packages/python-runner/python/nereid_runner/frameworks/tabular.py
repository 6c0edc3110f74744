"""What models of tables share: one input of rows of FP32, and outputs that are named for what they are."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import numpy as np

from ..datatypes import NUMPY_TYPES
from ..errors import Refusal
from ..request import InferenceRequest
from ..response import InferenceResponse
from ..tensor import Tensor
from .batches import run_batches
from .signature import Port, complete, output, output_types

INPUT = "input"
Method = Callable[[np.ndarray], Any]


class Table:
    """A model between its configured input [rows, features] and outputs, each the result of the method of its name."""

    def __init__(self, config: dict[str, Any], methods: Mapping[str, Method]) -> None:
        inputs = config["input"]
        if len(inputs) != 1 or inputs[0]["data_type"] != "TYPE_FP32":
            raise Refusal("the configuration must have one input, of TYPE_FP32: a row of features for each sample")
        self._batches = int(config.get("max_batch_size", 0)) > 0
        self._outputs = output_types(config)
        self._methods = methods
        for name in self._outputs:
            if name not in methods:
                raise Refusal(f"the model has no output '{name}'; it has: {', '.join(methods)}")

    def execute(self, requests: list[InferenceRequest]) -> list[InferenceResponse]:
        return run_batches(requests, self._batches, self._run)

    def _run(self, inputs: dict[str, Tensor]) -> list[Tensor]:
        (tensor,) = inputs.values()
        rows = tensor.as_numpy()
        if rows.ndim != 2:
            raise Refusal(f"input '{tensor.name()}' must have the shape [rows, features], got {tensor.shape()}")
        return [output(name, _column(self._methods[name](rows), datatype), datatype) for name, datatype in self._outputs.items()]


def complete_table(config: Any, features: int, outputs: list[Port]) -> Any:
    """`outputs`: those a configuration without any gets."""
    inputs = [] if config.as_dict()["input"] else [Port(INPUT, "FP32", [-1, features])]
    return complete(config, inputs, outputs)


def _column(result: Any, datatype: str) -> np.ndarray:
    """[rows, values], in the configured datatype: what a model computes in is its own business."""
    array = np.asarray(result.toarray() if hasattr(result, "toarray") else result)
    array = array.reshape(-1, 1) if array.ndim == 1 else array
    return array.astype(str).astype(object) if datatype == "BYTES" else array.astype(NUMPY_TYPES[datatype])
