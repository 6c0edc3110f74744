"""The sequence batcher by Triton's client, over HTTP, gRPC and gRPC streams (scheduling.md §5).

Covered elsewhere (sequences.int.test.ts): controls and implicit state of an ONNX model, 24 sequences at once, refusals over HTTP for lack
of an id or of the start and for a batch, a reload under way, iterative sequences, the loss of a slot by silence.
"""

import time

import numpy
import pytest
from scheduling_models import (
    ANY_ID,
    Counters,
    Stream,
    arrays_of,
    eventually,
    instances,
    io,
    one,
    script,
    tensor,
    wait_pending,
)

SCRIPT = """import { existsSync, writeFileSync } from "node:fs";
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const sums = new Map();
let executions = 0;
export async function execute(requests, { instanceName }) {
  const execution = ++executions;
  for (const { parameters } of requests) {
    if (parameters?.gate === undefined) continue;
    writeFileSync(`${parameters.gate}.started`, "");
    while (!existsSync(parameters.gate)) await wait(3);
  }
  const text = (name, { inputs }) => {
    const { datatype, data, text } = inputs[name] ?? { data: ["-"] };
    return String(datatype === "BYTES" ? inputs[name].text()[0] : data[0]);
  };
  const seen = requests.map((request) => ["START", "END", "READY"].map((name) => text(name, request)).join(" "));
  return requests.map((request, place) => {
    const { sequence, inputs } = request;
    if (sequence === undefined) return { outputs: {} };
    const key = `${typeof sequence.id}:${sequence.id}`;
    const sum = (sequence.start ? 0 : (sums.get(key) ?? -1000)) + inputs.INPUT.data[0];
    if (sequence.end) sums.delete(key);
    else sums.set(key, sum);
    const row = (data) => ({ shape: inputs.INPUT.shape, data });
    return { outputs: {
      SUM: row([sum]), EXECUTION: row([execution]), PLACE: row([place]), ID: row([text("CORRID", request)]),
      SEEN: row([seen[place]]), BATCH: row([seen.join(",")]), INSTANCE: row([instanceName]),
    } };
  });
}
"""
IO = io(
    [tensor("INPUT")],
    [tensor(name) for name in ("SUM", "EXECUTION", "PLACE")]
    + [tensor(name, "STRING") for name in ("ID", "SEEN", "BATCH", "INSTANCE")],
)
FLAGS = ("START", "END", "READY")
LONG_IDLE = 600_000_000


def control(name, more):
    return f'{{ name: "{name}" control [ {{ kind: CONTROL_SEQUENCE_{name} {more} }} ] }}'


def controls(corrid="TYPE_UINT64", flags=("int32_false_true: [ 0, 1 ]",) * 3):
    entries = [control(name, more) for name, more in zip(FLAGS, flags)]
    if corrid is not None:
        entries.append(control("CORRID", f"data_type: {corrid}"))
    return f"control_input [ {', '.join(entries)} ]"


def model(strategy="direct { }", batch=4, idle=LONG_IDLE, count=1, control_inputs=None, more=""):
    return script(
        f"max_batch_size: {batch}\n{IO}{instances(count)}sequence_batching {{ max_sequence_idle_microseconds: {idle} "
        f"{strategy} {controls() if control_inputs is None else control_inputs} {more} }}\n",
        SCRIPT,
    )


