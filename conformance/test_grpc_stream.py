"""ModelStreamInfer with Triton's client: order, final flags, errors inside the stream, half-close."""

import queue

import numpy
import pytest
import simple_model
import tritonclient.grpc as triton
from test_grpc_infer import inputs
from tritonclient.grpc import service_pb2, service_pb2_grpc

import grpc

WAIT = 30


class Stream:
    """A client with an open stream; what comes is in `answers`."""

    def __init__(self, address, **options):
        self.answers = queue.Queue()
        self.client = triton.InferenceServerClient(address)
        self.client.start_stream(lambda result, error: self.answers.put((result, error)), **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_stream()
        self.client.close()

    def next(self):
        return self.answers.get(timeout=WAIT)


def test_answers_come_in_the_order_of_the_requests(grpc_address):
    with Stream(grpc_address) as stream:
        arrays = [numpy.full((1, 16), number, dtype=numpy.int32) for number in range(100)]
        for number, a in enumerate(arrays):
            stream.client.async_stream_infer("simple", inputs(a), request_id=str(number))
        for number, a in enumerate(arrays):
            result, error = stream.next()
            assert error is None
            simple_model.check(result, a)
            answer = result.get_response()
            assert answer.id == str(number)
            assert answer.parameters["triton_final_response"].bool_param is True


def test_models_can_be_mixed(grpc_address):
    with Stream(grpc_address) as stream:
        row = triton.InferInput("INPUT_FP32", [1, 2], "FP32")
        row.set_data_from_numpy(numpy.array([[1, 2]], numpy.float32))
        stream.client.async_stream_infer("simple", inputs(), request_id="a")
        stream.client.async_stream_infer("identity_fp32", [row], request_id="b")
        assert [stream.next()[0].get_response().model_name for _ in range(2)] == ["simple", "identity_fp32"]


@pytest.mark.parametrize(
    ("model", "version", "text"),
    [
        ("nobody", "", "Request for unknown model: 'nobody' is not found"),
        ("simple", "9", "Request for unknown model: 'simple' version 9 is not found"),
    ],
)
def test_an_error_does_not_end_the_stream(grpc_address, model, version, text):
    with Stream(grpc_address) as stream:
        stream.client.async_stream_infer(model, inputs(), model_version=version, request_id="bad")
        stream.client.async_stream_infer("simple", inputs(), request_id="good")
        result, error = stream.next()
        assert (result, error.message()) == (None, text)
        result, error = stream.next()
        assert error is None and result.get_response().id == "good"


def test_an_invalid_request_is_told_with_its_id(grpc_address):
    request = service_pb2.ModelInferRequest(model_name="simple", id="seven")
    with grpc.insecure_channel(grpc_address) as channel:
        stub = service_pb2_grpc.GRPCInferenceServiceStub(channel)
        (answer,) = stub.ModelStreamInfer(iter([request]), timeout=WAIT)
    assert answer.error_message.startswith("[request id: seven] expected 2 inputs but got 0 inputs for model 'simple'.")
    assert answer.infer_response.id == "seven"
    assert answer.infer_response.model_name == ""


def test_an_empty_final_response_may_be_asked_for(grpc_address):
    with Stream(grpc_address) as stream:
        stream.client.async_stream_infer("simple", inputs(), request_id="x", enable_empty_final_response=True)
        result, error = stream.next()
        assert error is None
        assert result.get_response().parameters["triton_final_response"].bool_param is True
        assert stream.answers.empty()


def test_requests_before_the_half_close_are_answered(grpc_address):
    def requests():
        for number in range(20):
            request = service_pb2.ModelInferRequest(model_name="simple", id=str(number))
            for name, values in (("INPUT0", simple_model.A), ("INPUT1", simple_model.B)):
                request.inputs.add(name=name, datatype="INT32", shape=values.shape)
                request.raw_input_contents.append(values.tobytes())
            yield request

    with grpc.insecure_channel(grpc_address) as channel:
        call = service_pb2_grpc.GRPCInferenceServiceStub(channel).ModelStreamInfer(requests(), timeout=WAIT)
        ids = [answer.infer_response.id for answer in call]
        assert ids == [str(number) for number in range(20)]
        assert call.code() == grpc.StatusCode.OK


def test_a_cancelled_stream_leaves_the_server_well(grpc_address, grpc_client):
    with grpc.insecure_channel(grpc_address) as channel:
        waiting = queue.Queue()
        call = service_pb2_grpc.GRPCInferenceServiceStub(channel).ModelStreamInfer(iter(waiting.get, None))
        call.cancel()
        with pytest.raises(grpc.RpcError) as caught:
            next(call)
        waiting.put(None)
        assert caught.value.code() == grpc.StatusCode.CANCELLED
    simple_model.check(grpc_client.infer("simple", inputs()))
