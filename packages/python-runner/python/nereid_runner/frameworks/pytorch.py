"""PyTorch: TorchScript (`model.pt`) and exported or compiled packages (`model.pt2`)."""

from __future__ import annotations

import re
from typing import Any, Optional

import torch

from ..datatypes import wire_name
from ..errors import Refusal
from ..host import host
from ..request import InferenceRequest
from ..response import InferenceResponse
from ..tensor import Tensor
from .batches import config_of, parameter, run_batches

_INDEXED = re.compile(r"^.+__(\d+)$")


class TritonPythonModel:
    """Inputs go to `forward` by the names of its arguments, or by number where all are named `<text>__<number>`."""

    def initialize(self, args: dict[str, str]) -> None:
        config = config_of(args)
        self._inputs = [entry["name"] for entry in config["input"]]
        self._outputs = {entry["name"]: wire_name(entry["data_type"]) for entry in config["output"]}
        self._batches = int(config.get("max_batch_size", 0)) > 0
        gpu = args["model_instance_kind"] == "GPU"
        self._device = torch.device(f"cuda:{args['model_instance_device_id']}" if gpu else "cpu")
        self._set_threads(config)
        self._inference_mode = parameter(config, "INFERENCE_MODE").lower() not in ("false", "0")
        self._optimize = parameter(config, "DISABLE_OPTIMIZED_EXECUTION").lower() not in ("true", "1")
        self._model, arguments = _open(host.model_file, self._device)
        self._order = _order(self._inputs, arguments)
        self._positions = {name: _position(name, place) for place, name in enumerate(self._outputs)}

    def execute(self, requests: list[InferenceRequest]) -> list[InferenceResponse]:
        return run_batches(requests, self._batches, self._run)

    def _run(self, inputs: dict[str, Tensor]) -> list[Tensor]:
        with torch.inference_mode(self._inference_mode), torch.no_grad(), torch.jit.optimized_execution(self._optimize):
            tensors = {name: torch.from_dlpack(tensor).to(self._device) for name, tensor in inputs.items()}
            if self._order is None:
                result = self._model(tensors)
            else:
                result = self._model(*[tensors[name] for name in self._order if name in tensors])
        return [self._output(name, result) for name in self._outputs]

    def _output(self, name: str, result: Any) -> Tensor:
        if isinstance(result, dict):
            found = result.get(name)
        else:
            results = result if isinstance(result, (list, tuple)) else [result]
            position = self._positions[name]
            found = results[position] if position < len(results) else None
        if not isinstance(found, torch.Tensor):
            raise Refusal(f"the model gave no tensor for the configured output '{name}'")
        tensor = Tensor.from_dlpack(name, found.contiguous())
        if tensor.datatype != self._outputs[name]:
            raise Refusal(
                f"unexpected datatype TYPE_{tensor.datatype} for inference output '{name}', expecting TYPE_{self._outputs[name]}"
            )
        return tensor

    def _set_threads(self, config: dict[str, Any]) -> None:
        for key, set_count in (("INTRA_OP_THREAD_COUNT", torch.set_num_threads), ("INTER_OP_THREAD_COUNT", torch.set_num_interop_threads)):
            text = parameter(config, key)
            if text.isdigit() and int(text) > 0:
                set_count(int(text))


def _open(file: str, device: torch.device) -> tuple[Any, Optional[list[str]]]:
    """The model, and the names of its arguments: none where it takes one dictionary, or does not tell them."""
    if not file.endswith(".pt2"):
        model = torch.jit.load(file, map_location=device)
        model.eval()
        arguments = model.forward.schema.arguments[1:]
        if len(arguments) == 1 and str(arguments[0].type).startswith("Dict"):
            return model, None
        return model, [argument.name for argument in arguments]
    try:
        program = torch.export.load(file)
    except Exception:  # not an exported program: a package that was compiled ahead of time
        return torch._inductor.aoti_load_package(file), []
    return program.module().to(device), list(program.graph_signature.user_inputs)


def _order(names: list[str], arguments: Optional[list[str]]) -> Optional[list[str]]:
    """The configured inputs in the order of the arguments. Refusal when they cannot be told apart."""
    if arguments is None:
        return None
    if arguments and set(names) <= set(arguments):
        return [name for name in arguments if name in names]
    numbers = {name: _INDEXED.match(name) for name in names}
    if all(numbers.values()):
        return sorted(names, key=lambda name: int(numbers[name].group(1)) if numbers[name] else 0)
    if len(names) == 1:
        return names
    raise Refusal(
        f"inputs {names} are neither the arguments of the model's forward ({', '.join(arguments)}) nor named <text>__<number>: rename them"
    )


def _position(name: str, place: int) -> int:
    match = _INDEXED.match(name)
    return int(match.group(1)) if match else place
