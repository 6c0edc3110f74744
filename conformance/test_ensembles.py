"""Ensembles by Triton's client (scheduling.md §7, model-management.md §10).

Covered elsewhere (ensembles.int.test.ts): a chain of ONNX models, an ensemble as a step, 200 at once, an error of a step over HTTP, a
missing output, a decoupled step followed by another.
"""

import json

import numpy
import pytest
import tritonclient.http
from scheduling_models import (
    Counters,
    arrays_of,
    ensemble,
    eventually,
    instances,
    io,
    is_final,
    metric,
    one,
    script,
    step,
    tensor,
    wait_pending,
)

# OUT = IN times FACTOR plus ADD; tells what came with the request, as text.
MATH = """import { appendFileSync, existsSync } from "node:fs";
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export async function execute(requests) {
  const answers = [];
  for (const { id, inputs, parameters, sequence, priority, timeoutMicroseconds } of requests) {
    const { shape, data } = inputs.IN;
    if (data[0] < 0 && FAILS) {
      answers.push({ error: { code: "UNAVAILABLE", message: "below zero" } });
      continue;
    }
    if (parameters.gate !== undefined) {
      appendFileSync(`${parameters.gate}.started`, "x");
      while (!existsSync(parameters.gate)) await wait(3);
    }
    const more = inputs.MORE?.data[0] ?? 0;
    const told = JSON.stringify({
      id, priority, timeout: timeoutMicroseconds, mine: parameters.mine,
      sequence: sequence && [String(sequence.id), sequence.start, sequence.end],
    });
    answers.push({ outputs: {
      OUT: { shape, data: [...data].map((number) => number * FACTOR + ADD + more) },
      TOLD: { shape: BATCH ? [shape[0], 1] : [1], data: new Array(BATCH ? shape[0] : 1).fill(told) },
    } });
  }
  return answers;
}
"""


def math(factor=1, add=0, batch=8, dims="1", fails=False, config="", inputs=()):
    signature = io([tensor("IN", dims=dims), *inputs], [tensor("OUT", dims=dims), tensor("TOLD", "STRING")])
    source = f"const [FACTOR, ADD, FAILS, BATCH] = [{factor}, {add}, {str(fails).lower()}, {str(batch > 0).lower()}];\n{MATH}"
    return script(f"max_batch_size: {batch}\n{signature}{instances(1)}{config}\n", source)


# As many answers as COUNT says, counting from 0.
REPEAT = """export async function execute(requests) {
  for (const request of requests) {
    for (let index = 0; index < request.inputs.COUNT.data[0]; index++)
      await request.send({ outputs: { INDEX: { shape: [1], data: [index] } } });
    request.end();
  }
}
"""


def repeater():
    signature = io([tensor("COUNT")], [tensor("INDEX")])
    return script(f"max_batch_size: 0\n{signature}{instances(1)}model_transaction_policy {{ decoupled: true }}\n", REPEAT)


# Steps that set their own sequence for the ones behind them.
RENAME = """export function execute(requests) {
  return requests.map(({ inputs: { IN } }) => ({
    outputs: { OUT: { shape: IN.shape, data: [...IN.data] } },
    parameters: { sequence_id: 777, sequence_start: true, sequence_end: true },
  }));
}
"""

CHAIN_IO = io([tensor("Q")], [tensor("A")])
TOLD_IO = io([tensor("Q")], [tensor("A"), tensor("WORDS", "STRING")])


def chain(first, second, batch=8, **options):
    return ensemble(
        CHAIN_IO,
        [step(first, {"IN": "Q"}, {"OUT": "between"}), step(second, {"IN": "between"}, {"OUT": "A"})],
        batch,
        **options,
    )


