"""One list of questions, asked over HTTP as JSON, HTTP with binary tensors, and gRPC; the TypeScript SDK is asked the same elsewhere."""

import json
import os
from pathlib import Path

import numpy
import pytest
import tritonclient.grpc as grpc
import tritonclient.http as http
from tritonclient.utils import InferenceServerException, triton_to_np_dtype

QUESTIONS = json.loads((Path(__file__).parent / "questions.json").read_text())
TYPES = ["BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FP16", "FP32", "FP64", "BYTES"]
WAYS = ["http-json", "http-binary", "grpc"]


@pytest.fixture(scope="module")
def clients():
    with http.InferenceServerClient(os.environ["NEREID_URL"]) as over_http:
        with grpc.InferenceServerClient(os.environ["NEREID_GRPC_ADDRESS"]) as over_grpc:
            yield {"http-json": over_http, "http-binary": over_http, "grpc": over_grpc}


def values(datatype, data):
    if isinstance(data, dict):
        ((kind, (first, count)),) = data.items()
        data = [first + step for step in range(count)] if kind == "range" else [first] * count
    if datatype == "BYTES":
        return numpy.array([text.encode() for text in data], object)
    if datatype in ("INT64", "UINT64"):
        data = [int(text) for text in data]
    return numpy.array(data, triton_to_np_dtype(datatype))


def tensors(question, way):
    given = list(question["inputs"])
    if question.get("others"):
        batch = given[0]["shape"][0]
        there = {tensor["name"] for tensor in given}
        for datatype in TYPES:
            if f"INPUT_{datatype}" in there:
                continue
            zero = "" if datatype == "BYTES" else False if datatype == "BOOL" else "0" if datatype.endswith("64") and datatype != "FP64" else 0
            given.append({"name": f"INPUT_{datatype}", "datatype": datatype, "shape": [batch, 1], "data": [zero] * batch})
    for tensor in given:
        array = values(tensor["datatype"], tensor["data"]).reshape(tensor["shape"] or [0])
        if way == "grpc":
            made = grpc.InferInput(tensor["name"], list(array.shape), tensor["datatype"])
            made.set_data_from_numpy(array)
        else:
            made = http.InferInput(tensor["name"], list(array.shape), tensor["datatype"])
            made.set_data_from_numpy(array, binary_data=way == "http-binary" or tensor["datatype"] == "FP16")
        if not tensor["shape"]:
            made.set_shape([])
        yield made


def ask(question, way, client):
    module = grpc if way == "grpc" else http
    extra = {} if way == "grpc" else {"binary_data": way == "http-binary" or question.get("notJson", False)}
    outputs = [
        module.InferRequestedOutput(wish["name"], class_count=wish.get("classification", 0), **extra)
        for wish in question.get("outputs", [])
    ]
    if not outputs and way == "http-json":
        outputs = [module.InferRequestedOutput(wish["name"], **extra) for wish in question["expect"].get("outputs", [])]
    return client.infer(
        question["model"],
        list(tensors(question, way)),
        model_version=question.get("version", ""),
        outputs=outputs or None,
        request_id=question.get("id", ""),
        priority=question.get("priority", 0),
        timeout=question.get("timeoutMicroseconds"),
        parameters=question.get("parameters"),
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("question", QUESTIONS, ids=[question["name"] for question in QUESTIONS])
def test_question(clients, question, way):
    expect = question["expect"]
    if "error" in expect:
        with pytest.raises(InferenceServerException) as caught:
            ask(question, way, clients[way])
        error = expect["error"]
        status = f"StatusCode.{error['grpc']}" if way == "grpc" else str(error["http"])
        assert caught.value.status() == status
        text = caught.value.message()
        assert text.startswith(error["text"]) if error.get("prefix") else text == error["text"]
        return
    result = ask(question, way, clients[way])
    answer = result.get_response() if way != "grpc" else None
    if "id" in expect:
        assert (answer["id"] if answer else result.get_response().id) == expect["id"]
    if "version" in expect:
        assert (answer["model_version"] if answer else result.get_response().model_version) == expect["version"]
    names = [output["name"] for output in answer["outputs"]] if answer else [o.name for o in result.get_response().outputs]
    assert names == [output["name"] for output in expect["outputs"]]
    for output in expect["outputs"]:
        wanted = values(output["datatype"], output["data"]).reshape(output["shape"])
        got = result.as_numpy(output["name"])
        if wanted.size == 0:
            assert got is None or got.size == 0
            continue
        assert list(got.shape) == output["shape"]
        if output["datatype"] == "BYTES":
            got = numpy.array([item if isinstance(item, bytes) else item.encode() for item in got.flatten()], object)
            assert list(got) == list(wanted.flatten())
        else:
            assert got.dtype == wanted.dtype
            numpy.testing.assert_array_equal(got, wanted)
