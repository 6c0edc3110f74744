"""Index, load and unload."""

import base64
import json
import pathlib
import shutil
import time

import numpy
import pytest
import simple_model
import tritonclient.http as triton
from tritonclient.utils import InferenceServerException


@pytest.fixture
def copied(server, client):
    """A copy of `simple` under another name; unloaded and removed afterwards."""
    root = pathlib.Path(server.repository)
    shutil.copytree(root / "simple", root / "copied")
    text = (root / "copied/config.pbtxt").read_text()
    (root / "copied/config.pbtxt").write_text(text.replace('name: "simple"', 'name: "copied"'))
    yield "copied"
    client.unload_model("copied")
    shutil.rmtree(root / "copied")


def eventually(holds):
    """Unloading ends after the call that asked for it."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def rows(client, name):
    return [row for row in client.get_model_repository_index() if row["name"] == name]


def test_index_of_loaded_models(client):
    assert rows(client, "simple") == [{"name": "simple", "version": "1", "state": "READY"}]
    assert [row["version"] for row in rows(client, "digits_cnn")] == ["1", "2"]


def test_a_model_from_load_to_unload(client, copied, server):
    assert rows(client, copied) == [{"name": copied}]
    ready_only = server.post("/v2/repository/index", json={"ready": True}).json()
    assert copied not in {row["name"] for row in ready_only}

    client.load_model(copied)
    assert rows(client, copied) == [{"name": copied, "version": "1", "state": "READY"}]
    simple_model.check(client.infer(copied, simple_model.inputs()))

    client.unload_model(copied)
    with pytest.raises(InferenceServerException, match="has no available versions") as error:
        client.infer(copied, simple_model.inputs())
    assert error.value.status() == "404"
    versioned = server.infer(f"{copied}/versions/1", {"inputs": simple_model.json_inputs()})
    assert versioned.status_code == 503
    assert versioned.json()["error"].endswith("version 1 is not at ready state")
    gone = {"name": copied, "version": "1", "state": "UNAVAILABLE", "reason": "unloaded"}
    eventually(lambda: rows(client, copied) == [gone])
    assert client.is_server_ready()


def test_load_and_unload_answer_200_without_a_body(server):
    for action in ("load", "unload", "load"):
        reply = server.post(f"/v2/repository/models/identity_fp32/{action}")
        assert (reply.status_code, reply.content) == (200, b"")


def test_unloading_the_unknown_succeeds(client):
    client.unload_model("nobody")
    client.unload_model("nobody", unload_dependents=True)


def test_a_config_override_lasts_until_the_next_plain_load(client, copied):
    client.load_model(copied)
    config = client.get_model_config(copied)
    config["max_batch_size"] = 3
    client.load_model(copied, config=json.dumps(config))
    assert client.get_model_config(copied)["max_batch_size"] == 3
    large = numpy.zeros((4, 16), numpy.int32)
    with pytest.raises(InferenceServerException, match="batch-size must be <= 3"):
        client.infer(copied, simple_model.inputs(large, large))
    client.load_model(copied)
    assert client.get_model_config(copied)["max_batch_size"] == 8


def test_a_config_override_may_use_lower_camel_case_and_strings_for_64_bits(client, copied):
    config = {"backend": "onnxruntime", "maxBatchSize": 2, "dynamicBatching": {"maxQueueDelayMicroseconds": "7"}}
    client.load_model(copied, config=json.dumps(config))
    served = client.get_model_config(copied)
    assert (served["max_batch_size"], served["dynamic_batching"]["max_queue_delay_microseconds"]) == (2, 7)


def test_files_of_a_load_request_replace_the_directory(client, copied, server):
    model = (pathlib.Path(server.repository) / "identity_fp32/1/model.onnx").read_bytes()
    client.load_model(
        copied, config=json.dumps({"backend": "onnxruntime", "max_batch_size": 4}), files={"file:7/model.onnx": model}
    )
    metadata = client.get_model_metadata(copied)
    assert (metadata["versions"], metadata["inputs"][0]["name"]) == (["7"], "INPUT_FP32")
    tensor = triton.InferInput("INPUT_FP32", [1, 2], "FP32")
    tensor.set_data_from_numpy(numpy.array([[1, 2]], numpy.float32))
    numpy.testing.assert_array_equal(client.infer(copied, [tensor]).as_numpy("OUTPUT_FP32"), [[1, 2]])
    client.load_model(copied)
    assert client.get_model_metadata(copied)["versions"] == ["1"]


def test_loading_twice_is_no_reload(client, copied):
    client.load_model(copied)
    client.infer(copied, simple_model.inputs())
    client.load_model(copied)
    assert client.get_inference_statistics(copied)["model_stats"][0]["inference_count"] == 1


def test_a_failed_reload_keeps_the_old_copy(client, copied, server):
    client.load_model(copied)
    file = pathlib.Path(server.repository) / copied / "1/model.onnx"
    file.unlink()
    file.write_bytes(b"broken")
    with pytest.raises(InferenceServerException, match="version 1 is at UNAVAILABLE state: Invalid argument: "):
        client.load_model(copied)
    simple_model.check(client.infer(copied, simple_model.inputs()))


FILE = base64.b64encode(b"x").decode()
LOAD_ERRORS = [
    # parameters, status, text or its beginning
    ({"speed": "1"}, 500, "unexpected error on creating Triton parameter"),
    ({"config": 1}, 500, "Unable to parse 'config': attempt to access JSON non-string as string"),
    ({"config": "{"}, 500, "failed to load 'simple', failed to poll from model repository"),
    ({"config": '{"max_bach_size":1}'}, 500, "failed to load 'simple', failed to poll from model repository"),
    ({"file:1/model.onnx": FILE}, 500, "failed to load 'simple', failed to poll from model repository"),
    ({"file:1/model.onnx": "***", "config": "{}"}, 400, "load parameter 'file:1/model.onnx' is not valid base64"),
    ({"file:../model.onnx": FILE, "config": "{}"}, 400, "load parameter 'file:../model.onnx' must name a file inside"),
]


@pytest.mark.parametrize(("parameters", "status", "text"), LOAD_ERRORS)
def test_a_wrong_load_is_refused_and_changes_nothing(client, server, parameters, status, text):
    reply = server.post("/v2/repository/models/simple/load", json={"parameters": parameters})
    assert reply.status_code == status
    assert reply.json()["error"].startswith(text)
    simple_model.check(client.infer("simple", simple_model.inputs()))
