"""What the scheduler tests share: models written as scripts, gates that hold an execution, and calls made in the background."""

import itertools
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy
import requests
import tritonclient.grpc
import tritonclient.http
from tritonclient.utils import InferenceServerException, np_to_triton_dtype

WAIT = 30
ANY_ID = "[request id: <id_unknown>] "
STATUS = {
    "http": {"INVALID_ARGUMENT": "400", "CANCELLED": "400", "NOT_FOUND": "404", "INTERNAL": "500", "UNAVAILABLE": "503"},
    "grpc": {
        code: f"StatusCode.{code}"
        for code in ("INVALID_ARGUMENT", "CANCELLED", "NOT_FOUND", "INTERNAL", "UNAVAILABLE", "UNIMPLEMENTED")
    },
}
STATUS["http"]["UNIMPLEMENTED"] = "501"

# Holds its execution until the file named by the parameter `gate` exists (`<gate>.started` says that it holds, `<gate>.done` that it has gone on), then waits for the
# parameter `ms`. `fail` makes it an error of that text. The outputs say how it was executed: as which execution since the load, in
# one of how many requests, at which place among them.
WORKER = """import { existsSync, writeFileSync } from "node:fs";
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let executions = 0;
export async function execute(requests) {
  const execution = ++executions;
  for (const { parameters } of requests) {
    if (parameters.gate === undefined) continue;
    writeFileSync(`${parameters.gate}.started`, "");
    while (!existsSync(parameters.gate)) await wait(3);
  }
  await wait(Math.max(...requests.map(({ parameters }) => Number(parameters.ms ?? 0))));
  for (const { parameters } of requests) if (parameters.gate !== undefined) writeFileSync(`${parameters.gate}.done`, "");
  return requests.map(({ inputs, parameters }, place) => {
    if (parameters.fail !== undefined) return { error: { code: parameters.code ?? "INVALID_ARGUMENT", message: parameters.fail } };
    const { shape } = inputs.VALUE;
    const rows = shape.length === 1 ? 1 : shape[0];
    const all = (value) => ({ shape: shape.length === 1 ? [1] : [rows, 1], data: new Int32Array(rows).fill(value) });
    return { outputs: {
      EXECUTION: all(execution), REQUESTS: all(requests.length), PLACE: all(place), VALUE_OUT: { shape: inputs.VALUE.shape, data: [...inputs.VALUE.data] },
    } };
  });
}
"""


def tensor(name, datatype="INT32", dims="1", more=""):
    """An entry of `input` or `output`."""
    return f'{{ name: "{name}" data_type: TYPE_{datatype} dims: [ {dims} ] {more} }}'


def io(inputs, outputs):
    return f"input [ {', '.join(inputs)} ]\noutput [ {', '.join(outputs)} ]\n"


def instances(count):
    return f"instance_group [ {{ count: {count} kind: KIND_CPU }} ]\n"


def script(config, source):
    """The files of a model whose code is JavaScript."""
    return {"config.pbtxt": f'backend: "javascript"\n{config}', "1/model.mjs": source}


def worker(config="", batch=8, count=1, dims="1", inputs=()):
    outputs = [tensor(name) for name in ("EXECUTION", "REQUESTS", "PLACE")]
    signature = io([tensor("VALUE", dims=dims), *inputs], [*outputs, tensor("VALUE_OUT", dims=dims)])
    return script(f"max_batch_size: {batch}\n{signature}{instances(count)}{config}\n", WORKER)


def step(model, inputs, outputs, version=-1):
    """One step of an ensemble; maps go from the model's name to the ensemble's tensor."""

    def entries(field, given):
        return " ".join(f'{field} {{ key: "{key}" value: "{value}" }}' for key, value in given.items())

    return (
        f'{{ model_name: "{model}" model_version: {version} {entries("input_map", inputs)} '
        f'{entries("output_map", outputs)} }}'
    )


