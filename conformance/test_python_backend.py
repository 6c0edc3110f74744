"""Python models by Triton's client (backends.md §2)."""

import json

import numpy
import pytest
import requests
from python_models import python_model, source
from scheduling_models import Stream, eventually, is_final, one
from tritonclient.utils import InferenceServerException

NAMES = (
    "add_sub",
    "auto_complete",
    "repeat",
    "bls_sync",
    "bls_async",
    "bls_decoupled",
    "custom_metrics",
    "errors",
    "parameters",
    "dlpack",
    "cancellation",
    "preprocess",
    "strings",
    "iterative",
    "readiness",
    "manages",
)
PREFIX = "Failed to process the request(s) for model "


@pytest.fixture(scope="module", autouse=True)
def loaded(models):
    for name in NAMES:
        models.load(name, python_model(name))


def texts(*values):
    return numpy.array(values, dtype=object)


def vectors(left, right):
    return {"LEFT": numpy.array([left], numpy.float32), "RIGHT": numpy.array([right], numpy.float32)}


def test_s2_sum_and_difference(caller):
    result = caller.infer("add_sub", vectors([1, 2, 3, 4], [4, 3, 2, 1]))
    assert result.as_numpy("SUM").tolist() == [[5, 5, 5, 5]]
    assert result.as_numpy("DIFFERENCE").tolist() == [[-3, -1, 1, 3]]


def test_s2_many_at_once_are_answered_each_with_its_own(caller):
    futures = [caller.start("add_sub", vectors([number] * 4, [1] * 4)) for number in range(40)]
    assert [future.result(30).as_numpy("SUM")[0, 0] for future in futures] == [number + 1 for number in range(40)]


def test_s4_outputs_that_were_not_asked_for_are_dropped(caller):
    result = caller.infer("errors", {"WAY": texts("ok").reshape(1, 1)}, outputs=["SAID"])
    assert result.as_numpy("SAID").tolist() == [[b"ok"]]
    assert result.as_numpy("UNASKED") is None


def test_s4_outputs_that_were_not_made_are_absent(caller):
    assert caller.infer("errors", {"WAY": texts("missing").reshape(1, 1)}).as_numpy("SAID") is None


def test_s1_auto_complete_is_seen_in_the_configuration(client):
    config = client.get_model_config("auto_complete")
    assert config["max_batch_size"] == 16
    assert [entry["name"] for entry in config["input"]] == ["X", "BIAS"]
    assert config["input"][1]["optional"] is True
    assert "dynamic_batching" in config


@pytest.mark.parametrize("bias", [None, 5])
def test_s1_optional_inputs(caller, bias):
    arrays = {"X": numpy.array([[1, 2]], numpy.float32)}
    if bias is not None:
        arrays["BIAS"] = numpy.array([[bias]], numpy.float32)
    expected = [[2 + (bias or 0), 4 + (bias or 0)]]
    assert caller.infer("auto_complete", arrays).as_numpy("Y").tolist() == expected


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            'c.add_input({"name": "A", "data_type": "TYPE_FP32", "dims": [1], "x": 1})',
            "input 'A' in auto-complete-config function for model 'completing' contains property other than 'name', 'data_type', 'dims' and 'optional'.",
        ),
        (
            'c.add_output({"name": "A", "data_type": "TYPE_FP32", "dims": [1], "optional": True})',
            "output 'A' in auto-complete-config function for model 'completing' contains property other than 'name', 'data_type' and 'dims'.",
        ),
        ('c.add_input({"data_type": "TYPE_FP32", "dims": [1]})', "input in auto-complete-config function for model 'completing' is missing 'name' property."),
        ('c.add_input({"name": "A", "dims": [1]})', "input 'A' in auto-complete-config function for model 'completing' is missing 'data_type' property."),
        ('c.add_output({"name": "A", "data_type": "TYPE_FP32"})', "output 'A' in auto-complete-config function for model 'completing' is missing 'dims' property."),
        (
            'c.add_input({"name": "IN", "data_type": "TYPE_INT8", "dims": [4]})',
            "unable to load model 'completing', configuration expects datatype TYPE_FP32 for input 'IN', model provides TYPE_INT8",
        ),
        (
            'c.add_input({"name": "IN", "data_type": "TYPE_FP32", "dims": [4, 2]})',
            "model 'completing', tensor 'IN': the model expects dims [4, 2] but the model configuration specifies dims [4]",
        ),
        (
            "c.set_max_batch_size(1)",
            "configuration specified max_batch_size 2, but in auto-complete-config function for model 'completing' specified max_batch_size 1",
        ),
        (
            'c.set_model_transaction_policy({"x": True})',
            "model transaction property in auto-complete-config function for model 'completing' contains property other than 'decoupled'.",
        ),
        ("return None", "auto_complete_config function in model 'completing' must return a valid pb.ModelConfig object."),
    ],
)
def test_s2_refusals_of_the_configuration_helper(models, body, text):
    config = (
        "max_batch_size: 2\n"
        'input [ { name: "IN" data_type: TYPE_FP32 dims: [ 4 ] } ]\noutput [ { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] } ]\n'
    )
    model = f"class TritonPythonModel:\n    @staticmethod\n    def auto_complete_config(c):\n        {body}\n        return c\n"
    assert text in models.refusal("completing", source(config, model))[1]


