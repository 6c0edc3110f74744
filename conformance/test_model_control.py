"""Loads with overrides over HTTP by Triton's client: what they change, what they leave, what is refused."""

import json
import pathlib
import shutil

import numpy
import pytest
import simple_model
from tritonclient.utils import InferenceServerException


@pytest.fixture
def controlled(server, client):
    """A copy of `simple` under a name of its own."""
    root = pathlib.Path(server.repository)
    shutil.copytree(root / "simple", root / "controlled")
    file = root / "controlled/config.pbtxt"
    file.write_text(file.read_text().replace('name: "simple"', 'name: "controlled"'))
    client.load_model("controlled")
    yield "controlled"
    client.unload_model("controlled")
    shutil.rmtree(root / "controlled")


def config(client, **changes):
    served = client.get_model_config("controlled")
    return json.dumps({**served, **changes})


def test_the_name_of_a_config_override_must_fit(client, controlled):
    with pytest.raises(InferenceServerException) as error:
        client.load_model(controlled, config=config(client, name="other"))
    assert error.value.status() in ("400", "500")
    simple_model.check(client.infer(controlled, simple_model.inputs()))


def test_a_config_override_of_instances_keeps_the_copy_serving(client, controlled):
    client.load_model(controlled, config=config(client, instance_group=[{"count": 2, "kind": "KIND_CPU"}]))
    assert client.get_model_config(controlled)["instance_group"][0]["count"] == 2
    simple_model.check(client.infer(controlled, simple_model.inputs()))
    client.load_model(controlled)
    assert client.get_model_config(controlled)["instance_group"][0]["count"] != 2


def test_unload_forgets_an_override(client, controlled):
    client.load_model(controlled, config=config(client, max_batch_size=2))
    client.unload_model(controlled)
    client.load_model(controlled)
    assert client.get_model_config(controlled)["max_batch_size"] == 8


def test_several_versions_as_files(client, controlled, server):
    model = (pathlib.Path(server.repository) / "simple/1/model.onnx").read_bytes()
    override = json.dumps({"backend": "onnxruntime", "max_batch_size": 8, "version_policy": {"all": {}}})
    client.load_model(controlled, config=override, files={"file:2/model.onnx": model, "file:5/model.onnx": model})
    assert client.get_model_metadata(controlled)["versions"] == ["2", "5"]
    simple_model.check(client.infer(controlled, simple_model.inputs(), model_version="2"))
    client.load_model(controlled)
    assert client.get_model_metadata(controlled)["versions"] == ["1"]


def test_unload_with_dependents(client, controlled):
    client.unload_model(controlled, unload_dependents=True)
    assert not client.is_model_ready(controlled)


def test_the_index_of_ready_models(server, client, controlled):
    ready = server.post("/v2/repository/index", json={"ready": True}).json()
    assert {"name": controlled, "version": "1", "state": "READY"} in ready
    client.unload_model(controlled)
    ready = server.post("/v2/repository/index", json={"ready": True}).json()
    assert controlled not in {row["name"] for row in ready}


MODEL_ERRORS = [
    # files, config, status, beginning of the text
    ({"file:1/model.onnx": b"broken"}, "{}", "400", "load failed for model 'controlled': version 1 is at UNAVAILABLE state: "),
    ({"file:1/other.onnx": b"x"}, '{"backend":"onnxruntime"}', "400", "load failed for model 'controlled': version 1 is at UNAVAILABLE state: "),
    ({"file:labels.txt": b"x"}, '{"backend":"onnxruntime"}', "500", "failed to load 'controlled', no version is available"),
    ({"file:../controlled2/1/model.onnx": b"x"}, "{}", "400", "load parameter 'file:../controlled2/1/model.onnx' must name a file inside"),
    ({"file:/etc/model.onnx": b"x"}, "{}", "400", "load parameter 'file:/etc/model.onnx' must name a file inside"),
    ({}, '{"max_batch_size":"many"}', "500", "failed to load 'controlled', failed to poll from model repository"),
    ({}, "[]", "500", "failed to load 'controlled', failed to poll from model repository"),
    ({}, '{"backend":"unheard_of"}', "400", "load failed for model 'controlled': version 1 is at UNAVAILABLE state: "),
    ({}, '{"backend":"onnxruntime","version_policy":{"specific":{"versions":[7]}}}', "500", "failed to load 'controlled', no version is available"),
]


@pytest.mark.parametrize(("files", "override", "status", "text"), MODEL_ERRORS)
def test_a_wrong_override_is_refused_and_the_model_goes_on(client, controlled, files, override, status, text):
    with pytest.raises(InferenceServerException) as error:
        client.load_model(controlled, config=override, files=files or None)
    assert error.value.status() == status
    assert error.value.message().startswith(text)
    simple_model.check(client.infer(controlled, simple_model.inputs()))


BODY_ERRORS = [
    ("load", "{", 500, "failed to parse the request JSON buffer"),
    ("load", '{"parameters":7}', 500, "Unable to parse 'parameters': attempt to access JSON non-object as object"),
    ("load", '{"parameters":{"x":"y"}}', 500, "unexpected error on creating Triton parameter"),
    ("load", '{"parameters":{"config":{}}}', 500, "Unable to parse 'config': attempt to access JSON non-string as string"),
    ("unload", '{"parameters":{"unload_dependents":"yes"}}', 500, "Unable to parse 'unload_dependents': attempt to access JSON non-boolean as boolean"),
]


@pytest.mark.parametrize(("action", "body", "status", "text"), BODY_ERRORS)
def test_a_wrong_body_is_refused(server, client, controlled, action, body, status, text):
    reply = server.post(f"/v2/repository/models/{controlled}/{action}", data=body)
    assert reply.status_code == status
    assert reply.json()["error"].startswith(text)
    assert client.is_model_ready(controlled)


def test_a_repository_cannot_be_named(server):
    for action in ("load", "unload"):
        reply = server.post(f"/v2/repository/here/models/simple/{action}")
        assert (reply.status_code, reply.json()["error"]) == (501, "'repository_name' specification is not supported")
    assert server.post("/v2/repository/here/index").status_code == 200


@pytest.mark.parametrize("name", ["a..b", "..", "...."])
def test_names_that_lead_out_are_refused(client, name):
    with pytest.raises(InferenceServerException) as error:
        client.load_model(name)
    text = f"invalid model name '{name}', model name must not contain path traversal characters"
    assert (error.value.status(), error.value.message()) == ("400", text)


def test_a_model_that_is_not_there(client):
    with pytest.raises(InferenceServerException) as error:
        client.load_model("nobody")
    assert error.value.status() == "500"
    assert error.value.message().startswith("failed to load 'nobody', failed to poll from model repository")


def test_an_override_for_a_name_the_repository_does_not_have(client, server):
    model = (pathlib.Path(server.repository) / "identity_fp32/1/model.onnx").read_bytes()
    client.load_model("from_memory", config='{"backend":"onnxruntime"}', files={"file:1/model.onnx": model})
    try:
        import tritonclient.http as triton

        shape = [1, 2]
        tensor = triton.InferInput("INPUT_FP32", shape, "FP32")
        tensor.set_data_from_numpy(numpy.array([[1, 2]], numpy.float32))
        result = client.infer("from_memory", [tensor])
        numpy.testing.assert_array_equal(result.as_numpy("OUTPUT_FP32"), [[1, 2]])
    finally:
        client.unload_model("from_memory")
