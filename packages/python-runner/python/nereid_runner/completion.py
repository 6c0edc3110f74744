"""What a completed configuration adds to the one it began as, for the server."""

from __future__ import annotations

from typing import Any

from .datatypes import wire_name


def declared(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """`inputs`, `outputs` and `config` of a `loaded` message. ValueError for a tensor that no configuration could have."""
    patch: dict[str, Any] = {}
    if after.get("max_batch_size", 0) != before.get("max_batch_size", 0):
        patch["maxBatchSize"] = int(after["max_batch_size"])
    decoupled = (after.get("model_transaction_policy") or {}).get("decoupled")
    if decoupled is not None and decoupled != (before.get("model_transaction_policy") or {}).get("decoupled"):
        patch["decoupled"] = bool(decoupled)
    if "dynamic_batching" in after and "dynamic_batching" not in before:
        patch["dynamicBatching"] = True
    return {
        "inputs": [_tensor(tensor) for tensor in after.get("input", [])],
        "outputs": [_tensor(tensor) for tensor in after.get("output", [])],
        "config": patch,
    }


def _tensor(tensor: dict[str, Any]) -> dict[str, Any]:
    name, datatype = tensor.get("name", ""), wire_name(tensor.get("data_type"))
    if datatype is None:
        raise ValueError(f"tensor '{name}' has the data_type {tensor.get('data_type')!r}; name one such as \"TYPE_FP32\"")
    try:
        dims = [int(dim) for dim in tensor.get("dims", [])]
    except (TypeError, ValueError):
        raise ValueError(f"tensor '{name}' has dims {tensor.get('dims')!r}; they must be whole numbers") from None
    made: dict[str, Any] = {"name": name, "datatype": datatype, "dims": dims}
    return {**made, "optional": True} if tensor.get("optional") is True else made