def test_s3_what_a_model_knows_of_a_request_and_of_itself(caller):
    options = {"request_id": "mine", "sequence_id": 7, "sequence_start": True, "sequence_end": True, "timeout": 9_000_000}
    result = caller.infer("parameters", {"IN": numpy.array([1], numpy.int8)}, parameters={"n": 3, "t": "x", "f": False}, **options)
    about = json.loads(result.as_numpy("ABOUT")[0])
    instance = about.pop("instance")
    assert instance in ("parameters_0_0", "parameters_0_1")
    assert about == {
        "id": "mine",
        "correlation": 7,
        "flags": 3,
        "timeout": 9_000_000,
        "parameters": {"n": 3, "t": "x", "f": False},
        "outputs": ["ABOUT"],
        "greeting": "hello",
        "kind": "CPU",
        "device": "0",
        "version": "1",
        "name": "parameters",
        "files": ["1", "config.pbtxt"],
        "directory": "1",
    }


def test_s3_correlation_ids_may_be_texts(caller):
    arrays = {"IN": numpy.array([1], numpy.int8)}
    about = json.loads(caller.infer("parameters", arrays, sequence_id="abc", sequence_start=True).as_numpy("ABOUT")[0])
    assert (about["correlation"], about["flags"]) == ("abc", 1)


def test_s4_response_parameters(server):
    body = {"inputs": [{"name": "IN", "datatype": "INT8", "shape": [1], "data": [1]}]}
    reply = server.infer("parameters", body).json()
    assert reply["parameters"] == {"text": "a", "number": 7, "flag": True, "half": 0.5}


@pytest.mark.parametrize(
    "kind", ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
)
def test_s3_every_type_through_dlpack(caller, kind):
    wire = {"bool": "BOOL", "float16": "FP16", "float32": "FP32", "float64": "FP64"}.get(kind, kind.upper())
    values = numpy.array([0, 1, 1, 0, 1], kind)
    result = caller.infer("dlpack", {f"IN_{wire}": values}, outputs=[f"OUT_{wire}"])
    assert result.as_numpy(f"OUT_{wire}").tolist() == values.tolist()


def test_s3_bf16_by_dlpack_alone(server):
    bits = numpy.array([0x3F80, 0x4000, 0xC040], numpy.uint16).tobytes()
    header = json.dumps(
        {
            "inputs": [{"name": "IN_BF16", "datatype": "BF16", "shape": [3], "parameters": {"binary_data_size": len(bits)}}],
            "outputs": [{"name": "OUT_BF16", "parameters": {"binary_data": True}}],
        }
    ).encode()
    reply = server.post(
        "/v2/models/dlpack/infer", data=header + bits, headers={"Inference-Header-Content-Length": str(len(header))}
    )
    assert reply.status_code == 200, reply.text
    length = int(reply.headers["Inference-Header-Content-Length"])
    assert json.loads(reply.content[:length])["outputs"][0]["datatype"] == "BF16"
    assert reply.content[length:] == bits


def test_s3_texts_are_bytes_and_come_back_as_bytes_or_texts(caller):
    result = caller.infer("strings", {"IN": texts("grün".encode(), b"\x00x").reshape(1, 2)}, outputs=["SAME", "UPPER"])
    assert result.as_numpy("SAME").tolist() == [["grün".encode(), b"\x00x"]]
    assert result.as_numpy("UPPER").tolist() == [["GRÜN".encode(), b"\x00X"]]


