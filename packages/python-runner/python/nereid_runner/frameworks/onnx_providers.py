"""The server's names of execution providers, and the engine's."""

from __future__ import annotations

import sys
from typing import Any, Optional

import onnxruntime

from ..errors import Refusal

Provider = tuple[str, dict[str, str]]

_NAMES = {
    "cpu": "CPUExecutionProvider",
    "cuda": "CUDAExecutionProvider",
    "tensorrt": "TensorrtExecutionProvider",
    "openvino": "OpenVINOExecutionProvider",
}
_PACKAGES = {"cuda": "onnxruntime-gpu", "tensorrt": "onnxruntime-gpu", "openvino": "onnxruntime-openvino"}
_ON_GPU = ("cuda", "tensorrt")


def provider_list(settings: dict[str, Any], device: Optional[int]) -> list[Provider]:
    """Providers and their options, the preferred one first. `device`: the instance's GPU. Refusal for one that the package does not have."""
    providers: list[Provider] = []
    there = onnxruntime.get_available_providers()
    for asked in settings["executionProviders"]:
        kind = asked["name"]
        name = _NAMES.get(kind)
        if name is None:
            raise Refusal(f"the accelerator {kind} cannot be used together with what needs onnxruntime for Python")
        if name not in there:
            raise Refusal(
                f"the onnxruntime of '{sys.executable}' has no {name}, only {', '.join(there)}; install the package that has it: "
                f"{sys.executable} -m pip install {_PACKAGES[kind]}"
            )
        providers.append((name, _options(kind, asked, device)))
    if any(asked["name"] in _ON_GPU for asked in settings["executionProviders"]) and hasattr(onnxruntime, "preload_dlls"):
        # Finds CUDA and cuDNN where pip has put them.
        onnxruntime.preload_dlls()
    return providers


def _options(kind: str, asked: dict[str, Any], device: Optional[int]) -> dict[str, str]:
    given = {str(key): str(value) for key, value in (asked.get("options") or {}).items()}
    if kind in _ON_GPU:
        number = device if device is not None else asked.get("deviceId")
        return given if number is None else {**given, "device_id": str(number)}
    return given
