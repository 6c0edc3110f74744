"""The error table of the HTTP protocol: status and text, one row a mistake."""

import json

import pytest
import requests
import simple_model

NOTE = (
    "NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each "
    "input shape. "
)
ANY = "[request id: <id_unknown>] "
ONE_OF = (
    "Input must set only one of the following fields: 'data', 'binary_data_size' in 'parameters', "
    "'shared_memory_region' in 'parameters'. But "
)
UNSIGNED = "attempt to access JSON non-unsigned-integer as unsigned-integer"
good = simple_model.json_inputs


def simple(**members):
    return "POST", "/v2/models/simple/infer", {"inputs": good(), **members}


def simple_input(**changes):
    first, second = good()
    return "POST", "/v2/models/simple/infer", {"inputs": [{**first, **changes}, second]}


def without(key):
    first, second = good()
    return "POST", "/v2/models/simple/infer", {"inputs": [{k: v for k, v in first.items() if k != key}, second]}


def fp32(data, shape=(1, 2), **changes):
    inputs = [{"name": "INPUT_FP32", "shape": list(shape), "datatype": "FP32", "data": data, **changes}]
    return "POST", "/v2/models/identity_fp32/infer", {"inputs": inputs}


def thirteen(name, data):
    inputs = [{"name": f"INPUT_{name}", "shape": [1, 1], "datatype": name, "data": data}]
    return "POST", "/v2/models/identity/infer", {"inputs": inputs}


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


def raw(path, text):
    return "POST", path, text


def get(path):
    return "GET", path, None


INFER = "/v2/models/simple/infer"
FULL = True  # the whole text is given; otherwise its beginning

