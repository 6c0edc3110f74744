"""Sequence parameters, priority and cancellation as Triton's client sends them, on models that schedule no sequences."""

import threading

import numpy
import pytest
import simple_model
import tritonclient.grpc as grpc
from tritonclient.utils import InferenceServerException

SEQUENCES = [
    {"sequence_id": 7, "sequence_start": True},
    {"sequence_id": 2**62, "sequence_end": True},
    {"sequence_id": "by name", "sequence_start": True, "sequence_end": True},
    {"priority": 3, "timeout": 5_000_000},
]


def grpc_inputs():
    for name, values in (("INPUT0", simple_model.A), ("INPUT1", simple_model.B)):
        tensor = grpc.InferInput(name, list(values.shape), "INT32")
        tensor.set_data_from_numpy(values)
        yield tensor


@pytest.mark.parametrize("given", SEQUENCES, ids=str)
def test_http_takes_them(client, given):
    simple_model.check(client.infer("simple", simple_model.inputs(), **given))


@pytest.mark.parametrize("given", SEQUENCES, ids=str)
def test_grpc_takes_them(grpc_client, given):
    simple_model.check(grpc_client.infer("simple", list(grpc_inputs()), **given))


def test_an_async_call_that_is_cancelled_says_so_and_the_next_is_answered(grpc_client):
    large = numpy.zeros((1, 5_000_000), numpy.float32)
    tensor = grpc.InferInput("INPUT_FP32", list(large.shape), "FP32")
    tensor.set_data_from_numpy(large)
    done = threading.Event()
    seen = []

    def note(result, error):
        seen.append(error)
        done.set()

    grpc_client.async_infer("identity_fp32", [tensor], note).cancel()
    assert done.wait(20)
    assert isinstance(seen[0], InferenceServerException)
    assert seen[0].status() == "StatusCode.CANCELLED"
    simple_model.check(grpc_client.infer("simple", list(grpc_inputs())))
