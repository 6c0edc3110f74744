"""Health, metadata, configuration, statistics, repository and settings over gRPC, against what HTTP says of the same."""

import pytest
import simple_model
import tritonclient.grpc as triton
from test_grpc_infer import inputs
from tritonclient.grpc import service_pb2 as pb
from tritonclient.grpc import service_pb2_grpc

import grpc

WAIT = 30


def test_live_and_ready(grpc_client):
    assert grpc_client.is_server_live()
    assert grpc_client.is_server_ready()
    assert grpc_client.is_model_ready("simple")
    assert grpc_client.is_model_ready("digits_cnn", "1")


def test_server_metadata_is_that_of_http(grpc_client, client):
    metadata = grpc_client.get_server_metadata()
    other = client.get_server_metadata()
    assert (metadata.name, metadata.version, list(metadata.extensions)) == (
        other["name"],
        other["version"],
        other["extensions"],
    )


@pytest.mark.parametrize("model", ["simple", "mnist", "identity", "digits_cnn"])
def test_model_metadata_is_that_of_http(grpc_client, client, model):
    metadata = grpc_client.get_model_metadata(model, as_json=True)
    other = client.get_model_metadata(model)
    assert (metadata["name"], metadata["versions"], metadata["platform"]) == (
        other["name"],
        other["versions"],
        other["platform"],
    )
    for side in ("inputs", "outputs"):
        mine = [(t["name"], t["datatype"], [int(dim) for dim in t["shape"]]) for t in metadata[side]]
        assert mine == [(t["name"], t["datatype"], t["shape"]) for t in other[side]]


def test_model_metadata_of_one_version(grpc_client):
    assert list(grpc_client.get_model_metadata("digits_cnn").versions) == ["1", "2"]
    assert list(grpc_client.get_model_metadata("digits_cnn", "1").versions) == ["1"]


def test_model_config_is_that_of_http(grpc_client, client):
    config = grpc_client.get_model_config("mnist").config
    other = client.get_model_config("mnist")
    assert (config.name, config.backend, config.platform) == (other["name"], other["backend"], other["platform"])
    assert config.max_batch_size == other["max_batch_size"]
    assert list(config.input[0].dims) == other["input"][0]["dims"]
    assert list(config.dynamic_batching.preferred_batch_size) == other["dynamic_batching"]["preferred_batch_size"]
    assert config.instance_group[0].count == other["instance_group"][0]["count"]


def test_statistics_count_requests_over_both_protocols(grpc_client, client):
    def success():
        return grpc_client.get_inference_statistics("simple").model_stats[0].inference_stats.success.count

    before = success()
    simple_model.check(grpc_client.infer("simple", inputs()))
    simple_model.check(client.infer("simple", simple_model.inputs()))
    assert success() == before + 2
    other = client.get_inference_statistics("simple")["model_stats"][0]
    mine = grpc_client.get_inference_statistics("simple").model_stats[0]
    assert (mine.inference_count, mine.execution_count) == (other["inference_count"], other["execution_count"])
    assert mine.inference_stats.queue.count == other["inference_stats"]["queue"]["count"]
    assert mine.batch_stats[0].batch_size == other["batch_stats"][0]["batch_size"]


def test_statistics_of_all_models(grpc_client):
    names = {stats.name for stats in grpc_client.get_inference_statistics().model_stats}
    assert {"simple", "mnist", "identity", "digits_cnn"} <= names


def test_repository_index(grpc_client):
    models = grpc_client.get_model_repository_index().models
    assert ("simple", "1", "READY", "") in [(row.name, row.version, row.state, row.reason) for row in models]


def test_unload_and_load(grpc_client):
    grpc_client.unload_model("identity_fp32")
    assert not [row for row in index(grpc_client, ready=True) if row.name == "identity_fp32"]
    grpc_client.load_model("identity_fp32")
    assert grpc_client.is_model_ready("identity_fp32")


def test_load_with_a_configuration_of_the_request(grpc_client):
    try:
        config = '{"backend":"onnxruntime","max_batch_size":2}'
        grpc_client.load_model("simple", config=config)
        assert grpc_client.get_model_config("simple").config.max_batch_size == 2
    finally:
        grpc_client.load_model("simple")
    assert grpc_client.get_model_config("simple").config.max_batch_size == 8


def test_load_with_files_of_the_request(grpc_client, server):
    with open(f"{server.repository}/identity_fp32/1/model.onnx", "rb") as file:
        model = file.read()
    try:
        grpc_client.load_model(
            "identity_fp32",
            config='{"backend":"onnxruntime","max_batch_size":64}',
            files={"file:5/model.onnx": model},
        )
        assert list(grpc_client.get_model_metadata("identity_fp32").versions) == ["5"]
    finally:
        grpc_client.load_model("identity_fp32")
    assert list(grpc_client.get_model_metadata("identity_fp32").versions) == ["1"]


def test_log_settings(grpc_client, client):
    before = grpc_client.get_log_settings(as_json=True)["settings"]
    assert set(before) == {"log_file", "log_info", "log_warning", "log_error", "log_verbose_level", "log_format"}
    grpc_client.update_log_settings({"log_verbose_level": 1, "log_format": "ISO8601"})
    try:
        assert client.get_log_settings()["log_verbose_level"] == 1
        assert client.get_log_settings()["log_format"] == "ISO8601"
    finally:
        answer = grpc_client.update_log_settings({"log_verbose_level": 0, "log_format": "default"})
    assert answer.settings["log_verbose_level"].uint32_param == 0


def test_trace_settings(grpc_client, client):
    answer = grpc_client.update_trace_settings(settings={"trace_rate": "77"})
    try:
        assert list(answer.settings["trace_rate"].value) == ["77"]
        assert client.get_trace_settings()["trace_rate"] == "77"
        assert list(grpc_client.get_trace_settings("simple").settings["trace_rate"].value) == ["77"]
    finally:
        grpc_client.update_trace_settings(settings={"trace_rate": None})
    assert client.get_trace_settings()["trace_rate"] == "1000"


def test_shared_memory_status_without_regions_of_a_kind(grpc_client):
    assert not grpc_client.get_cuda_shared_memory_status().regions


def test_the_standard_health_service(grpc_address):
    # HealthCheckResponse { status: SERVING } as bytes: field 1, varint 1.
    with grpc.insecure_channel(grpc_address) as channel:
        assert channel.unary_unary("/grpc.health.v1.Health/Check")(b"", timeout=WAIT) == b"\x08\x01"


def test_calls_with_metadata_of_the_user(grpc_client):
    assert grpc_client.is_server_live(headers={"x-request": "1"})
    assert grpc_client.infer("simple", inputs(), headers={"x-request": "1"}).get_response().model_name == "simple"


def test_ready_rows_only(grpc_address):
    with grpc.insecure_channel(grpc_address) as channel:
        stub = service_pb2_grpc.GRPCInferenceServiceStub(channel)
        rows = stub.RepositoryIndex(pb.RepositoryIndexRequest(ready=True), timeout=WAIT).models
    assert rows and all(row.state == "READY" for row in rows)


def index(grpc_client, ready):
    stub = grpc_client._client_stub
    return stub.RepositoryIndex(pb.RepositoryIndexRequest(ready=ready), timeout=WAIT).models


def test_two_clients_at_once(grpc_address):
    with triton.InferenceServerClient(grpc_address) as one, triton.InferenceServerClient(grpc_address) as two:
        assert one.is_server_ready() and two.is_server_ready()