LABELLED = math()
LABELLED["config.pbtxt"] = LABELLED["config.pbtxt"].replace(
    'name: "OUT" data_type: TYPE_INT32', 'name: "OUT" label_filename: "labels.txt" data_type: TYPE_INT32'
).replace("dims: [ 1 ]", "dims: [ 3 ]")
LABELLED["labels.txt"] = "red\ngreen\nblue\n"
MODELS = {
    "e_add1": math(add=1),
    "e_twice": math(factor=2),
    "e_fails": math(fails=True),
    "e_single": math(batch=0, add=5),
    "e_single_row": math(batch=0, add=5, dims="1, 1"),
    "e_optional": math(inputs=[tensor("MORE", more="optional: true")]),
    "e_limited": math(config=(
        "dynamic_batching { preferred_batch_size: [ 1 ] priority_levels: 2 default_priority_level: 2 "
        "default_queue_policy { max_queue_size: 1 default_timeout_microseconds: 60000000 allow_timeout_override: true } }"
    )),
    "e_repeat": repeater(),
    "e_rename": script(f"max_batch_size: 8\n{io([tensor('IN')], [tensor('OUT')])}{instances(1)}", RENAME),
    "e_labelled": LABELLED,
    "e_count": math(batch=0, add=100),
}
SEQUENCE = math(batch=4, config="sequence_batching { max_sequence_idle_microseconds: 600000000 }")
MODELS["e_sequence"] = SEQUENCE
ENSEMBLES = {
    "en_chain": chain("e_add1", "e_twice"),
    "en_told": ensemble(
        TOLD_IO,
        [step("e_add1", {"IN": "Q"}, {"OUT": "between"}), step("e_twice", {"IN": "between"}, {"OUT": "A", "TOLD": "WORDS"})],
        8,
    ),
    # Two outputs of two branches: only the needed one is to run.
    "en_branches": ensemble(
        io([tensor("Q")], [tensor("LEFT"), tensor("RIGHT")]),
        [step("e_add1", {"IN": "Q"}, {"OUT": "LEFT"}), step("e_fails", {"IN": "Q"}, {"OUT": "RIGHT"})],
        8,
    ),
    "en_fails": chain("e_fails", "e_add1"),
    "en_nested": ensemble(CHAIN_IO, [step("en_fails", {"Q": "Q"}, {"A": "A"})], 8),
    "en_into_single": ensemble(CHAIN_IO, [step("e_single", {"IN": "Q"}, {"OUT": "A"})], 1),
    "en_single_to_batch": ensemble(
        CHAIN_IO, [step("e_single", {"IN": "Q"}, {"OUT": "between"}), step("e_add1", {"IN": "between"}, {"OUT": "A"})]
    ),
    "en_optional": ensemble(
        io([tensor("Q"), tensor("EXTRA", more="optional: true")], [tensor("A")]),
        [step("e_optional", {"IN": "Q", "MORE": "EXTRA"}, {"OUT": "A"})],
        8,
    ),
    "en_optional_unmapped": ensemble(CHAIN_IO, [step("e_optional", {"IN": "Q"}, {"OUT": "A"})], 8),
    "en_limited": chain("e_add1", "e_limited"),
    "en_repeat": ensemble(io([tensor("N")], [tensor("A")]), [step("e_repeat", {"COUNT": "N"}, {"INDEX": "A"})]),
    "en_repeat_then": ensemble(
        io([tensor("N")], [tensor("A")]),
        [step("e_repeat", {"COUNT": "N"}, {"INDEX": "each"}), step("e_count", {"IN": "each"}, {"OUT": "A"})],
    ),
    "en_inflight": ensemble(
        io([tensor("N")], [tensor("A")]),
        [step("e_repeat", {"COUNT": "N"}, {"INDEX": "each"}), step("e_count", {"IN": "each"}, {"OUT": "A"})],
        scheduling="max_inflight_requests: 1",
    ),
    "en_rename": ensemble(
        TOLD_IO,
        [step("e_rename", {"IN": "Q"}, {"OUT": "between"}), step("e_sequence", {"IN": "between"}, {"OUT": "A", "TOLD": "WORDS"})],
        1,
    ),
    "en_sequence": ensemble(
        TOLD_IO,
        [step("e_add1", {"IN": "Q"}, {"OUT": "between"}), step("e_sequence", {"IN": "between"}, {"OUT": "A", "TOLD": "WORDS"})],
        1,
    ),
    "en_labels": ensemble(
        io([tensor("Q", dims="3")], [tensor("A", dims="3")]), [step("e_labelled", {"IN": "Q"}, {"OUT": "A"})], 8
    ),
}
STEPS = dict(success=1, queue=1, compute_input=1, compute_infer=1, compute_output=1, inferences=1, executions=1)


