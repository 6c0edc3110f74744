"""Decoupled models by Triton's client (scheduling.md §11, grpc.md §5, http.md §14, metrics.md §3).

Covered elsewhere (decoupled-scripts.int.test.ts): a reader that leaves a long stream of events, an error behind answers on a stream beside
another model, a model that is not decoupled and answers twice.
"""

import json

import numpy
import pytest
from scheduling_models import (
    Counters,
    Gate,
    Stream,
    eventually,
    instances,
    io,
    is_final,
    one,
    script,
    tensor,
    wait_pending,
)

# COUNT answers. The parameters say more: `gate` waits before the last one, `fail` ends with an error, `flag` sends the final flag with
# the last answer, `later` sends it from a task of its own after `execute` is over, `parameter` gives each answer a parameter.
SCRIPT = """import { existsSync, writeFileSync } from "node:fs";
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function answer(request) {
  const { parameters } = request;
  const count = request.inputs.COUNT.data[0];
  for (let index = 0; index < count; index++) {
    if (index === count - 1 && parameters.gate !== undefined) {
      writeFileSync(`${parameters.gate}.started`, "");
      while (!existsSync(parameters.gate) && !request.signal.aborted) await wait(3);
      writeFileSync(`${parameters.gate}.done`, request.signal.aborted ? "aborted" : "");
    }
    const final = parameters.flag === true && index === count - 1;
    const response = { outputs: { INDEX: { shape: [1], data: [index] } } };
    if (parameters.parameter !== undefined) response.parameters = { mine: parameters.parameter, index };
    await request.send(response, { final });
    if (final) return;
  }
  if (parameters.fail !== undefined) await request.send({ error: { code: "UNAVAILABLE", message: parameters.fail } }, { final: true });
  else request.end();
}
export async function execute(requests) {
  for (const request of requests) {
    const done = answer(request);
    if (request.parameters.later !== true) await done;
  }
}
"""
IO = io([tensor("COUNT")], [tensor("INDEX")])
DECOUPLED = "model_transaction_policy { decoupled: true }\n"
MODELS = {
    "d_many": script(f"max_batch_size: 0\n{IO}{instances(1)}{DECOUPLED}", SCRIPT),
    "d_two": script(f"max_batch_size: 0\n{IO}{instances(2)}{DECOUPLED}", SCRIPT),
    "d_ordered": script(
        f"max_batch_size: 0\n{IO}{instances(2)}{DECOUPLED}dynamic_batching {{ preserve_ordering: true }}\n", SCRIPT
    ),
    "d_queue": script(
        f"max_batch_size: 0\n{IO}{instances(1)}{DECOUPLED}dynamic_batching {{ default_queue_policy {{ "
        "max_queue_size: 2 default_timeout_microseconds: 60000000 allow_timeout_override: true } }\n",
        SCRIPT,
    ),
    "d_plain": script(
        f"max_batch_size: 0\n{IO}{instances(1)}",
        "export const execute = (requests) => requests.map(() => ({ outputs: { INDEX: { shape: [1], data: [9] } } }));",
    ),
}


@pytest.fixture(scope="module", autouse=True)
def loaded(models):
    for name, files in MODELS.items():
        models.load(name, files)


def count(number):
    return {"COUNT": numpy.array([number], numpy.int32)}


def indices(results):
    return [one(result, "INDEX") for result in results]


def fields(result):
    answer = result.get_response()
    return answer.id, answer.model_name, [output.name for output in answer.outputs], is_final(result)


@pytest.mark.parametrize("number", [1, 2, 50])
def test_s11_as_many_answers_as_the_model_likes_none_of_them_final(stream, number):
    stream.send("d_many", count(number), request_id="a")
    stream.send("d_plain", count(0), request_id="b")
    results = [stream.next() for _ in range(number + 1)]
    mine = [result for result in results if result.get_response().id == "a"]
    assert indices(mine) == list(range(number))
    # The flag comes separately, and nobody asked to see it.
    assert [is_final(result) for result in mine] == [False] * number


@pytest.mark.parametrize("number", [0, 1, 3])
def test_g5_empty_final_response_where_it_is_asked_for(stream, number):
    stream.send("d_many", count(number), request_id="a", enable_empty_final_response=True)
    results = [stream.next() for _ in range(number + 1)]
    assert [fields(result) for result in results] == [
        *[("a", "d_many", ["INDEX"], False)] * number,
        ("a", "d_many", [], True),
    ]