CASES = [
    # --- routes and models
    (get("/"), 404, "Not Found", FULL),
    (get("/v2/"), 404, "Not Found", FULL),
    (get("/v2/models/simple/"), 404, "Not Found", FULL),
    (get("/v2/models/simple/versions/one"), 404, "Not Found", FULL),
    (get("/v2/models/simple/unknown"), 404, "Not Found", FULL),
    (get(INFER), 405, "Method Not Allowed", FULL),
    (raw("/v2", "{}"), 405, "Method Not Allowed", FULL),
    (raw("/v2/models/simple/ready", ""), 405, "Method Not Allowed", FULL),
    (get("/v2/models/nobody"), 404, "Request for unknown model: 'nobody' is not found", FULL),
    (get("/v2/models/nobody/ready"), 404, "Request for unknown model: 'nobody' is not found", FULL),
    (get("/v2/models/nobody/config"), 404, "Request for unknown model: 'nobody' is not found", FULL),
    (raw("/v2/models/nobody/infer", "{}"), 404, "Request for unknown model: 'nobody' is not found", FULL),
    (get("/v2/models/simple/versions/9"), 404, "Request for unknown model: 'simple' version 9 is not found", FULL),
    (get("/v2/models/simple/versions/9/ready"), 404, "Request for unknown model: 'simple' version 9 is not found", FULL),
    (
        raw("/v2/models/simple/versions/9/infer", "{}"),
        404,
        "Request for unknown model: 'simple' version 9 is not found",
        FULL,
    ),
    # --- JSON
    (raw(INFER, "{"), 500, "", not FULL),
    (raw(INFER, "[]"), 500, "", not FULL),
    (raw(INFER, "{} x"), 500, "", not FULL),
    (simple(id=7), 500, "Unable to parse 'id': attempt to access JSON non-string as string", FULL),
    (simple(parameters=[]), 500, "Unable to parse 'parameters': attempt to access JSON non-object as object", FULL),
    (raw(INFER, "{}"), 500, "Unable to parse 'inputs': attempt to access non-existing object member 'inputs'", FULL),
    (simple(inputs={}), 500, "Unable to parse 'inputs': attempt to access JSON non-array as array", FULL),
    (without("name"), 500, "Unable to parse 'name': attempt to access non-existing object member 'name'", FULL),
    (without("shape"), 500, "Unable to parse 'shape': attempt to access non-existing object member 'shape'", FULL),
    (
        without("datatype"),
        500,
        "Unable to parse 'datatype': attempt to access non-existing object member 'datatype'",
        FULL,
    ),
    (simple_input(shape=[-1, 16]), 500, f"Unable to parse 'shape': {UNSIGNED}", FULL),
    (simple_input(shape=[1.5, 16]), 500, f"Unable to parse 'shape': {UNSIGNED}", FULL),
    (simple(outputs=[{}]), 500, "Unable to parse 'name': attempt to access non-existing object member 'name'", FULL),
    # --- data
    (without("data"), 400, f"{ONE_OF}no field is set", FULL),
    (
        simple_input(parameters={"binary_data_size": 64}),
        400,
        f"{ONE_OF}set 'data' 'binary_data_size'",
        FULL,
    ),
    (fp32([1]), 500, "Failed to parse 'data' field: shape does not match true shape", FULL),
    (fp32([1, 2, 3]), 500, "Unable to parse 'data': Shape does not match true shape of 'data' field", FULL),
    (fp32(["1", "2"]), 500, "Unable to parse 'data': ", not FULL),
    (fp32(nested(101), [1, 1]), 400, "JSON nesting depth exceeds maximum allowed limit (100)", FULL),
    (thirteen("BOOL", [1]), 500, "Unable to parse 'data': ", not FULL),
    (thirteen("INT32", [1.5]), 500, "Unable to parse 'data': ", not FULL),
    (thirteen("UINT8", [-1]), 500, "Unable to parse 'data': ", not FULL),
    (thirteen("BYTES", [5]), 500, "Unable to parse 'data': ", not FULL),
    (
        thirteen("FP16", [1]),
        400,
        "receiving FP16 data via JSON is not supported. Please use the binary data format for input INPUT_FP16",
        FULL,
    ),
    (
        fp32([], [2**32, 2**32]),
        400,
        "invalid shape for input 'INPUT_FP32': shape [4294967296,4294967296] causes total element count to exceed "
        "maximum size of 9223372036854775807",
        FULL,
    ),
    # --- binary data
    (
        ("POST", INFER, {"inputs": [{"name": "INPUT0", "shape": [1, 16], "datatype": "INT32",
                                     "parameters": {"binary_data_size": 64}}]}),
        400,
        "unexpected size for input 'INPUT0', expecting 64 additional bytes for model 'simple'",
        FULL,
    ),
    # --- what the model says
    (
        simple(inputs=good()[:1]),
        400,
        f"{ANY}expected 2 inputs but got 1 inputs for model 'simple'. Got input(s) ['INPUT0'], but missing required "
        "input(s) ['INPUT1']. Please provide all required input(s).",
        FULL,
    ),
    (simple(inputs=[]), 400, f"{ANY}expected 2 inputs but got 0 inputs for model 'simple'. ", not FULL),
    (simple_input(name="WRONG"), 400, "unexpected inference input 'WRONG' for model 'simple'", FULL),
    (simple_input(name="INPUT1"), 400, f"{ANY}input 'INPUT1' already exists in request", FULL),
    (
        simple(outputs=[{"name": "WRONG"}]),
        400,
        "unexpected inference output 'WRONG' for model 'simple'",
        FULL,
    ),
    (
        simple(outputs=[{"name": "OUTPUT0"}, {"name": "OUTPUT0"}]),
        400,
        f"{ANY}output 'OUTPUT0' already exists in request",
        FULL,
    ),
    (
        simple(inputs=good(shape=(9, 16))),
        400,
        f"{ANY}inference request batch-size must be <= 8 for 'simple'",
        FULL,
    ),
    (
        simple_input(shape=[2, 16], data=[0] * 32),
        400,
        f"{ANY}input 'INPUT1' batch size does not match other inputs for 'simple'",
        FULL,
    ),
    (
        simple_input(shape=[], data=[]),
        400,
        f"{ANY}input 'INPUT0' has no shape but model requires batch dimension for 'simple'",
        FULL,
    ),
    (
        simple_input(datatype="FP32"),
        400,
        f"{ANY}inference input 'INPUT0' data-type is 'FP32', but model 'simple' expects 'INT32'",
        FULL,
    ),
    (
        simple_input(shape=[1, 8], data=[0] * 8),
        400,
        f"{ANY}unexpected shape for input 'INPUT0' for model 'simple'. Expected [-1,16], got [1,8]. {NOTE}",
        not FULL,
    ),
    (
        simple_input(shape=[1, 4, 4]),
        400,
        f"{ANY}unexpected shape for input 'INPUT0' for model 'simple'. Expected [-1,16], got [1,4,4]. {NOTE}",
        not FULL,
    ),
    (
        simple(id="mine", inputs=good(shape=(9, 16))),
        400,
        "[request id: mine] inference request batch-size must be <= 8 for 'simple'",
        FULL,
    ),
    # --- parameters
    (
        simple(parameters={"triton_x": 1}),
        400,
        "parameter keys starting with 'triton_' are reserved for Triton usage and should not be specified.",
        FULL,
    ),
    (
        simple(parameters={"mine": [1]}),
        400,
        "parameter 'mine' has invalid type. It should be either 'int', 'bool', or 'string'.",
        FULL,
    ),
    (simple(parameters={"priority": "1"}), 500, f"Unable to parse 'priority': {UNSIGNED}", FULL),
    (simple(parameters={"timeout": -1}), 500, f"Unable to parse 'timeout': {UNSIGNED}", FULL),
    (simple(parameters={"sequence_id": 1.5}), 500, "Unable to parse 'sequence_id': ", not FULL),
    (
        simple(parameters={"sequence_start": 1}),
        500,
        "Unable to parse 'sequence_start': attempt to access JSON non-boolean as boolean",
        FULL,
    ),
    (
        simple(parameters={"binary_data_output": "yes"}),
        500,
        "Unable to parse 'binary_data_output': attempt to access JSON non-boolean as boolean",
        FULL,
    ),
    (
        simple(outputs=[{"name": "OUTPUT0", "parameters": {"binary_data": 1}}]),
        500,
        "Unable to parse 'binary_data': attempt to access JSON non-boolean as boolean",
        FULL,
    ),
    (
        simple(outputs=[{"name": "OUTPUT0", "parameters": {"classification": -1}}]),
        500,
        f"Unable to parse 'classification': {UNSIGNED}",
        FULL,
    ),
    # --- repository
    (raw("/v2/repository/index", '{"ready":1}'), 400, "Invalid value for 'ready': expected a boolean", FULL),
    (
        raw("/v2/repository/models/nobody/load", ""),
        500,
        "failed to load 'nobody', failed to poll from model repository",
        not FULL,
    ),
    (
        raw("/v2/repository/mine/models/simple/load", ""),
        501,
        "'repository_name' specification is not supported",
        FULL,
    ),
    (
        raw("/v2/repository/mine/models/simple/unload", ""),
        501,
        "'repository_name' specification is not supported",
        FULL,
    ),
    (
        raw("/v2/repository/models/simple/unload", '{"parameters":{"unload_dependents":1}}'),
        500,
        "Unable to parse 'unload_dependents': attempt to access JSON non-boolean as boolean",
        FULL,
    ),
    (
        raw("/v2/repository/models/../load", ""),
        400,
        "invalid model name '..', model name must not contain path traversal characters",
        FULL,
    ),
    # --- shared memory (a server that does not allow it: test_restricted.py)
    (
        raw("/v2/systemsharedmemory/region/r/register", '{"key":"/nobody-made-this","byte_size":1}'),
        500,
        "Unable to open shared memory region: '/nobody-made-this'",
        FULL,
    ),
    (
        ("POST", INFER, {"inputs": [{"name": "INPUT0", "shape": [1, 16], "datatype": "INT32",
                                     "parameters": {"shared_memory_region": "r", "shared_memory_byte_size": 64}},
                                    good()[1]]}),
        404,
        "Unable to find shared memory region: 'r'",
        FULL,
    ),
]