def ensemble(signature, steps, batch=0, scheduling="", config=""):
    text = (
        f'platform: "ensemble"\nmax_batch_size: {batch}\n{signature}{config}\n'
        f"ensemble_scheduling {{ {scheduling} step [ {', '.join(steps)} ] }}\n"
    )
    # A version directory must be there; it needs no file.
    return {"config.pbtxt": text, "1/.keep": ""}


def write(repository, name, files):
    for path, content in files.items():
        file = pathlib.Path(repository) / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())


@contextmanager
def own_server(repository, *flags):
    """A server of the test's own: yields its process and its ports."""
    command = [
        os.environ.get("NEREID_NODE", "node"),
        os.environ["NEREID_SERVER_ENTRY"],
        f"--model-repository={repository}",
        "--model-control-mode=explicit",
        "--load-model=*",
        *(f"--{name}-port=0" for name in ("http", "grpc", "metrics")),
        *flags,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield process, json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(timeout=60)


class Models:
    """Models of one test file: written, loaded, and in the end unloaded and removed."""

    def __init__(self, server, client):
        self.repository = pathlib.Path(server.repository)
        self.client = client
        self.names = []

    def write(self, name, files):
        if name not in self.names:
            self.names.append(name)
        write(self.repository, name, files)

    def load(self, name, files):
        self.write(name, files)
        self.client.load_model(name)
        return name

    def refusal(self, name, files):
        """Status and text of a load that fails."""
        self.write(name, files)
        try:
            self.client.load_model(name)
        except InferenceServerException as error:
            return error.status(), error.message()
        raise AssertionError(f"{name} was loaded")

    def dispose(self):
        for name in reversed(self.names):
            self.client.unload_model(name)
            shutil.rmtree(self.repository / name, ignore_errors=True)
        # What failed before it had a version keeps the server from being ready until it was loaded once.
        failed = {row["name"] for row in self.client.get_model_repository_index() if "version" not in row}
        for name in failed.intersection(self.names):
            write(self.repository, name, worker())
            self.client.load_model(name)
            self.client.unload_model(name)
            shutil.rmtree(self.repository / name)


def eventually(holds, what="the condition", within=WAIT):
    """Polls until `holds()` is true; the value is given back."""
    deadline = time.monotonic() + within
    while True:
        value = holds()
        if value:
            return value
        assert time.monotonic() < deadline, f"{what} did not come"
        time.sleep(0.01)


class Gate:
    """Holds what is executed with `parameters`, until it is opened."""

    numbers = itertools.count()

    def __init__(self, directory):
        self.path = pathlib.Path(directory) / f"gate-{next(Gate.numbers)}"

    @property
    def parameters(self):
        return {"gate": str(self.path)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.open()

    def held(self):
        return pathlib.Path(f"{self.path}.started").exists()

    def done(self):
        return pathlib.Path(f"{self.path}.done").exists()

    def wait_held(self):
        eventually(self.held, "an execution at the gate")

    def open(self):
        self.path.touch()


def arrays_of(module, arrays):
    tensors = []
    for name, values in arrays.items():
        values = numpy.asarray(values)
        made = module.InferInput(name, list(values.shape), np_to_triton_dtype(values.dtype))
        made.set_data_from_numpy(values)
        tensors.append(made)
    return tensors


def value(number, rows=1):
    """The worker's input."""
    return {"VALUE": numpy.full((rows, 1), number, numpy.int32)}


class Caller:
    """Triton's client for one protocol; `start` calls it in the background."""

    def __init__(self, protocol, address):
        self.protocol = protocol
        self.module = {"http": tritonclient.http, "grpc": tritonclient.grpc}[protocol]
        self.address = address
        self.pool = ThreadPoolExecutor(24)
        # The HTTP client belongs to the thread that made it.
        self.local = threading.local()

    def client(self):
        if not hasattr(self.local, "client"):
            waits = {"network_timeout": WAIT} if self.protocol == "http" else {}
            self.local.client = self.module.InferenceServerClient(self.address, **waits)
        return self.local.client

    def infer(self, model, arrays, outputs=None, **options):
        wanted = None if outputs is None else [self.module.InferRequestedOutput(name) for name in outputs]
        if self.protocol == "grpc":
            options = {"client_timeout": WAIT, **options}
        return self.client().infer(model, arrays_of(self.module, arrays), outputs=wanted, **options)

    def start(self, model, arrays, **options):
        return self.pool.submit(self.infer, model, arrays, **options)

    def refusal(self, model, arrays, **options):
        """Class (by the name of the gRPC code) and text of a call that fails."""
        return self.told(lambda: self.infer(model, arrays, **options))

    def told(self, call):
        try:
            call()
        except InferenceServerException as error:
            names = {status: name for name, status in STATUS[self.protocol].items() if name != "CANCELLED" or self.protocol == "grpc"}
            return names.get(error.status(), error.status()), error.message()
        raise AssertionError("the call succeeded")

    def failed(self, future):
        return self.told(lambda: future.result(WAIT))


def one(result, name):
    """The only element, or the first of equal ones, of an output."""
    return result.as_numpy(name).flatten()[0].item()


class Stream:
    """A gRPC stream; what comes is in `answers`."""

    def __init__(self, address, **options):
        self.answers = queue.Queue()
        self.client = tritonclient.grpc.InferenceServerClient(address)
        self.client.start_stream(lambda result, error: self.answers.put((result, error)), **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_stream(cancel_requests=True)
        self.client.close()

    def send(self, model, arrays, **options):
        self.client.async_stream_infer(model, arrays_of(tritonclient.grpc, arrays), **options)

    def next(self):
        result, error = self.answers.get(timeout=WAIT)
        assert error is None, error
        return result

    def next_error(self):
        result, error = self.answers.get(timeout=WAIT)
        assert result is None, result.get_response()
        return error.message()


def is_final(result):
    return result.get_response().parameters["triton_final_response"].bool_param


class Counters:
    """Statistics and metrics of one model version, as numbers since this was made."""

    def __init__(self, server, model, version="1"):
        self.server, self.model, self.version = server, model, version
        self.before = self.read()

    def row(self):
        rows = self.server.get(f"/v2/models/{self.model}/versions/{self.version}/stats").json()["model_stats"]
        return rows[0]

    def read(self):
        row = self.row()
        stats = row["inference_stats"]
        counts = {name: stats[name]["count"] for name in stats}
        return {
            **counts,
            "inferences": row["inference_count"],
            "executions": row["execution_count"],
            **{reason: metric(self.server, "nv_inference_request_failure", self.model, self.version, reason) for reason in REASONS},
        }

    def grown(self):
        """Only what changed."""
        now = self.read()
        return {name: now[name] - self.before[name] for name in now if now[name] != self.before[name]}

    def wait(self, **expected):
        """Counters are moved just after the answer went out, some of them."""
        deadline = time.monotonic() + WAIT
        while self.grown() != expected and time.monotonic() < deadline:
            time.sleep(0.01)
        assert self.grown() == expected, f"{self.grown()} instead of {expected}"


REASONS = ("REJECTED", "CANCELED", "BACKEND", "OTHER")


def metric(server, name, model, version="1", reason=None):
    labels = f'model="{model}",' + (f'reason="{reason}",' if reason else "") + f'version="{version}"'
    page = requests.get(server.metrics, timeout=WAIT).text
    found = re.search(rf"^{name}{{{re.escape(labels)}}} (\S+)$", page, re.MULTILINE)
    return None if found is None else int(float(found[1]))


def wait_pending(server, model, count, version="1", within=WAIT):
    """Until so many requests wait, by Triton's gauge."""

    def seen():
        return metric(server, "nv_inference_pending_request_count", model, version) == count

    eventually(seen, f"{count} waiting", within)
