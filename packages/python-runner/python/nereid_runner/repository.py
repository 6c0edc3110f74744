"""`pb_utils.load_model` and its kin."""

from __future__ import annotations

import base64
from typing import Any, Optional

from .host import host


def load_model(model_name: str, config: str = "", files: Optional[dict[str, bytes]] = None) -> None:
    """Loads a model or loads it anew. `files` are contents by path, such as `file:1/model.onnx`."""
    more: dict[str, Any] = {"config": config} if config else {}
    if files:
        more["files"] = {_path(path): base64.b64encode(content).decode("ascii") for path, content in files.items()}
    _manage("load_model", action="load", model=model_name, **more)


def unload_model(model_name: str, unload_dependents: bool = False) -> None:
    _manage("unload_model", action="unload", model=model_name, unloadDependents=unload_dependents)


def is_model_ready(model_name: str, model_version: str = "") -> bool:
    done = _manage("is_model_ready", action="is-ready", model=model_name, version=str(model_version))
    return bool(done.get("ready", False))


def _manage(function: str, **request: Any) -> dict[str, Any]:
    calls = host.calls_for(function)
    return calls.manage(**request)


def _path(path: str) -> str:
    return path[len("file:") :] if path.startswith("file:") else path
