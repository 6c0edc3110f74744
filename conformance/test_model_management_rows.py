"""Loading, unloading, the index and readiness by Triton's client, row by row (model-management.md §3–§8, §10).

Covered elsewhere: start in each control mode, polling, what --load-model takes, start with a broken model, a request without a version
(control-modes.int.test.ts); a name in two repositories and namespaces (namespacing.int.test.ts); --model-config-name and
--model-load-retry-count (overrides.int.test.ts); reload under load (reload.int.test.ts); a second plain load, overrides over HTTP, names
that lead out, wrong bodies, unload of the unknown (test_repository.py, test_model_control.py); texts of ensembles that do not fit
(test_ensembles.py).
"""

import json
import os
import shutil
import subprocess

import numpy
import pytest
import requests
import scheduling_models
from scheduling_models import (
    Caller,
    Counters,
    Gate,
    Stream,
    ensemble,
    eventually,
    instances,
    io,
    one,
    script,
    step,
    tensor,
    value,
    wait_pending,
    worker,
)
from tritonclient.utils import InferenceServerException

# Waits in `initialize` while a file `slow` lies in its directory, and fails when there is one called `broken`.
STUBBORN = """import { existsSync } from "node:fs";
export async function initialize({ directory, modelVersion }) {
  while (existsSync(`${directory}/slow`)) await new Promise((resolve) => setTimeout(resolve, 5));
  if (existsSync(`${directory}/${modelVersion}/broken`)) throw new Error(`version ${modelVersion} is broken`);
}
export const execute = (requests, { modelVersion }) =>
  requests.map(({ inputs: { VALUE } }) => ({ outputs: { VERSION: { shape: [VALUE.shape[0], 1], data: [Number(modelVersion)] } } }));
"""
SIGNATURE = io([tensor("VALUE")], [tensor("VERSION")])


def stubborn(versions="1", config=""):
    files = script(f"max_batch_size: 8\n{SIGNATURE}{instances(1)}{config}\n", STUBBORN)
    source = files.pop("1/model.mjs")
    return {**files, **{f"{version}/model.mjs": source for version in versions.split()}}


@pytest.fixture
def fresh(server, client):
    """Models of one test."""
    made = scheduling_models.Models(server, client)
    yield made
    made.dispose()


def rows(client, name):
    return [row for row in client.get_model_repository_index() if row["name"] == name]


def touch(models, name, path, content=""):
    scheduling_models.write(models.repository, name, {path: content})


def remove(models, name, path):
    (models.repository / name / path).unlink()


def failure(call):
    with pytest.raises(InferenceServerException) as error:
        call()
    return error.value.status(), error.value.message()


# --- §2: what is a version


def test_s2_directories_that_are_no_versions_are_ignored(fresh, client):
    fresh.write("mm_versions", stubborn("1 2", "version_policy { all { } }"))
    for name in ("01", "two", "-3", "configs"):
        touch(fresh, "mm_versions", f"{name}/model.mjs", "throw new Error('nobody looks here')")
    client.load_model("mm_versions")
    assert client.get_model_metadata("mm_versions")["versions"] == ["1", "2"]


@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_s2_without_a_usable_version_the_load_fails(fresh, callers, protocol):
    fresh.write("mm_none", stubborn())
    shutil.rmtree(fresh.repository / "mm_none/1")
    status, text = failure(lambda: callers[protocol].client().load_model("mm_none"))
    assert status == {"http": "500", "grpc": "StatusCode.INTERNAL"}[protocol]
    assert text.startswith("failed to load 'mm_none', no version is available")


def test_s2_name_in_the_config_must_be_that_of_the_directory(fresh):
    status, text = fresh.refusal("mm_name", stubborn(config='name: "other"'))
    assert status in ("400", "500")
    assert "unexpected directory name 'mm_name' for model 'other', directory name must equal model name" in text


# --- §4: load


