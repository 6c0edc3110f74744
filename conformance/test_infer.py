"""Inference through Triton's client: JSON, binary, mixed; one after another, asynchronous, side by side."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import simple_model
import tritonclient.http as triton
import tritonclient.http.aio as triton_aio
from conftest import ADDRESS

FORMS = [(True, True), (False, False), (True, False), (False, True)]


@pytest.mark.parametrize("binary_in", FORMS, ids=str)
@pytest.mark.parametrize("binary_out", [*FORMS, None], ids=str)
def test_every_mix_of_json_and_binary_gives_the_same_answer(client, binary_in, binary_out):
    outputs = None
    if binary_out is not None:
        outputs = [
            triton.InferRequestedOutput(f"OUTPUT{index}", binary_data=binary) for index, binary in enumerate(binary_out)
        ]
    result = client.infer("simple", simple_model.inputs(binary=binary_in), outputs=outputs, request_id="mix-1")
    simple_model.check(result)
    answer = result.get_response()
    assert (answer["id"], answer["model_name"], answer["model_version"]) == ("mix-1", "simple", "1")


def test_only_the_outputs_asked_for_are_answered(client):
    result = client.infer("simple", simple_model.inputs(), outputs=[triton.InferRequestedOutput("OUTPUT1")])
    assert result.as_numpy("OUTPUT0") is None
    numpy.testing.assert_array_equal(result.as_numpy("OUTPUT1"), simple_model.A - simple_model.B)


@pytest.mark.parametrize("batch", [1, 2, 8])
def test_batches(client, batch):
    a = numpy.random.default_rng(batch).integers(-1000, 1000, (batch, 16), dtype=numpy.int32)
    b = a[::-1].copy()
    simple_model.check(client.infer("simple", simple_model.inputs(a, b)), a, b)


def test_async_infer_answers_every_request_with_its_own(client):
    asked = []
    for number in range(60):
        a = numpy.full((1, 16), number, dtype=numpy.int32)
        asked.append((a, client.async_infer("simple", simple_model.inputs(a), request_id=str(number))))
    for number, (a, pending) in enumerate(asked):
        result = pending.get_result(timeout=30)
        simple_model.check(result, a)
        assert result.get_response()["id"] == str(number)


def test_threads_with_clients_of_their_own_do_not_mix(client):
    def work(thread):
        with triton.InferenceServerClient(ADDRESS) as own:
            for turn in range(20):
                a = numpy.full((1 + turn % 4, 16), thread * 1000 + turn, dtype=numpy.int32)
                simple_model.check(own.infer("simple", simple_model.inputs(a, a)), a, a)
        return thread

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(work, range(16))) == list(range(16))


def test_the_asyncio_client_works_side_by_side():
    async def work():
        async with triton_aio.InferenceServerClient(ADDRESS) as own:
            arrays = [numpy.full((1, 16), number, dtype=numpy.int32) for number in range(40)]
            results = await asyncio.gather(*(own.infer("simple", simple_model.inputs(a)) for a in arrays))
            for a, result in zip(arrays, results):
                simple_model.check(result, a)

    asyncio.run(work())


def test_priority_timeout_and_own_parameters_are_accepted(client):
    result = client.infer(
        "simple", simple_model.inputs(), priority=2, timeout=5_000_000, parameters={"who": "me", "n": 3, "yes": True}
    )
    simple_model.check(result)


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_version_can_be_named(client, version):
    image = triton.InferInput("image", [1, 1, 28, 28], "FP32")
    image.set_data_from_numpy(numpy.zeros((1, 1, 28, 28), numpy.float32))
    answer = client.infer("digits_cnn", [image], model_version=version).get_response()
    assert answer["model_version"] == version


def test_without_a_version_the_highest_answers(client):
    image = triton.InferInput("image", [1, 1, 28, 28], "FP32")
    image.set_data_from_numpy(numpy.zeros((1, 1, 28, 28), numpy.float32))
    assert client.infer("digits_cnn", [image]).get_response()["model_version"] == "2"
