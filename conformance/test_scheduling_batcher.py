"""Default scheduler and dynamic batcher by Triton's client (scheduling.md §1–§4, §6, §10).

Covered elsewhere: all three kinds of ragged tensors (ragged.int.test.ts); levels over HTTP, DELAY without levels, preserve_ordering over
HTTP (scheduling.int.test.ts); a full queue over HTTP, REJECT while every instance is busy (queue-limits.int.test.ts); a cancelled unary
gRPC call and a deadline, queued and executing (grpc-cancel.int.test.ts); requests that come while the server ends
(shutdown.int.test.ts).
"""

import socket
import time

import numpy
import pytest
from scheduling_models import (
    ANY_ID,
    Counters,
    Gate,
    Stream,
    arrays_of,
    eventually,
    one,
    tensor,
    value,
    wait_pending,
    worker,
)

LONG = 60_000_000
MODELS = {
    "b_default": worker(),
    "b_default_two": worker(count=2),
    "b_dynamic": worker("dynamic_batching { }"),
    "b_no_batch": worker("dynamic_batching { }", batch=0),
    "b_pairs": worker("dynamic_batching { preferred_batch_size: [ 2 ] }"),
    "b_pairs_patient": worker(
        f"dynamic_batching {{ preferred_batch_size: [ 2 ] max_queue_delay_microseconds: {LONG} }}", batch=4
    ),
    "b_several": worker(
        f"dynamic_batching {{ preferred_batch_size: [ 2, 4 ] max_queue_delay_microseconds: {LONG} }}", batch=8
    ),
    "b_four": worker("dynamic_batching { }", batch=4),
    "b_delay": worker("dynamic_batching { max_queue_delay_microseconds: 300000 }", batch=4),
    "b_order": worker("dynamic_batching { preferred_batch_size: [ 1 ] preserve_ordering: true }", count=3),
    "b_shapes": worker("dynamic_batching { }", dims="-1"),
    "b_ragged": worker("dynamic_batching { }", dims="-1"),
    "b_optional": worker("dynamic_batching { }", inputs=[tensor("MORE", more="optional: true")]),
    "b_levels": worker("dynamic_batching { preferred_batch_size: [ 1 ] priority_levels: 3 default_priority_level: 2 }"),
    "b_no_levels": worker("dynamic_batching { preferred_batch_size: [ 1 ] }"),
    "b_full": worker(
        "dynamic_batching { preferred_batch_size: [ 1 ] priority_levels: 2 default_priority_level: 2 "
        "default_queue_policy { max_queue_size: 1 } }"
    ),
    "b_full_per_level": worker(
        "dynamic_batching { preferred_batch_size: [ 1 ] priority_levels: 2 default_priority_level: 2 "
        "default_queue_policy { max_queue_size: 1 } "
        "priority_queue_policy { key: 1 value { timeout_action: REJECT default_timeout_microseconds: 30000 } } }"
    ),
    "b_no_default": worker("dynamic_batching { default_queue_policy { allow_timeout_override: true } }"),
    "b_no_override": worker(f"dynamic_batching {{ default_queue_policy {{ default_timeout_microseconds: {LONG} }} }}"),
    "b_override": worker(
        f"dynamic_batching {{ default_queue_policy {{ default_timeout_microseconds: {LONG} allow_timeout_override: true }} }}"
    ),
    "b_short": worker(
        "dynamic_batching { default_queue_policy { default_timeout_microseconds: 50000 allow_timeout_override: true } }"
    ),
    "b_delays": worker(
        "dynamic_batching { preferred_batch_size: [ 1 ] priority_levels: 2 default_priority_level: 1 default_queue_policy { "
        f"timeout_action: DELAY default_timeout_microseconds: {LONG} allow_timeout_override: true }} }}"
    ),
    "b_cancelled": worker(
        "dynamic_batching { preferred_batch_size: [ 1 ] default_queue_policy { max_queue_size: 100 } }"
    ),
    "b_passive": worker(),
    "b_two_ones": worker("dynamic_batching { preferred_batch_size: [ 1 ] }", count=2),
    "b_versions": worker("version_policy { all { } } dynamic_batching { }"),
}
MODELS["b_ragged"]["config.pbtxt"] = MODELS["b_shapes"]["config.pbtxt"].replace(
    "dims: [ -1 ]", "dims: [ -1 ] allow_ragged_batch: true", 1
)
MODELS["b_passive"]["config.pbtxt"] = MODELS["b_passive"]["config.pbtxt"].replace(
    "kind: KIND_CPU }", "kind: KIND_CPU }, { count: 1 kind: KIND_CPU passive: true }"
)
MODELS["b_versions"]["2/model.mjs"] = MODELS["b_versions"]["1/model.mjs"]