@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_s4_modified_model_serves_the_old_copy_until_the_new_one_is_ready(fresh, callers, client, protocol):
    fresh.load("mm_reload", stubborn())
    caller = callers[protocol]
    touch(fresh, "mm_reload", "slow")
    fresh.write("mm_reload", {"config.pbtxt": stubborn()["config.pbtxt"].replace("max_batch_size: 8", "max_batch_size: 4")})
    loading = caller.pool.submit(lambda: caller.client().load_model("mm_reload"))
    for _ in range(20):
        assert one(caller.infer("mm_reload", value(0)), "VERSION") == 1
        assert client.get_model_config("mm_reload")["max_batch_size"] == 8
    assert not loading.done()
    remove(fresh, "mm_reload", "slow")
    loading.result(30)
    assert client.get_model_config("mm_reload")["max_batch_size"] == 4


def test_s4_failed_reload_keeps_the_old_copy_and_a_retry_really_tries_again(fresh, client, caller):
    fresh.load("mm_retry", stubborn())
    touch(fresh, "mm_retry", "1/broken")
    for _ in range(2):
        status, text = failure(lambda: client.load_model("mm_retry"))
        assert status == "400"
        assert text.startswith("load failed for model 'mm_retry': version 1 is at UNAVAILABLE state: ")
        assert "version 1 is broken" in text
        assert one(caller.infer("mm_retry", value(0)), "VERSION") == 1
    remove(fresh, "mm_retry", "1/broken")
    client.load_model("mm_retry")


def test_s4_all_selected_versions_must_load_and_the_errors_are_joined(fresh, client, caller):
    fresh.load("mm_joined", stubborn("1", "version_policy { all { } }"))
    for version in ("2", "3"):
        touch(fresh, "mm_joined", f"{version}/model.mjs", STUBBORN)
    for version in ("2", "3"):
        touch(fresh, "mm_joined", f"{version}/broken")
    status, text = failure(lambda: client.load_model("mm_joined"))
    assert status == "400"
    assert text.startswith("load failed for model 'mm_joined': version 2 is at UNAVAILABLE state: ")
    first, second = text.index("version 2 is at UNAVAILABLE state: "), text.index("version 3 is at UNAVAILABLE state: ")
    assert first < second and text.rstrip().endswith(";")
    assert client.get_model_metadata("mm_joined")["versions"] == ["1"]
    remove(fresh, "mm_joined", "2/broken")
    failure(lambda: client.load_model("mm_joined"))
    # One of them would load, but nothing changes before all do.
    assert client.get_model_metadata("mm_joined")["versions"] == ["1"]
    assert one(caller.infer("mm_joined", value(0)), "VERSION") == 1
    remove(fresh, "mm_joined", "3/broken")
    client.load_model("mm_joined")
    assert client.get_model_metadata("mm_joined")["versions"] == ["1", "2", "3"]
    assert one(caller.infer("mm_joined", value(0)), "VERSION") == 3


def test_s4_only_instance_group_changed_is_in_place(fresh, client, caller, server):
    fresh.load("mm_place", stubborn())
    caller.infer("mm_place", value(0))
    counters = Counters(server, "mm_place")
    eventually(lambda: counters.row()["inference_count"] == 1)
    fresh.write("mm_place", {"config.pbtxt": stubborn()["config.pbtxt"].replace("count: 1", "count: 2")})
    client.load_model("mm_place")
    assert client.get_model_config("mm_place")["instance_group"][0]["count"] == 2
    # A reload would begin at zero.
    assert counters.row()["inference_count"] == 1


def test_s4_only_version_policy_changed_keeps_the_other_versions_loaded(fresh, client, caller, server):
    fresh.load("mm_policy", stubborn("1 2", "version_policy { all { } }"))
    caller.infer("mm_policy", value(0), model_version="2")
    counters = Counters(server, "mm_policy", "2")
    eventually(lambda: counters.row()["inference_count"] == 1)
    fresh.write("mm_policy", {"config.pbtxt": stubborn(config="version_policy { specific { versions: [ 2 ] } }")["config.pbtxt"]})
    client.load_model("mm_policy")
    assert counters.row()["inference_count"] == 1
    assert client.get_model_metadata("mm_policy")["versions"] == ["2"]
    gone = {"name": "mm_policy", "version": "1", "state": "UNAVAILABLE", "reason": "unloaded"}
    eventually(lambda: gone in rows(client, "mm_policy"))
    code, text = caller.refusal("mm_policy", value(0), model_version="1")
    assert (code, text) == ("UNAVAILABLE", "Request for unknown model: 'mm_policy' version 1 is not at ready state")


