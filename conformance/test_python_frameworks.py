"""Models of PyTorch and OpenVINO."""

import pytest
from frameworks import io, model, needs, rows

torch_needed = needs("torch")
openvino_needed = needs("openvino")
PAIR = {"OUTPUT__0": 4, "OUTPUT__1": 1}


def check_pair(caller, name, left, right):
    futures = [caller.start(name, {left: rows(number, number), right: rows(1, 2)}) for number in range(6)]
    for number, future in enumerate(futures):
        result = future.result(60)
        assert result.as_numpy("OUTPUT__0").tolist() == [[number + 1] * 4, [number + 2] * 4]
        assert result.as_numpy("OUTPUT__1").tolist() == [[4 * (number - 1)], [4 * (number - 2)]]


@torch_needed
@pytest.mark.parametrize("names", [("INPUT__0", "INPUT__1"), ("left", "right")])
def test_torchscript(models, callers, tmp_path, names):
    config = f'platform: "pytorch_libtorch"\nmax_batch_size: 16\n{io(dict.fromkeys(names, 4), PAIR)}dynamic_batching {{ }}\n'
    models.load("torchscript", model(tmp_path, "script", "model.pt", config))
    check_pair(callers["grpc"], "torchscript", *names)


@torch_needed
def test_torchscript_of_a_dictionary(models, caller, tmp_path):
    config = f'backend: "pytorch"\nmax_batch_size: 4\n{io({"A": 4, "B": 4}, {"TOTAL": 4})}'
    models.load("torch_dictionary", model(tmp_path, "named", "model.pt", config))
    result = caller.infer("torch_dictionary", {"A": rows(1), "B": rows(2)})
    assert result.as_numpy("TOTAL").tolist() == [[3] * 4]


@torch_needed
def test_exported_program(models, caller, tmp_path):
    config = f'backend: "pytorch"\nmax_batch_size: 16\n{io({"left": 4, "right": 4}, PAIR)}default_model_filename: "model.pt2"\n'
    models.load("exported", model(tmp_path, "export", "model.pt2", config))
    check_pair(caller, "exported", "left", "right")


@torch_needed
def test_torchscript_whose_inputs_cannot_be_told_apart(models, tmp_path):
    config = f'backend: "pytorch"\nmax_batch_size: 16\n{io({"first": 4, "second": 4}, PAIR)}'
    assert "named <text>__<number>" in models.refusal("torch_refused", model(tmp_path, "script", "model.pt", config))[1]


def test_refusal_names_what_to_install(models):
    config = f'backend: "pytorch"\nmax_batch_size: 0\n{io({"A": 4}, {"B": 4})}'
    assert "-m pip install torch" in models.refusal("no_torch", {"config.pbtxt": config, "1/model.pt": b"x"})[1]


@openvino_needed
def test_openvino_completes_its_configuration(models, client, caller, tmp_path):
    models.load("vino", model(tmp_path, "openvino_model", "model.xml", 'backend: "openvino"\n'))
    config = client.get_model_config("vino")
    assert sorted(entry["name"] for entry in config["input"]) == ["LEFT", "RIGHT"]
    assert config["max_batch_size"] == 4
    result = caller.infer("vino", {"LEFT": rows(1, 2), "RIGHT": rows(3, 4)})
    assert result.as_numpy("SUM").tolist() == [[4] * 4, [6] * 4]