@pytest.fixture(scope="module", autouse=True)
def loaded(models):
    for name, files in MODELS.items():
        models.load(name, files)


@pytest.fixture
def occupied(gate, callers, server):
    """Occupies an instance of a model until `gate.open()`; what is sent meanwhile waits, in the order it is sent."""

    class Occupied:
        def __init__(self):
            self.waiting = []

        def take(self, model, arrays=None, caller=callers["grpc"], **options):
            self.model, self.caller = model, caller
            self.first = caller.start(model, arrays or value(0), parameters=gate.parameters, **options)
            gate.wait_held()
            return self

        def send(self, arrays=None, caller=None, **options):
            sent = (caller or self.caller).start(self.model, arrays or value(len(self.waiting) + 1), **options)
            self.waiting.append(sent)
            wait_pending(server, self.model, len(self.waiting))
            return sent

        def open(self):
            gate.open()
            return [sent.result(30) for sent in self.waiting]

    return Occupied()


@pytest.fixture
def lined_up(occupied, stream, tmp_path):
    """Sends requests in order behind a held one, all of them queued before that one goes on; gives their results."""

    def send(model, inputs, held=None, **options):
        occupied.take(model, held)
        for arrays in inputs:
            stream.send(model, arrays, **options)
        # Requests of a stream are issued as they are read: when this one is executed, all before it are queued.
        with Gate(tmp_path) as last:
            stream.send("b_default", value(0), parameters=last.parameters)
            last.wait_held()
        occupied.open()
        results = [stream.next() for _ in inputs]
        stream.next()
        occupied.first.result(30)
        return results

    return send


def executions(results):
    """Of each request as the how manyeth it was executed, counted from 1."""
    numbers = [one(result, "EXECUTION") for result in results]
    ranks = {number: rank for rank, number in enumerate(sorted(set(numbers)), 1)}
    return [ranks[number] for number in numbers]


def rows(count):
    return value(7, rows=count)


# --- §1: schedulers


def test_s1_default_scheduler_executes_each_request_alone(occupied, server):
    counters = Counters(server, "b_default")
    occupied.take("b_default")
    for _ in range(3):
        occupied.send()
    results = occupied.open()
    assert [one(result, "REQUESTS") for result in results] == [1, 1, 1]
    assert executions(results) == [1, 2, 3]
    counters.wait(success=4, queue=4, compute_input=4, compute_infer=4, compute_output=4, inferences=4, executions=4)


def test_s1_default_scheduler_keeps_the_client_s_batch(caller, server):
    counters = Counters(server, "b_default")
    result = caller.infer("b_default", value(5, rows=3))
    assert result.as_numpy("VALUE_OUT").tolist() == [[5], [5], [5]]
    counters.wait(success=1, queue=1, compute_input=1, compute_infer=1, compute_output=1, inferences=3, executions=1)


def test_s1_default_scheduler_any_free_instance_takes_the_next_request(occupied, caller):
    occupied.take("b_default_two")
    assert caller.infer("b_default_two", value(3)).as_numpy("VALUE_OUT").tolist() == [[3]]
    assert not occupied.first.done()


@pytest.mark.parametrize("given", [{"priority": 1}, {"timeout": 1}], ids=str)
def test_s1_priority_and_timeout_do_nothing_without_a_dynamic_batcher(occupied, caller, given):
    occupied.take("b_default", caller=caller)
    occupied.send()
    occupied.send(**given)
    assert executions(occupied.open()) == [1, 2]


def test_s1_versions_have_independent_schedulers(callers, gate):
    held = callers["grpc"].start("b_versions", value(1), model_version="1", parameters=gate.parameters)
    gate.wait_held()
    assert one(callers["grpc"].infer("b_versions", value(2), model_version="2"), "VALUE_OUT") == 2
    assert not held.done()


