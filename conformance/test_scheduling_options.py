"""What needs options of the server: response cache and rate limiter (scheduling.md §6, §8), on a server of their own.

Covered elsewhere: a cached answer's counters over HTTP, the cache after a reload, Redis (response-cache.int.test.ts); one resource for two
models, priorities among instances, a runner that dies, a resource of which there is too little (rate-limiter.int.test.ts); warm-up, all of
§9 (warm-up.int.test.ts; on ensembles test_ensembles.py).
"""

import numpy
import pytest
import scheduling_models
import tritonclient.http
from conftest import Server
from scheduling_models import Caller, Counters, Gate, eventually, io, one, script, step, tensor, value, worker

CACHE = "response_cache { enable: true }"
FREE = f"max_batch_size: 0\n{io([tensor('A', dims='-1')], [tensor('OUT', dims='-1'), tensor('EXECUTION')])}"
# Any number of elements; only the bytes of the inputs are the key.
COUNTING = """let executions = 0;
export const execute = (requests) => requests.map(({ inputs: { A } }) => ({
  outputs: { OUT: { shape: A.shape, data: [...A.data] }, EXECUTION: { shape: [1], data: [++executions] } },
}));
"""
FAILING = 'export const execute = (requests) => requests.map(() => ({ error: { code: "INTERNAL", message: "no" } }));'


def limited(resources, count=1):
    return (
        f"instance_group [ {{ count: {count} kind: KIND_CPU rate_limiter {{ "
        + " ".join(f'resources {{ name: "{name}" {more} }}' for name, more in resources)
        + " } } ]\n"
    )


def limited_worker(resources, config="", count=1):
    files = worker(config)
    files["config.pbtxt"] = files["config.pbtxt"].replace(scheduling_models.instances(1), limited(resources, count))
    return files