@pytest.fixture(scope="module", autouse=True)
def loaded(models):
    for name, files in {**MODELS, **ENSEMBLES}.items():
        models.load(name, files)


def ask(number, rows=1, name="Q"):
    return {name: numpy.full((rows, 1), number, numpy.int32)}


def plain(number, name="Q"):
    return {name: numpy.array([number], numpy.int32)}


def told(result):
    return json.loads(result.as_numpy("WORDS").flatten()[0])


# --- running


def test_s7_steps_follow_each_other(caller, server):
    counters = {name: Counters(server, name) for name in ("en_chain", "e_add1", "e_twice")}
    result = caller.infer("en_chain", ask(3), request_id="mine")
    assert result.as_numpy("A").tolist() == [[8]]
    answer = result.get_response()
    id, name = (answer["id"], answer["model_name"]) if caller.protocol == "http" else (answer.id, answer.model_name)
    assert (id, name) == ("mine", "en_chain")
    for counted in counters.values():
        counted.wait(**STEPS)


def test_s7_client_s_batch_goes_through(caller, server):
    counters = Counters(server, "en_chain")
    assert caller.infer("en_chain", ask(3, rows=4)).as_numpy("A").tolist() == [[8]] * 4
    counters.wait(**{**STEPS, "inferences": 4})


def test_s7_on_a_stream_answers_come_in_order_and_final(stream):
    for number in range(10):
        stream.send("en_chain", ask(number))
    results = [stream.next() for _ in range(10)]
    assert [one(result, "A") for result in results] == [2 * (number + 1) for number in range(10)]
    assert all(is_final(result) for result in results)


def test_s7_generate(server):
    assert server.post("/v2/models/en_chain/generate", json={"Q": 4}).json() == {
        "A": 10,
        "model_name": "en_chain",
        "model_version": "1",
    }


@pytest.mark.parametrize("wanted", ["LEFT", "RIGHT"])
def test_s7_only_the_needed_steps_run(caller, server, wanted):
    counters = {name: Counters(server, name) for name in ("e_add1", "e_fails")}
    result = caller.infer("en_branches", ask(3), outputs=[wanted])
    assert one(result, wanted) == (4 if wanted == "LEFT" else 3)
    counters["e_add1" if wanted == "LEFT" else "e_fails"].wait(**STEPS)
    assert counters["e_fails" if wanted == "LEFT" else "e_add1"].grown() == {}


def test_s7_independent_steps_run_in_parallel(caller, gate):
    # Both steps get the gate with the parameters, and none goes on before both have begun.
    sent = caller.start("en_branches", ask(3), parameters=gate.parameters)
    gate.wait_held()
    eventually(lambda: (gate.path.parent / f"{gate.path.name}.started").read_text() == "xx", "both steps")
    gate.open()
    result = sent.result(30)
    assert (one(result, "LEFT"), one(result, "RIGHT")) == (4, 3)


def test_s7_id_priority_timeout_and_parameters_go_to_the_steps(caller):
    result = caller.infer(
        "en_told", ask(1), request_id="mine", priority=3, timeout=5_000_000, parameters={"mine": "yes"}
    )
    words = told(result)
    assert (words["id"], words["priority"], words["timeout"], words["mine"]) == ("mine", 3, 5_000_000, "yes")


@pytest.mark.parametrize("id", [7, "seven"])
def test_s7_sequence_goes_to_the_steps(caller, id):
    result = caller.infer("en_sequence", ask(1), sequence_id=id, sequence_start=True)
    assert told(result)["sequence"] == [str(id), True, False]
    result = caller.infer("en_sequence", ask(1), sequence_id=id, sequence_end=True)
    assert told(result)["sequence"] == [str(id), False, True]


