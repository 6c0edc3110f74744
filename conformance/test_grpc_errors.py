"""The error table of the gRPC protocol: status code and text, one row a mistake."""

import pytest
import simple_model
import tritonclient.grpc as triton
from test_grpc_infer import inputs
from tritonclient.grpc import service_pb2 as pb
from tritonclient.grpc import service_pb2_grpc
from tritonclient.utils import InferenceServerException

import grpc

WAIT = 30
INVALID, NOT_FOUND = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND
UNIMPLEMENTED, INTERNAL = grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.INTERNAL
ANY = "[request id: <id_unknown>] "
UNKNOWN = "Request for unknown model: 'nobody' is not found"
RESERVED = (
    "parameter keys starting with 'triton_' are reserved for Triton usage. Only the following keys starting with "
    "'triton_' are allowed: triton_enable_empty_final_response"
)


@pytest.fixture(scope="module")
def stub(grpc_address):
    with grpc.insecure_channel(grpc_address) as channel:
        yield service_pb2_grpc.GRPCInferenceServiceStub(channel)


def good(**members):
    request = pb.ModelInferRequest(**{"model_name": "simple", **members})
    for name, values in (("INPUT0", simple_model.A), ("INPUT1", simple_model.B)):
        request.inputs.add(name=name, datatype="INT32", shape=values.shape)
        request.raw_input_contents.append(values.tobytes())
    return request


def with_parameter(key, **value):
    request = good()
    request.parameters[key].CopyFrom(pb.InferParameter(**value))
    return request


def changed(change):
    request = good()
    change(request)
    return request


def input_parameter(key, **value):
    return changed(lambda request: request.inputs[0].parameters[key].CopyFrom(pb.InferParameter(**value)))


def set_shape(*dims):
    def change(request):
        del request.inputs[0].shape[:]
        request.inputs[0].shape.extend(dims)

    return changed(change)


def typed(**lists):
    def change(request):
        del request.raw_input_contents[:]
        for field, values in lists.items():
            getattr(request.inputs[0].contents, field).extend(values)

    return changed(change)


def classes(value):
    request = good()
    request.outputs.add(name="OUTPUT0").parameters["classification"].CopyFrom(value)
    return request


EXPLICIT = "unexpected explicit tensor data for input tensor 'INPUT0' for model 'simple'"
FULL = True  # the whole text is given; otherwise its beginning

