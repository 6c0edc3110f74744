"""`pb_utils.ModelConfig`: what `auto_complete_config` may add to a configuration."""

from __future__ import annotations

import json
from typing import Any

_FUNCTION = "auto-complete-config function for model"


class ModelConfig:
    """A configuration that is completed and never contradicted. ValueError where a model says otherwise than its configuration."""

    def __init__(self, text: str) -> None:
        self._config: dict[str, Any] = json.loads(text)
        for name in ("input", "output"):
            self._config.setdefault(name, [])
        self._config.setdefault("max_batch_size", 0)

    def as_dict(self) -> dict[str, Any]:
        return self._config

    def add_input(self, tensor: dict[str, Any]) -> None:
        """`name`, `data_type` and `dims`; `optional` may be there."""
        self._add("input", tensor, {"name", "data_type", "dims", "optional"}, "'name', 'data_type', 'dims' and 'optional'")

    def add_output(self, tensor: dict[str, Any]) -> None:
        self._add("output", tensor, {"name", "data_type", "dims"}, "'name', 'data_type' and 'dims'")

    def set_max_batch_size(self, size: int) -> None:
        configured = self._config["max_batch_size"]
        if configured > size:
            raise ValueError(
                f"configuration specified max_batch_size {configured}, but in {_FUNCTION} '{self._name}' specified max_batch_size {size}"
            )
        self._config["max_batch_size"] = size

    def set_dynamic_batching(self) -> None:
        for other in ("sequence_batching", "ensemble_scheduling"):
            if other in self._config:
                raise ValueError(
                    f"Configuration specified scheduling_choice as '{other}', but {_FUNCTION} '{self._name}' tries to set "
                    "scheduling_choice as 'dynamic_batching'"
                )
        self._config.setdefault("dynamic_batching", {})

    def set_model_transaction_policy(self, policy: dict[str, Any]) -> None:
        if any(key != "decoupled" for key in policy):
            raise ValueError(
                f"model transaction property in {_FUNCTION} '{self._name}' contains property other than 'decoupled'."
            )
        if "decoupled" not in policy:
            return
        configured = self._config.get("model_transaction_policy") or {}
        if "decoupled" in configured and configured["decoupled"] != policy["decoupled"]:
            raise ValueError(
                f"trying to change decoupled property in auto-complete-config for model '{self._name}', which is already set to "
                f"'{configured['decoupled']}'."
            )
        self._config["model_transaction_policy"] = {"decoupled": bool(policy["decoupled"])}

    @property
    def _name(self) -> str:
        return str(self._config.get("name", ""))

    def _add(self, kind: str, tensor: dict[str, Any], known: set[str], listed: str) -> None:
        if "name" not in tensor:
            raise ValueError(f"{kind} in {_FUNCTION} '{self._name}' is missing 'name' property.")
        name = tensor["name"]
        if any(key not in known for key in tensor):
            raise ValueError(f"{kind} '{name}' in {_FUNCTION} '{self._name}' contains property other than {listed}.")
        for needed in ("data_type", "dims"):
            if needed not in tensor:
                raise ValueError(f"{kind} '{name}' in {_FUNCTION} '{self._name}' is missing '{needed}' property.")
        configured = next((entry for entry in self._config[kind] if entry.get("name") == name), None)
        if configured is None:
            self._config[kind].append(dict(tensor))
        else:
            self._merge(kind, configured, tensor)

    def _merge(self, kind: str, configured: dict[str, Any], tensor: dict[str, Any]) -> None:
        name, given, said = tensor["name"], configured.get("data_type", "TYPE_INVALID"), tensor["data_type"]
        if given != "TYPE_INVALID" and given != said:
            raise ValueError(
                f"unable to load model '{self._name}', configuration expects datatype {given} for {kind} '{name}', model provides {said}"
            )
        configured["data_type"] = said
        dims = list(configured.get("dims") or [])
        if dims and dims != list(tensor["dims"]):
            raise ValueError(
                f"model '{self._name}', tensor '{name}': the model expects dims {list(tensor['dims'])} but the model configuration "
                f"specifies dims {dims}"
            )
        configured["dims"] = list(tensor["dims"])
        if "optional" in tensor:
            if configured.get("optional") and configured["optional"] != tensor["optional"]:
                raise ValueError(
                    f"model '{self._name}', tensor '{name}': the model expects optional {tensor['optional']} but the model "
                    f"configuration specifies optional {configured['optional']}"
                )
            configured["optional"] = tensor["optional"]