def test_g5_without_answers_nothing_comes(stream):
    stream.send("d_many", count(0), request_id="a")
    # Its instance takes the next one when it is over.
    stream.send("d_many", count(1), request_id="b")
    assert stream.next().get_response().id == "b"


@pytest.mark.parametrize("asked", [True, False])
def test_g5_flag_with_the_last_answer(stream, asked):
    stream.send("d_many", count(3), parameters={"flag": True}, enable_empty_final_response=asked)
    results = [stream.next() for _ in range(3)]
    assert [is_final(result) for result in results] == [False, False, True]
    stream.send("d_plain", count(0), request_id="next")
    assert stream.next().get_response().id == "next"


def test_g5_model_version_of_an_empty_final_response_is_as_in_the_request(stream):
    for version in ("", "1"):
        stream.send("d_many", count(0), model_version=version, enable_empty_final_response=True)
        assert stream.next().get_response().model_version == version


def test_g5_decoupled_requests_do_not_hold_back_others_on_their_stream(stream, gate):
    stream.send("d_two", count(2), request_id="slow", parameters=gate.parameters)
    assert stream.next().get_response().id == "slow"
    gate.wait_held()
    stream.send("d_two", count(2), request_id="fast", enable_empty_final_response=True)
    assert [fields(stream.next())[0] for _ in range(3)] == ["fast"] * 3
    stream.send("d_plain", count(0), request_id="plain")
    assert stream.next().get_response().id == "plain"
    gate.open()
    assert fields(stream.next()) == ("slow", "d_two", ["INDEX"], False)


def test_g5_answers_after_the_execution_is_over(stream, gate):
    """An instance takes the next request although the one before still answers."""
    stream.send("d_many", count(1), request_id="later", parameters={**gate.parameters, "later": True})
    gate.wait_held()
    stream.send("d_many", count(1), request_id="next")
    assert stream.next().get_response().id == "next"
    gate.open()
    assert stream.next().get_response().id == "later"


def test_g5_parameters_of_answers(stream):
    stream.send("d_many", count(2), parameters={"parameter": "yes"})
    for index in range(2):
        parameters = stream.next().get_response().parameters
        assert (parameters["mine"].string_param, parameters["index"].int64_param) == ("yes", index)


def test_g5_many_streams_at_once(grpc_address):
    streams = [Stream(grpc_address) for _ in range(4)]
    try:
        for stream in streams:
            for id in range(5):
                stream.send("d_two", count(20), request_id=str(id), enable_empty_final_response=True)
        for stream in streams:
            seen = {str(id): [] for id in range(5)}
            for _ in range(5 * 21):
                result = stream.next()
                seen[result.get_response().id].append("end" if is_final(result) else one(result, "INDEX"))
            assert list(seen.values()) == [[*range(20), "end"]] * 5
    finally:
        for stream in streams:
            stream.__exit__()


@pytest.mark.parametrize("number", [0, 2])
def test_g5_error_of_inference_names_the_request_and_is_final(stream, number):
    stream.send("d_many", count(number), request_id="bad", parameters={"fail": "ran dry"}, enable_empty_final_response=True)
    assert indices([stream.next() for _ in range(number)]) == list(range(number))
    assert "ran dry" in stream.next_error()
    stream.send("d_many", count(1), request_id="good")
    assert stream.next().get_response().id == "good"


def test_g5_error_message_has_the_fields_of_the_request(grpc_address):
    from tritonclient.grpc import service_pb2, service_pb2_grpc

    import grpc

    request = service_pb2.ModelInferRequest(model_name="d_many", model_version="1", id="bad")
    request.inputs.add(name="COUNT", datatype="INT32", shape=[1])
    request.raw_input_contents.append(numpy.array([0], numpy.int32).tobytes())
    request.parameters["fail"].string_param = "ran dry"
    with grpc.insecure_channel(grpc_address) as channel:
        (answer,) = service_pb2_grpc.GRPCInferenceServiceStub(channel).ModelStreamInfer(iter([request]), timeout=30)
    response = answer.infer_response
    assert "ran dry" in answer.error_message
    assert (response.id, response.model_name, response.model_version) == ("bad", "d_many", "1")
    assert response.parameters["triton_final_response"].bool_param is True


