"""Implicit state of sequences, iterative sequences, and what is wrong in their configuration (scheduling.md §5, model-config.md §3).

Covered elsewhere: a state of an ONNX model that begins at zero (sequences.int.test.ts).
"""

import numpy
import pytest
from scheduling_models import instances, io, one, script, tensor
from test_sequences import Speaker, flags, turn

# Gives the state it got, and makes the next one: the numbers so far and the new one behind them, or their text.
SCRIPT = """export function execute(requests) {
  return requests.map(({ inputs: { INPUT, STATE }, sequence, requestedOutputs }) => {
    if (sequence === undefined) return { outputs: {} };
    const words = STATE.datatype === "BYTES";
    const before = words ? STATE.text() : [...STATE.data];
    const grows = SHAPE === "grows" && !sequence.start;
    const next = words ? [before[0] + INPUT.data[0]] : grows ? [...before, INPUT.data[0]] : before.map((value) => value + INPUT.data[0]);
    return { outputs: {
      GOT: { shape: [1, before.length], data: before.map(String) },
      STATE_OUT: { shape: [1, next.length], data: next, ...TYPED },
    } };
  });
}
"""


def state(datatype="INT32", dims="1", initial="", name="STATE", output="STATE_OUT"):
    return (
        f'{{ input_name: "{name}" output_name: "{output}" data_type: TYPE_{datatype} dims: [ {dims} ] {initial} }}'
    )


def initial(datatype="INT32", dims="1", data="zero_data: true", name='name: "begin"'):
    return f"initial_state {{ data_type: TYPE_{datatype} dims: [ {dims} ] {data} {name} }}"


def model(states, strategy="direct { }", outputs=(), grows=False, batch=4, more="", datatype="INT32"):
    shape = "const SHAPE = " + ('"grows";\n' if grows else '"fixed";\n')
    shape += f"const TYPED = {{ datatype: '{datatype}' }};\n" if datatype else "const TYPED = {};\n"
    signature = io([tensor("INPUT")], [tensor("GOT", "STRING", "-1"), *outputs])
    return script(
        f"max_batch_size: {batch}\n{signature}{instances(1)}sequence_batching {{ max_sequence_idle_microseconds: 20000000 "
        f"{strategy} state [ {states} ] {more} }}\n",
        shape + SCRIPT,
    )


ITERATIVE = """const rounds = new Map();
export function execute(requests) {
  return requests.map((request) => {
    const key = String(request.sequence.id);
    const round = (request.sequence.start ? 0 : rounds.get(key)) + 1;
    rounds.set(key, round);
    if (round < request.inputs.INPUT.data[0]) return request.reschedule() ?? null;
    rounds.delete(key);
    return { outputs: { ROUNDS: { shape: request.inputs.INPUT.shape, data: [round] }, ID: { shape: request.inputs.INPUT.shape, data: [key] } } };
  });
}
"""
FILE = model(state(initial=initial(data='data_file: "hundred"')))
FILE["initial_state/hundred"] = numpy.array([100], numpy.int32).tobytes()
MODELS = {
    "st_zero": model(state(initial=initial())),
    "st_oldest": model(state(initial=initial()), "oldest { }"),
    "st_file": FILE,
    "st_text": model(state("STRING"), datatype="BYTES"),
    "st_untyped": model(state(initial=initial()), datatype=None),
    "st_grows": model(state(dims="-1", initial=initial()), grows=True),
    "st_grows_oldest": model(state(dims="-1", initial=initial()), "oldest { }", grows=True),
    "st_shown": model(state(initial=initial()), outputs=[tensor("STATE_OUT")]),
    "st_iterative": script(
        f"max_batch_size: 4\n{io([tensor('INPUT')], [tensor('ROUNDS'), tensor('ID', 'STRING')])}{instances(1)}"
        "sequence_batching { oldest { } iterative_sequence: true max_sequence_idle_microseconds: 20000000 }\n",
        ITERATIVE,
    ),
}


@pytest.fixture(scope="module", autouse=True)
def loaded(models):
    for name, files in MODELS.items():
        models.load(name, files)


def got(result):
    return [each.decode() for each in result.as_numpy("GOT").flatten()]


@pytest.mark.parametrize("name", ["st_zero", "st_oldest"])
def test_s5_state_begins_at_zero_and_each_output_is_the_next_input(caller, name):
    first, second = Speaker(caller, name), Speaker(caller, name)
    assert got(first.say(1, start=True)) == ["0"]
    assert got(second.say(10, start=True)) == ["0"]
    assert got(first.say(2)) == ["1"]
    assert got(second.say(20, end=True)) == ["10"]
    assert got(first.say(4, end=True)) == ["3"]


def test_s5_state_begins_with_a_file(caller):
    speaker = Speaker(caller, "st_file")
    assert got(speaker.say(1, start=True)) == ["100"]
    assert got(speaker.say(1, end=True)) == ["101"]


def test_s5_state_of_texts_without_a_beginning_is_empty(caller):
    speaker = Speaker(caller, "st_text")
    assert got(speaker.say(1, start=True)) == [""]
    assert got(speaker.say(2)) == ["1"]
    assert got(speaker.say(3, end=True)) == ["12"]


@pytest.mark.parametrize("name", ["st_grows", "st_grows_oldest"])
def test_s5_state_of_variable_size_begins_with_one_element_and_may_grow(caller, name):
    speaker = Speaker(caller, name)
    assert got(speaker.say(1, start=True)) == ["0"]
    assert got(speaker.say(2)) == ["1"]
    assert got(speaker.say(3)) == ["1", "2"]
    assert got(speaker.say(4, end=True)) == ["1", "2", "3"]


