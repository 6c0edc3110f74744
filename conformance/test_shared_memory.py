"""System shared memory with Triton's own helpers, and what is refused."""

import base64
import contextlib
import os
import threading
import uuid

import numpy
import pytest
import simple_model
import tritonclient.http as triton
import tritonclient.utils.shared_memory as shm
from tritonclient.utils import InferenceServerException, serialize_byte_tensor

BYTES = simple_model.A.nbytes


@pytest.fixture
def region(client):
    """Makes regions in /dev/shm, registers them, and takes everything back afterwards."""
    with contextlib.ExitStack() as stack:
        stack.callback(client.unregister_system_shared_memory)

        def make(byte_size, *arrays, register=True, name="region"):
            key = f"/conformance-{uuid.uuid4().hex}"
            handle = shm.create_shared_memory_region(name, key, byte_size)
            stack.callback(shm.destroy_shared_memory_region, handle)
            if arrays:
                shm.set_shared_memory_region(handle, list(arrays))
            if register:
                client.register_system_shared_memory(name, key, byte_size)
            return handle, key

        yield make


def shared_inputs(name="region", offsets=(0, BYTES), byte_size=BYTES):
    tensors = []
    for tensor_name, offset in zip(("INPUT0", "INPUT1"), offsets):
        tensor = triton.InferInput(tensor_name, [1, 16], "INT32")
        tensor.set_shared_memory(name, byte_size, offset)
        tensors.append(tensor)
    return tensors


def shared_output(name, output="OUTPUT0", offset=0, byte_size=BYTES):
    requested = triton.InferRequestedOutput(output)
    requested.set_shared_memory(name, byte_size, offset)
    return requested


def test_inputs_from_a_region(client, region):
    region(2 * BYTES, simple_model.A, simple_model.B)
    simple_model.check(client.infer("simple", shared_inputs()))


def test_outputs_to_a_region(client, region):
    handle, _ = region(2 * BYTES, name="out")
    outputs = [shared_output("out"), shared_output("out", "OUTPUT1", BYTES)]
    result = client.infer("simple", simple_model.inputs(), outputs=outputs)
    assert [output["name"] for output in result.get_response()["outputs"]] == ["OUTPUT0", "OUTPUT1"]
    for output in result.get_response()["outputs"]:
        assert "data" not in output
        assert "parameters" not in output
    numpy.testing.assert_array_equal(
        shm.get_contents_as_numpy(handle, numpy.int32, [1, 16]), simple_model.A + simple_model.B
    )
    numpy.testing.assert_array_equal(
        shm.get_contents_as_numpy(handle, numpy.int32, [1, 16], BYTES), simple_model.A - simple_model.B
    )


def test_inputs_and_outputs_in_one_region(client, region):
    handle, _ = region(3 * BYTES, simple_model.A, simple_model.B)
    result = client.infer("simple", shared_inputs(), outputs=[shared_output("region", offset=2 * BYTES)])
    assert [output["name"] for output in result.get_response()["outputs"]] == ["OUTPUT0"]
    numpy.testing.assert_array_equal(
        shm.get_contents_as_numpy(handle, numpy.int32, [1, 16], 2 * BYTES), simple_model.A + simple_model.B
    )


def test_one_output_in_a_region_one_in_the_answer(client, region):
    handle, _ = region(BYTES, name="out")
    outputs = [shared_output("out"), triton.InferRequestedOutput("OUTPUT1")]
    result = client.infer("simple", simple_model.inputs(), outputs=outputs)
    numpy.testing.assert_array_equal(result.as_numpy("OUTPUT1"), simple_model.A - simple_model.B)
    numpy.testing.assert_array_equal(
        shm.get_contents_as_numpy(handle, numpy.int32, [1, 16]), simple_model.A + simple_model.B
    )


def test_text_in_a_region(client, region):
    values = numpy.array([[b"one", b"", b"three"]], dtype=numpy.object_)
    serialized = serialize_byte_tensor(values)
    size = len(serialized.item())
    region(size, serialized)
    from_region = triton.InferInput("INPUT_BYTES", [1, 3], "BYTES")
    from_region.set_shared_memory("region", size)
    with pytest.raises(InferenceServerException, match="expected 13 inputs but got 1 inputs"):
        # The demo model takes all its types at once: the text was read and found to be an input.
        client.infer("identity", [from_region])


