"""Settings of traces and logs, as Triton's client reads and changes them."""

import pytest
from tritonclient.utils import InferenceServerException

TRACE = {
    "trace_level": ["OFF"],
    "trace_rate": "1000",
    "trace_count": "-1",
    "log_frequency": "0",
    "trace_file": "",
    "trace_mode": "triton",
}
LOG = {
    "log_file": "",
    "log_info": True,
    "log_warning": True,
    "log_error": True,
    "log_verbose_level": 0,
    "log_format": "default",
}
CLEARED = {"trace_level": None, "trace_rate": None, "trace_count": None, "log_frequency": None}


@pytest.fixture
def traces(client):
    """The client; afterwards all settings are as they were at the start."""
    yield client
    client.update_trace_settings(model_name="simple", settings=CLEARED)
    client.update_trace_settings(settings=CLEARED)
    assert client.get_trace_settings() == TRACE


@pytest.fixture
def logs(client):
    yield client
    client.update_log_settings({key: value for key, value in LOG.items() if key != "log_file"})
    assert client.get_log_settings() == LOG


def test_trace_settings_at_the_start(client):
    assert client.get_trace_settings() == TRACE
    assert client.get_trace_settings(model_name="simple") == TRACE


def test_a_model_follows_the_server_until_it_is_set(traces):
    assert traces.update_trace_settings(settings={"trace_rate": "7"}) == {**TRACE, "trace_rate": "7"}
    assert traces.get_trace_settings(model_name="simple")["trace_rate"] == "7"
    updated = traces.update_trace_settings(model_name="simple", settings={"trace_rate": "9"})
    assert updated == {**TRACE, "trace_rate": "9"}
    traces.update_trace_settings(settings={"trace_rate": "8", "trace_count": "5"})
    of_model = traces.get_trace_settings(model_name="simple")
    assert (of_model["trace_rate"], of_model["trace_count"]) == ("9", "5")
    assert traces.get_trace_settings(model_name="digits_cnn")["trace_rate"] == "8"
    cleared = traces.update_trace_settings(model_name="simple", settings={"trace_rate": None})
    assert cleared["trace_rate"] == "8"


TRACE_ERRORS = [
    ({"trace_file": "/tmp/elsewhere"}, "501", "trace file location can not be updated through network protocol"),
    ({"trace_level": ["OFF", "TIMESTAMPS"]}, "400", "Expect only one trace level 'OFF' is specified"),
    ({"trace_rate": "often"}, "400", "Unable to parse 'trace_rate', got: often"),
    ({"trace_count": "-2"}, "400", r"Unable to parse 'trace_count'. Expecting value >= -1, got:-2"),
    ({"trace_count": "9999999999"}, "400", "Unable to parse 'trace_count', value is out of range"),
    ({"log_frequency": "x"}, "400", "Unable to parse 'log_frequency', got: x"),
    ({"trace_level": ["TIMESTAMPS"]}, "400", "Attempting to set invalid trace setting :trace file name is not given"),
]


@pytest.mark.parametrize(("settings", "status", "text"), TRACE_ERRORS)
def test_wrong_trace_settings_change_nothing(traces, settings, status, text):
    with pytest.raises(InferenceServerException, match=text) as error:
        traces.update_trace_settings(settings={**settings, "trace_rate": settings.get("trace_rate", "3")})
    assert error.value.status() == status
    assert traces.get_trace_settings() == TRACE


def test_trace_settings_of_an_unknown_model(client):
    with pytest.raises(InferenceServerException, match="Request for unknown model: 'nobody' is not found") as error:
        client.get_trace_settings(model_name="nobody")
    assert error.value.status() == "404"
    with pytest.raises(InferenceServerException, match="Request for unknown model: 'nobody' is not found"):
        client.update_trace_settings(model_name="nobody", settings={"trace_rate": "1"})


def test_log_settings(logs):
    assert logs.get_log_settings() == LOG
    changed = logs.update_log_settings({"log_verbose_level": 1, "log_info": False})
    assert changed == {**LOG, "log_verbose_level": 1, "log_info": False}
    assert logs.update_log_settings({"log_format": "ISO8601"})["log_format"] == "ISO8601"
    assert logs.get_log_settings()["log_info"] is False


LOG_ERRORS = [
    ({"log_file": "/tmp/elsewhere"}, "501", "log file location can not be updated through network protocol"),
    ({"log_info": "yes"}, "500", "attempt to access JSON non-boolean as boolean"),
    ({"log_verbose_level": -1}, "500", "attempt to access JSON non-unsigned-integer as unsigned-integer"),
    ({"log_format": "xml"}, "503", "invalid argument for --log_format, got: xml"),
]


@pytest.mark.parametrize(("settings", "status", "text"), LOG_ERRORS)
def test_wrong_log_settings_change_nothing(logs, settings, status, text):
    with pytest.raises(InferenceServerException, match=text) as error:
        logs.update_log_settings({"log_warning": False, **settings})
    assert error.value.status() == status
    assert logs.get_log_settings() == LOG


def test_null_leaves_a_log_setting_as_it_is(server):
    reply = server.post("/v2/logging", json={"log_file": None, "log_info": None, "something": 1})
    assert (reply.status_code, reply.json()) == (200, LOG)