MODELS = {
    "q_direct": model(),
    "q_oldest": model("oldest { }"),
    "q_text": model(control_inputs=controls("TYPE_STRING")),
    "q_any": model(control_inputs=controls(None)),
    "q_none": model(control_inputs=""),
    "q_uint32": model(control_inputs=controls("TYPE_UINT32")),
    "q_int32": model(control_inputs=controls("TYPE_INT32")),
    "q_int64": model(control_inputs=controls("TYPE_INT64")),
    "q_flags": model(
        control_inputs=controls(
            flags=("int32_false_true: [ -7, 5 ]", "fp32_false_true: [ 0.5, 1.5 ]", "bool_false_true: [ true, false ]")
        )
    ),
    "q_one": model("direct { }", batch=1),
    "q_unbatched": model("direct { }", batch=0),
    "q_oldest_one": model("oldest { max_candidate_sequences: 1 }", batch=4),
    "q_oldest_two": model("oldest { max_candidate_sequences: 2 }", batch=4),
    "q_instances": model("direct { }", batch=2, count=2),
    "q_idle": model("direct { }", batch=1, idle=400_000),
    "q_utilization": model("direct { max_queue_delay_microseconds: 60000000 minimum_slot_utilization: 1.0 }", batch=2),
    "q_delay": model("direct { max_queue_delay_microseconds: 300000 minimum_slot_utilization: 1.0 }", batch=2),
    "q_preferred": model("oldest { preferred_batch_size: [ 2 ] max_queue_delay_microseconds: 60000000 }", batch=4),
    "q_ordered": model("oldest { preserve_ordering: true preferred_batch_size: [ 1 ] }", batch=4),
}


@pytest.fixture(scope="module", autouse=True)
def loaded(models):
    for name, files in MODELS.items():
        models.load(name, files)


def turn(number, batch=True):
    return {"INPUT": numpy.array([[number]] if batch else [number], numpy.int32)}


def flags(id, start=False, end=False):
    return {"sequence_id": id, "sequence_start": start, "sequence_end": end}


class Speaker:
    """One sequence of a model by one protocol."""

    numbers = iter(range(10_000, 1_000_000))

    def __init__(self, caller, model, id=None):
        self.caller, self.model = caller, model
        self.id = next(Speaker.numbers) if id is None else id

    def start(self, number, start=False, end=False, **options):
        return self.caller.start(self.model, turn(number), **flags(self.id, start, end), **options)

    def say(self, number, start=False, end=False, **options):
        return self.caller.infer(self.model, turn(number), **flags(self.id, start, end), **options)

    def sum(self, number, start=False, end=False, **options):
        return one(self.say(number, start, end, **options), "SUM")

    def refusal(self, number, **options):
        return self.caller.refusal(self.model, turn(number), **options)


def text(result, name):
    return result.as_numpy(name).flatten()[0].decode()


def must_start(id, model):
    return f"inference request for sequence {id} to model '{model}' must specify the START flag on the first request of the sequence"


# --- sequences by each of the three ways


@pytest.mark.parametrize("name", ["q_direct", "q_oldest", "q_none"])
def test_s5_sequence_with_a_number_as_its_id(caller, name, server):
    counters = Counters(server, name)
    # Triton's gRPC client sends ids as int64.
    speaker = Speaker(caller, name, 2**63 + 5 if caller.protocol == "http" else 2**63 - 5)
    assert speaker.sum(1, start=True) == 1
    assert speaker.sum(10) == 11
    assert speaker.sum(100, end=True) == 111
    counters.wait(success=3, queue=3, compute_input=3, compute_infer=3, compute_output=3, inferences=3, executions=3)


@pytest.mark.parametrize("name", ["q_text", "q_any", "q_none"])
def test_s5_sequence_with_a_text_as_its_id(caller, name):
    speaker = Speaker(caller, name, "müde Folge 7")
    assert speaker.sum(1, start=True) == 1
    last = speaker.say(10, end=True)
    assert one(last, "SUM") == 11
    assert text(last, "ID") == ("müde Folge 7" if name == "q_text" else "-")


@pytest.mark.parametrize(("name", "id"), [("q_direct", 77), ("q_oldest", 78), ("q_text", "on a stream")])
def test_s5_sequence_on_a_stream_sent_ahead_of_its_answers(stream, name, id):
    for number in range(1, 21):
        stream.send(name, turn(number), request_id=str(number), **flags(id, number == 1, number == 20))
    results = [stream.next() for _ in range(20)]
    assert [one(result, "SUM") for result in results] == [sum(range(number + 1)) for number in range(1, 21)]
    assert [result.get_response().id for result in results] == [str(number) for number in range(1, 21)]


