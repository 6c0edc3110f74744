"""Models of TensorFlow: SavedModels, of Keras too, and frozen graphs."""

import json

import numpy
import pytest
from frameworks import files, io, make, model, needs, rows

tensorflow_needed = needs("tensorflow")


@pytest.fixture
def caller(callers):
    """One is enough: what differs between the ways in is not the framework."""
    return callers["grpc"]


@tensorflow_needed
def test_saved_model_completes_its_configuration(models, client, caller, tmp_path):
    models.load("saved_model", model(tmp_path, "saved_model", "model.savedmodel", 'platform: "tensorflow_savedmodel"\n'))
    config = client.get_model_config("saved_model")
    assert sorted(entry["name"] for entry in config["output"]) == ["largest", "total"]
    assert config["max_batch_size"] == 4
    futures = [caller.start("saved_model", {"left": rows(number), "right": rows(1)}) for number in range(8)]
    for number, future in enumerate(futures):
        result = future.result(60)
        assert result.as_numpy("total").tolist() == [[number + 11] * 4]
        assert result.as_numpy("largest").tolist() == [[number]]


@tensorflow_needed
def test_signature_that_is_not_there(models, tmp_path):
    config = 'backend: "tensorflow"\nparameters { key: "TF_SIGNATURE_DEF" value { string_value: "none" } }\n'
    text = models.refusal("saved_model_none", model(tmp_path, "saved_model", "model.savedmodel", config))[1]
    assert "no signature 'none', only: " in text
    assert "serving_default" in text


@tensorflow_needed
def test_keras_export_gives_what_keras_gives(models, client, caller, tmp_path):
    expected = numpy.array(json.loads(make("keras", tmp_path / "model.savedmodel").splitlines()[-1]))
    models.load("keras", files(tmp_path, 'backend: "tensorflow"\n'))
    config = client.get_model_config("keras")
    result = caller.infer("keras", {config["input"][0]["name"]: rows(0, 1)})
    assert numpy.abs(result.as_numpy(config["output"][0]["name"]) - expected).max() < 1e-5


@tensorflow_needed
def test_frozen_graph(models, caller, tmp_path):
    config = f'platform: "tensorflow_graphdef"\nmax_batch_size: 8\n{io({"left": 4}, {"plus_one": 4})}'
    models.load("graphdef", model(tmp_path, "graphdef", "model.graphdef", config))
    assert caller.infer("graphdef", {"left": rows(1, 2)}).as_numpy("plus_one").tolist() == [[2] * 4, [3] * 4]
    wrong = config.replace("plus_one", "plus_two")
    text = models.refusal("graphdef_wrong", model(tmp_path, "graphdef", "model.graphdef", wrong))[1]
    assert "the graph has no tensor 'plus_two'" in text


def test_refusal_names_what_to_install(models):
    config = f'backend: "tensorflow"\nmax_batch_size: 0\n{io({"A": 4}, {"B": 4})}'
    text = models.refusal("no_tensorflow", {"config.pbtxt": config, "1/model.graphdef": b"x"})[1]
    assert "-m pip install tensorflow-cpu" in text