def test_s4_files_of_a_load_over_grpc_are_bytes(fresh, callers, client):
    fresh.load("mm_files", stubborn())
    config = json.dumps({**client.get_model_config("mm_files"), "version_policy": {"latest": {"num_versions": 1}}})
    callers["grpc"].client().load_model("mm_files", config=config, files={"file:5/model.mjs": STUBBORN.encode()})
    assert one(callers["grpc"].infer("mm_files", value(0)), "VERSION") == 5
    callers["grpc"].client().load_model("mm_files")
    assert one(callers["grpc"].infer("mm_files", value(0)), "VERSION") == 1


def test_s4_config_override_always_reloads(fresh, client, caller, server):
    fresh.load("mm_always", stubborn())
    config = json.dumps(client.get_model_config("mm_always"))
    caller.infer("mm_always", value(0))
    counters = Counters(server, "mm_always")
    eventually(lambda: counters.row()["inference_count"] == 1)
    client.load_model("mm_always", config=config)
    assert counters.row()["inference_count"] == 0


LOAD_ERRORS = {
    "no_such_model": (None, "INTERNAL", "failed to load '{M}', failed to poll from model repository"),
    "unparsable": ({"config.pbtxt": "max_batch_size: many"}, "INTERNAL", "failed to load '{M}', failed to poll from model repository"),
    "version_policy_selects_none": (
        {"config.pbtxt": stubborn(config="version_policy { specific { versions: [ 9 ] } }")["config.pbtxt"]},
        "INTERNAL",
        "failed to load '{M}', no version is available",
    ),
    "broken": ({"1/broken": ""}, "INVALID_ARGUMENT", "load failed for model '{M}': version 1 is at UNAVAILABLE state: "),
    "no_file": ({"1/model.mjs": None}, "INVALID_ARGUMENT", "load failed for model '{M}': version 1 is at UNAVAILABLE state: "),
}


@pytest.mark.parametrize("row", LOAD_ERRORS)
def test_s4_load_error(fresh, caller, row):
    changes, expected, text = LOAD_ERRORS[row]
    name = f"mm_error_{row}"
    if changes is not None:
        files = {**stubborn(), **changes}
        fresh.write(name, {path: content for path, content in files.items() if content is not None})
        if None in files.values():
            touch(fresh, name, "1/.keep")
    code, told = caller.told(lambda: caller.client().load_model(name))
    assert code == expected
    assert told.startswith(text.format(M=name))


def test_s4_load_error_without_a_selected_version_says_so_in_the_index(fresh, client):
    fresh.refusal("mm_selects", stubborn(config="version_policy { specific { versions: [ 9 ] } }"))
    text = "at least one version must be available under the version policy of model 'mm_selects'"
    (row,) = rows(client, "mm_selects")
    assert "version" not in row and text in row["reason"]


# --- §5: unload


def test_s5_in_flight_and_queued_requests_complete_and_new_ones_are_refused(fresh, client, caller, callers, gate, server):
    fresh.load("mm_unload", worker("dynamic_batching { preferred_batch_size: [ 1 ] default_queue_policy { max_queue_size: 9 } }"))
    held = callers["grpc"].start("mm_unload", value(1), parameters=gate.parameters)
    gate.wait_held()
    queued = callers["grpc"].start("mm_unload", value(2))
    wait_pending(server, "mm_unload", 1)
    client.unload_model("mm_unload")  # does not wait for them
    assert not held.done()
    (row,) = rows(client, "mm_unload")
    assert (row["version"], row["state"]) == ("1", "UNLOADING")
    assert not client.is_model_ready("mm_unload")
    text = "Request for unknown model: 'mm_unload' "
    assert caller.refusal("mm_unload", value(3), model_version="1") == ("UNAVAILABLE", f"{text}version 1 is not at ready state")
    assert caller.refusal("mm_unload", value(3)) == ("NOT_FOUND", f"{text}has no available versions")
    gate.open()
    assert [one(sent.result(30), "VALUE_OUT") for sent in (held, queued)] == [1, 2]
    gone = {"name": "mm_unload", "version": "1", "state": "UNAVAILABLE", "reason": "unloaded"}
    eventually(lambda: rows(client, "mm_unload") == [gone])


PAIR = io([tensor("Q")], [tensor("A")])