@pytest.mark.parametrize("name", ["q_direct", "q_oldest"])
def test_s5_several_streams_with_several_sequences_each(grpc_address, name):
    streams = [Stream(grpc_address) for _ in range(4)]
    try:
        for number in range(1, 9):
            for which, stream in enumerate(streams):
                for id in (500 + 2 * which, 501 + 2 * which):
                    stream.send(name, turn(number * id), request_id=str(id), **flags(id, number == 1, number == 8))
        for which, stream in enumerate(streams):
            sums = {500 + 2 * which: [], 501 + 2 * which: []}
            for _ in range(16):
                result = stream.next()
                sums[int(result.get_response().id)].append(one(result, "SUM"))
            for id, got in sums.items():
                assert got == [id * sum(range(number + 1)) for number in range(1, 9)]
    finally:
        for stream in streams:
            stream.__exit__()


def test_s5_sequence_may_change_its_protocol(callers):
    assert Speaker(callers["http"], "q_direct", 4711).sum(1, start=True) == 1
    assert Speaker(callers["grpc"], "q_direct", 4711).sum(2) == 3
    assert Speaker(callers["http"], "q_direct", 4711).sum(4, end=True) == 7


# --- what is refused


def test_s5_errors_over_grpc(callers):
    speaker = Speaker(callers["grpc"], "q_direct")
    assert speaker.refusal(1, **flags(4242)) == ("INVALID_ARGUMENT", must_start(4242, "q_direct"))
    text = "inference request to model 'q_direct' must specify a non-zero or non-empty correlation ID"
    assert speaker.refusal(1) == ("INVALID_ARGUMENT", text)
    assert speaker.refusal(1, **flags(0, start=True)) == ("INVALID_ARGUMENT", text)
    two = {"INPUT": numpy.array([[1], [2]], numpy.int32)}
    text = "inference request to model 'q_direct' must specify batch-size 1 due to requirements of sequence batcher"
    assert speaker.caller.refusal("q_direct", two, **flags(9, start=True)) == ("INVALID_ARGUMENT", text)


def test_s5_errors_are_not_the_end_of_a_stream(stream):
    stream.send("q_direct", turn(1), **flags(31337))
    assert stream.next_error() == must_start(31337, "q_direct")
    stream.send("q_direct", turn(1), **flags(31337, True, True))
    assert one(stream.next(), "SUM") == 1


def test_s5_missing_start_of_a_text_id(caller):
    assert Speaker(caller, "q_text").refusal(1, **flags("nobody")) == ("INVALID_ARGUMENT", must_start("nobody", "q_text"))


def test_s5_refused_requests_are_not_counted_as_failures(caller, server):
    counters = Counters(server, "q_direct")
    Speaker(caller, "q_direct").refusal(1)
    assert counters.grown() == {}


@pytest.mark.parametrize(
    ("name", "id", "given", "expected"), [("q_direct", "text", "BYTES", "UINT64"), ("q_text", 7, "UINT64", "BYTES")]
)
def test_s5_kind_of_the_id_must_fit_the_corrid_control(caller, name, id, given, expected):
    told = Speaker(caller, name).refusal(1, **flags(id, start=True))
    text = f"{ANY_ID}sequence batching control 'CORRID' data-type is '{given}', but model '{name}' expects '{expected}'"
    assert told == ("INVALID_ARGUMENT", text)


def test_s5_numbers_and_texts_are_distinct_ids(caller):
    number, words = Speaker(caller, "q_any", 5), Speaker(caller, "q_any", "5")
    assert number.sum(1, start=True) == 1
    assert words.refusal(10, **flags("5")) == ("INVALID_ARGUMENT", must_start("5", "q_any"))
    assert words.sum(10, start=True) == 10
    assert number.sum(1, end=True) == 2
    assert words.sum(10, end=True) == 20


