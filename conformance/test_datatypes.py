"""All 13 element types there and back, at their limits."""

import numpy
import pytest
import tritonclient.http as triton
from tritonclient.utils import InferenceServerException

CASES = {
    "BOOL": numpy.array([[True, False, True]]),
    "UINT8": numpy.array([[0, 1, 255]], numpy.uint8),
    "UINT16": numpy.array([[0, 1, 65535]], numpy.uint16),
    "UINT32": numpy.array([[0, 1, 2**32 - 1]], numpy.uint32),
    "UINT64": numpy.array([[0, 1, 2**64 - 1]], numpy.uint64),
    "INT8": numpy.array([[-128, 0, 127]], numpy.int8),
    "INT16": numpy.array([[-32768, 0, 32767]], numpy.int16),
    "INT32": numpy.array([[-(2**31), 0, 2**31 - 1]], numpy.int32),
    "INT64": numpy.array([[-(2**63), 0, 2**63 - 1]], numpy.int64),
    "FP16": numpy.array([[-65504, 6e-8, 0.1]], numpy.float16),
    "FP32": numpy.array([[-3.4e38, 1e-45, 0.1]], numpy.float32),
    "FP64": numpy.array([[-1.7e308, 5e-324, 0.1]], numpy.float64),
    "BYTES": numpy.array([[b"", "süß €".encode(), b"x" * 5000]], object),
}


def ask(client, values, binary_in, binary_out):
    """Sends `values` to the input of its type and one element to each of the others; returns the answer's tensor."""
    datatype, array = values
    inputs = []
    for name, example in CASES.items():
        sent = array if name == datatype else example[:, :1]
        sent = numpy.repeat(sent[:1], array.shape[0], axis=0) if name != datatype else sent
        tensor = triton.InferInput(f"INPUT_{name}", list(sent.shape), name)
        tensor.set_data_from_numpy(sent, binary_data=binary_in or name == "FP16")
        inputs.append(tensor)
    output = triton.InferRequestedOutput(f"OUTPUT_{datatype}", binary_data=binary_out)
    return client.infer("identity", inputs, outputs=[output]).as_numpy(f"OUTPUT_{datatype}")


@pytest.mark.parametrize("datatype", CASES)
def test_binary_there_and_back(client, datatype):
    back = ask(client, (datatype, CASES[datatype]), True, True)
    numpy.testing.assert_array_equal(back, CASES[datatype])


@pytest.mark.parametrize("datatype", [name for name in CASES if name != "FP16"])
def test_json_there_and_back(client, datatype):
    back = ask(client, (datatype, CASES[datatype]), False, False)
    expected = CASES[datatype]
    if datatype == "BYTES":
        expected = numpy.array([[item.decode() for item in expected[0]]], object)
        back = numpy.array([[item.decode() if isinstance(item, bytes) else item for item in back[0]]], object)
    numpy.testing.assert_array_equal(back, expected)


@pytest.mark.parametrize("special", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("datatype", ["FP16", "FP32", "FP64"])
def test_special_numbers_keep_their_bits(client, datatype, special):
    values = numpy.array([[special, 1]], CASES[datatype].dtype)
    back = ask(client, (datatype, values), True, True)
    assert back.tobytes() == values.tobytes()


@pytest.mark.parametrize("datatype", CASES)
def test_no_elements_at_all(client, datatype):
    values = numpy.empty((1, 0), CASES[datatype].dtype)
    back = ask(client, (datatype, values), True, True)
    assert back is None or back.size == 0


def test_a_large_tensor_comes_back_whole(client):
    values = numpy.random.default_rng(1).random((4, 300_000), numpy.float32)
    tensor = triton.InferInput("INPUT_FP32", list(values.shape), "FP32")
    tensor.set_data_from_numpy(values)
    numpy.testing.assert_array_equal(client.infer("identity_fp32", [tensor]).as_numpy("OUTPUT_FP32"), values)


def test_floats_in_json_are_printed_as_doubles(server):
    inputs = [{"name": "INPUT_FP32", "shape": [1, 3], "datatype": "FP32", "data": [0.1, 1, -2.5e-7]}]
    text = server.infer("identity_fp32", {"inputs": inputs}).text
    assert '"data":[0.10000000149011612,1.0,' in text


def test_nan_and_infinity_in_json_use_bare_tokens(server):
    body = '{"inputs":[{"name":"INPUT_FP32","shape":[1,5],"datatype":"FP32","data":[NaN,Infinity,-Infinity,Inf,-Inf]}]}'
    reply = server.post("/v2/models/identity_fp32/infer", data=body)
    assert reply.status_code == 200
    assert '"data":[NaN,Infinity,-Infinity,Infinity,-Infinity]' in reply.text


@pytest.mark.parametrize("nested", [[[1, 2], [3, 4]], [1, 2, 3, 4], [[[[1], 2]], [3, [4]]]])
def test_the_nesting_of_json_data_does_not_matter(server, nested):
    inputs = [{"name": "INPUT_FP32", "shape": [2, 2], "datatype": "FP32", "data": nested}]
    output = server.infer("identity_fp32", {"inputs": inputs}).json()["outputs"][0]
    assert (output["shape"], output["data"]) == ([2, 2], [1, 2, 3, 4])


@pytest.mark.parametrize("text", [b"a\x00b", b"\xff\xfe"], ids=["NUL", "not UTF-8"])
def test_bytes_the_engine_cannot_hold_are_refused_and_never_changed(client, text):
    """Triton's ONNX backend keeps them; the engine's binding for Node takes strings only."""
    with pytest.raises(InferenceServerException, match="INPUT_BYTES") as error:
        ask(client, ("BYTES", numpy.array([[text]], object)), True, True)
    assert error.value.status() == "400"
