"""ONNX models on onnxruntime's Python package, for providers and custom operators that the built-in engine does not have."""

from __future__ import annotations

import os
from typing import Any, Optional

import numpy as np
import onnxruntime

from ..errors import Refusal
from ..host import host
from ..request import InferenceRequest
from ..response import InferenceResponse
from ..tensor import Tensor
from .batches import config_of, parameter, run_batches
from .onnx_providers import provider_list
from .signature import Port, check, complete, output, output_types

_TYPES = {
    "bool": "BOOL",
    "uint8": "UINT8",
    "uint16": "UINT16",
    "uint32": "UINT32",
    "uint64": "UINT64",
    "int8": "INT8",
    "int16": "INT16",
    "int32": "INT32",
    "int64": "INT64",
    "float16": "FP16",
    "float": "FP32",
    "double": "FP64",
    "string": "BYTES",
}
_LEVELS = {
    "disabled": onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL,
    "basic": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}
VERBOSE, WARNING = 0, 2


class TritonPythonModel:
    """Inputs and outputs by the names of the model's tensors."""

    @staticmethod
    def auto_complete_config(config: Any) -> Any:
        """Signature of the model, read on the processor: it is the same everywhere."""
        options = _options(config.as_dict())
        options.graph_optimization_level = _LEVELS["disabled"]
        session = onnxruntime.InferenceSession(host.model_file, options, providers=["CPUExecutionProvider"])
        return complete(config, *_signature(session))

    def initialize(self, args: dict[str, str]) -> None:
        config = config_of(args)
        device = int(args["model_instance_device_id"]) if args["model_instance_kind"] == "GPU" else None
        self._batches = int(config.get("max_batch_size", 0)) > 0
        self._outputs = output_types(config)
        self._session = _open(config, device)
        inputs, outputs = _signature(self._session)
        check(config, inputs, outputs)
        self._texts = {port.name for port in inputs if port.datatype == "BYTES"}
        self._run_options = onnxruntime.RunOptions()
        # The session tells everything while it is made; a run has nothing to say but problems.
        self._run_options.log_severity_level = WARNING

    def execute(self, requests: list[InferenceRequest]) -> list[InferenceResponse]:
        return run_batches(requests, self._batches, self._run)

    def _run(self, inputs: dict[str, Tensor]) -> list[Tensor]:
        feeds = {name: self._feed(name, tensor.as_numpy()) for name, tensor in inputs.items()}
        results = self._session.run(list(self._outputs), feeds, self._run_options)
        return [output(name, np.asarray(result), kind) for (name, kind), result in zip(self._outputs.items(), results)]

    def _feed(self, name: str, array: np.ndarray) -> np.ndarray:
        if name not in self._texts:
            return array
        # The engine would take the bytes as their representation in Python.
        texts = np.empty(array.shape, dtype=np.object_)
        texts.flat = [bytes(item).decode("utf-8") for item in array.flat]
        return texts


def _open(config: dict[str, Any], device: Optional[int]) -> Any:
    """The session, on the providers that were asked for and no others. Refusal where one cannot be had."""
    settings = host.session
    options = _options(config)
    options.graph_optimization_level = _LEVELS[settings["graphOptimization"]]
    options.intra_op_num_threads = int(settings["intraOpThreads"])
    options.inter_op_num_threads = int(settings["interOpThreads"])
    options.enable_cpu_mem_arena = bool(settings["arena"])
    options.enable_mem_pattern = bool(settings["memoryPattern"])
    if parameter(config, "execution_mode") == "1":
        options.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL
    for key, value in settings["extra"].items():
        options.add_session_config_entry(f"session.{key}", value)
    # What is placed where is told only in the engine's log; the server reads it there and drops the rest.
    options.log_severity_level = VERBOSE
    providers = provider_list(settings, device)
    session = onnxruntime.InferenceSession(host.model_file, options, providers=providers, enable_fallback=0)
    missing = [name for name, _ in providers if name not in session.get_providers()]
    if missing:
        raise Refusal(
            f"the engine could not start {', '.join(missing)}; the verbose log says why: most often a device that is not there, or libraries "
            "that are not found (CUDA 12 with cuDNN 9, TensorRT: see LD_LIBRARY_PATH)"
        )
    return session


def _options(config: dict[str, Any]) -> Any:
    """Session options with the model's own operators, and threads that do not spin while they wait."""
    options = onnxruntime.SessionOptions()
    for pool in ("intra_op", "inter_op"):
        options.add_session_config_entry(f"session.{pool}.allow_spinning", "0")
    for name in (config.get("model_operations") or {}).get("op_library_filename") or []:
        library = os.path.join(host.model_root, name)
        if not os.path.isfile(library):
            raise Refusal(f"model_operations: there is no custom operator library '{name}' in the model's directory ({library})")
        try:
            options.register_custom_ops_library(library)
        except Exception as error:
            raise Refusal(f"model_operations: the custom operator library '{name}' cannot be loaded: {error}") from None
    return options


def _signature(session: Any) -> tuple[list[Port], list[Port]]:
    return [_port(node) for node in session.get_inputs()], [_port(node) for node in session.get_outputs()]


def _port(node: Any) -> Port:
    kind = node.type[len("tensor(") : -1] if node.type.startswith("tensor(") else ""
    if kind not in _TYPES:
        raise Refusal(f"tensor '{node.name}' of the model is of type {node.type}, which this engine does not serve")
    return Port(node.name, _TYPES[kind], [dim if isinstance(dim, int) and dim >= 0 else -1 for dim in node.shape])