def test_s5_ids_are_per_model(caller):
    here, there = Speaker(caller, "q_direct", 6), Speaker(caller, "q_oldest", 6)
    assert here.sum(1, start=True) == 1
    assert there.refusal(1, **flags(6)) == ("INVALID_ARGUMENT", must_start(6, "q_oldest"))
    assert there.sum(10, start=True, end=True) == 10
    assert here.sum(1, end=True) == 2


# --- controls


@pytest.mark.parametrize(
    ("start", "end", "seen"),
    [(True, False, "5 0.5 0"), (False, False, "-7 0.5 0"), (False, True, "-7 1.5 0"), (True, True, "5 1.5 0")],
)
def test_s5_controls_table(caller, start, end, seen):
    speaker = Speaker(caller, "q_flags")
    if not start:
        speaker.say(1, start=True)
    assert text(speaker.say(1, start, end), "SEEN") == seen
    if not end:
        speaker.say(1, end=True)


def test_s5_controls_and_states_are_not_seen_by_clients(client, server, caller):
    assert [one["name"] for one in client.get_model_metadata("q_direct")["inputs"]] == ["INPUT"]
    given = {**turn(1), "START": numpy.array([[1]], numpy.int32)}
    code, told = caller.refusal("q_direct", given, **flags(8, start=True))
    assert code == "INVALID_ARGUMENT" and "START" in told


@pytest.mark.parametrize(
    ("name", "id", "seen"),
    [
        ("q_direct", 2**64 - 1, str(2**64 - 1)),
        ("q_direct", 2**63 - 1, str(2**63 - 1)),
        ("q_uint32", 2**32 + 5, "5"),
        ("q_int32", 2**32 - 1, "-1"),
        ("q_int64", 2**64 - 2, "-2"),
        ("q_text", "ü", "ü"),
    ],
)
def test_s5_corrid_control_of_each_type(caller, name, id, seen):
    if caller.protocol == "grpc" and isinstance(id, int) and id >= 2**63:
        pytest.skip("Triton's gRPC client sends ids as int64")
    assert text(Speaker(caller, name, id).say(1, True, True), "ID") == seen


def test_s5_null_requests_keep_the_slots_of_the_direct_strategy(caller):
    """Sequences in slots 0 to 2; the one in slot 2 alone is executed behind two null requests."""
    speakers = [Speaker(caller, "q_direct") for _ in range(3)]
    for speaker in speakers:
        speaker.say(0, start=True)
    alone = speakers[2].say(1)
    assert one(alone, "PLACE") == 2
    assert text(alone, "BATCH") == "0 0 0,0 0 0,0 0 1"
    middle = speakers[1].say(1)
    assert text(middle, "BATCH") == "0 0 0,0 0 1"
    for speaker in speakers:
        speaker.say(0, end=True)


def test_s5_direct_executes_at_most_one_request_of_each_slot(callers, gate, server):
    caller = callers["grpc"]
    speakers = [Speaker(caller, "q_direct") for _ in range(3)]
    for speaker in speakers:
        speaker.say(0, start=True)
    held = speakers[0].start(0, parameters=gate.parameters)
    gate.wait_held()
    sent = []
    for speaker in (speakers[0], speakers[0], speakers[2]):
        sent.append(speaker.start(1))
        wait_pending(server, "q_direct", len(sent))
    gate.open()
    first, second, third = [call.result(30) for call in sent]
    held.result(30)
    assert text(first, "BATCH") == text(third, "BATCH") == "0 0 1,0 0 0,0 0 1"
    assert one(second, "EXECUTION") == one(first, "EXECUTION") + 1
    for speaker in speakers:
        speaker.say(0, end=True)


# --- slots and backlog