CASES = [
    (good(model_name="nobody"), NOT_FOUND, UNKNOWN, FULL),
    (good(model_version="9"), NOT_FOUND, "Request for unknown model: 'simple' version 9 is not found", FULL),
    (
        good(model_version="-1"),
        INVALID,
        "invalid model version specified '-1' , version should be an integral value > 0",
        FULL,
    ),
    (good(model_version="latest"), INVALID, "failed to get model version from specified version string 'latest'", not FULL),
    (
        with_parameter("sequence_id", bool_param=True),
        INVALID,
        "invalid value type for 'sequence_id' parameter, expected int64_param or string_param.",
        FULL,
    ),
    (
        with_parameter("sequence_start", string_param="yes"),
        INVALID,
        "invalid value type for 'sequence_start' parameter, expected bool_param.",
        FULL,
    ),
    (
        with_parameter("sequence_end", int64_param=1),
        INVALID,
        "invalid value type for 'sequence_end' parameter, expected bool_param.",
        FULL,
    ),
    (with_parameter("priority", int64_param=-1), INVALID, "invalid value for 'priority', expected value >= 0.", FULL),
    (
        with_parameter("priority", string_param="1"),
        INVALID,
        "invalid value type for 'priority' parameter, expected int64_param or uint64_param.",
        FULL,
    ),
    (
        with_parameter("timeout", string_param="1"),
        INVALID,
        "invalid value type for 'timeout' parameter, expected int64_param.",
        FULL,
    ),
    (
        with_parameter("triton_enable_empty_final_response", int64_param=1),
        INVALID,
        "invalid value type for 'triton_enable_empty_final_response' parameter, expected bool_param.",
        FULL,
    ),
    (with_parameter("triton_own", bool_param=True), INVALID, RESERVED, FULL),
    (
        with_parameter("own", uint64_param=1),
        INVALID,
        "invalid value type for 'own' parameter, expected int64_param, bool_param, or string_param.",
        FULL,
    ),
    (
        changed(lambda request: request.raw_input_contents.pop()),
        INVALID,
        "unable to find data for input tensor 'INPUT1' for model 'simple' in request.",
        FULL,
    ),
    (
        changed(lambda request: request.inputs[0].contents.int_contents.extend([1])),
        INVALID,
        "contents field must not be specified when using raw_input_contents for 'INPUT0' for model 'simple'",
        FULL,
    ),
    (typed(fp32_contents=[1.0]), INVALID, f"{EXPLICIT} of type 'FP32', expected datatype 'INT32'", FULL),
    (typed(int_contents=[1], uint_contents=[1]), INVALID, f"{EXPLICIT}, binary data was already supplied.", FULL),
    (
        input_parameter("shared_memory_region", int64_param=1),
        INVALID,
        "invalid value type for 'shared_memory_region' parameter for tensor 'INPUT0', expected string_param.",
        FULL,
    ),
    (
        input_parameter("shared_memory_region", string_param="r"),
        INVALID,
        "'shared_memory_byte_size' must be specified along with 'shared_memory_region' parameter for tensor 'INPUT0'",
        FULL,
    ),
    (
        input_parameter("shared_memory_offset", int64_param=1),
        INVALID,
        "'shared_memory_offset' can not be specified without 'shared_memory_region' parameter for tensor 'INPUT0'",
        FULL,
    ),
    (
        classes(pb.InferParameter(string_param="1")),
        INVALID,
        "invalid value type for 'classification' parameter, expected int64_param",
        FULL,
    ),
    (classes(pb.InferParameter(int64_param=0)), INVALID, "invalid value for 'classification' parameter, expected >= 0", FULL),
    (
        set_shape(1, -1),
        INVALID,
        f"{ANY}All input dimensions should be specified for input 'INPUT0' for model 'simple', got [1,-1]",
        FULL,
    ),
    (
        set_shape(1, 8),
        INVALID,
        f"{ANY}unexpected shape for input 'INPUT0' for model 'simple'. Expected [-1,16], got [1,8].",
        not FULL,
    ),
    (set_shape(9, 16), INVALID, f"{ANY}input 'INPUT1' batch size does not match other inputs for 'simple'", FULL),
    (
        changed(lambda request: setattr(request.inputs[0], "datatype", "FP32")),
        INVALID,
        f"{ANY}inference input 'INPUT0' data-type is 'FP32', but model 'simple' expects 'INT32'",
        FULL,
    ),
    (
        changed(lambda request: setattr(request.inputs[0], "name", "WRONG")),
        INVALID,
        "unexpected inference input 'WRONG' for model 'simple'",
        FULL,
    ),
    (
        changed(lambda request: request.outputs.add(name="WRONG")),
        INVALID,
        "unexpected inference output 'WRONG' for model 'simple'",
        FULL,
    ),
    (
        changed(lambda request: request.raw_input_contents.__setitem__(0, b"abc")),
        INVALID,
        f"{ANY}input byte size mismatch for input 'INPUT0' for model 'simple'. Expected 64, got 3",
        FULL,
    ),
]


@pytest.mark.parametrize(("request_", "code", "text", "full"), CASES, ids=lambda value: None)
def test_inference_is_refused(stub, request_, code, text, full):
    with pytest.raises(grpc.RpcError) as caught:
        stub.ModelInfer(request_, timeout=WAIT)
    details = caught.value.details()
    assert (caught.value.code(), details if full else details[: len(text)]) == (code, text)


