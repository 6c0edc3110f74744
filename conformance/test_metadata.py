"""Health, metadata and configuration."""

import pytest
import requests


def test_live_and_ready(client):
    assert client.is_server_live()
    assert client.is_server_ready()
    assert client.is_model_ready("simple")
    assert client.is_model_ready("digits_cnn", "1")
    assert not client.is_model_ready("nobody")


@pytest.mark.parametrize("path", ["/v2/health/live", "/v2/health/ready", "/v2/models/simple/ready"])
def test_probes_answer_without_a_body(server, path):
    reply = server.get(path)
    assert (reply.status_code, reply.content) == (200, b"")
    assert "json" not in reply.headers.get("Content-Type", "")


def test_server_metadata(client):
    metadata = client.get_server_metadata()
    assert metadata["name"] == "triton"
    assert metadata["version"].count(".") == 2
    assert {"classification", "model_repository", "binary_tensor_data", "statistics"} <= set(metadata["extensions"])


def test_model_metadata(client):
    row = {"datatype": "INT32", "shape": [-1, 16]}
    assert client.get_model_metadata("simple") == {
        "name": "simple",
        "versions": ["1"],
        "platform": "onnxruntime_onnx",
        "inputs": [{"name": "INPUT0", **row}, {"name": "INPUT1", **row}],
        "outputs": [{"name": "OUTPUT0", **row}, {"name": "OUTPUT1", **row}],
    }


def test_model_metadata_of_one_version(client):
    assert client.get_model_metadata("digits_cnn")["versions"] == ["1", "2"]
    assert client.get_model_metadata("digits_cnn", "1")["versions"] == ["1"]


def test_completed_metadata_has_13_types(client):
    metadata = client.get_model_metadata("identity")
    types = "BOOL UINT8 UINT16 UINT32 UINT64 INT8 INT16 INT32 INT64 FP16 FP32 FP64 BYTES".split()
    assert sorted(tensor["datatype"] for tensor in metadata["inputs"]) == sorted(types)
    assert all(tensor["shape"] == [-1, -1] for tensor in metadata["inputs"])


def test_config_prints_every_field_with_triton_s_types(client):
    config = client.get_model_config("mnist")
    assert (config["name"], config["backend"], config["platform"]) == ("mnist", "onnxruntime", "onnxruntime_onnx")
    assert config["max_batch_size"] == 64
    assert config["version_policy"] == {"latest": {"num_versions": 1}}
    assert config["default_model_filename"] == "model.onnx"
    assert (config["metric_tags"], config["parameters"], config["model_warmup"]) == ({}, {}, [])
    image = config["input"][0]
    assert image == {
        "name": "image",
        "data_type": "TYPE_FP32",
        "format": "FORMAT_NONE",
        "dims": [784],
        "is_shape_tensor": False,
        "allow_ragged_batch": False,
        "optional": False,
        "is_non_linear_format_io": False,
    }
    assert config["output"][0]["label_filename"] == "labels.txt"
    group = config["instance_group"][0]
    assert (group["name"], group["kind"], group["count"], group["gpus"]) == ("mnist_0", "KIND_CPU", 2, [])
    batching = config["dynamic_batching"]
    assert batching["preferred_batch_size"] == [16, 32, 64]
    # 64-bit integers of these fields are numbers, although protobuf's JSON prints strings.
    assert batching["max_queue_delay_microseconds"] == 200
    assert batching["priority_levels"] == 0
    assert "sequence_batching" not in config and "ensemble_scheduling" not in config


def test_config_of_a_model_without_one_is_completed(client):
    config = client.get_model_config("identity")
    assert (config["max_batch_size"], "dynamic_batching" in config) == (4, True)
    assert {tensor["data_type"] for tensor in config["input"]} >= {"TYPE_STRING", "TYPE_FP16", "TYPE_BOOL"}
    assert all(tensor["dims"] == [-1] for tensor in config["input"])


def test_metrics_name_every_model(server):
    text = requests.get(server.metrics, timeout=30).text
    for model in ("simple", "mnist", "identity"):
        assert f'nv_inference_request_success{{model="{model}",version="1"}}' in text