def test_g5_triton_grpc_error_ends_the_stream_with_the_status(grpc_address):
    from tritonclient.grpc import service_pb2, service_pb2_grpc

    import grpc

    request = service_pb2.ModelInferRequest(model_name="d_many", id="bad")
    request.inputs.add(name="COUNT", datatype="INT32", shape=[1])
    request.raw_input_contents.append(numpy.array([1], numpy.int32).tobytes())
    request.parameters["fail"].string_param = "ran dry"
    with grpc.insecure_channel(grpc_address) as channel:
        call = service_pb2_grpc.GRPCInferenceServiceStub(channel).ModelStreamInfer(
            iter([request]), timeout=30, metadata=(("triton_grpc_error", "true"),)
        )
        assert next(call).infer_response.id == "bad"
        with pytest.raises(grpc.RpcError) as error:
            next(call)
    assert error.value.code() == grpc.StatusCode.UNAVAILABLE
    assert "ran dry" in error.value.details()


def test_s11_unary_calls_are_refused(callers):
    http = callers["http"].refusal("d_many", count(1))
    grpc = callers["grpc"].refusal("d_many", count(1))
    assert http[1] == "HTTP end point doesn't support models with decoupled transaction policy"
    assert grpc == ("UNIMPLEMENTED", "ModelInfer RPC doesn't support models with decoupled transaction policy")


def test_s11_config_says_so(client):
    assert client.get_model_config("d_many")["model_transaction_policy"] == {"decoupled": True}


def test_s2_preserve_ordering_holds_the_answers_of_decoupled_requests_back(stream, gate, tmp_path):
    """Final flags too: all of the first, then all of the second, then all of the third."""
    stream.send("d_ordered", count(1), request_id="0", parameters=gate.parameters, enable_empty_final_response=True)
    gate.wait_held()
    for number in (1, 2):
        passed = Gate(tmp_path)
        passed.open()
        stream.send("d_ordered", count(30), request_id=str(number), parameters=passed.parameters, enable_empty_final_response=True)
        eventually(passed.done)
    stream.send("d_plain", count(0), request_id="plain")
    assert stream.next().get_response().id == "plain"
    gate.open()
    seen = [stream.next() for _ in range(2 + 31 + 31)]
    assert [fields(result)[0] for result in seen] == ["0"] * 2 + ["1"] * 31 + ["2"] * 31
    assert [place for place, result in enumerate(seen) if is_final(result)] == [1, 32, 63]


def test_s4_queue_of_a_decoupled_model_rejects_and_is_limited(stream, gate, server):
    stream.send("d_queue", count(1), parameters=gate.parameters, request_id="held")
    gate.wait_held()
    stream.send("d_queue", count(1), timeout=1000, request_id="late")
    assert stream.next_error() == "Request timeout expired"
    for id in ("x", "y"):
        stream.send("d_queue", count(1), request_id=id)
    wait_pending(server, "d_queue", 2)
    stream.send("d_queue", count(1), request_id="z")
    assert stream.next_error() == "[request id: z] Exceeds maximum queue size"
    gate.open()
    assert [stream.next().get_response().id for _ in range(3)] == ["held", "x", "y"]


# --- generate


def test_h14_generate_wants_exactly_one_answer(server):
    def generate(number, **more):
        return server.post("/v2/models/d_many/generate", json={"COUNT": number, **more})

    reply = generate(1)
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, "application/json")
    assert reply.json() == {"INDEX": 0, "model_name": "d_many", "model_version": "1"}
    text = "generate expects model to produce exactly 1 response, use generate stream for model that generates various number of responses"
    for number in (0, 2):
        assert generate(number).json() == {"error": text}
    assert generate(2).status_code == 200  # the status of the first answer
    failed = generate(0, fail="ran dry")
    assert failed.status_code == 503 and "ran dry" in failed.json()["error"]


@pytest.mark.parametrize("number", [0, 1, 5])
@pytest.mark.parametrize("flag", [True, False])
def test_h14_generate_stream_gives_an_event_for_each_answer(server, number, flag):
    reply = server.post("/v2/models/d_many/generate_stream", json={"COUNT": number, "flag": flag})
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
    events = [json.loads(event.removeprefix("data: ")) for event in reply.text.split("\n\n") if event]
    assert [event["INDEX"] for event in events] == list(range(number))