def test_s1_dynamic_batching_without_a_batch_dimension_is_a_batch_of_one(lined_up, server):
    counters = Counters(server, "b_no_batch")
    single = {"VALUE": numpy.array([1], numpy.int32)}
    results = lined_up("b_no_batch", [single] * 3, single)
    assert [one(result, "REQUESTS") for result in results] == [1, 1, 1]
    counters.wait(success=4, queue=4, compute_input=4, compute_infer=4, compute_output=4, inferences=4, executions=4)


# --- §2: the rule of the dynamic batcher


def test_s2_without_delay_a_lone_request_is_not_delayed_and_what_queued_meanwhile_is_one_batch(occupied, server):
    counters = Counters(server, "b_dynamic")
    occupied.take("b_dynamic")
    for _ in range(5):
        occupied.send()
    results = occupied.open()
    assert [one(result, "REQUESTS") for result in results] == [5] * 5
    assert [one(result, "PLACE") for result in results] == [0, 1, 2, 3, 4]
    assert [one(result, "VALUE_OUT") for result in results] == [1, 2, 3, 4, 5]
    counters.wait(success=6, queue=6, compute_input=6, compute_infer=6, compute_output=6, inferences=6, executions=2)


def test_s2_requests_of_batch_one_and_seven_count_two_requests_eight_inferences_one_execution(lined_up, server):
    counters = Counters(server, "b_dynamic")
    results = lined_up("b_dynamic", [value(1), rows(7)])
    assert [one(result, "REQUESTS") for result in results] == [2, 2]
    # The one that was held counts too.
    counters.wait(success=3, queue=3, compute_input=3, compute_infer=3, compute_output=3, inferences=9, executions=2)
    assert {1, 8} <= {entry["batch_size"] for entry in counters.row()["batch_stats"]}


def test_s2_preferred_size_is_sent_and_what_is_left_follows(lined_up):
    results = lined_up("b_pairs", [value(number) for number in range(5)])
    assert [one(result, "REQUESTS") for result in results] == [2, 2, 2, 2, 1]
    assert executions(results) == [1, 1, 2, 2, 3]


def test_s2_payload_that_waits_grows_to_the_largest_preferred_size(lined_up):
    results = lined_up("b_several", [value(number) for number in range(4)], rows(4))
    assert [one(result, "REQUESTS") for result in results] == [4] * 4


def test_s2_preferred_size_is_sent_although_the_delay_is_long(callers, server):
    two = [callers["grpc"].start("b_pairs_patient", value(number)) for number in (1, 2)]
    assert [one(sent.result(30), "REQUESTS") for sent in two] == [2, 2]


def test_s2_request_above_the_preferred_size_is_sent_alone_and_at_once(caller):
    assert one(caller.infer("b_pairs_patient", rows(3)), "REQUESTS") == 1


def test_s2_delay_is_over_although_the_batch_is_not_full(callers, server):
    counters = Counters(server, "b_delay")
    before = counters.row()["inference_stats"]["queue"]["ns"]
    sent = [callers["grpc"].start("b_delay", value(number)) for number in range(3)]
    results = [one.result(30) for one in sent]
    assert [one(result, "REQUESTS") for result in results] == [3] * 3
    counters.wait(success=3, queue=3, compute_input=3, compute_infer=3, compute_output=3, inferences=3, executions=1)
    # The oldest of them waited for the whole delay.
    assert counters.row()["inference_stats"]["queue"]["ns"] - before >= 300e6


def test_s2_lone_request_waits_for_the_delay(caller, server):
    counters = Counters(server, "b_delay")
    before = counters.row()["inference_stats"]["queue"]["ns"]
    assert one(caller.infer("b_delay", value(1)), "REQUESTS") == 1
    eventually(lambda: counters.row()["inference_stats"]["queue"]["ns"] - before >= 300e6)


def test_s2_request_of_the_full_size_does_not_wait_for_the_delay(caller, server):
    counters = Counters(server, "b_delay")
    before = counters.row()["inference_stats"]["queue"]["ns"]
    caller.infer("b_delay", rows(4))
    counters.wait(success=1, queue=1, compute_input=1, compute_infer=1, compute_output=1, inferences=4, executions=1)
    assert counters.row()["inference_stats"]["queue"]["ns"] - before < 300e6