def test_s7_sequence_of_a_step_s_response_overrides_that_of_the_request(caller):
    result = caller.infer("en_rename", ask(1), sequence_id=5, sequence_start=False)
    assert told(result)["sequence"] == ["777", True, True]


def test_s7_sequence_without_a_start_is_the_step_s_error(caller):
    code, text = caller.refusal("en_sequence", ask(1), sequence_id=999)
    words = "inference request for sequence 999 to model 'e_sequence' must specify the START flag on the first request of the sequence"
    assert code == "INVALID_ARGUMENT"
    assert text.startswith("in ensemble 'en_sequence', ") and text.endswith(words)


def test_s7_batch_of_one_into_a_model_without_batching_and_back(caller):
    result = caller.infer("en_into_single", ask(2))
    assert result.as_numpy("A").tolist() == [[7]]


def test_s7_tensor_without_a_batch_into_a_batching_model(caller):
    result = caller.infer("en_single_to_batch", plain(2))
    assert result.as_numpy("A").tolist() == [8]


def test_s7_optional_tensors_may_be_left_out_or_given(caller):
    assert one(caller.infer("en_optional", ask(2)), "A") == 2
    assert one(caller.infer("en_optional", {**ask(2), **ask(40, name="EXTRA")}), "A") == 42


def test_s7_optional_input_of_a_model_needs_no_map(caller):
    assert one(caller.infer("en_optional_unmapped", ask(2)), "A") == 2


def test_s7_labels_are_inherited(callers):
    caller = callers["http"]
    wanted = [tritonclient.http.InferRequestedOutput("A", class_count=1)]
    given = {"Q": numpy.array([[1, 9, 4]], numpy.int32)}
    result = caller.client().infer("en_labels", arrays_of(tritonclient.http, given), outputs=wanted)
    assert result.as_numpy("A").flatten()[0].decode().endswith(":1:green")


# --- errors of steps


def test_s7_error_of_a_step_keeps_its_class_and_names_the_ensemble(caller, server):
    counters = {name: Counters(server, name) for name in ("en_fails", "e_fails", "e_add1")}
    code, text = caller.refusal("en_fails", ask(-1))
    assert code == "UNAVAILABLE"
    assert text.startswith("in ensemble 'en_fails', ") and text.endswith("below zero")
    eventually(lambda: {**counters["e_fails"].grown(), "executions": 0} == {"fail": 1, "BACKEND": 1, "executions": 0})
    assert counters["e_add1"].grown() == {}


@pytest.mark.xfail(strict=True, reason="deliberate: a failed request is counted once; Triton counts it twice")
def test_m2_1_failed_request_adds_two_to_the_ensemble_s_failures(caller, server):
    counters = Counters(server, "en_fails")
    caller.refusal("en_fails", ask(-1))
    eventually(lambda: "OTHER" in counters.grown())
    caller.infer("en_chain", ask(1))
    assert counters.grown()["OTHER"] == 2


def test_s7_error_in_an_ensemble_within_an_ensemble_names_both(caller):
    code, text = caller.refusal("en_nested", ask(-1))
    assert code == "UNAVAILABLE"
    assert text.startswith("in ensemble 'en_nested', in ensemble 'en_fails', ") and text.endswith("below zero")


def test_s7_error_on_a_stream(stream):
    stream.send("en_fails", ask(-1), request_id="bad")
    assert stream.next_error().startswith("in ensemble 'en_fails', ")
    stream.send("en_fails", ask(1), request_id="good")
    assert one(stream.next(), "A") == 2