CONTROL = [
    ("ModelReady", pb.ModelReadyRequest(name="nobody"), NOT_FOUND, UNKNOWN),
    ("ModelMetadata", pb.ModelMetadataRequest(name="nobody"), NOT_FOUND, UNKNOWN),
    ("ModelConfig", pb.ModelConfigRequest(name="nobody"), NOT_FOUND, UNKNOWN),
    ("ModelStatistics", pb.ModelStatisticsRequest(name="nobody"), INVALID, "requested model 'nobody' is not available"),
    (
        "RepositoryIndex",
        pb.RepositoryIndexRequest(repository_name="r"),
        UNIMPLEMENTED,
        "'repository_name' specification is not supported",
    ),
    (
        "RepositoryModelLoad",
        pb.RepositoryModelLoadRequest(
            model_name="simple", parameters={"other": pb.ModelRepositoryParameter(string_param="x")}
        ),
        INVALID,
        "unrecognized load parameter 'other'.",
    ),
    (
        "RepositoryModelLoad",
        pb.RepositoryModelLoadRequest(
            model_name="simple", parameters={"config": pb.ModelRepositoryParameter(bool_param=True)}
        ),
        INVALID,
        "invalid value type for load parameter 'config', expected string_param.",
    ),
    (
        "RepositoryModelUnload",
        pb.RepositoryModelUnloadRequest(
            model_name="nobody", parameters={"unload_dependents": pb.ModelRepositoryParameter(string_param="x")}
        ),
        INVALID,
        "invalid value type for 'unload_dependents' parameter, expected bool_param.",
    ),
    (
        "LogSettings",
        pb.LogSettingsRequest(settings={"log_info": pb.LogSettingsRequest.SettingValue(string_param="x")}),
        INVALID,
        "expect boolean for 'log_info'",
    ),
    (
        "LogSettings",
        pb.LogSettingsRequest(settings={"log_file": pb.LogSettingsRequest.SettingValue(string_param="x")}),
        UNIMPLEMENTED,
        "log file location can not be updated through network protocol",
    ),
    (
        "LogSettings",
        pb.LogSettingsRequest(settings={"log_format": pb.LogSettingsRequest.SettingValue(string_param="xml")}),
        INVALID,
        "invalid argument for log_format, got: xml",
    ),
    (
        "TraceSetting",
        pb.TraceSettingRequest(settings={"trace_file": pb.TraceSettingRequest.SettingValue(value=["x"])}),
        UNIMPLEMENTED,
        "trace file location can not be updated through network protocol",
    ),
    (
        "TraceSetting",
        pb.TraceSettingRequest(settings={"trace_rate": pb.TraceSettingRequest.SettingValue(value=["1", "2"])}),
        INVALID,
        "expect only 1 value for 'trace_rate'",
    ),
    (
        "SystemSharedMemoryStatus",
        pb.SystemSharedMemoryStatusRequest(name="nobody"),
        NOT_FOUND,
        "Unable to find system shared memory region: 'nobody'",
    ),
]


@pytest.mark.parametrize(("rpc", "message", "code", "text"), CONTROL, ids=lambda value: value if isinstance(value, str) else None)
def test_a_call_is_refused(stub, rpc, message, code, text):
    with pytest.raises(grpc.RpcError) as caught:
        getattr(stub, rpc)(message, timeout=WAIT)
    assert (caught.value.code(), caught.value.details()) == (code, text)


def test_a_failed_load_says_why(grpc_client):
    with pytest.raises(InferenceServerException) as caught:
        grpc_client.load_model("nobody")
    assert caught.value.status() == "StatusCode.INTERNAL"
    assert caught.value.message().startswith("failed to load 'nobody', failed to poll from model repository")


def test_the_client_s_exception_has_code_and_text(grpc_client):
    with pytest.raises(InferenceServerException) as caught:
        grpc_client.infer("nobody", inputs())
    assert (caught.value.status(), caught.value.message()) == ("StatusCode.NOT_FOUND", UNKNOWN)


def test_an_unknown_rpc_is_unimplemented(grpc_address):
    with grpc.insecure_channel(grpc_address) as channel:
        call = channel.unary_unary("/inference.GRPCInferenceService/Nothing")
        with pytest.raises(grpc.RpcError) as caught:
            call(b"", timeout=WAIT)
    assert caught.value.code() == UNIMPLEMENTED


def test_bytes_that_are_no_message_are_refused(grpc_address):
    with grpc.insecure_channel(grpc_address) as channel:
        call = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        with pytest.raises(grpc.RpcError) as caught:
            call(b"\x28\xff", timeout=WAIT)
    assert caught.value.code() == INVALID


def test_the_client_and_its_channel_options_are_understood(grpc_address):
    options = triton.KeepAliveOptions(keepalive_time_ms=2**31 - 1, keepalive_timeout_ms=20_000)
    with triton.InferenceServerClient(grpc_address, keepalive_options=options) as client:
        assert client.is_server_live()