def label(case):
    (method, path, body), status, text, _ = case
    return f"{status}-{method}-{path}-{text or json.dumps(body)}"[:110]


@pytest.mark.parametrize("case", CASES, ids=label)
def test_error(server, case):
    (method, path, body), status, text, full = case
    prepared = server.session.prepare_request(
        requests.Request(method, server.url, data=body if isinstance(body, str) else json.dumps(body))
    )
    prepared.url = server.url + path  # as it is: nothing normalises `..` away
    if method == "GET":
        prepared.body = None
        prepared.headers.pop("Content-Length", None)
    reply = server.session.send(prepared, timeout=30)
    assert reply.headers["Content-Type"] == "application/json"
    answer = reply.json()
    assert list(answer) == ["error"]
    assert reply.status_code == status, answer
    assert answer["error"] == text if full else answer["error"].startswith(text)


def test_the_table_is_long_and_without_repetition():
    requests_made = [json.dumps(case[0]) for case in CASES]
    assert len(set(requests_made)) == len(requests_made) >= 40


BINARY = {"name": "INPUT_FP32", "shape": [1, 2], "datatype": "FP32"}
BINARY_CASES = [
    # declared size, blob, error
    (8, 4, "unexpected size for input 'INPUT_FP32', expecting 4 additional bytes for model 'identity_fp32'"),
    (8, 12, "unexpected additional input data for model 'identity_fp32'"),
    (4, 4, f"{ANY}input byte size mismatch for input 'INPUT_FP32' for model 'identity_fp32'. Expected 8, got 4"),
    (12, 12, f"{ANY}input byte size mismatch for input 'INPUT_FP32' for model 'identity_fp32'. Expected 8, got 12"),
]


@pytest.mark.parametrize(("declared", "sent", "text"), BINARY_CASES)
def test_wrong_amount_of_binary_data(server, declared, sent, text):
    header = json.dumps({"inputs": [{**BINARY, "parameters": {"binary_data_size": declared}}]})
    reply = server.post(
        "/v2/models/identity_fp32/infer",
        data=header.encode() + bytes(sent),
        headers={"Inference-Header-Content-Length": str(len(header))},
    )
    assert (reply.status_code, reply.json()["error"]) == (400, text)