def test_s7_error_is_sent_when_the_steps_in_flight_have_finished(caller, gate, server):
    counters = Counters(server, "e_fails")
    sent = caller.start("en_branches", ask(-1), parameters=gate.parameters)
    gate.wait_held()
    eventually(lambda: counters.grown().get("BACKEND") == 1, "the failure of the other step")
    caller.infer("e_twice", {"IN": numpy.array([[1]], numpy.int32)})
    assert not sent.done()
    gate.open()
    code, text = caller.failed(sent)
    assert code == "UNAVAILABLE" and text.startswith("in ensemble 'en_branches', ")


def test_s7_composing_models_apply_their_own_queue_policies(caller, callers, gate, server):
    held = callers["grpc"].start("e_limited", {"IN": numpy.array([[1]], numpy.int32)}, parameters=gate.parameters)
    gate.wait_held()
    code, text = caller.refusal("en_limited", ask(1), timeout=1000)
    assert (code, text) == ("UNAVAILABLE", "in ensemble 'en_limited', Request timeout expired")
    waiting = caller.start("en_limited", ask(1))
    wait_pending(server, "e_limited", 1)
    code, text = caller.refusal("en_limited", ask(1), request_id="third")
    assert (code, text) == ("UNAVAILABLE", "in ensemble 'en_limited', [request id: third] Exceeds maximum queue size")
    # An ensemble's request is pending at its steps.
    assert metric(server, "nv_inference_pending_request_count", "en_limited") == 0
    gate.open()
    held.result(30)
    assert one(waiting.result(30), "A") == 2


def test_s10_cancelled_ensemble_leaves_the_queue_of_its_step(callers, gate, server):
    caller = callers["grpc"]
    held = caller.start("e_limited", {"IN": numpy.array([[1]], numpy.int32)}, parameters=gate.parameters)
    gate.wait_held()
    seen = []
    call = caller.client().async_infer(
        "en_limited", arrays_of(caller.module, ask(1)), lambda result, error: seen.append(error)
    )
    wait_pending(server, "e_limited", 1)
    counters = Counters(server, "e_limited")
    call.cancel()
    wait_pending(server, "e_limited", 0)
    eventually(lambda: counters.grown().get("CANCELED") == 1)
    gate.open()
    held.result(30)


def test_s10_cancellation_is_noticed_between_steps(callers, gate, server):
    caller = callers["grpc"]
    counters = {name: Counters(server, name) for name in ("en_chain", "e_add1", "e_twice")}
    seen = []
    call = caller.client().async_infer(
        "en_chain", arrays_of(caller.module, ask(1)), lambda result, error: seen.append(error), parameters=gate.parameters
    )
    gate.wait_held()
    call.cancel()
    eventually(lambda: seen)
    gate.open()
    eventually(lambda: counters["en_chain"].grown().get("CANCELED") == 1)
    caller.infer("e_add1", {"IN": numpy.array([[1]], numpy.int32)})
    assert counters["e_twice"].grown() == {}


# --- decoupled steps


@pytest.mark.parametrize("name", ["en_repeat", "en_repeat_then"])
def test_s7_ensemble_is_decoupled_when_a_step_is(client, name, caller):
    assert client.get_model_config(name)["model_transaction_policy"] == {"decoupled": True}
    assert client.get_model_config("en_chain").get("model_transaction_policy", {"decoupled": False}) == {"decoupled": False}
    assert caller.refusal(name, plain(1, "N"))[0] == "UNIMPLEMENTED"


@pytest.mark.parametrize(("name", "add"), [("en_repeat", 0), ("en_repeat_then", 100)])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_s7_decoupled_step_gives_as_many_answers(stream, server, name, add, count):
    counters = Counters(server, name)
    stream.send(name, plain(count, "N"), request_id="d", enable_empty_final_response=True)
    results = [stream.next() for _ in range(count + 1)]
    assert [one(result, "A") for result in results[:-1]] == [index + add for index in range(count)]
    assert [is_final(result) for result in results] == [False] * count + [True]
    last = results[-1].get_response()
    assert (last.id, len(last.outputs), last.model_name) == ("d", 0, name)
    eventually(lambda: counters.grown().get("success") == 1)


