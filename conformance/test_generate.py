"""generate and generate_stream, which Triton's client does not speak."""

import json

import pytest

PATH = "/v2/models/{}/generate{}"


def generate(server, model, body, stream=False, **rest):
    path = PATH.format(model, "_stream" if stream else "")
    return server.post(path, **({"json": body} if not isinstance(body, (str, bytes)) else {"data": body}), **rest)


def test_one_value_becomes_a_tensor_and_comes_back_as_one(server):
    reply = generate(server, "identity_fp32", {"INPUT_FP32": 0.5})
    assert reply.status_code == 200
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["Transfer-Encoding"] == "chunked"
    assert reply.text == '{"OUTPUT_FP32":0.5,"model_name":"identity_fp32","model_version":"1"}'


def test_lists_are_flat_on_both_sides(server):
    reply = generate(server, "simple", {"INPUT0": list(range(16)), "INPUT1": [1] * 16})
    body = reply.json()
    assert body["OUTPUT0"] == [value + 1 for value in range(16)]
    assert body["OUTPUT1"] == [value - 1 for value in range(16)]
    assert list(body) == ["OUTPUT0", "OUTPUT1", "model_name", "model_version"]


def test_a_batch_is_filled_from_the_inside(server):
    reply = generate(server, "simple", {"INPUT0": [2] * 48, "INPUT1": [1] * 48})
    assert reply.json()["OUTPUT0"] == [3] * 48


def test_the_id_comes_back_and_other_keys_are_parameters(server):
    body = {"id": "q1", "INPUT_FP32": [1, 2], "temperature": 0.7, "stream": False, "n": 3, "stop": "x"}
    assert generate(server, "identity_fp32", body).json()["id"] == "q1"


def test_nested_parameters_are_looked_into(server):
    reply = generate(server, "identity_fp32", {"parameters": {"INPUT_FP32": [1, 2], "max_tokens": 5}})
    assert reply.json()["OUTPUT_FP32"] == [1.0, 2.0]


def test_controls_are_ordinary_parameters_here(server):
    body = {"INPUT_FP32": 1, "priority": "high", "timeout": -1, "sequence_id": True, "triton_x": "y"}
    assert generate(server, "identity_fp32", body).status_code == 200


def test_a_version_may_be_named(server):
    reply = generate(server, "identity_fp32/versions/1", {"INPUT_FP32": 1})
    assert reply.json()["model_version"] == "1"


def test_the_answer_is_never_compressed(server):
    reply = generate(server, "identity_fp32", {"INPUT_FP32": 1}, headers={"Accept-Encoding": "gzip, deflate"})
    assert "Content-Encoding" not in reply.headers


def test_a_stream_is_events(server):
    reply = generate(server, "identity_fp32", {"INPUT_FP32": [1, 2]}, stream=True)
    assert reply.status_code == 200
    assert reply.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    events = [part for part in reply.text.split("\n\n") if part]
    assert len(events) == 1
    assert json.loads(events[0].removeprefix("data: "))["OUTPUT_FP32"] == [1.0, 2.0]
    assert "[DONE]" not in reply.text


def test_special_numbers(server):
    reply = generate(server, "identity_fp32", '{"INPUT_FP32":[NaN,Infinity,-Infinity,-0.0]}')
    assert '"OUTPUT_FP32":[NaN,Infinity,-Infinity,-0.0]' in reply.text


ERRORS = [
    # model, body, status, text or its beginning
    ("nobody", {}, 404, "Request for unknown model: 'nobody' is not found"),
    ("simple/versions/9", {}, 404, "Request for unknown model: 'simple' version 9 is not found"),
    ("simple", "{", 500, "failed to parse the request JSON buffer"),
    ("simple", "", 500, "failed to parse the request JSON buffer"),
    ("simple", {"INPUT0": [1] * 15, "INPUT1": [1] * 16}, 400, "The schema can not convert input 'INPUT0' to tensor with proper shape"),
    ("simple", {"INPUT0": 1, "INPUT1": 1}, 400, "The schema can not convert input 'INPUT0' to tensor with proper shape"),
    ("simple", {"INPUT0": [1.5] * 16, "INPUT1": [1] * 16}, 500, "Unable to parse 'data'"),
    ("simple", {"INPUT0": ["1"] * 16, "INPUT1": [1] * 16}, 500, "Unable to parse 'data'"),
    ("simple", {"INPUT0": [1] * 16}, 400, "[request id: <id_unknown>] expected 2 inputs but got 1 inputs for model 'simple'"),
    ("simple", {"id": "q", "INPUT0": [1] * 16}, 400, "[request id: q] expected 2 inputs but got 1 inputs for model 'simple'"),
    ("identity_fp32", {"INPUT_FP32": [[1, 2], [3, 4]]}, 500, "Unable to parse 'data'"),
    ("identity_fp32", {"INPUT_FP32": 1, "list": [1]}, 400, "parameter 'list' has invalid type. It should be either 'int', 'bool', or 'string'."),
    ("identity_fp32", {"INPUT_FP32": 1, "object": {}}, 400, "parameter 'object' has invalid type."),
    ("identity_fp32", {"INPUT_FP32": 1, "nothing": None}, 400, "parameter 'nothing' has invalid type."),
    ("identity_fp32", {"parameters": [1]}, 500, "Expected JSON object for keyword: 'parameters'"),
    ("identity_fp32", {"INPUT_FP32": 1, "parameters": {"INPUT_FP32": 1}}, 400, "input 'INPUT_FP32' already exists in request"),
    ("identity", {"INPUT_FP16": 1}, 400, "receiving FP16 data via JSON is not supported. Please use the binary data format for input INPUT_FP16"),
]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("model", "body", "status", "text"), ERRORS)
def test_what_fails_before_the_inference_is_plain_json(server, stream, model, body, status, text):
    reply = generate(server, model, body, stream=stream)
    assert reply.status_code == status
    assert reply.json()["error"].startswith(text) or text in reply.json()["error"]
    assert reply.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("stream", [False, True])
def test_a_compressed_request_is_refused(server, stream):
    reply = generate(server, "simple", b"x", stream=stream, headers={"Content-Encoding": "gzip"})
    text = "Unsupported content-encoding, only 'identity' is supported."
    assert (reply.status_code, reply.json()) == (400, {"error": text})


@pytest.mark.parametrize("stream", [False, True])
def test_only_post(server, stream):
    reply = server.get(PATH.format("simple", "_stream" if stream else ""))
    assert (reply.status_code, reply.json()) == (405, {"error": "Method Not Allowed"})