def test_s3_a_model_may_change_and_keep_its_inputs_and_import_what_lies_beside_it(caller):
    def picture(scale):
        arrays = {"PICTURE": texts(b"P2\n2 1\n255\n1 2").reshape(1, 1), "SCALE": numpy.array([[scale]], numpy.float32)}
        result = caller.infer("preprocess", arrays)
        return result.as_numpy("PIXELS").tolist(), result.as_numpy("FIRST")[0, 0]

    first = picture(3)[1]
    assert picture(5) == ([[[10], [20]]], first)


@pytest.mark.parametrize("code", ["INTERNAL", "NOT_FOUND", "INVALID_ARG", "UNAVAILABLE", "UNSUPPORTED", "ALREADY_EXISTS", "CANCELLED", "UNKNOWN"])
def test_s3_error_codes_of_responses(callers, code):
    status, text = callers["grpc"].refusal("errors", {"WAY": texts(f"code:{code}").reshape(1, 1)})
    wire = {"INVALID_ARG": "INVALID_ARGUMENT", "UNSUPPORTED": "UNIMPLEMENTED"}.get(code, code)
    assert f"told {code}" in text
    assert wire in str(status)


@pytest.mark.parametrize(
    ("way", "text"),
    [
        ("all:raise", "ValueError: no good\n\nAt:\n"),
        ("all:model_exception", "own exception"),
        (
            "all:count",
            "Number of InferenceResponse objects do not match the number of InferenceRequest objects. "
            "InferenceRequest(s) size is:1, and InferenceResponse(s) size is:0",
        ),
        ("all:no_list", "Expected a list in the execute return, found type '<class 'str'>'."),
        ("all:element", "Expected an 'InferenceResponse' object in the execute function return list, found type '<class 'int'>'."),
        ("all:memory", "MemoryError"),
    ],
)
def test_s4_outcomes_of_execute(caller, way, text):
    status, told = caller.refusal("errors", {"WAY": texts(way).reshape(1, 1)})
    assert status == "INTERNAL"
    assert PREFIX in told
    assert text in told
    assert caller.infer("errors", {"WAY": texts("ok").reshape(1, 1)}).as_numpy("SAID").tolist() == [[b"ok"]]


# --- decoupled


@pytest.mark.parametrize("count", [0, 1, 5, 300])
def test_s4_decoupled_answers_from_a_thread(stream, count):
    stream.send("repeat", {"COUNT": numpy.array([count], numpy.int32)}, enable_empty_final_response=True)
    results = [stream.next() for _ in range(count + 1)]
    assert [one(result, "INDEX") for result in results[:-1]] == list(range(count))
    assert [is_final(result) for result in results] == [False] * count + [True]


def test_s4_decoupled_error_ends_a_request(stream):
    stream.send("repeat", {"COUNT": numpy.array([2], numpy.int32)}, parameters={"fail": "ran dry"})
    assert [one(stream.next(), "INDEX") for _ in range(2)] == [0, 1]
    assert "ran dry" in stream.next_error()


def test_s4_decoupled_requests_of_several_streams(grpc_address):
    streams = [Stream(grpc_address) for _ in range(3)]
    try:
        for each in streams:
            each.send("repeat", {"COUNT": numpy.array([30], numpy.int32)}, enable_empty_final_response=True)
        for each in streams:
            assert [one(each.next(), "INDEX") for _ in range(30)] == list(range(30))
            assert is_final(each.next())
    finally:
        for each in streams:
            each.__exit__()


def test_s3_cancelled_request_is_told(callers, tmp_path):
    note = tmp_path / "note"
    client = callers["grpc"].client()
    module = callers["grpc"].module
    tensor = module.InferInput("IN", [1], "INT8")
    tensor.set_data_from_numpy(numpy.array([1], numpy.int8))
    call = client.async_infer("cancellation", [tensor], lambda result, error: None, parameters={"note": str(note)})
    eventually((tmp_path / "note.started").exists, "the execution")
    call.cancel()
    eventually(lambda: note.exists() and note.read_text() != "", "the end of the execution")
    assert note.read_text() == "cancelled"


def test_s4_iterative_sequences(caller):
    turns = {"TURNS": numpy.array([[5]], numpy.int32)}
    result = caller.infer("iterative", turns, sequence_id=11, sequence_start=True, sequence_end=True)
    assert result.as_numpy("DONE").tolist() == [[5]]


# --- calls of other models