@pytest.mark.parametrize(
    ("name", "slots", "batch"),
    [("q_one", 1, True), ("q_unbatched", 1, False), ("q_direct", 4, True), ("q_oldest", 4, True), ("q_oldest_one", 1, True), ("q_oldest_two", 2, True)],
)
def test_s5_slots_of_each_strategy(callers, name, slots, batch, server):
    caller = callers["grpc"]
    ids = range(20_000, 20_000 + slots)
    for id in ids:
        caller.infer(name, turn(1, batch), **flags(id, start=True))
    late = caller.start(name, turn(7, batch), **flags(30_000, True, True))
    wait_pending(server, name, 1)
    for id in ids:
        assert not late.done()
        caller.infer(name, turn(1, batch), **flags(id))
    caller.infer(name, turn(1, batch), **flags(ids[0], end=True))
    assert one(late.result(30), "SUM") == 7
    for id in ids[1:]:
        caller.infer(name, turn(1, batch), **flags(id, end=True))


def test_s5_lowest_slots_first_across_instances(caller):
    speakers = [Speaker(caller, "q_instances") for _ in range(4)]
    results = [speaker.say(1, start=True) for speaker in speakers]
    where = [text(result, "INSTANCE") for result in results]
    assert [one(result, "PLACE") for result in results] == [0, 0, 1, 1]
    assert where[0] != where[1] and where[2] != where[3]
    # And there they stay.
    for _ in range(2):
        assert [text(speaker.say(1), "INSTANCE") for speaker in speakers] == where
    assert [speaker.sum(1, end=True) for speaker in speakers] == [4] * 4


def test_s5_backlog_is_first_in_first_out_by_sequence_with_all_their_requests(caller, server):
    first = Speaker(caller, "q_one")
    first.say(1, start=True)
    second, third = Speaker(caller, "q_one"), Speaker(caller, "q_one")
    sent = []
    for speaker, number, start, end in [
        (second, 1, True, False),
        (third, 10, True, False),
        (second, 2, False, False),
        (third, 20, False, True),
        (second, 4, False, True),
    ]:
        sent.append(speaker.start(number, start, end))
        wait_pending(server, "q_one", len(sent))
    first.say(1, end=True)
    results = [call.result(30) for call in sent]
    assert [one(result, "SUM") for result in results] == [1, 10, 3, 30, 7]
    order = [one(result, "EXECUTION") for result in results]
    assert sorted(order) == [order[place] for place in (0, 2, 4, 1, 3)]


def test_s5_end_frees_the_slot_and_the_sequence_is_over(caller):
    speaker = Speaker(caller, "q_one")
    assert speaker.sum(1, start=True) == 1
    assert speaker.sum(1, end=True) == 2
    assert speaker.refusal(1, **flags(speaker.id)) == ("INVALID_ARGUMENT", must_start(speaker.id, "q_one"))
    assert Speaker(caller, "q_one").sum(3, True, True) == 3


def test_s5_start_and_end_in_one_request(caller):
    speaker = Speaker(caller, "q_one")
    for number in (5, 6):
        result = speaker.say(number, True, True)
        assert (one(result, "SUM"), text(result, "SEEN")) == (number, "1 1 1")


def test_s5_start_again_goes_on_in_the_same_slot(caller):
    other, speaker = Speaker(caller, "q_direct"), Speaker(caller, "q_direct")
    other.say(0, start=True)
    assert one(speaker.say(5, start=True), "PLACE") == 1
    again = speaker.say(7, start=True)
    assert (one(again, "PLACE"), one(again, "SUM"), text(again, "SEEN")) == (1, 7, "1 0 1")
    assert speaker.sum(1, end=True) == 8
    other.say(0, end=True)


def test_s5_start_again_in_the_backlog_stays_one_entry(caller, server):
    first, speaker = Speaker(caller, "q_one"), Speaker(caller, "q_one")
    first.say(1, start=True)
    sent = []
    for number, start, end in [(1, True, False), (2, False, False), (30, True, False), (4, False, True)]:
        sent.append(speaker.start(number, start, end))
        wait_pending(server, "q_one", len(sent))
    first.say(1, end=True)
    assert [one(call.result(30), "SUM") for call in sent] == [1, 3, 30, 34]