def test_h14_generate_stream_tells_a_late_error_as_an_event_and_a_first_one_with_its_status(server):
    def stream(number):
        return server.post("/v2/models/d_many/generate_stream", json={"COUNT": number, "fail": "ran dry"})

    late = stream(1)
    assert late.status_code == 200
    assert "ran dry" in json.loads(late.text.split("\n\n")[1].removeprefix("data: "))["error"]
    first = stream(0)
    assert (first.status_code, first.headers["Content-Type"]) == (503, "text/event-stream; charset=utf-8")
    assert first.text.startswith("data: ") and "ran dry" in first.text


def test_h14_generate_puts_parameters_and_id_into_events(server):
    body = {"COUNT": 1, "id": "mine", "parameter": "yes"}
    answer = server.post("/v2/models/d_many/generate", json=body).json()
    assert (answer["id"], answer["mine"], answer["index"]) == ("mine", "yes", 0)


# --- statistics


def test_m3_one_success_for_each_request(stream, server):
    counters = Counters(server, "d_two")
    for number in (0, 1, 3):
        stream.send("d_two", count(number), enable_empty_final_response=True)
    for _ in range(0 + 1 + 3 + 3):
        stream.next()
    counters.wait(success=3, queue=3, compute_input=3, compute_infer=3, compute_output=3, inferences=3, executions=3)


def test_m3_response_stats_by_index(stream, server):
    counters = Counters(server, "d_two")
    before = counters.row()["response_stats"]
    for number in (0, 1, 3):
        stream.send("d_two", count(number), enable_empty_final_response=True)
    for _ in range(0 + 1 + 3 + 3):
        stream.next()
    after = counters.row()["response_stats"]

    def grown(index, what):
        return after[index][what]["count"] - before.get(index, {}).get(what, {"count": 0})["count"]

    assert [grown(index, "success") for index in "012"] == [2, 1, 1]
    # An empty final flag counts as a response at its index.
    assert [grown(index, "empty_response") for index in "013"] == [1, 1, 1]
    assert set(after["0"]) == {"compute_infer", "compute_output", "success", "fail", "empty_response", "cancel"}


def test_m3_error_response_is_a_failure_at_its_index(stream, server):
    counters = Counters(server, "d_two")
    before = counters.row()["response_stats"].get("2", {}).get("fail", {"count": 0})["count"]
    stream.send("d_two", count(2), parameters={"fail": "ran dry"})
    stream.next(), stream.next(), stream.next_error()
    counters.wait(fail=1, BACKEND=1, executions=1)
    assert counters.row()["response_stats"]["2"]["fail"]["count"] - before == 1


# --- cancellation


def test_s10_cancelled_stream_reaches_the_model(grpc_address, gate):
    with Stream(grpc_address) as stream:
        stream.send("d_many", count(2), parameters=gate.parameters)
        stream.next()
        gate.wait_held()
        stream.client.stop_stream(cancel_requests=True)
        eventually(gate.done)
    assert (gate.path.parent / f"{gate.path.name}.done").read_text() == "aborted"


def test_s10_http_client_that_leaves_a_stream_of_events_reaches_the_model(server, gate):
    body = {"COUNT": 2, **gate.parameters}
    with server.session.post(f"{server.url}/v2/models/d_many/generate_stream", json=body, stream=True, timeout=30) as reply:
        next(reply.iter_lines())
        gate.wait_held()
    eventually(gate.done)
    assert (gate.path.parent / f"{gate.path.name}.done").read_text() == "aborted"


def test_s10_queued_decoupled_requests_of_a_cancelled_stream_leave_the_queue(grpc_address, callers, gate, server, stream):
    stream.send("d_queue", count(1), parameters=gate.parameters)
    gate.wait_held()
    counters = Counters(server, "d_queue")
    with Stream(grpc_address) as other:
        other.send("d_queue", count(1))
        other.send("d_queue", count(1))
        wait_pending(server, "d_queue", 2)
        other.client.stop_stream(cancel_requests=True)
        wait_pending(server, "d_queue", 0)
    eventually(lambda: counters.grown().get("CANCELED") == 2)
    gate.open()
    stream.next()
