"""What a model file says of its tensors, against what its configuration says."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

from ..datatypes import wire_name
from ..errors import Refusal
from ..tensor import Tensor

DEFAULT_MAX_BATCH_SIZE = 4


class Port(NamedTuple):
    """One input or output. `datatype` as on the wire; `shape` with the batch dimension, -1 for a free one."""

    name: str
    datatype: str
    shape: list[int]


def complete(config: Any, inputs: Sequence[Port], outputs: Sequence[Port]) -> Any:
    """Adds the tensors that a configuration does not name; it batches where nothing is said and every first dimension is free."""
    given = config.as_dict()
    free = all(port.shape and port.shape[0] == -1 for port in [*inputs, *outputs])
    if free and not given["max_batch_size"] and not given["input"] and not given["output"]:
        config.set_max_batch_size(DEFAULT_MAX_BATCH_SIZE)
        if "sequence_batching" not in given:
            config.set_dynamic_batching()
    batches = given["max_batch_size"] > 0
    for add, kind, ports in ((config.add_input, "input", inputs), (config.add_output, "output", outputs)):
        # Outputs may be left out, and a reshaped tensor has other dims: what is there stays as it is.
        known = {entry["name"] for entry in given[kind]}
        wanted = [port for port in ports if port.name not in known and (kind == "input" or not known)]
        for port in wanted:
            add({"name": port.name, "data_type": f"TYPE_{port.datatype}", "dims": port.shape[1:] if batches else port.shape})
    return config


def check(config: dict[str, Any], inputs: Sequence[Port], outputs: Sequence[Port]) -> None:
    """Refusal for a tensor that the model does not have, or that has another datatype."""
    for kind, ports in (("input", inputs), ("output", outputs)):
        known = {port.name: port for port in ports}
        for entry in config.get(kind) or []:
            port = known.get(entry["name"])
            if port is None:
                raise Refusal(
                    f"unexpected inference {kind} '{entry['name']}', allowed {kind}s are: {', '.join(sorted(known))}"
                )
            if wire_name(entry["data_type"]) != port.datatype:
                raise Refusal(
                    f"{kind} '{port.name}' is configured as {entry['data_type']}, and the model has TYPE_{port.datatype}"
                )


def output_types(config: dict[str, Any]) -> dict[str, str]:
    """Datatypes of the configured outputs by name, in the order of the configuration."""
    return {entry["name"]: str(wire_name(entry["data_type"])) for entry in config["output"]}


def output(name: str, array: Any, datatype: str) -> Tensor:
    """Refusal when the model gave another datatype than the configuration says."""
    tensor = Tensor(name, array)
    if tensor.datatype != datatype:
        raise Refusal(f"unexpected datatype TYPE_{tensor.datatype} for inference output '{name}', expecting TYPE_{datatype}")
    return tensor
