"""The metrics page, read as Prometheus reads it."""

import re

import numpy
import pytest
import simple_model

SAMPLE = re.compile(r'^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*)\})? (\S+)$')
COUNTERS = [
    "nv_inference_request_success",
    "nv_inference_request_failure",
    "nv_inference_count",
    "nv_inference_exec_count",
    "nv_inference_request_duration_us",
    "nv_inference_queue_duration_us",
    "nv_inference_compute_input_duration_us",
    "nv_inference_compute_infer_duration_us",
    "nv_inference_compute_output_duration_us",
]
GAUGES = [
    "nv_inference_pending_request_count",
    "nv_model_load_duration_secs",
    "nv_cpu_memory_total_bytes",
    "nv_cpu_memory_used_bytes",
    "nv_pinned_memory_pool_total_bytes",
    "nv_pinned_memory_pool_used_bytes",
]


@pytest.fixture
def page(server):
    def read():
        reply = server.session.get(server.metrics, timeout=30)
        assert reply.status_code == 200
        assert reply.headers["Content-Type"] == "text/plain; charset=utf-8"
        return reply.text

    return read


def value(text, series):
    for line in text.splitlines():
        if line.startswith(series + " "):
            return float(line.rsplit(" ", 1)[1])
    return None


def test_every_line_is_in_the_text_format_and_every_family_has_its_head(page):
    types = {}
    for line in page().splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in types
            types[name] = kind
        elif not line.startswith("# HELP "):
            match = SAMPLE.match(line)
            assert match, line
            name = match.group(1)
            family = name if name in types else re.sub(r"_(bucket|sum|count)$", "", name)
            assert family in types, line
            labels = re.findall(r'(\w+)="', match.group(2) or "")
            last = [label for label in labels if label in ("le", "quantile")]
            assert labels == sorted(label for label in labels if label not in last) + last
    assert {name: types.get(name) for name in COUNTERS} == dict.fromkeys(COUNTERS, "counter")
    assert {name: types.get(name) for name in GAUGES} == dict.fromkeys(GAUGES, "gauge")


def test_a_request_of_four_rows_counts_four_inferences(client, page):
    labels = '{model="simple",version="1"}'
    before = page()
    rows = numpy.ones((4, 16), numpy.int32)
    simple_model.check(client.infer("simple", simple_model.inputs(rows, rows)), rows, rows)
    after = page()

    def grown(name):
        return value(after, name + labels) - value(before, name + labels)

    assert grown("nv_inference_request_success") == 1
    assert grown("nv_inference_count") == 4
    assert grown("nv_inference_exec_count") == 1
    assert grown("nv_inference_request_duration_us") > 0
    assert value(after, "nv_inference_pending_request_count" + labels) == 0
    for reason in ("REJECTED", "CANCELED", "BACKEND", "OTHER"):
        series = f'nv_inference_request_failure{{model="simple",reason="{reason}",version="1"}}'
        assert value(after, series) is not None


def test_refused_requests_count_nowhere(server, page):
    def counters(text):
        names = ("nv_inference_request_success", "nv_inference_request_failure", "nv_inference_count")
        return [line for line in text.splitlines() if line.startswith(names)]

    before = counters(page())
    assert server.infer("simple", {"inputs": []}).status_code == 400
    assert server.infer("nobody", {"inputs": []}).status_code == 404
    assert counters(page()) == before
    assert "nobody" not in page()


def test_other_paths_and_methods(server):
    root = server.metrics.removesuffix("/metrics")
    assert server.session.get(root + "/metrics/", timeout=30).text.startswith("# HELP")
    other = server.session.get(root + "/nothing", timeout=30)
    assert (other.status_code, other.text) == (200, "")
    assert server.session.post(server.metrics, timeout=30).status_code == 405
