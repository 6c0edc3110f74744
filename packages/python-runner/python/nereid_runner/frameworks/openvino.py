"""OpenVINO: `model.xml` with its `model.bin`."""

from __future__ import annotations

from typing import Any

import openvino

from ..host import host
from ..request import InferenceRequest
from ..response import InferenceResponse
from ..tensor import Tensor
from .batches import config_of, parameter, run_batches
from .signature import Port, complete, output, output_types

_TYPES = {
    "boolean": "BOOL",
    "u8": "UINT8",
    "u16": "UINT16",
    "u32": "UINT32",
    "u64": "UINT64",
    "i8": "INT8",
    "i16": "INT16",
    "i32": "INT32",
    "i64": "INT64",
    "f16": "FP16",
    "f32": "FP32",
    "f64": "FP64",
}


class TritonPythonModel:
    """Inputs and outputs by the names of the model's tensors."""

    @staticmethod
    def auto_complete_config(config: Any) -> Any:
        """Signature of the model; batches where the first dimension of every tensor is free."""
        model = openvino.Core().read_model(host.model_file)
        return complete(config, [_port(port) for port in model.inputs], [_port(port) for port in model.outputs])

    def initialize(self, args: dict[str, str]) -> None:
        config = config_of(args)
        self._batches = int(config.get("max_batch_size", 0)) > 0
        self._outputs = output_types(config)
        settings = {"INFERENCE_NUM_THREADS": parameter(config, "INFERENCE_NUM_THREADS")}
        core = openvino.Core()
        self._model = core.compile_model(
            core.read_model(host.model_file), parameter(config, "TARGET_DEVICE") or "CPU", {key: value for key, value in settings.items() if value}
        )

    def execute(self, requests: list[InferenceRequest]) -> list[InferenceResponse]:
        return run_batches(requests, self._batches, self._run)

    def _run(self, inputs: dict[str, Tensor]) -> list[Tensor]:
        results = self._model({name: tensor.as_numpy() for name, tensor in inputs.items()})
        return [output(name, results[name].copy(), datatype) for name, datatype in self._outputs.items()]


def _port(port: Any) -> Port:
    shape = [-1 if dim.is_dynamic else dim.get_length() for dim in port.get_partial_shape()]
    return Port(port.get_any_name(), _TYPES[port.get_element_type().get_type_name()], shape)
