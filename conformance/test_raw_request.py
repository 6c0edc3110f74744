"""Requests whose body is the tensor itself (Inference-Header-Content-Length: 0), which Triton's client cannot send."""

import json

import numpy
import pytest

HEADER = {"Inference-Header-Content-Length": "0"}


def tensor(reply):
    length = int(reply.headers["Inference-Header-Content-Length"])
    header = json.loads(reply.content[:length])
    return header["outputs"][0], numpy.frombuffer(reply.content[length:], numpy.float32)


@pytest.mark.parametrize("elements", [1, 7, 5000])
def test_the_variable_dimension_follows_from_the_size(server, elements):
    sent = numpy.arange(elements, dtype=numpy.float32)
    reply = server.post("/v2/models/identity_fp32/infer", data=sent.tobytes(), headers=HEADER)
    assert reply.status_code == 200
    output, values = tensor(reply)
    assert output["shape"] == [1, elements]
    numpy.testing.assert_array_equal(values, sent)


def test_a_fixed_shape_takes_exactly_its_bytes(server):
    reply = server.post("/v2/models/mnist/infer", data=bytes(784 * 4), headers=HEADER)
    output, values = tensor(reply)
    assert output["shape"] == [1, 10]
    assert abs(values.sum() - 1) < 1e-5


@pytest.mark.parametrize(
    ("model", "size", "part"),
    [
        ("mnist", 783 * 4, "input byte size mismatch for input 'image' for model 'mnist'. Expected 3136, got 3132"),
        ("simple", 64, "Raw request must only have 1 input (found 1) to be deduced but got 2 inputs in 'simple'"),
    ],
)
def test_what_does_not_fit_is_refused(server, model, size, part):
    reply = server.post(f"/v2/models/{model}/infer", data=bytes(size), headers=HEADER)
    assert reply.status_code == 400
    assert part in reply.json()["error"]
