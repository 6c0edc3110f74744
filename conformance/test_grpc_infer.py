"""Inference over gRPC with Triton's client: unary, asynchronous, compressed, typed contents and parameters."""

import asyncio
import queue
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import simple_model
import tritonclient.grpc as triton
import tritonclient.grpc.aio as triton_aio
from test_datatypes import CASES
from tritonclient.grpc import service_pb2, service_pb2_grpc
from tritonclient.utils import InferenceServerException

import grpc

WAIT = 30


def inputs(a=simple_model.A, b=simple_model.B):
    tensors = []
    for name, values in (("INPUT0", a), ("INPUT1", b)):
        tensor = triton.InferInput(name, list(values.shape), "INT32")
        tensor.set_data_from_numpy(values)
        tensors.append(tensor)
    return tensors


def test_all_outputs_with_id_and_version(grpc_client):
    result = grpc_client.infer("simple", inputs(), request_id="seven")
    simple_model.check(result)
    answer = result.get_response()
    assert (answer.id, answer.model_name, answer.model_version) == ("seven", "simple", "1")
    assert len(answer.raw_output_contents) == 2
    assert not answer.parameters


def test_only_the_outputs_asked_for(grpc_client):
    result = grpc_client.infer("simple", inputs(), outputs=[triton.InferRequestedOutput("OUTPUT1")])
    assert result.as_numpy("OUTPUT0") is None
    numpy.testing.assert_array_equal(result.as_numpy("OUTPUT1"), simple_model.A - simple_model.B)


@pytest.mark.parametrize("batch", [1, 2, 8])
def test_batches(grpc_client, batch):
    a = numpy.random.default_rng(batch).integers(-1000, 1000, (batch, 16), dtype=numpy.int32)
    b = a[::-1].copy()
    simple_model.check(grpc_client.infer("simple", inputs(a, b)), a, b)


@pytest.mark.parametrize("datatype", CASES)
def test_every_datatype_there_and_back(grpc_client, datatype):
    tensors = []
    for name, example in CASES.items():
        sent = example if name == datatype else example[:, :1]
        tensor = triton.InferInput(f"INPUT_{name}", list(sent.shape), name)
        tensor.set_data_from_numpy(sent)
        tensors.append(tensor)
    output = triton.InferRequestedOutput(f"OUTPUT_{datatype}")
    back = grpc_client.infer("identity", tensors, outputs=[output]).as_numpy(f"OUTPUT_{datatype}")
    numpy.testing.assert_array_equal(back, CASES[datatype])


@pytest.mark.parametrize("length", [0, 1, 4_095, 150_528, 2_000_000])
def test_tensors_of_every_size(grpc_client, length):
    values = numpy.arange(length, dtype=numpy.float32).reshape(1, length)
    tensor = triton.InferInput("INPUT_FP32", [1, length], "FP32")
    tensor.set_data_from_numpy(values)
    result = grpc_client.infer("identity_fp32", [tensor])
    numpy.testing.assert_array_equal(result.as_numpy("OUTPUT_FP32"), values)


@pytest.mark.parametrize("compression", ["gzip", "deflate", None])
def test_compressed_requests(grpc_client, compression):
    simple_model.check(grpc_client.infer("simple", inputs(), compression_algorithm=compression))


def test_async_infer_answers_every_request_with_its_own(grpc_client):
    answers = queue.Queue()
    for number in range(60):
        a = numpy.full((1, 16), number, dtype=numpy.int32)
        grpc_client.async_infer(
            "simple", inputs(a), callback=lambda result, error, a=a: answers.put((result, error, a)), request_id=str(number)
        )
    for _ in range(60):
        result, error, a = answers.get(timeout=WAIT)
        assert error is None
        simple_model.check(result, a)
        assert result.get_response().id == str(a[0, 0])


def test_threads_share_a_client(grpc_client):
    def work(thread):
        for turn in range(10):
            a = numpy.full((1 + turn % 4, 16), thread * 1000 + turn, dtype=numpy.int32)
            simple_model.check(grpc_client.infer("simple", inputs(a, a)), a, a)
        return thread

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == list(range(8))


def test_the_asyncio_client(grpc_address):
    async def work():
        async with triton_aio.InferenceServerClient(grpc_address) as own:
            assert await own.is_server_ready()
            arrays = [numpy.full((1, 16), number, dtype=numpy.int32) for number in range(40)]
            results = await asyncio.gather(*(own.infer("simple", inputs(a)) for a in arrays))
            for a, result in zip(arrays, results):
                simple_model.check(result, a)

    asyncio.run(work())


def test_priority_timeout_and_own_parameters_are_accepted(grpc_client):
    own = {"who": "me", "n": 3, "yes": True, "share": 0.5}
    result = grpc_client.infer("simple", inputs(), priority=2, timeout=5_000_000, parameters=own)
    simple_model.check(result)


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_version_can_be_named(grpc_client, version):
    image = triton.InferInput("image", [1, 1, 28, 28], "FP32")
    image.set_data_from_numpy(numpy.zeros((1, 1, 28, 28), numpy.float32))
    assert grpc_client.infer("digits_cnn", [image], model_version=version).get_response().model_version == version


def test_classes_instead_of_numbers(grpc_client):
    image = triton.InferInput("image", [2, 784], "FP32")
    image.set_data_from_numpy(numpy.zeros((2, 784), numpy.float32))
    wanted = triton.InferRequestedOutput("probabilities", class_count=3)
    classes = grpc_client.infer("mnist", [image], outputs=[wanted]).as_numpy("probabilities")
    assert classes.shape == (2, 3)
    value, index, label = classes[0][0].decode().split(":")
    assert 0 <= float(value) <= 1 and 0 <= int(index) <= 9 and label


def test_typed_contents_count_as_raw_ones(grpc_address):
    request = service_pb2.ModelInferRequest(model_name="simple", id="typed")
    for name, values in (("INPUT0", simple_model.A), ("INPUT1", simple_model.B)):
        tensor = request.inputs.add(name=name, datatype="INT32", shape=values.shape)
        tensor.contents.int_contents.extend(values.flatten().tolist())
    with grpc.insecure_channel(grpc_address) as channel:
        answer = service_pb2_grpc.GRPCInferenceServiceStub(channel).ModelInfer(request, timeout=WAIT)
    numpy.testing.assert_array_equal(
        numpy.frombuffer(answer.raw_output_contents[0], numpy.int32), (simple_model.A + simple_model.B)[0]
    )
    assert not answer.outputs[0].HasField("contents")


def test_a_deadline_that_passes_is_the_clients_own(grpc_client):
    # 40 MB cannot be there and back in a millisecond; a small request may be.
    tensor = triton.InferInput("INPUT_FP32", [1, 10_000_000], "FP32")
    tensor.set_data_from_numpy(numpy.zeros((1, 10_000_000), numpy.float32))
    with pytest.raises(InferenceServerException) as caught:
        grpc_client.infer("identity_fp32", [tensor], client_timeout=0.001)
    assert caught.value.status() == "StatusCode.DEADLINE_EXCEEDED"
    simple_model.check(grpc_client.infer("simple", inputs()))