def values(*numbers):
    return numpy.array([numbers], numpy.float32)


def test_s5_exec_chained(caller):
    result = caller.infer("bls_sync", {"TARGET": texts("add_sub"), "VALUES": values(1, 2, 3, 4)})
    assert result.as_numpy("RESULT").tolist() == [[21, 22, 23, 24]]
    assert result.as_numpy("NAMES").tolist() == [[b"DIFFERENCE", b"SUM"]]


def test_s5_target_that_is_not_ready_is_an_error_of_the_response(caller):
    _, text = caller.refusal("bls_sync", {"TARGET": texts("nowhere"), "VALUES": values(1, 2, 3, 4)})
    assert "inner: Failed for execute the inference request. Model 'nowhere' is not ready." in text


def test_s5_async_exec(caller):
    result = caller.infer("bls_async", {"VALUES": values(1, 2, 3, 4)})
    assert result.as_numpy("RESULT").tolist() == [[101, 102, 103, 104], [201, 202, 203, 204], [301, 302, 303, 304]]


@pytest.mark.parametrize(("mode", "seen"), [(0, 40), (1, 40), (2, 3)])
def test_s5_decoupled_exec(caller, mode, seen):
    arrays = {"MODE": numpy.array([mode], numpy.int32), "COUNT": numpy.array([40], numpy.int32)}
    result = caller.infer("bls_decoupled", arrays)
    assert (one(result, "SEEN"), one(result, "TOTAL")) == (seen, sum(range(seen)))


def test_s5_decoupled_target_needs_the_flag(caller):
    arrays = {"MODE": numpy.array([3], numpy.int32), "COUNT": numpy.array([1], numpy.int32)}
    assert "Please use 'decoupled=True' argument to the 'exec' or 'async_exec' calls" in caller.refusal("bls_decoupled", arrays)[1]


def test_s5_only_in_execute(models):
    model = (
        "import numpy\nimport triton_python_backend_utils as pb_utils\nclass TritonPythonModel:\n    def initialize(self, args):\n"
        "        tensor = pb_utils.Tensor('LEFT', numpy.zeros((1, 4), numpy.float32))\n"
        "        pb_utils.InferenceRequest(model_name='add_sub', requested_output_names=['SUM'], inputs=[tensor]).exec()\n"
    )
    config = 'max_batch_size: 0\ninput [ { name: "A" data_type: TYPE_FP32 dims: [ 1 ] } ]\noutput [ { name: "B" data_type: TYPE_FP32 dims: [ 1 ] } ]'
    assert "BLS is only supported during the 'execute' function." in models.refusal("early", source(config, model))[1]


def test_s3_models_manage_models(caller):
    def ask(what):
        return bool(one(caller.infer("manages", {"WHAT": texts(what), "NAME": texts("strings")}), "READY"))

    assert [ask("unload"), ask("ask"), ask("load"), ask("ask")] == [False, False, True, True]


# --- metrics, readiness


def test_s3_custom_metrics(caller, server):
    def page():
        return requests.get(server.metrics, timeout=30).text

    before = one(caller.infer("custom_metrics", {"TEXT": texts("a")}), "SEEN")
    after = one(caller.infer("custom_metrics", {"TEXT": texts("ab", "abcdefghij")}), "SEEN")
    assert after == before + 2
    assert f'texts_seen_total{{model="custom_metrics",version="1"}} {int(after)}' in page()
    assert 'texts_longest{model="custom_metrics"} 10' in page()
    assert 'texts_length_bucket{model="custom_metrics",le="+Inf"}' in page()


def test_s1_is_ready(caller, client, grpc_client):
    def say(ready):
        caller.infer("readiness", {"READY": numpy.array([ready])})
        return client.is_model_ready("readiness"), grpc_client.is_model_ready("readiness")

    assert (say(False), say(True)) == ((False, False), (True, True))


def test_s1_a_failing_initialize_is_the_reason_of_the_load(client, models):
    config = 'max_batch_size: 0\ninput [ { name: "A" data_type: TYPE_FP32 dims: [ 1 ] } ]\noutput [ { name: "B" data_type: TYPE_FP32 dims: [ 1 ] } ]'
    model = "class TritonPythonModel:\n    def initialize(self, args):\n        raise ValueError('no weights')\n"
    assert "ValueError: no weights" in models.refusal("failing", source(config, model))[1]
    with pytest.raises(InferenceServerException):
        client.get_model_metadata("failing")
