"""gzip and deflate, there and back."""

import gzip
import json
import zlib

import numpy
import pytest
import simple_model
import tritonclient.http as triton


@pytest.mark.parametrize("request_algorithm", [None, "gzip", "deflate"])
@pytest.mark.parametrize("response_algorithm", [None, "gzip", "deflate"])
def test_the_client_s_compression_changes_nothing(client, request_algorithm, response_algorithm):
    values = numpy.tile(numpy.arange(10, dtype=numpy.float32), (2, 2000))
    tensor = triton.InferInput("INPUT_FP32", list(values.shape), "FP32")
    tensor.set_data_from_numpy(values)
    result = client.infer(
        "identity_fp32",
        [tensor],
        request_compression_algorithm=request_algorithm,
        response_compression_algorithm=response_algorithm,
    )
    numpy.testing.assert_array_equal(result.as_numpy("OUTPUT_FP32"), values)


@pytest.mark.parametrize(
    ("accepted", "used"),
    [
        ("gzip", "gzip"),
        ("deflate", "deflate"),
        ("gzip;q=0.2, deflate;q=0.9", "deflate"),
        ("deflate, gzip", "deflate"),
        ("br, gzip;q=0.1", "gzip"),
        ("identity, gzip;q=0.5", None),
        ("br", None),
        ("gzip;q=0", None),
    ],
)
def test_accept_encoding_is_negotiated(server, accepted, used):
    body = {"inputs": simple_model.json_inputs()}
    reply = server.infer("simple", body, headers={"Accept-Encoding": accepted}, stream=True)
    packed = reply.raw.read()
    assert reply.headers.get("Content-Encoding") == used
    plain = {None: lambda raw: raw, "gzip": gzip.decompress, "deflate": zlib.decompress}[used](packed)
    assert json.loads(plain)["outputs"][0]["data"][0] == 3


def test_the_header_length_is_that_of_the_plain_json(server):
    data = numpy.ones((1, 5000), numpy.float32).tobytes()
    header = json.dumps(
        {
            "inputs": [
                {
                    "name": "INPUT_FP32",
                    "shape": [1, 5000],
                    "datatype": "FP32",
                    "parameters": {"binary_data_size": len(data)},
                }
            ],
            "parameters": {"binary_data_output": True},
        }
    ).encode()
    reply = server.post(
        "/v2/models/identity_fp32/infer",
        data=gzip.compress(header + data),
        headers={
            "Content-Encoding": "gzip",
            "Accept-Encoding": "gzip",
            "Inference-Header-Content-Length": str(len(header)),
        },
    )
    assert reply.headers["Content-Encoding"] == "gzip"
    assert int(reply.headers["Content-Length"]) < 5000
    length = int(reply.headers["Inference-Header-Content-Length"])
    assert json.loads(reply.content[:length])["outputs"][0]["parameters"] == {"binary_data_size": 20000}
    assert reply.content[length:] == data


def test_errors_are_not_compressed(server):
    reply = server.infer("nobody", {"inputs": []}, headers={"Accept-Encoding": "gzip"})
    assert (reply.status_code, reply.headers.get("Content-Encoding")) == (404, None)


def test_an_unknown_compression_is_501_and_names_the_known_ones(server):
    reply = server.post("/v2/models/simple/infer", data=b"x", headers={"Content-Encoding": "br"})
    assert (reply.status_code, reply.json()) == (501, {"error": "Unsupported compression type"})
    assert reply.headers["Accept-Encoding"] == "gzip, deflate"


def test_an_empty_compressed_body_is_400(server):
    reply = server.post("/v2/models/simple/infer", data=b"", headers={"Content-Encoding": "gzip", "Content-Length": "0"})
    assert (reply.status_code, reply.json()) == (400, {"error": "nothing to be decompressed"})
