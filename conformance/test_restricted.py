"""--http-restricted-api and --http-header-forward-pattern, on a server of their own."""

import json
import os
import subprocess

import pytest
import requests
import simple_model
import tritonclient.http as triton
from tritonclient.utils import InferenceServerException

KEY = {"admin-key": "let me in"}


@pytest.fixture(scope="module")
def restricted(server):
    node = os.environ.get("NEREID_NODE", "node")
    command = [
        node,
        os.environ["NEREID_SERVER_ENTRY"],
        f"--model-repository={server.repository}",
        "--model-control-mode=explicit",
        "--load-model=simple",
        "--http-port=0",
        "--grpc-port=0",
        "--metrics-port=0",
        "--http-restricted-api=model-repository,statistics,shared-memory:admin-key=let me in",
        "--http-restricted-api=inference:infer-key=42",
        "--http-header-forward-pattern=^(tenant|priority)",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(timeout=60)


@pytest.fixture(scope="module")
def url(restricted):
    return f"http://127.0.0.1:{restricted['http']}"


@pytest.fixture(scope="module")
def guarded(restricted):
    with triton.InferenceServerClient(f"127.0.0.1:{restricted['http']}") as connected:
        yield connected


RESTRICTED = [
    ("POST", "/v2/repository/index", "admin-key"),
    ("POST", "/v2/repository/models/simple/load", "admin-key"),
    ("POST", "/v2/repository/models/simple/unload", "admin-key"),
    ("GET", "/v2/models/stats", "admin-key"),
    ("GET", "/v2/models/simple/stats", "admin-key"),
    ("GET", "/v2/systemsharedmemory/status", "admin-key"),
    ("GET", "/v2/cudasharedmemory/region/r/status", "admin-key"),
    ("POST", "/v2/models/simple/infer", "infer-key"),
    ("POST", "/v2/models/simple/versions/1/infer", "infer-key"),
    ("POST", "/v2/models/simple/generate", "infer-key"),
    ("POST", "/v2/models/simple/generate_stream", "infer-key"),
    # The restriction is checked before the method.
    ("GET", "/v2/models/simple/infer", "infer-key"),
    # The same calls by this server's own routes.
    ("POST", "/nereid/v1/models/simple/unload", "admin-key"),
    ("GET", "/nereid/v1/models", "admin-key"),
]


@pytest.mark.parametrize(("method", "path", "header"), RESTRICTED)
def test_a_restricted_call_needs_its_header(url, method, path, header):
    text = f"This API is restricted, expecting header '{header}'"
    for headers in ({}, {header: "wrong"}, {header: ""}, {header: "let me in 2"}):
        reply = requests.request(method, url + path, headers=headers, timeout=30)
        assert (reply.status_code, reply.json()["error"]) == (403, text)


@pytest.mark.parametrize("path", ["/v2", "/v2/health/live", "/v2/health/ready", "/v2/models/simple", "/v2/models/simple/config"])
def test_other_calls_do_not(url, path):
    assert requests.get(url + path, timeout=30).status_code == 200


def test_the_right_header_opens_its_own_group_only(url, guarded):
    assert guarded.get_model_repository_index(headers=KEY)
    assert guarded.get_inference_statistics("simple", headers={"ADMIN-KEY": "let me in"})["model_stats"]
    with pytest.raises(InferenceServerException) as error:
        guarded.infer("simple", simple_model.inputs(), headers=KEY)
    assert error.value.status() == "403"
    simple_model.check(guarded.infer("simple", simple_model.inputs(), headers={"infer-key": "42"}))
    reply = requests.get(url + "/v2/models/simple/infer", headers={"infer-key": "42"}, timeout=30)
    assert reply.status_code == 405


def test_metrics_are_never_restricted(restricted):
    assert requests.get(f"http://127.0.0.1:{restricted['metrics']}/metrics", timeout=30).status_code == 200


def test_a_forwarded_header_must_not_be_reserved(guarded):
    with pytest.raises(InferenceServerException) as error:
        guarded.infer("simple", simple_model.inputs(), headers={"infer-key": "42", "priority": "1"})
    text = "Header 'priority' is reserved for Triton usage and cannot be forwarded."
    assert (error.value.status(), error.value.message()) == ("400", text)
    simple_model.check(guarded.infer("simple", simple_model.inputs(), headers={"infer-key": "42", "tenant-id": "a"}))


def test_client_shared_memory_is_off_unless_asked_for(guarded):
    text = "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable."
    calls = [
        lambda: guarded.register_system_shared_memory("r", "/x", 4, headers=KEY),
        lambda: guarded.unregister_system_shared_memory("r", headers=KEY),
        lambda: guarded.register_cuda_shared_memory("r", b"", 0, 4, headers=KEY),
        lambda: guarded.unregister_cuda_shared_memory(headers=KEY),
    ]
    for call in calls:
        with pytest.raises(InferenceServerException) as error:
            call()
        assert (error.value.status(), error.value.message()) == ("501", text)
    assert guarded.get_system_shared_memory_status(headers=KEY) == []
