"""What the tests share: where the server is, Triton's client, and a plain HTTP session."""

import os
from dataclasses import dataclass

import pytest
import requests
import scheduling_models
import tritonclient.grpc
import tritonclient.http as triton

ADDRESS = os.environ["NEREID_URL"]


@dataclass
class Server:
    """The server under test, spoken to without Triton's client."""

    url: str
    metrics: str
    repository: str
    session: requests.Session

    def get(self, path, **rest):
        return self.session.get(self.url + path, timeout=30, **rest)

    def post(self, path, **rest):
        return self.session.post(self.url + path, timeout=30, **rest)

    def infer(self, model, body, **rest):
        return self.post(f"/v2/models/{model}/infer", json=body, **rest)


@pytest.fixture(scope="session")
def server():
    with requests.Session() as session:
        yield Server(
            f"http://{ADDRESS}", os.environ["NEREID_METRICS_URL"], os.environ["NEREID_REPOSITORY"], session
        )


@pytest.fixture(scope="session")
def client():
    with triton.InferenceServerClient(ADDRESS, concurrency=8) as connected:
        yield connected


@pytest.fixture(scope="session")
def grpc_address():
    return os.environ["NEREID_GRPC_ADDRESS"]


@pytest.fixture(scope="session")
def grpc_client(grpc_address):
    with tritonclient.grpc.InferenceServerClient(grpc_address) as connected:
        yield connected


@pytest.fixture(scope="module")
def models(server, client):
    """Models of the file's own; unloaded and removed after it."""
    made = scheduling_models.Models(server, client)
    yield made
    made.dispose()


@pytest.fixture
def gate(tmp_path):
    """Holds executions; open at the latest when the test ends."""
    with scheduling_models.Gate(tmp_path) as made:
        yield made


@pytest.fixture(scope="session")
def callers(grpc_address):
    return {
        "http": scheduling_models.Caller("http", ADDRESS),
        "grpc": scheduling_models.Caller("grpc", grpc_address),
    }


@pytest.fixture(params=["http", "grpc"])
def caller(request, callers):
    return callers[request.param]


@pytest.fixture
def stream(grpc_address):
    with scheduling_models.Stream(grpc_address) as made:
        yield made
