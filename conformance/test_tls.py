"""TLS and mutual TLS over HTTP and gRPC with Triton's client, on servers of their own."""

import json
import os
import shutil
import ssl
import subprocess

import pytest
import simple_model
import tritonclient.grpc as grpc
import tritonclient.http as http
from tritonclient.utils import InferenceServerException

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl to make certificates with")


def openssl(*args):
    subprocess.run(["openssl", *args], check=True, capture_output=True)


@pytest.fixture(scope="module")
def pem(tmp_path_factory):
    """Paths of an authority's certificate, and of certificates and keys that it signed for a server and a client."""
    home = tmp_path_factory.mktemp("tls")
    path = {name: str(home / name) for name in ("ca.key", "ca.crt", "names", "server.key", "server.crt", "client.key", "client.crt")}
    new = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test authority"]
    openssl(*new, "-keyout", path["ca.key"], "-out", path["ca.crt"])
    (home / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1")
    for who in ("server", "client"):
        request = str(home / f"{who}.csr")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={who}", "-keyout", path[f"{who}.key"], "-out", request)
        signed = ["x509", "-req", "-in", request, "-CA", path["ca.crt"], "-CAkey", path["ca.key"], "-CAcreateserial"]
        openssl(*signed, "-days", "2", "-extfile", path["names"], "-out", path[f"{who}.crt"])
    return path


def serve(server, *flags):
    command = [
        os.environ.get("NEREID_NODE", "node"),
        os.environ["NEREID_SERVER_ENTRY"],
        f"--model-repository={server.repository}",
        "--model-control-mode=explicit",
        "--load-model=simple",
        *("--http-port=0", "--grpc-port=0", "--metrics-port=0"),
        *flags,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(timeout=60)


@pytest.fixture(scope="module")
def encrypted(server, pem):
    own = (pem["server.crt"], pem["server.key"])
    yield from serve(
        server,
        *("--http-use-ssl=true", f"--http-server-cert={own[0]}", f"--http-server-key={own[1]}"),
        *("--grpc-use-ssl=true", f"--grpc-server-cert={own[0]}", f"--grpc-server-key={own[1]}"),
    )


@pytest.fixture(scope="module")
def mutual(server, pem):
    flags = [f"--{front}-{flag}" for front in ("http", "grpc") for flag in (
        "use-ssl-mutual=true", f"server-cert={pem['server.crt']}", f"server-key={pem['server.key']}", f"root-cert={pem['ca.crt']}")]
    yield from serve(server, *flags)


def grpc_inputs():
    for name, values in (("INPUT0", simple_model.A), ("INPUT1", simple_model.B)):
        tensor = grpc.InferInput(name, list(values.shape), "INT32")
        tensor.set_data_from_numpy(values)
        yield tensor


def over_http(port, pem, certificate=None):
    def context():
        made = ssl.create_default_context(cafile=pem["ca.crt"])
        if certificate is not None:
            made.load_cert_chain(pem[f"{certificate}.crt"], pem[f"{certificate}.key"])
        return made

    with http.InferenceServerClient(f"localhost:{port}", ssl=True, ssl_context_factory=context) as client:
        simple_model.check(client.infer("simple", simple_model.inputs()))


def over_grpc(port, pem, certificate=None):
    chain = {} if certificate is None else {"private_key": pem[f"{certificate}.key"], "certificate_chain": pem[f"{certificate}.crt"]}
    with grpc.InferenceServerClient(f"localhost:{port}", ssl=True, root_certificates=pem["ca.crt"], **chain) as client:
        simple_model.check(client.infer("simple", list(grpc_inputs()), client_timeout=20))


def test_http_with_tls(encrypted, pem):
    over_http(encrypted["http"], pem)


def test_grpc_with_tls(encrypted, pem):
    over_grpc(encrypted["grpc"], pem)


def test_both_with_a_certificate_of_the_client(mutual, pem):
    over_http(mutual["http"], pem, "client")
    over_grpc(mutual["grpc"], pem, "client")


def test_a_client_without_a_certificate_is_refused_where_one_is_asked_for(mutual, pem):
    with pytest.raises((OSError, InferenceServerException)):
        over_http(mutual["http"], pem)
    with pytest.raises(InferenceServerException):
        over_grpc(mutual["grpc"], pem)


def test_a_plain_client_gets_nothing_from_an_encrypted_port(encrypted):
    with http.InferenceServerClient(f"localhost:{encrypted['http']}") as client:
        with pytest.raises(Exception):
            client.is_server_live()
    with grpc.InferenceServerClient(f"localhost:{encrypted['grpc']}") as client:
        with pytest.raises(InferenceServerException):
            client.is_server_live(client_timeout=10)
