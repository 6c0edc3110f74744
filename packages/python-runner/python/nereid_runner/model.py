"""The user's class: found, and told of its life."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import os
import sys
from typing import Any, Optional

from .completion import declared
from .errors import Refusal, describe
from .frameworks import FRAMEWORKS
from .host import COMPLETING, FINALIZING, INITIALIZING, SERVING, host
from .model_config import ModelConfig

CLASS = "TritonPythonModel"


class Model:
    """`TritonPythonModel` of a model file."""

    def __init__(self, load: dict[str, Any]) -> None:
        self._load = load
        self._about = load["model"]
        self._file: str = load["file"]
        host.model_name = self._about["name"]
        host.model_file = self._file
        host.model_root = self._about["directory"]
        host.session = load["session"]
        host.model_directory = os.path.dirname(self._file)
        self._class = self._import()
        self._instance: Any = None

    @property
    def tells_readiness(self) -> bool:
        return callable(getattr(self._class, "is_ready", None))

    @property
    def completes(self) -> bool:
        return hasattr(self._class, "auto_complete_config")

    def complete(self) -> dict[str, Any]:
        """Runs `auto_complete_config`: what it declares, and the configuration as it is then."""
        host.stage = COMPLETING
        text = self._about["config"]
        before: dict[str, Any] = json.loads(text)
        completed = self._class.auto_complete_config(ModelConfig(text))
        if not isinstance(completed, ModelConfig):
            raise Refusal(
                f"auto_complete_config function in model '{host.model_name}' must return a valid pb.ModelConfig object."
            )
        after = completed.as_dict()
        return {"declared": declared(before, after), "config": json.dumps(after)}

    def initialize(self, config: str, instance: dict[str, Any]) -> None:
        host.stage = INITIALIZING
        self._instance = self._class()
        if hasattr(self._instance, "initialize"):
            device = instance.get("device")
            self._instance.initialize(
                {
                    "model_config": config,
                    "model_instance_kind": str(instance["kind"]).replace("KIND_", ""),
                    "model_instance_device_id": str(0 if device is None else device),
                    "model_instance_name": instance["name"],
                    "model_repository": self._about["directory"],
                    "model_version": self._about["version"],
                    "model_name": self._about["name"],
                }
            )
        host.stage = SERVING

    def execute(self, requests: list[Any]) -> Any:
        if not hasattr(self._instance, "execute"):
            raise Refusal(f"Python model {self._file} does not implement `execute` method.")
        return self._instance.execute(requests)

    def is_ready(self) -> tuple[bool, Optional[str]]:
        """Whether it is, and why not."""
        try:
            result = self._instance.is_ready()
            if inspect.isawaitable(result):
                result = host.start(_awaited(result)).result()
        except Exception as error:
            return False, describe(error)
        if not isinstance(result, bool):
            return False, f"is_ready must return a bool, got {type(result).__name__}"
        return result, None

    def finalize(self) -> None:
        host.stage = FINALIZING
        try:
            if hasattr(self._instance, "finalize"):
                result = self._instance.finalize()
                if inspect.isawaitable(result):
                    host.start(_awaited(result)).result()
        except Exception as error:
            print(f"finalize of model '{host.model_name}' failed: {describe(error)}", file=sys.stderr, flush=True)

    def _import(self) -> Any:
        framework = FRAMEWORKS.get(self._load.get("backend", "python"))
        if framework is not None:
            return getattr(importlib.import_module(framework), CLASS)
        for directory in (os.path.dirname(self._file), self._about["directory"]):
            if directory not in sys.path:
                sys.path.append(directory)
        name = os.path.splitext(os.path.basename(self._file))[0]
        spec = importlib.util.spec_from_file_location(name, self._file)
        if spec is None or spec.loader is None:
            raise Refusal(f"{self._file} is no Python module: its name must end in .py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        found = getattr(module, CLASS, None)
        if found is None:
            raise Refusal(f"{self._file} has no class {CLASS}")
        return found


async def _awaited(result: Any) -> Any:
    return await result
