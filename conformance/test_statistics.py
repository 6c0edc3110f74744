"""The statistics extension: its fields and what must always hold between them."""

import time

import numpy
import pytest
import simple_model

PHASES = ["compute_input", "compute_infer", "compute_output"]
FIELDS = ["success", "fail", "queue", *PHASES, "cache_hit", "cache_miss"]


def of(client, model="simple"):
    return client.get_inference_statistics(model)["model_stats"][-1]


def test_fields_come_in_triton_s_order(client):
    client.infer("simple", simple_model.inputs())
    row = of(client)
    head = ["name", "version", "last_inference", "inference_count", "execution_count", "inference_stats"]
    assert list(row)[:6] == head
    assert list(row["inference_stats"]) == FIELDS
    assert all(set(duration) == {"count", "ns"} for duration in row["inference_stats"].values())
    assert {"response_stats", "batch_stats", "memory_usage"} <= set(row)


def test_counts_follow_what_was_asked(client):
    before = of(client)
    for batch in (1, 3, 3):
        values = numpy.zeros((batch, 16), numpy.int32)
        client.infer("simple", simple_model.inputs(values, values))
    after = of(client)
    assert after["inference_count"] - before["inference_count"] == 7
    assert after["execution_count"] - before["execution_count"] == 3
    stats = after["inference_stats"]
    assert stats["success"]["count"] - before["inference_stats"]["success"]["count"] == 3
    assert {stats[phase]["count"] for phase in ["success", "queue", *PHASES]} == {stats["success"]["count"]}
    assert stats["success"]["ns"] >= sum(stats[phase]["ns"] for phase in ["queue", *PHASES])
    assert abs(after["last_inference"] - time.time() * 1000) < 60_000


def test_batch_stats_add_up_to_the_executions(client):
    row = of(client)
    sizes = [entry["batch_size"] for entry in row["batch_stats"]]
    assert sizes == sorted(set(sizes))
    for phase in PHASES:
        assert sum(entry[phase]["count"] for entry in row["batch_stats"]) == row["execution_count"]
    assert (
        sum(entry["batch_size"] * entry["compute_infer"]["count"] for entry in row["batch_stats"])
        == row["inference_count"]
    )


def test_requests_refused_by_validation_count_nowhere(client, server):
    before = of(client)
    assert server.infer("simple", {"inputs": simple_model.json_inputs(shape=[1, 8])}).status_code == 400
    assert of(client) == {**before, "memory_usage": of(client)["memory_usage"]}


def test_all_models_at_once_and_one_version(client, server):
    names = {row["name"] for row in client.get_inference_statistics()["model_stats"]}
    assert {"simple", "mnist", "identity", "digits_cnn"} <= names
    rows = server.get("/v2/models/digits_cnn/versions/1/stats").json()["model_stats"]
    assert [(row["name"], row["version"]) for row in rows] == [("digits_cnn", "1")]


def test_a_reload_begins_at_zero(client):
    client.infer("identity_fp32", [identity_input()])
    assert of(client, "identity_fp32")["inference_count"] > 0
    client.unload_model("identity_fp32")
    client.load_model("identity_fp32")
    row = of(client, "identity_fp32")
    assert (row["inference_count"], row["execution_count"], row["last_inference"], row["batch_stats"]) == (0, 0, 0, [])


def identity_input():
    import tritonclient.http as triton

    tensor = triton.InferInput("INPUT_FP32", [1, 1], "FP32")
    tensor.set_data_from_numpy(numpy.ones((1, 1), numpy.float32))
    return tensor


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/v2/models/nobody/stats", "requested model 'nobody' is not available"),
        ("/v2/models/simple/versions/9/stats", "requested model version is not available for model 'simple'"),
    ],
)
def test_statistics_of_what_is_not_there_are_400(server, path, text):
    reply = server.get(path)
    assert (reply.status_code, reply.json()) == (400, {"error": text})
