"""Which outputs come as JSON and which as bytes, and how the answer is laid out."""

import json

import pytest
import simple_model

PATH = "/v2/models/simple/infer"


def ask(server, **members):
    reply = server.post(PATH, json={"inputs": simple_model.json_inputs(), **members})
    assert reply.status_code == 200
    return reply


def split(reply):
    length = int(reply.headers["Inference-Header-Content-Length"])
    return json.loads(reply.content[:length]), reply.content[length:]


def test_json_is_the_default(server):
    reply = ask(server)
    assert reply.headers["Content-Type"] == "application/json"
    assert "Inference-Header-Content-Length" not in reply.headers
    assert [output["data"][:3] for output in reply.json()["outputs"]] == [[3, 4, 5], [-3, -2, -1]]


def test_binary_data_output_turns_all_outputs_binary_when_none_is_listed(server):
    reply = ask(server, parameters={"binary_data_output": True})
    assert reply.headers["Content-Type"] == "application/octet-stream"
    header, blobs = split(reply)
    assert [output["parameters"] for output in header["outputs"]] == [{"binary_data_size": 64}] * 2
    assert all("data" not in output for output in header["outputs"])
    assert len(blobs) == 128


def test_binary_data_output_does_not_touch_listed_outputs(server):
    reply = ask(server, parameters={"binary_data_output": True}, outputs=[{"name": "OUTPUT0"}])
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.json()["outputs"][0]["data"][0] == 3


@pytest.mark.parametrize("binary", [True, False])
def test_binary_data_of_a_listed_output_decides_for_it(server, binary):
    outputs = [{"name": "OUTPUT0"}, {"name": "OUTPUT1", "parameters": {"binary_data": binary}}]
    reply = ask(server, parameters={"binary_data_output": not binary}, outputs=outputs)
    if binary:
        header, blobs = split(reply)
        assert "data" in header["outputs"][0] and len(blobs) == 64
    else:
        assert all("data" in output for output in reply.json()["outputs"])


def test_an_empty_list_of_outputs_means_all(server):
    assert [output["name"] for output in ask(server, outputs=[]).json()["outputs"]] == ["OUTPUT0", "OUTPUT1"]


def test_outputs_come_in_the_model_s_order(server):
    outputs = [{"name": "OUTPUT1"}, {"name": "OUTPUT0"}]
    assert [output["name"] for output in ask(server, outputs=outputs).json()["outputs"]] == ["OUTPUT0", "OUTPUT1"]


def test_members_come_in_triton_s_order(server):
    reply = ask(server, id="x").json()
    assert list(reply) == ["id", "model_name", "model_version", "outputs"]
    assert list(reply["outputs"][0]) == ["name", "datatype", "shape", "data"]
    assert list(ask(server).json()) == ["model_name", "model_version", "outputs"]


def test_unknown_members_are_ignored_everywhere(server):
    inputs = simple_model.json_inputs(color="red")
    reply = server.infer("simple", {"inputs": inputs, "outputs": [{"name": "OUTPUT0", "x": [1, {"y": 2}]}], "z": None})
    assert reply.status_code == 200


def test_binary_outputs_without_bytes_leave_the_header_out(server):
    body = {
        "inputs": [{"name": "INPUT_FP32", "shape": [1, 0], "datatype": "FP32", "data": []}],
        "parameters": {"binary_data_output": True},
    }
    reply = server.infer("identity_fp32", body)
    assert reply.headers["Content-Type"] == "application/json"
    assert "Inference-Header-Content-Length" not in reply.headers
    assert reply.json()["outputs"][0]["parameters"] == {"binary_data_size": 0}