def test_the_status_of_regions(client, region):
    _, key = region(2 * BYTES)
    row = {"name": "region", "key": key, "offset": 0, "byte_size": 2 * BYTES}
    assert client.get_system_shared_memory_status() == [row]
    assert client.get_system_shared_memory_status("region") == [row]
    client.unregister_system_shared_memory("region")
    assert client.get_system_shared_memory_status() == []
    assert client.get_cuda_shared_memory_status() == []


def test_a_region_with_an_offset(client, region):
    _, key = region(3 * BYTES, numpy.zeros((1, 16), numpy.int32), simple_model.A, simple_model.B, register=False)
    client.register_system_shared_memory("region", key, 2 * BYTES, offset=BYTES)
    assert client.get_system_shared_memory_status()[0]["offset"] == BYTES
    simple_model.check(client.infer("simple", shared_inputs()))


def test_unregister_of_one_leaves_the_others(client, region):
    region(BYTES, name="first")
    region(BYTES, name="second")
    client.unregister_system_shared_memory("first")
    assert [row["name"] for row in client.get_system_shared_memory_status()] == ["second"]


def test_unregister_of_the_unknown_succeeds(client):
    client.unregister_system_shared_memory("nobody")
    client.unregister_cuda_shared_memory("nobody")


def test_unregister_while_requests_use_the_region(client, region):
    """Every request is answered rightly or told that the region is gone; nothing else happens."""
    _, key = region(2 * BYTES, simple_model.A, simple_model.B)
    failures = []

    def infer():
        with triton.InferenceServerClient(os.environ["NEREID_URL"]) as own:
            for _ in range(40):
                try:
                    simple_model.check(own.infer("simple", shared_inputs()))
                except InferenceServerException as error:
                    if error.status() != "404":
                        failures.append(error)

    threads = [threading.Thread(target=infer) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        client.unregister_system_shared_memory("region")
        client.register_system_shared_memory("region", key, 2 * BYTES)
    for thread in threads:
        thread.join()
    assert failures == []


def refused(call, status, text):
    with pytest.raises(InferenceServerException) as error:
        call()
    assert (error.value.status(), error.value.message()) == (str(status), text)


def test_a_name_twice_is_refused(client, region):
    _, key = region(BYTES)
    text = "shared memory region 'region' already in manager"
    refused(lambda: client.register_system_shared_memory("region", key, BYTES), 400, text)


REGISTER_ERRORS = [
    # key, byte size, offset, status, text
    ("/nobody-made-this", 4, 0, 500, "Unable to open shared memory region: '/nobody-made-this'"),
    ("/../etc/passwd", 4, 0, 500, "Unable to open shared memory region: '/../etc/passwd'"),
    ("///", 4, 0, 400, "cannot register shared memory region 'wrong' - invalid shm key '///'"),
    (None, BYTES + 1, 0, 400, "failed to register shared memory region 'wrong': invalid args"),
    (None, BYTES, 1, 400, "failed to register shared memory region 'wrong': invalid args"),
]


@pytest.mark.parametrize(("key", "byte_size", "offset", "status", "text"), REGISTER_ERRORS)
def test_a_wrong_registration_is_refused(client, region, key, byte_size, offset, status, text):
    _, own = region(BYTES, register=False)
    refused(lambda: client.register_system_shared_memory("wrong", key or own, byte_size, offset), status, text)
    assert client.get_system_shared_memory_status() == []


def test_internal_regions_are_refused(client):
    for key in ("/nereid-1-1-1", "/triton_python_backend_shm_region_1"):
        with pytest.raises(InferenceServerException, match="contains the reserved prefix") as error:
            client.register_system_shared_memory("wrong", key, 4)
        assert error.value.status() == "400"


BODY_ERRORS = [
    ("system", {"byte_size": 4}, 400, "Shared memory register request has no 'key' field"),
    ("system", {"key": "/x"}, 400, "Shared memory register request has no 'byte_size' field"),
    ("cuda", {"device_id": 0, "byte_size": 4}, 400, "Shared memory register request has no 'raw_handle' field"),
    (
        "cuda",
        {"raw_handle": {"b64": "AAAA"}, "device_id": 0, "byte_size": 4},
        400,
        "'raw_handle' must be a valid base64 encoded cudaIpcMemHandle_t",
    ),
]


@pytest.mark.parametrize(("kind", "body", "status", "text"), BODY_ERRORS)
def test_a_body_without_its_members_is_refused(server, kind, body, status, text):
    reply = server.post(f"/v2/{kind}sharedmemory/region/r/register", json=body)
    assert (reply.status_code, reply.json()) == (status, {"error": text})


@pytest.mark.parametrize("kind", ["system", "cuda"])
def test_register_needs_a_region(server, kind):
    reply = server.post(f"/v2/{kind}sharedmemory/register", json={"key": "/x", "byte_size": 4})
    text = f"'region name' is necessary to register {kind} shared memory region"
    assert (reply.status_code, reply.json()) == (400, {"error": text})


def test_cuda_regions_need_a_gpu_build(client):
    handle = base64.b64encode(bytes(64))
    text = "failed to register CUDA shared memory region: 'gpu', GPUs not supported"
    refused(lambda: client.register_cuda_shared_memory("gpu", handle, 0, 4), 400, text)


@pytest.mark.parametrize(("kind", "title"), [("system", "system"), ("cuda", "cuda")])
def test_the_status_of_an_unknown_region(server, kind, title):
    reply = server.get(f"/v2/{kind}sharedmemory/region/nobody/status")
    text = f"Unable to find {title} shared memory region: 'nobody'"
    assert (reply.status_code, reply.json()) == (404, {"error": text})


INFER_ERRORS = [
    # region, offsets, byte size, status, text
    ("nobody", (0, BYTES), BYTES, 404, "Unable to find shared memory region: 'nobody'"),
    ("region", (2 * BYTES, 0), BYTES, 400, "Invalid offset for shared memory region: 'region'"),
    ("region", (BYTES + 1, 0), BYTES, 400, "Invalid offset + byte size for shared memory region: 'region'"),
    (
        "region",
        (0, BYTES),
        BYTES // 2,
        400,
        "[request id: <id_unknown>] input byte size mismatch for input 'INPUT0' for model 'simple'. Expected 64, got 32",
    ),
]


@pytest.mark.parametrize(("name", "offsets", "byte_size", "status", "text"), INFER_ERRORS)
def test_an_inference_with_a_wrong_window_is_refused(client, region, name, offsets, byte_size, status, text):
    region(2 * BYTES, simple_model.A, simple_model.B)
    refused(lambda: client.infer("simple", shared_inputs(name, offsets, byte_size)), status, text)


def test_an_output_that_does_not_fit_is_refused(client, region):
    region(BYTES // 2, name="out")
    text = (
        "shared memory size specified with the request for output 'OUTPUT0' (32 bytes) "
        "should be at least 64 bytes to hold the results"
    )
    outputs = [shared_output("out", byte_size=BYTES // 2)]
    refused(lambda: client.infer("simple", simple_model.inputs(), outputs=outputs), 500, text)


def test_a_region_that_shrank_is_refused(client, region):
    _, key = region(2 * BYTES, simple_model.A, simple_model.B)
    os.truncate(f"/dev/shm{key}", BYTES)
    with pytest.raises(InferenceServerException, match="Invalid offset [+] byte size for shared memory region") as error:
        client.infer("simple", shared_inputs())
    assert error.value.status() == "400"
    simple_model.check(client.infer("simple", simple_model.inputs()))


def test_classes_cannot_go_to_a_region(server, region):
    region(BYTES)
    body = {
        "inputs": simple_model.json_inputs(),
        "outputs": [
            {
                "name": "OUTPUT0",
                "parameters": {
                    "classification": 1,
                    "shared_memory_region": "region",
                    "shared_memory_byte_size": BYTES,
                },
            }
        ],
    }
    reply = server.infer("simple", body)
    text = "Output can't set both 'shared_memory_region' and 'classification'"
    assert (reply.status_code, reply.json()) == (400, {"error": text})