def test_s5_idle_sequence_gives_its_slot_to_the_backlog_and_must_begin_anew(caller):
    silent, waiting = Speaker(caller, "q_idle"), Speaker(caller, "q_idle")
    silent.say(1, start=True)
    assert waiting.sum(9, True, True) == 9  # only the silence of the first lets it in
    assert silent.refusal(1, **flags(silent.id)) == ("INVALID_ARGUMENT", must_start(silent.id, "q_idle"))


def test_s5_backlog_is_not_expired_by_idleness(caller, server):
    talking, waiting = Speaker(caller, "q_idle"), Speaker(caller, "q_idle")
    talking.say(1, start=True)
    late = waiting.start(5, start=True)
    begun = time.monotonic()
    while time.monotonic() - begun < 1.2:  # three times the idle time
        talking.say(1)
        assert not late.done()
    talking.say(1, end=True)
    assert one(late.result(30), "SUM") == 5
    assert waiting.sum(5, end=True) == 10


def test_s5_timeout_expires_the_whole_sequence_in_the_backlog(caller, server):
    holding, waiting = Speaker(caller, "q_one"), Speaker(caller, "q_one")
    holding.say(1, start=True)
    counters = Counters(server, "q_one")
    first = waiting.start(1, start=True)
    wait_pending(server, "q_one", 1)
    second = waiting.start(1, timeout=600_000_000)
    wait_pending(server, "q_one", 2)
    third = waiting.start(1, timeout=1000)
    for sent in (first, second, third):
        code, told = caller.failed(sent)
        assert (code, told.removeprefix(ANY_ID)) == ("UNAVAILABLE", "timeout of the corresponding sequence has been expired")
    counters.wait(fail=3, REJECTED=3)
    holding.say(1, end=True)
    assert waiting.refusal(1, **flags(waiting.id)) == ("INVALID_ARGUMENT", must_start(waiting.id, "q_one"))


def test_s5_timeout_has_no_effect_once_a_slot_is_held(caller, gate, server):
    speaker = Speaker(caller, "q_one")
    speaker.say(1, start=True)
    held = speaker.start(1, parameters=gate.parameters)
    gate.wait_held()
    late = speaker.start(1, end=True, timeout=1)
    wait_pending(server, "q_one", 1)
    begun = time.monotonic()
    eventually(lambda: time.monotonic() - begun > 0.3)  # the backlog is looked at every 50 ms
    gate.open()
    assert one(held.result(30), "SUM") == 2
    assert one(late.result(30), "SUM") == 3


def cancellable(callers, name, number, told, id, start=False, end=False):
    caller = callers["grpc"]
    return caller.client().async_infer(
        name,
        arrays_of(caller.module, turn(number)),
        lambda result, error: told.append((result, error)),
        **flags(id, start, end),
    )


@pytest.mark.parametrize("name", ["q_one", "q_oldest_one"])
def test_s10_cancelling_one_request_cancels_the_whole_sequence_in_the_backlog(callers, server, name):
    caller = callers["grpc"]
    holding, waiting = Speaker(caller, name), Speaker(caller, name)
    holding.say(1, start=True)
    counters = Counters(server, name)
    first = waiting.start(1, start=True)
    wait_pending(server, name, 1)
    told = []
    call = cancellable(callers, name, 1, told, waiting.id)
    wait_pending(server, name, 2)
    call.cancel()
    assert caller.failed(first) == ("CANCELLED", "")
    wait_pending(server, name, 0)
    counters.wait(fail=2, CANCELED=2)
    holding.say(1, end=True)
    assert Speaker(caller, name).sum(3, True, True) == 3