def test_s7_decoupled_generate_stream(server):
    reply = server.post("/v2/models/en_repeat_then/generate_stream", json={"N": 3})
    events = [line.removeprefix("data: ") for line in reply.text.split("\n\n") if line]
    assert reply.headers["Content-Type"].startswith("text/event-stream")
    assert [event.split(",")[0] for event in events] == ['{"A":100', '{"A":101', '{"A":102']


def test_s7_without_max_inflight_requests_all_answers_go_on(stream, callers, gate, server):
    stream.send("en_repeat_then", plain(5, "N"), parameters=gate.parameters)
    gate.wait_held()
    wait_pending(server, "e_count", 4)  # without a limit all of them are there
    gate.open()
    assert [one(stream.next(), "A") for _ in range(5)] == [100, 101, 102, 103, 104]


def test_s7_max_inflight_requests_of_one(stream, callers, gate, server):
    counters = Counters(server, "e_repeat")
    stream.send("en_inflight", plain(1000, "N"), parameters=gate.parameters)
    gate.wait_held()
    callers["grpc"].infer("en_chain", ask(1))
    assert metric(server, "nv_inference_pending_request_count", "e_count") == 0
    assert "success" not in counters.grown()  # it still has answers to give
    gate.open()
    assert [one(stream.next(), "A") for _ in range(1000)] == list(range(100, 1100))


# --- loading


def two(first=None, second=None, **options):
    return ensemble(
        CHAIN_IO,
        [step("e_add1", {"IN": "Q"}, first or {"OUT": "between"}), step("e_twice", second or {"IN": "between"}, {"OUT": "A"})],
        **{"batch": 8, **options},
    )


def single(model="e_add1", inputs=None, outputs=None, signature=CHAIN_IO, batch=8, version=-1):
    return ensemble(signature, [step(model, inputs or {"IN": "Q"}, outputs or {"OUT": "A"}, version)], batch)


LOAD_ERRORS = {
    "composing_model_missing": (single("nobody"), "ensemble {E} contains models that are not available or ambiguous: nobody"),
    "required_version_missing": (
        single(version=7),
        "ensemble '{E}' depends on 'e_add1' whose required version 7 is not loaded.",
    ),
    "batch": (
        single("e_sequence", batch=8),
        "ensemble {E} allows maximum batch size 8, but it contains model e_sequence which only allows maximum batch size to be 4",
    ),
    "dtype": (
        single(signature=io([tensor("Q", "FP32")], [tensor("A")])),
        "in ensemble {E}, ensemble tensor Q: inconsistent data type: ",
    ),
    "shape": (
        single(signature=io([tensor("Q", dims="2")], [tensor("A")])),
        "in ensemble {E}, ensemble tensor Q: inconsistent shape: ",
    ),
    "non_existing_input": (
        single(inputs={"IN": "Q", "WRONG": "Q"}),
        "in ensemble {E}, ensemble tensor Q is mapping to non-existing input WRONG in model e_add1",
    ),
    "input_not_mapped": (
        single("e_single_pair", inputs={"IN": "Q"}),
        "in ensemble {E}, input MORE in model e_single_pair is not mapped to any ensemble tensors",
    ),
    "non_existing_output": (
        single(outputs={"OUT": "A", "WRONG": "B"}, signature=io([tensor("Q")], [tensor("A"), tensor("B")])),
        "in ensemble {E}, ensemble tensor B is mapped from non-existing output WRONG in model e_add1",
    ),
    "decoupled_merge": (
        ensemble(
            io([tensor("N")], [tensor("A")]),
            [
                step("e_repeat", {"COUNT": "N"}, {"INDEX": "one"}),
                step("e_repeat", {"COUNT": "N"}, {"INDEX": "other"}),
                step("e_merge", {"IN": "one", "MORE": "other"}, {"OUT": "A"}),
            ],
        ),
        "in ensemble {E}, step of model 'e_merge' receives inputs originated from different decoupled models",
    ),
    "composing_model_failed": (
        single("e_broken"),
        "ensemble '{E}' depends on 'e_broken' which has no loaded version. Model 'e_broken' loading failed with error: ",
    ),
}


