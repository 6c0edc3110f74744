"""Models of frameworks: each module has a `TritonPythonModel` that runs a model file instead of being one."""

from __future__ import annotations

#: By the backend's name, the module that runs its models.
FRAMEWORKS = {
    name: f"nereid_runner.frameworks.{module}"
    for name, module in {
        "onnxruntime": "onnx",
        "openvino": "openvino",
        "pytorch": "pytorch",
        "sklearn": "sklearn",
        "tensorflow": "tensorflow",
        "xgboost": "xgboost",
    }.items()
}
