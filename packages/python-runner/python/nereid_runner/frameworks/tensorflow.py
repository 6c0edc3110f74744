"""TensorFlow: a SavedModel (`model.savedmodel`, also one that Keras exported) or a frozen graph (`model.graphdef`)."""

from __future__ import annotations

import os
from typing import Any, Callable

import numpy as np
import tensorflow as tf

from ..errors import Refusal
from ..host import host
from ..request import InferenceRequest
from ..response import InferenceResponse
from ..tensor import Tensor
from .batches import config_of, parameter, run_batches
from .signature import Port, check, complete, output, output_types

_DEFAULT_SIGNATURE = "serving_default"
_TYPES = {
    tf.bool: "BOOL",
    tf.uint8: "UINT8",
    tf.uint16: "UINT16",
    tf.uint32: "UINT32",
    tf.uint64: "UINT64",
    tf.int8: "INT8",
    tf.int16: "INT16",
    tf.int32: "INT32",
    tf.int64: "INT64",
    tf.float16: "FP16",
    tf.float32: "FP32",
    tf.float64: "FP64",
    tf.string: "BYTES",
}


class TritonPythonModel:
    """Tensors of a SavedModel by the keys of its signature, those of a graph by the names of its nodes."""

    @staticmethod
    def auto_complete_config(config: Any) -> Any:
        """Signature of a SavedModel; a graph does not tell which of its nodes are meant."""
        _hide_gpus()
        if not os.path.isdir(host.model_file):
            return config
        _, function = _signature(config.as_dict())
        return complete(config, *_ports(function))

    def initialize(self, args: dict[str, str]) -> None:
        config = config_of(args)
        if args["model_instance_kind"] == "GPU":
            _use_gpu(int(args["model_instance_device_id"]))
        else:
            _hide_gpus()
        _set_threads(config)
        self._batches = int(config.get("max_batch_size", 0)) > 0
        self._outputs = output_types(config)
        if os.path.isdir(host.model_file):
            # The function holds its variables only weakly.
            self._loaded, function = _signature(config)
            check(config, *_ports(function))
            self._function: Callable[[dict[str, Any]], Any] = lambda inputs: function(**inputs)
        else:
            self._function = _graph(config)

    def execute(self, requests: list[InferenceRequest]) -> list[InferenceResponse]:
        return run_batches(requests, self._batches, self._run)

    def _run(self, inputs: dict[str, Tensor]) -> list[Tensor]:
        results = self._function({name: tf.constant(tensor.as_numpy()) for name, tensor in inputs.items()})
        return [output(name, np.asarray(results[name].numpy()), datatype) for name, datatype in self._outputs.items()]


def _signature(config: dict[str, Any]) -> tuple[Any, Any]:
    """The loaded model, and the function of its signature. Refusal, with the names there are, when it has no such signature."""
    tag = parameter(config, "TF_GRAPH_TAG")
    loaded = tf.saved_model.load(host.model_file, tags=[tag] if tag else None)
    wanted = parameter(config, "TF_SIGNATURE_DEF") or _DEFAULT_SIGNATURE
    if wanted not in loaded.signatures:
        raise Refusal(
            f"the SavedModel has no signature '{wanted}', only: {', '.join(loaded.signatures) or 'none at all'}; name one with the "
            "parameter TF_SIGNATURE_DEF"
        )
    return loaded, loaded.signatures[wanted]


def _ports(function: Any) -> tuple[list[Port], list[Port]]:
    inputs = function.structured_input_signature[1]
    outputs = function.structured_outputs
    return [_port(name, inputs[name]) for name in sorted(inputs)], [_port(name, outputs[name]) for name in sorted(outputs)]


def _port(name: str, spec: Any) -> Port:
    if spec.dtype not in _TYPES:
        raise Refusal(f"tensor '{name}' of the model is of type {spec.dtype.name}, which this server does not have")
    if spec.shape.rank is None:
        raise Refusal(f"tensor '{name}' of the model has no known number of dimensions: export the model with an input signature")
    return Port(name, _TYPES[spec.dtype], [-1 if dim is None else int(dim) for dim in spec.shape])


def _graph(config: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """The function between the configured tensors of a frozen graph. Refusal when one of them is not in it."""
    definition = tf.compat.v1.GraphDef()
    with open(host.model_file, "rb") as file:
        definition.ParseFromString(file.read())
    graph = tf.compat.v1.wrap_function(lambda: tf.import_graph_def(definition, name=""), [])
    inputs = [entry["name"] for entry in config["input"]]
    outputs = [entry["name"] for entry in config["output"]]

    def element(name: str) -> Any:
        try:
            return graph.graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
        except (KeyError, ValueError) as error:
            raise Refusal(f"the graph has no tensor '{name}': {error}") from None

    pruned = graph.prune([element(name) for name in inputs], {name: element(name) for name in outputs})
    return lambda tensors: pruned(*[tensors[name] for name in inputs])


def _set_threads(config: dict[str, Any]) -> None:
    threads = {"intra": int(host.session.get("intraOpThreads", 1)), "inter": int(host.session.get("interOpThreads", 1))}
    for kind in threads:
        text = parameter(config, f"TF_NUM_{kind.upper()}_THREADS")
        if text.isdigit() and int(text) > 0:
            threads[kind] = int(text)
    tf.config.threading.set_intra_op_parallelism_threads(threads["intra"])
    tf.config.threading.set_inter_op_parallelism_threads(threads["inter"])


def _hide_gpus() -> None:
    tf.config.set_visible_devices([], "GPU")


def _use_gpu(number: int) -> None:
    """Only the instance's own, and no more of its memory than is needed. Refusal when TensorFlow does not see it."""
    found = tf.config.list_physical_devices("GPU")
    if number >= len(found):
        raise Refusal(f"TensorFlow sees {len(found)} GPUs, and the instance is to run on GPU {number}")
    tf.config.set_visible_devices(found[number], "GPU")
    tf.config.experimental.set_memory_growth(found[number], True)