@pytest.fixture(scope="module")
def helpers(models):
    models.write("e_single_pair", math(inputs=[tensor("MORE")]))
    models.write("e_merge", math(batch=0, inputs=[tensor("MORE")]))
    models.write("e_broken", script(f"max_batch_size: 8\n{io([tensor('IN')], [tensor('OUT')])}", "throw new Error('no');"))


@pytest.mark.parametrize("row", LOAD_ERRORS)
def test_s7_error_text(models, helpers, row):
    files, text = LOAD_ERRORS[row]
    name = f"en_wrong_{row}"
    status, message = models.refusal(name, files)
    # An ensemble that fails here has no version entry.
    assert (status, message.startswith(f"failed to load '{name}', no version is available")) == ("500", True), message
    expected = text.format(E=name)
    reasons = [row.get("reason", "") for row in models.client.get_model_repository_index() if row["name"] == name]
    assert expected in message or any(expected in reason for reason in reasons), (message, reasons)


def test_s7_cycle(models):
    models.write("en_ring_a", single("en_ring_b", {"Q": "Q"}, {"A": "A"}))
    status, message = models.refusal("en_ring_b", single("en_ring_a", {"Q": "Q"}, {"A": "A"}))
    assert status == "500" and message.startswith("failed to load 'en_ring_b', no version is available")
    assert "circular dependency between ensembles: en_ring_b -> en_ring_a -> en_ring_b" in message


CONFIG_ERRORS = {
    "instance_group": (single(), instances(1), "instance group should not be specified for ensemble '{E}'"),
    "optimization": (single(), "optimization { priority: PRIORITY_MAX }", "optimization should not be specified"),
    "model_warmup": (
        single(),
        'model_warmup { name: "w" batch_size: 1 inputs { key: "Q" value { data_type: TYPE_INT32 dims: [ 1 ] zero_data: true } } }',
        "model_warmup can not be specified",
    ),
    "no_step": (ensemble(CHAIN_IO, []), "", "must specify 'step' for ensemble '{E}'"),
    "no_model_name": (single(""), "", "must specify 'model_name' in step 0 of ensemble '{E}'"),
    "no_input_map": (
        ensemble(CHAIN_IO, [step("e_add1", {}, {"OUT": "A"})]), "", "must specify 'input_map' in step 0 of ensemble '{E}'",
    ),
    "no_output_map": (
        ensemble(CHAIN_IO, [step("e_add1", {"IN": "Q"}, {})]), "", "must specify 'output_map' in step 0 of ensemble '{E}'",
    ),
    "written_twice": (
        two(first={"OUT": "A"}, second={"IN": "Q"}),
        "",
        "ensemble tensor 'A' can appear in an output map only once for ensemble '{E}' step 1",
    ),
    "input_unused": (
        single(signature=io([tensor("Q"), tensor("P")], [tensor("A")])), "", "ensemble input 'P' for ensemble {E}' is not used",
    ),
    "output_unused": (
        single(signature=io([tensor("Q")], [tensor("A"), tensor("B")])), "", "ensemble output 'B' for ensemble {E}' is not used",
    ),
    "tensor_unused": (
        single(outputs={"OUT": "A", "TOLD": "nobody_reads"}), "", "ensemble tensor 'nobody_reads' is unused in ensemble '{E}'",
    ),
}


@pytest.mark.parametrize("row", CONFIG_ERRORS)
def test_s7_config_error(models, row):
    files, more, text = CONFIG_ERRORS[row]
    name = f"en_config_{row}"
    files = {**files, "config.pbtxt": files["config.pbtxt"] + more}
    status, message = models.refusal(name, files)
    assert status in ("400", "500")
    expected = text.format(E=name)
    reasons = [row.get("reason", "") for row in models.client.get_model_repository_index() if row["name"] == name]
    assert expected in message or any(expected in reason for reason in reasons), (message, reasons)