def test_s5_state_is_reset_by_a_start_under_way(caller):
    speaker = Speaker(caller, "st_zero")
    assert got(speaker.say(5, start=True)) == ["0"]
    assert got(speaker.say(5, start=True)) == ["0"]
    assert got(speaker.say(5, end=True)) == ["5"]


def test_s5_state_is_hidden_from_clients(caller, client):
    metadata = client.get_model_metadata("st_zero")
    assert [[one["name"] for one in metadata[kind]] for kind in ("inputs", "outputs")] == [["INPUT"], ["GOT"]]
    assert Speaker(caller, "st_zero").say(1, True, True).as_numpy("STATE_OUT") is None
    told = caller.refusal("st_zero", turn(1), outputs=["STATE_OUT"], **flags(1, True, True))
    assert told == ("INVALID_ARGUMENT", "unexpected inference output 'STATE_OUT' for model 'st_zero'")


def test_s5_state_that_is_an_output_too_is_returned(caller, client):
    assert [one["name"] for one in client.get_model_metadata("st_shown")["outputs"]] == ["GOT", "STATE_OUT"]
    speaker = Speaker(caller, "st_shown")
    assert one(speaker.say(3, start=True), "STATE_OUT") == 3
    # Also kept when the client does not ask for it.
    assert speaker.say(4, outputs=["GOT"]).as_numpy("STATE_OUT") is None
    assert one(speaker.say(5, end=True), "STATE_OUT") == 12


def test_s5_state_has_the_configured_datatype(caller):
    assert got(Speaker(caller, "st_untyped").say(1, True, True)) == ["0"]


# --- iterative sequences


def test_s5_iterative_requests_need_no_id_and_are_executed_until_they_are_answered(caller, server):
    results = [caller.start("st_iterative", turn(number)) for number in (1, 2, 5)]
    answers = [result.result(30) for result in results]
    assert [one(answer, "ROUNDS") for answer in answers] == [1, 2, 5]
    assert len({answer.as_numpy("ID").flatten()[0] for answer in answers}) == 3


def test_s5_iterative_over_a_stream_and_generate(stream, server):
    stream.send("st_iterative", turn(3))
    assert one(stream.next(), "ROUNDS") == 3
    assert server.post("/v2/models/st_iterative/generate", json={"INPUT": 4}).json()["ROUNDS"] == 4


def test_s5_iterative_with_the_client_s_own_id(caller):
    answer = caller.infer("st_iterative", turn(2), **flags(55, True, True))
    assert (one(answer, "ROUNDS"), answer.as_numpy("ID").flatten()[0]) == (2, b"55")


# --- wrong configurations; the texts behind "failed to load", or the reason in the index, must name the rule


def controls(*entries):
    return f"control_input [ {', '.join(entries)} ]"


START = '{ name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] }'
WRONG = {
    "two_initial_states": (
        model(state(initial=initial() + initial())),
        "initial_state field for state input 'STATE' must contain exactly one or zero element. Found '2' elements.",
    ),
    "initial_state_without_name": (
        model(state(initial=initial(name=""))),
        "Field 'name' must be set when using initial_state for state input 'STATE'.",
    ),
    "initial_state_of_another_type": (model(state(initial=initial("FP32"))), "does not match the state data type."),
    "initial_state_of_other_dims": (model(state(initial=initial(dims="2"))), "doesn't match 'state' dim description. 2 != 1"),
    "initial_state_file_too_short": (
        {**model(state(dims="2", initial=initial(dims="2", data='data_file: "hundred"'))), "initial_state/hundred": b"1234"},
        "hundred",
    ),
    "control_without_name": (
        model(state(initial=initial()), more=controls(START.replace('"START"', '""'))),
        "sequence batching control tensor must have a name",
    ),
    "control_kind_twice": (
        model(state(initial=initial()), more=controls(START, START.replace('"START"', '"BEGIN"'))),
        "sequence batching specifies multiple CONTROL_SEQUENCE_START tensors",
    ),
    "control_without_values": (
        model(state(initial=initial()), more=controls(START.replace("int32_false_true: [ 0, 1 ]", ""))),
        "sequence batching must specify either 'int32_false_true', 'fp32_false_true' or 'bool_false_true' for CONTROL_SEQUENCE_START",
    ),
    "control_with_three_values": (
        model(state(initial=initial()), more=controls(START.replace("[ 0, 1 ]", "[ 0, 1, 2 ]"))),
        "sequence batching control 'int32_false_true' must have exactly 2 entries for CONTROL_SEQUENCE_START",
    ),
    "corrid_of_a_wrong_type": (
        model(
            state(initial=initial()),
            more=controls('{ name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_FP32 } ] }'),
        ),
        "CONTROL_SEQUENCE_CORRID",
    ),
    "utilization_above_one": (
        model(state(initial=initial()), "direct { minimum_slot_utilization: 1.5 }"),
        "sequence batching minimum slot utilization must be in range (0.0, 1.0] for st_utilization_above_one",
    ),
    "preferred_above_batch": (model(state(initial=initial()), "oldest { preferred_batch_size: [ 9 ] }"), "preferred"),
}


@pytest.mark.parametrize("name", WRONG)
def test_s5_config_error(models, name):
    files, expected = WRONG[name]
    status, told = models.refusal(f"st_{name}", files)
    assert status in ("400", "500")
    reasons = [row.get("reason", "") for row in models.client.get_model_repository_index() if row["name"] == f"st_{name}"]
    assert expected in told or any(expected in reason for reason in reasons), (told, reasons)


def test_s5_utilization_of_zero_is_accepted(models):
    models.load("st_utilization_zero", model(state(initial=initial()), "direct { minimum_slot_utilization: 0.0 }"))