def test_s2_requests_are_not_split_and_no_head_is_overtaken(occupied):
    occupied.take("b_four")
    for count in (3, 2, 1, 4, 1):
        occupied.send(rows(count))
    results = occupied.open()
    assert executions(results) == [1, 2, 2, 3, 4]
    assert [result.as_numpy("VALUE_OUT").shape[0] for result in results] == [3, 2, 1, 4, 1]


def test_s2_preserve_ordering_holds_answers_back(caller, callers, tmp_path):
    finished = []
    gates = [Gate(tmp_path) for _ in range(3)]
    sent = []
    try:
        for number, gate in enumerate(gates):
            sent.append(caller.start("b_order", value(number), parameters=gate.parameters))
            sent[-1].add_done_callback(lambda _, number=number: finished.append(number))
            gate.wait_held()
        for gate in reversed(gates[1:]):
            gate.open()
            eventually(gate.done)
        callers["grpc"].infer("b_default", value(0))
        assert finished == []
    finally:
        gates[0].open()
    assert [one(call.result(30), "VALUE_OUT") for call in sent] == [0, 1, 2]


# --- §3: equal shapes


def test_s3_variable_dimensions_of_a_batch_must_be_equal(occupied):
    def wide(width):
        return {"VALUE": numpy.full((1, width), width, numpy.int32)}

    occupied.take("b_shapes", wide(1))
    for width in (2, 2, 3, 2):
        occupied.send(wide(width))
    results = occupied.open()
    assert executions(results) == [1, 1, 2, 3]
    assert [result.as_numpy("VALUE_OUT").shape for result in results] == [(1, 2), (1, 2), (1, 3), (1, 2)]


def test_s3_ragged_inputs_of_a_batch_may_differ(occupied):
    def wide(width):
        return {"VALUE": numpy.full((1, width), width, numpy.int32)}

    occupied.take("b_ragged", wide(1))
    for width in (2, 3, 1):
        occupied.send(wide(width))
    results = occupied.open()
    assert executions(results) == [1, 1, 1]
    assert [result.as_numpy("VALUE_OUT").shape for result in results] == [(1, 2), (1, 3), (1, 1)]


def test_s3_requests_of_a_batch_must_have_the_same_optional_inputs(occupied, caller):
    more = {**value(1), "MORE": numpy.array([[1]], numpy.int32)}
    occupied.take("b_optional", caller=caller)
    for given in (value(1), value(2), more, more, value(3)):
        occupied.send(given)
    assert executions(occupied.open()) == [1, 1, 2, 2, 3]


# --- §4: queue policies


def test_s4_priority_highest_first_zero_and_unknown_ones_take_the_default_level(occupied, caller):
    occupied.take("b_levels", caller=caller)
    for priority in (3, 0, 2, 99, 1):
        occupied.send(priority=priority)
    assert executions(occupied.open()) == [5, 2, 3, 4, 1]


def test_s4_priority_works_on_a_stream(occupied, grpc_address, server):
    """Executed by priority; answered, nevertheless, in the order of the requests."""
    occupied.take("b_levels")
    with Stream(grpc_address) as stream:
        for number, priority in enumerate((3, 1)):
            stream.send("b_levels", value(number), priority=priority, request_id=str(number))
            wait_pending(server, "b_levels", number + 1)
        occupied.open()
        results = [stream.next(), stream.next()]
    assert [result.get_response().id for result in results] == ["0", "1"]
    assert executions(results) == [2, 1]


def test_s4_priority_without_levels_is_ignored(occupied, stream, tmp_path):
    occupied.take("b_no_levels")
    for priority in (3, 2, 1):
        stream.send("b_no_levels", value(priority), priority=priority)
    with Gate(tmp_path) as last:
        stream.send("b_default", value(0), parameters=last.parameters)
        last.wait_held()
    occupied.open()
    assert executions([stream.next() for _ in range(3)]) == [1, 2, 3]