def pair(name):
    return ensemble(PAIR, [step(name, {"VALUE": "Q"}, {"VALUE_OUT": "A"})], 8)


def question(number):
    return {"Q": numpy.array([[number]], numpy.int32)}


def test_s4_loading_an_ensemble_loads_its_models_and_unload_leaves_them(fresh, client, caller):
    fresh.write("mm_part", worker())
    fresh.load("mm_whole", pair("mm_part"))
    assert client.is_model_ready("mm_part")
    assert one(caller.infer("mm_whole", question(4)), "A") == 4
    client.unload_model("mm_whole")
    eventually(lambda: not client.is_model_ready("mm_whole"))
    assert client.is_model_ready("mm_part")


def test_s5_unload_dependents_takes_the_models_nobody_loaded_explicitly(fresh, client):
    fresh.write("mm_implicit", worker())
    fresh.load("mm_explicit", worker())
    steps = [
        step("mm_implicit", {"VALUE": "Q"}, {"VALUE_OUT": "between"}),
        step("mm_explicit", {"VALUE": "between"}, {"VALUE_OUT": "A"}),
    ]
    fresh.load("mm_both", ensemble(PAIR, steps, 8))
    client.unload_model("mm_both", unload_dependents=True)
    eventually(lambda: not client.is_model_ready("mm_implicit"))
    assert client.is_model_ready("mm_explicit")
    assert not client.is_model_ready("mm_both")


def test_s5_ensemble_whose_model_is_unloaded_becomes_unavailable(fresh, client, caller):
    fresh.load("mm_needed", worker())
    fresh.load("mm_needing", pair("mm_needed"))
    client.unload_model("mm_needed")
    eventually(lambda: not client.is_model_ready("mm_needing"))
    assert caller.refusal("mm_needing", question(1))[0] in ("NOT_FOUND", "UNAVAILABLE")
    (row,) = rows(client, "mm_needing")
    assert row["state"] == "UNAVAILABLE"


def test_s7_unloading_a_composing_model_does_not_break_an_ensemble_in_flight(fresh, client, caller, gate):
    fresh.load("mm_first", worker())
    fresh.write("mm_second", worker())
    steps = [
        step("mm_first", {"VALUE": "Q"}, {"VALUE_OUT": "between"}),
        step("mm_second", {"VALUE": "between"}, {"VALUE_OUT": "A"}),
    ]
    fresh.load("mm_flight", ensemble(PAIR, steps, 8))
    sent = caller.start("mm_flight", question(6), parameters=gate.parameters)
    gate.wait_held()
    client.unload_model("mm_second")  # which the request has yet to come to
    gate.open()
    assert one(sent.result(30), "A") == 6


def test_s10_reload_of_a_composing_model_revalidates_its_ensembles(fresh, client, caller):
    good = worker()
    fresh.load("mm_changed", good)
    fresh.load("mm_checked", pair("mm_changed"))
    config = good["config.pbtxt"].replace('name: "VALUE"', 'name: "VALUE" optional: false').replace("dims: [ 1 ]", "dims: [ 2 ]")
    fresh.load("mm_changed", {"config.pbtxt": config})
    eventually(lambda: not client.is_model_ready("mm_checked"))
    assert "inconsistent shape" in rows(client, "mm_checked")[0]["reason"]
    fresh.load("mm_changed", good)
    eventually(lambda: client.is_model_ready("mm_checked"))
    assert one(caller.infer("mm_checked", question(6)), "A") == 6


# --- §7, §8: index and readiness


def test_s7_loading_state_is_seen_and_the_model_is_not_ready(fresh, client, callers):
    fresh.write("mm_loading", stubborn())
    touch(fresh, "mm_loading", "slow")
    loading = callers["http"].pool.submit(lambda: callers["http"].client().load_model("mm_loading"))
    eventually(lambda: [row.get("state") for row in rows(client, "mm_loading")] == ["LOADING"])
    assert not client.is_model_ready("mm_loading")
    remove(fresh, "mm_loading", "slow")
    loading.result(30)
    assert rows(client, "mm_loading") == [{"name": "mm_loading", "version": "1", "state": "READY"}]


