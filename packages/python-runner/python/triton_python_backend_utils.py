"""The module that Triton's Python models import: `import triton_python_backend_utils as pb_utils`."""

from __future__ import annotations

import json
from typing import Any, Optional, Union

import numpy as np

from nereid_runner.datatypes import NUMPY_TYPES, datatype_of_array, decode_bytes, encode_bytes, wire_name, wire_name_of_number
from nereid_runner.datatypes import TRITON_NUMBERS as _NUMBERS
from nereid_runner.errors import TritonError, TritonModelException
from nereid_runner.host import host as _host
from nereid_runner.logger import Logger, LogLevel
from nereid_runner.metrics import Metric, MetricFamily
from nereid_runner.model_config import ModelConfig
from nereid_runner.repository import is_model_ready, load_model, unload_model
from nereid_runner.request import InferenceRequest, InferenceTrace, PreferredMemory
from nereid_runner.response import InferenceResponse
from nereid_runner.sender import InferenceResponseSender
from nereid_runner.tensor import Tensor

TRITONSERVER_REQUEST_FLAG_SEQUENCE_START = 1
TRITONSERVER_REQUEST_FLAG_SEQUENCE_END = 2
TRITONSERVER_RESPONSE_COMPLETE_FINAL = 1
TRITONSERVER_REQUEST_RELEASE_ALL = 1
TRITONSERVER_REQUEST_RELEASE_RESCHEDULE = 2
TRITONSERVER_MEMORY_CPU = 0
TRITONSERVER_MEMORY_GPU = 2

__all__ = [
    "InferenceRequest",
    "InferenceResponse",
    "InferenceResponseSender",
    "InferenceTrace",
    "LogLevel",
    "Logger",
    "Metric",
    "MetricFamily",
    "ModelConfig",
    "PreferredMemory",
    "Tensor",
    "TritonError",
    "TritonModelException",
    "deserialize_bytes_tensor",
    "get_input_config_by_name",
    "get_input_tensor_by_name",
    "get_model_dir",
    "get_output_config_by_name",
    "get_output_tensor_by_name",
    "is_model_ready",
    "load_model",
    "numpy_to_triton_type",
    "serialize_byte_tensor",
    "triton_string_to_numpy",
    "triton_to_numpy_type",
    "unload_model",
    "using_decoupled_model_transaction_policy",
]


def get_input_tensor_by_name(inference_request: InferenceRequest, name: str) -> Optional[Tensor]:
    """None when the request does not have it."""
    return next((tensor for tensor in inference_request.inputs() if tensor.name() == name), None)


def get_output_tensor_by_name(inference_response: InferenceResponse, name: str) -> Optional[Tensor]:
    if inference_response.has_error():
        return None
    return next((tensor for tensor in inference_response.output_tensors() if tensor.name() == name), None)


def get_input_config_by_name(model_config: dict[str, Any], name: str) -> Optional[dict[str, Any]]:
    """The entry of `input` in a configuration (the parsed `args["model_config"]`)."""
    return _entry(model_config, "input", name)


def get_output_config_by_name(model_config: dict[str, Any], name: str) -> Optional[dict[str, Any]]:
    return _entry(model_config, "output", name)


def using_decoupled_model_transaction_policy(model_config: dict[str, Any]) -> bool:
    return bool((model_config.get("model_transaction_policy") or {}).get("decoupled", False))


def get_model_dir() -> str:
    """The directory of the version: that of the model file."""
    return _host.model_directory


def triton_string_to_numpy(triton_type_string: str) -> Any:
    """`TYPE_FP32` as `numpy.float32`; None for a type that numpy does not have."""
    name = wire_name(triton_type_string)
    return None if name is None else NUMPY_TYPES.get(name)


def triton_to_numpy_type(data_type: int) -> Any:
    return NUMPY_TYPES[_known(data_type)]


def numpy_to_triton_type(data_type: Any) -> int:
    return _NUMBERS[datatype_of_array(np.empty(0, dtype=data_type))]


def serialize_byte_tensor(input_tensor: np.ndarray) -> Optional[np.ndarray]:
    """An array of bytes or texts as one flat array: each element its length in 4 bytes and its content. None for an empty one."""
    if input_tensor.size == 0:
        return None
    if input_tensor.dtype.kind not in "OSU":
        raise ValueError("cannot serialize bytes tensor: invalid datatype")
    return np.frombuffer(encode_bytes(input_tensor), dtype=np.uint8)


def deserialize_bytes_tensor(encoded_tensor: Union[bytes, np.ndarray]) -> np.ndarray:
    """The reverse, as a flat array of `bytes`."""
    return decode_bytes(memoryview(encoded_tensor).cast("B") if isinstance(encoded_tensor, np.ndarray) else encoded_tensor)


def _entry(model_config: Any, kind: str, name: str) -> Optional[dict[str, Any]]:
    config = json.loads(model_config) if isinstance(model_config, str) else model_config
    return next((entry for entry in config.get(kind, []) if entry.get("name") == name), None)


def _known(data_type: int) -> str:
    name = wire_name_of_number(data_type)
    if name is None or name not in NUMPY_TYPES:
        raise KeyError(data_type)
    return name