@pytest.mark.parametrize(("given", "prefix"), [({"request_id": "one"}, "[request id: one] "), ({}, ANY_ID)])
def test_s4_max_queue_size_is_per_level_and_not_counted(occupied, caller, server, given, prefix):
    occupied.take("b_full", caller=caller)
    occupied.send(priority=1)
    occupied.send(priority=2)
    counters = Counters(server, "b_full")
    for priority in (1, 2):
        told = caller.refusal("b_full", value(0), priority=priority, **given)
        assert told == ("UNAVAILABLE", f"{prefix}Exceeds maximum queue size")
    assert counters.grown() == {}
    occupied.open()


def test_s4_max_queue_size_over_a_stream(occupied, grpc_address):
    occupied.take("b_full")
    occupied.send(priority=1)
    with Stream(grpc_address) as stream:
        stream.send("b_full", value(0), priority=1, request_id="s")
        assert stream.next_error() == "[request id: s] Exceeds maximum queue size"


def test_s4_priority_queue_policy_overrides_the_default_one(occupied, caller, server):
    occupied.take("b_full_per_level", caller=caller)
    first = caller.start("b_full_per_level", value(1), priority=1)
    second = caller.start("b_full_per_level", value(2), priority=1)  # no max_queue_size at this level
    for sent in (first, second):
        assert caller.failed(sent) == ("UNAVAILABLE", "Request timeout expired")
    kept = caller.start("b_full_per_level", value(3), priority=2)
    wait_pending(server, "b_full_per_level", 1)
    refused = caller.refusal("b_full_per_level", value(4), priority=2)
    assert refused == ("UNAVAILABLE", f"{ANY_ID}Exceeds maximum queue size")
    occupied.open()
    assert one(kept.result(30), "VALUE_OUT") == 3


def test_s4_timeout_of_a_request_has_no_effect_without_a_default(occupied, caller):
    occupied.take("b_no_default", caller=caller)
    occupied.send(timeout=1)
    assert len(occupied.open()) == 1


def test_s4_timeout_of_a_request_has_no_effect_without_allow_timeout_override(occupied, caller):
    occupied.take("b_no_override", caller=caller)
    occupied.send(timeout=1)
    assert len(occupied.open()) == 1


def test_s4_timeout_of_a_request_shortens_the_default_and_is_counted_as_rejected(occupied, caller, server):
    occupied.take("b_override", caller=caller)
    counters = Counters(server, "b_override")
    told = caller.refusal("b_override", value(1), timeout=1000, request_id="mine")
    assert told == ("UNAVAILABLE", "Request timeout expired")
    counters.wait(fail=1, REJECTED=1)


def test_s4_timeout_of_a_request_cannot_lengthen_the_default(occupied, caller):
    occupied.take("b_short", caller=caller)
    assert caller.refusal("b_short", value(1), timeout=LONG) == ("UNAVAILABLE", "Request timeout expired")


def test_s4_timeout_counts_only_in_the_queue(caller):
    assert one(caller.infer("b_override", value(1), timeout=500_000, parameters={"ms": 700}), "VALUE_OUT") == 1


def test_s4_timeout_on_a_stream_is_an_error_in_the_stream(occupied, stream):
    occupied.take("b_override")
    stream.send("b_override", value(1), timeout=1000, request_id="late")
    result, error = stream.answers.get(timeout=30)
    assert result is None and error.message() == "Request timeout expired"


def test_s4_delay_serves_expired_requests_after_the_others_of_their_level(occupied, caller):
    occupied.take("b_delays", caller=caller)
    sent = time.monotonic()
    occupied.send(timeout=1000)
    occupied.send(timeout=1000)
    occupied.send()
    occupied.send(priority=2)
    eventually(lambda: time.monotonic() - sent > 0.05)  # of which the first two may wait one thousandth
    assert executions(occupied.open()) == [2, 3, 1, 4]


# --- §6: instances


def test_s6_passive_instances_take_no_requests(occupied, caller):
    occupied.take("b_passive")
    occupied.send()
    assert executions(occupied.open()) == [1]


def test_s6_every_instance_executes_one_batch_at_a_time(callers, server, tmp_path):
    gates = [Gate(tmp_path) for _ in range(3)]
    try:
        sent = [callers["grpc"].start("b_default_two", value(0), parameters=gate.parameters) for gate in gates]
        eventually(lambda: sum(gate.held() for gate in gates) == 2)
        wait_pending(server, "b_default_two", 1)
        next(gate for gate in gates if gate.held()).open()
        eventually(lambda: all(gate.held() for gate in gates))
    finally:
        for gate in gates:
            gate.open()
    assert len([call.result(30) for call in sent]) == 3