def test_s7_failed_load_in_the_index_has_the_class_and_text(fresh, client, callers, server):
    fresh.write("mm_reason", stubborn())
    assert rows(client, "mm_reason") == [{"name": "mm_reason"}]
    touch(fresh, "mm_reason", "1/broken")
    failure(lambda: client.load_model("mm_reason"))
    (row,) = rows(client, "mm_reason")
    assert (row["version"], row["state"]) == ("1", "UNAVAILABLE")
    assert row["reason"].startswith("Invalid argument: ") and "version 1 is broken" in row["reason"]
    by_grpc = {model.name: model for model in callers["grpc"].client().get_model_repository_index().models}
    assert (by_grpc["mm_reason"].state, by_grpc["mm_reason"].reason) == ("UNAVAILABLE", row["reason"])
    ready = server.post("/v2/repository/index", json={"ready": True}).json()
    assert "mm_reason" not in {row["name"] for row in ready}


def test_s8_strict_readiness_needs_every_version_ready_or_unloaded(fresh, client, callers):
    fresh.write("mm_strict", stubborn())
    touch(fresh, "mm_strict", "1/broken")
    assert client.is_server_ready()
    failure(lambda: client.load_model("mm_strict"))
    assert not client.is_server_ready()
    assert not callers["grpc"].client().is_server_ready()
    assert client.is_server_live()
    client.unload_model("mm_strict")
    eventually(client.is_server_ready)


def test_s8_unload_of_what_failed_without_a_version_makes_the_server_ready_again(fresh, client):
    fresh.refusal("mm_unready", {**stubborn(), "config.pbtxt": "max_batch_size: many"})
    client.unload_model("mm_unready")
    shutil.rmtree(fresh.repository / "mm_unready")
    assert client.is_server_ready()


# --- §1: shutdown


def test_s1_shutdown_refuses_new_requests_but_lets_sequences_end(tmp_path):
    scheduling_models.write(tmp_path / "models", "plain", worker())
    config = "sequence_batching { max_sequence_idle_microseconds: 600000000 }"
    scheduling_models.write(tmp_path / "models", "sequence", worker(config, batch=2))
    with Gate(tmp_path) as gate, scheduling_models.own_server(tmp_path / "models") as (process, ports):
        addresses = {name: f"127.0.0.1:{ports[name]}" for name in ("http", "grpc")}
        # One connection each, which stay open.
        http = Caller("http", addresses["http"])
        http.infer("sequence", value(1), sequence_id=7, sequence_start=True)
        with Stream(addresses["grpc"]) as stream:
            stream.send("plain", value(1), request_id="held", parameters=gate.parameters)
            gate.wait_held()
            process.terminate()
            eventually(lambda: not says_ready(addresses["http"]), "the end of readiness")
            stream.send("plain", value(2), request_id="late")
            refused = http.refusal("plain", value(1), request_id="mine")
            ready = http.told(lambda: http.client().get_model_metadata("plain"))
            goes_on = http.infer("sequence", value(2), sequence_id=7, sequence_end=True)
            gate.open()
            answers = [stream.answers.get(timeout=30) for _ in range(2)]
        assert process.wait(timeout=60) == 0
    results = [result for result, error in answers if error is None]
    errors = [error.message() for _, error in answers if error is not None]
    assert [result.get_response().id for result in results] == ["held"]
    assert errors == ["GRPC server is shutting down and has stopped accepting new requests."]
    text = "[request id: mine] Server is stopping, scheduler for model has stopped accepting new inference requests"
    assert refused == ("UNAVAILABLE", text)
    assert ready == ("UNAVAILABLE", "Server not ready")
    assert one(goes_on, "VALUE_OUT") == 2


def says_ready(address):
    try:
        return requests.get(f"http://{address}/v2/health/ready", timeout=5).status_code == 200
    except requests.ConnectionError:
        return False


# --- §3: command line


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (["--load-model=simple"], "Error: Use of '--load-model' requires setting '--model-control-mode=explicit' as well."),
        (
            ["--model-control-mode=explicit", "--load-model=*", "--load-model=simple"],
            "Wildcard model name '*' must be the ONLY startup model if specified at all.",
        ),
    ],
)
def test_s3_load_model_flags(server, flags, text):
    command = [os.environ.get("NEREID_NODE", "node"), os.environ["NEREID_SERVER_ENTRY"], f"--model-repository={server.repository}"]
    ended = subprocess.run([*command, *flags], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert text in ended.stderr