def test_s10_cancelling_a_queued_request_frees_the_slot_of_its_sequence(callers, gate, server):
    caller = callers["grpc"]
    holding, waiting = Speaker(caller, "q_one"), Speaker(caller, "q_one")
    holding.say(1, start=True)
    held = holding.start(1, parameters=gate.parameters)
    gate.wait_held()
    told = []
    call = cancellable(callers, "q_one", 1, told, holding.id)
    wait_pending(server, "q_one", 1)
    call.cancel()
    wait_pending(server, "q_one", 0)
    late = waiting.start(7, True, True)
    gate.open()
    held.result(30)
    assert one(late.result(30), "SUM") == 7
    assert holding.refusal(1, **flags(holding.id)) == ("INVALID_ARGUMENT", must_start(holding.id, "q_one"))


def test_s10_cancelled_stream_frees_the_slots_of_its_waiting_sequences(callers, grpc_address, server):
    caller = callers["grpc"]
    holding = Speaker(caller, "q_one")
    holding.say(1, start=True)
    with Stream(grpc_address) as stream:
        for number, start in ((1, True), (2, False)):
            stream.send("q_one", turn(number), **flags(999, start))
        wait_pending(server, "q_one", 2)
        stream.client.stop_stream(cancel_requests=True)
        wait_pending(server, "q_one", 0)
    holding.say(1, end=True)
    assert Speaker(caller, "q_one").sum(3, True, True) == 3


# --- strategies


def test_s5_direct_minimum_slot_utilization_waits_for_enough_slots(callers):
    caller = callers["grpc"]
    one_speaker, other = Speaker(caller, "q_utilization"), Speaker(caller, "q_utilization")
    sent = [one_speaker.start(1, True, True), other.start(2, True, True)]
    results = [call.result(30) for call in sent]
    assert one(results[0], "EXECUTION") == one(results[1], "EXECUTION")
    assert sorted(one(result, "PLACE") for result in results) == [0, 1]


def test_s5_direct_delay_ends_the_wait_for_slots(caller, server):
    counters = Counters(server, "q_delay")
    before = counters.row()["inference_stats"]["queue"]["ns"]
    assert Speaker(caller, "q_delay").sum(4, True, True) == 4
    eventually(lambda: counters.row()["inference_stats"]["queue"]["ns"] - before >= 300e6)


def test_s5_oldest_has_one_request_of_a_sequence_in_flight(callers, gate, stream, server):
    caller = callers["grpc"]
    speakers = [Speaker(caller, "q_oldest") for _ in range(2)]
    speakers[0].say(0, start=True)
    held = speakers[0].start(0, parameters=gate.parameters)
    gate.wait_held()
    for number in range(3):
        stream.send("q_oldest", turn(1), **flags(speakers[0].id, end=number == 2))
        wait_pending(server, "q_oldest", number + 1)
    other = speakers[1].start(5, True, True)
    wait_pending(server, "q_oldest", 4)
    gate.open()
    held.result(30)
    results = [stream.next() for _ in range(3)]
    assert [one(result, "SUM") for result in results] == [1, 2, 3]
    executions = [one(result, "EXECUTION") for result in results]
    assert executions == sorted(set(executions))
    assert one(other.result(30), "SUM") == 5


def test_s5_oldest_batches_by_preferred_size(callers):
    caller = callers["grpc"]
    sent = [Speaker(caller, "q_preferred").start(number, True, True) for number in (1, 2)]
    results = [call.result(30) for call in sent]
    assert one(results[0], "EXECUTION") == one(results[1], "EXECUTION")
    # No null requests here.
    assert text(results[0], "BATCH") == "1 1 1,1 1 1"


def test_s5_priority_does_nothing_here(caller, server):
    holding = Speaker(caller, "q_one")
    holding.say(1, start=True)
    sent = []
    for priority in (3, 1):
        sent.append(Speaker(caller, "q_one").start(1, True, True, priority=priority))
        wait_pending(server, "q_one", len(sent))
    holding.say(1, end=True)
    first, second = [one(call.result(30), "EXECUTION") for call in sent]
    assert first < second