def test_s6_free_instances_pull_from_the_shared_queue(stream, callers, tmp_path):
    """Two wait while both instances are held; one instance gets free and must take both of them."""
    held = [Gate(tmp_path) for _ in range(2)]
    try:
        for gate in held:
            callers["grpc"].start("b_two_ones", value(0), parameters=gate.parameters)
            gate.wait_held()
        waiting = [Gate(tmp_path) for _ in range(2)]
        for gate in waiting:
            gate.open()
            stream.send("b_two_ones", value(0), parameters=gate.parameters)
        with Gate(tmp_path) as last:
            stream.send("b_default", value(0), parameters=last.parameters)
            last.wait_held()
        held[1].open()
        eventually(lambda: all(gate.held() for gate in waiting), "both that waited, on the free instance,", within=3)
    finally:
        for gate in held:
            gate.open()


def test_m2_1_pending_counts_until_the_execution_starts(occupied, callers, server):
    """Also what was sent ahead to a busy instance (metrics.md §2.1)."""
    occupied.take("b_no_levels")
    sent = [callers["grpc"].start("b_no_levels", value(0)) for _ in range(3)]
    wait_pending(server, "b_no_levels", 3, within=3)
    occupied.open()
    for call in sent:
        call.result(30)
    wait_pending(server, "b_no_levels", 0)


# --- §10: cancellation


def test_s10_cancelled_unary_call_leaves_the_queue_and_is_counted(occupied, callers, server):
    occupied.take("b_cancelled")
    counters = Counters(server, "b_cancelled")
    seen = []
    client = callers["grpc"].client()
    call = client.async_infer("b_cancelled", arrays_of(callers["grpc"].module, value(1)), lambda result, error: seen.append((result, error)))
    wait_pending(server, "b_cancelled", 1)
    call.cancel()
    eventually(lambda: seen)
    assert seen[0][1].status() == "StatusCode.CANCELLED"
    wait_pending(server, "b_cancelled", 0)
    occupied.open()
    counters.wait(success=1, queue=1, compute_input=1, compute_infer=1, compute_output=1, inferences=1, executions=1, fail=1, CANCELED=1)


def test_s10_client_timeout_cancels_what_waits(occupied, callers, server):
    occupied.take("b_cancelled")
    counters = Counters(server, "b_cancelled")
    told = callers["grpc"].refusal("b_cancelled", value(1), client_timeout=0.2)
    assert told[0] == "StatusCode.DEADLINE_EXCEEDED"
    wait_pending(server, "b_cancelled", 0)
    occupied.open()
    counters.wait(success=1, queue=1, compute_input=1, compute_infer=1, compute_output=1, inferences=1, executions=1, fail=1, CANCELED=1)


def test_s10_cancelled_stream_takes_all_its_requests(occupied, grpc_address, server):
    occupied.take("b_cancelled")
    counters = Counters(server, "b_cancelled")
    with Stream(grpc_address) as stream:
        for number in range(3):
            stream.send("b_cancelled", value(number))
        wait_pending(server, "b_cancelled", 3)
        stream.client.stop_stream(cancel_requests=True)
        wait_pending(server, "b_cancelled", 0)
    occupied.open()
    counters.wait(success=1, queue=1, compute_input=1, compute_infer=1, compute_output=1, inferences=1, executions=1, fail=3, CANCELED=3)


def test_s10_http_client_that_leaves_takes_its_request_along(occupied, server):
    occupied.take("b_cancelled")
    counters = Counters(server, "b_cancelled")
    host, port = server.url.removeprefix("http://").split(":")
    body = b'{"inputs":[{"name":"VALUE","datatype":"INT32","shape":[1,1],"data":[1]}]}'
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(
            b"POST /v2/models/b_cancelled/infer HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        )
        wait_pending(server, "b_cancelled", 1)
    wait_pending(server, "b_cancelled", 0)
    occupied.open()
    counters.wait(success=1, queue=1, compute_input=1, compute_infer=1, compute_output=1, inferences=1, executions=1, fail=1, CANCELED=1)