MODELS = {
    "c_default": script(f"{FREE}{CACHE}\n", COUNTING),
    "c_dynamic": script(f"{FREE}{CACHE}\ndynamic_batching {{ }}\n", COUNTING),
    "c_shapes": script(f"{FREE.replace('dims: [ -1 ]', 'dims: [ -1, -1 ]')}{CACHE}\n", COUNTING),
    "c_off": script(FREE, COUNTING),
    "c_fails": script(f"{FREE}{CACHE}\n", FAILING),
    "c_ensemble": scheduling_models.ensemble(
        io([tensor("A", dims="-1")], [tensor("OUT", dims="-1"), tensor("EXECUTION")]),
        [step("c_off", {"A": "A"}, {"OUT": "OUT", "EXECUTION": "EXECUTION"})],
        config=CACHE,
    ),
    "c_ordered": worker(f"{CACHE}\ndynamic_batching {{ preserve_ordering: true preferred_batch_size: [ 1 ] }}", count=2),
    "r_one": limited_worker([("R1", "count: 2")]),
    "r_other": limited_worker([("R1", "count: 1")]),
}


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A server with a cache and a rate limiter; loads nothing by itself."""
    repository = tmp_path_factory.mktemp("repository")
    for name, files in MODELS.items():
        scheduling_models.write(repository, name, files)
    flags = ["--cache-config=local,size=1048576", "--rate-limit=execution_count", "--rate-limit-resource=R1:2"]
    with scheduling_models.own_server(repository, *flags) as (_, ports):
        session = scheduling_models.requests.Session()
        metrics = f"http://127.0.0.1:{ports['metrics']}/metrics"
        yield ports, Server(f"http://127.0.0.1:{ports['http']}", metrics, str(repository), session)


@pytest.fixture(scope="module")
def there(own):
    return own[1]


@pytest.fixture(scope="module")
def owned(own):
    ports, _ = own
    return {protocol: Caller(protocol, f"127.0.0.1:{ports[protocol]}") for protocol in ("http", "grpc")}


@pytest.fixture(params=["http", "grpc"])
def asking(request, owned):
    return owned[request.param]


@pytest.fixture
def made(there):
    with tritonclient.http.InferenceServerClient(there.url.removeprefix("http://")) as client:
        models = scheduling_models.Models(there, client)
        yield models
        models.dispose()


numbers = iter(range(1000, 100_000))


def a(*elements, shape=None):
    return {"A": numpy.array(elements, numpy.int32).reshape(shape or [len(elements)])}


# --- §8: response cache


@pytest.mark.parametrize("name", ["c_default", "c_dynamic"])
def test_s8_hit_is_answered_without_execution_and_with_the_id_of_its_own_request(asking, there, name):
    counters = Counters(there, name)
    given = a(next(numbers))
    results = [asking.infer(name, given, request_id=id) for id in ("first", "second")]
    assert len({one(result, "EXECUTION") for result in results}) == 1
    answers = [result.get_response() for result in results]
    assert [answer["id"] if asking.protocol == "http" else answer.id for answer in answers] == ["first", "second"]
    counters.wait(
        success=2, queue=2, compute_input=1, compute_infer=1, compute_output=1, cache_hit=1, cache_miss=1, inferences=1, executions=1
    )


def test_s8_hit_across_protocols(owned):
    given = a(next(numbers))
    first = one(owned["http"].infer("c_default", given), "EXECUTION")
    assert one(owned["grpc"].infer("c_default", given), "EXECUTION") == first


NOT_IN_THE_KEY = {
    "priority": lambda caller, elements: caller.infer("c_default", a(*elements), priority=1),
    "timeout": lambda caller, elements: caller.infer("c_default", a(*elements), timeout=1_000_000),
    "parameters": lambda caller, elements: caller.infer("c_default", a(*elements), parameters={"mine": 2}),
    "requested_outputs": lambda caller, elements: caller.infer("c_default", a(*elements), outputs=["EXECUTION"]),
    "shape": lambda caller, elements: caller.infer("c_shapes", a(*elements, shape=[2, 1])),
}


SAFER = pytest.mark.xfail(strict=True, reason="deliberate: shapes and parameters are in the key, so that no other question is answered")


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=SAFER) if what in ("shape", "parameters") else what for what in NOT_IN_THE_KEY]
)
def test_s8_not_in_the_key(asking, what):
    elements = (next(numbers), 1)
    first = asking.infer("c_shapes", a(*elements, shape=[1, 2])) if what == "shape" else asking.infer("c_default", a(*elements))
    assert one(NOT_IN_THE_KEY[what](asking, elements), "EXECUTION") == one(first, "EXECUTION")


def test_s8_metrics_count_hits_and_misses(asking, there):
    def read():
        names = ("nv_cache_num_hits_per_model", "nv_cache_num_misses_per_model")
        return [scheduling_models.metric(there, name, "c_default") for name in names]

    before = read()
    given = a(next(numbers))
    for _ in range(3):
        asking.infer("c_default", given)
    eventually(lambda: [now - then for now, then in zip(read(), before)] == [2, 1])
    assert scheduling_models.metric(there, "nv_cache_num_hits_per_model", "c_off") is None


def test_s8_other_bytes_miss(asking):
    first, second = [one(asking.infer("c_default", a(next(numbers))), "EXECUTION") for _ in range(2)]
    assert first != second


def test_s8_model_without_the_setting_is_executed_each_time(asking):
    given = a(next(numbers))
    first, second = [one(asking.infer("c_off", given), "EXECUTION") for _ in range(2)]
    assert first != second


def test_s8_failures_are_not_kept(asking, there):
    counters = Counters(there, "c_fails")
    given = a(next(numbers))
    for _ in range(2):
        assert asking.refusal("c_fails", given)[0] == "INTERNAL"
    eventually(lambda: counters.grown().get("fail") == 2)
    assert "cache_hit" not in counters.grown()


def test_s8_ensembles_are_cached(asking, there):
    counters = Counters(there, "c_ensemble")
    given = a(next(numbers))
    first, second = [one(asking.infer("c_ensemble", given), "EXECUTION") for _ in range(2)]
    assert first == second
    eventually(lambda: counters.grown().get("cache_hit") == 1)


def test_s8_preserve_ordering_also_holds_cached_answers(owned, tmp_path):
    caller = owned["grpc"]
    kept = value(next(numbers))
    caller.infer("c_ordered", kept)
    with Gate(tmp_path) as gate:
        held = caller.start("c_ordered", value(next(numbers)), parameters=gate.parameters)
        gate.wait_held()
        hit = caller.start("c_ordered", kept)
        caller.infer("c_off", a(1))
        assert not hit.done()
    held.result(30)
    hit.result(30)


@pytest.mark.parametrize(
    ("name", "config", "text"),
    [
        (
            "c_sequence",
            "sequence_batching { }",
            "Response Cache does not currently support model c_sequence with sequence batching scheduler. Please disable the response cache.",
        ),
        (
            "c_decoupled",
            "model_transaction_policy { decoupled: true }",
            "Response Cache does not currently support model c_decoupled with 'decoupled' transaction policy. Please disable the response cache.",
        ),
    ],
)
def test_s8_refused_at_load(made, name, config, text):
    status, told = made.refusal(name, script(f"{FREE}{CACHE}\n{config}\n", COUNTING))
    assert status in ("400", "500") and text in told


# --- §6: rate limiter


def test_s6_resources_keep_instances_from_executing_together_and_others_wait_behind_the_head(owned, there, tmp_path):
    """r_one needs both of the two units, r_other one of them, and c_off none; but only the first that waits is tried."""
    caller = owned["grpc"]
    with Gate(tmp_path) as held, Gate(tmp_path) as late:
        first = caller.start("r_one", value(1), parameters=held.parameters)
        held.wait_held()
        late.open()
        second = caller.start("r_other", value(2), parameters=late.parameters)
        scheduling_models.wait_pending(there, "r_other", 1)
        third = caller.start("c_off", a(3))
        scheduling_models.wait_pending(there, "c_off", 1)
        assert not late.held()
        assert not third.done()
    assert [one(sent.result(30), "VALUE_OUT") for sent in (first, second)] == [1, 2]
    assert one(third.result(30), "OUT") == 3


@pytest.mark.parametrize(
    ("name", "resources", "text"),
    [
        (
            "r_much",
            [("R1", "count: 3")],
            'Resource count for "R1" is limited to 2 which will prevent scheduling of one or more model instances, the minimum required count is 3',
        ),
        # Resources that are not given count as 0 when any is given; names are case-sensitive.
        (
            "r_unknown",
            [("r1", "count: 1")],
            'Resource count for "r1" is limited to 0 which will prevent scheduling of one or more model instances, the minimum required count is 1',
        ),
        (
            "r_both",
            [("R1", "count: 1"), ("R1", "global: true count: 1")],
            'Resource "R1" is present as both global and device-specific resource in the model configuration.',
        ),
    ],
)
def test_s6_resource_conflicts_fail_the_load(made, name, resources, text):
    status, told = made.refusal(name, limited_worker(resources))
    assert status in ("400", "500") and text in told
