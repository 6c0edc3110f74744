"""Models of scikit-learn and XGBoost give what they give in a process of their own."""

import json

import numpy
import pytest
from frameworks import files, io, make, needs

sklearn_needed = needs("sklearn")
xgboost_needed = needs("xgboost", "sklearn")

TRUSTED = 'parameters { key: "trust_pickle" value { string_value: "yes" } }\n'


@pytest.fixture
def caller(callers):
    """One is enough: what differs between the ways in is not the framework."""
    return callers["grpc"]


def batches(caller, name, said, outputs):
    """The outputs of all rows, asked for in two requests."""
    rows = numpy.array(said["rows"], numpy.float32)
    middle = len(rows) // 3
    parts = [caller.infer(name, {"input": part}) for part in (rows[:middle], rows[middle:])]
    return [numpy.concatenate([part.as_numpy(output) for part in parts]) for output in outputs]


def check_classifier(caller, name, said):
    predicted, probabilities = batches(caller, name, said, ["predict", "predict_proba"])
    assert predicted.dtype == numpy.int64
    assert predicted.ravel().tolist() == said["predict"]
    assert numpy.abs(probabilities - numpy.array(said["proba"])).max() < 1e-6


@sklearn_needed
def test_scikit_learn(models, client, caller, tmp_path):
    said = json.loads(make("sklearn_classifier", tmp_path / "model.joblib"))
    models.load("sklearn_iris", files(tmp_path, f'backend: "sklearn"\nmax_batch_size: 64\n{TRUSTED}'))
    (declared,) = client.get_model_config("sklearn_iris")["input"]
    assert [int(dim) for dim in declared["dims"]] == [4]
    check_classifier(caller, "sklearn_iris", said)


@sklearn_needed
def test_classes_that_are_texts(models, caller, tmp_path):
    said = json.loads(make("sklearn_names", tmp_path / "model.pkl"))
    models.load("sklearn_names", files(tmp_path, f'backend: "sklearn"\nmax_batch_size: 64\n{TRUSTED}'))
    (predicted,) = batches(caller, "sklearn_names", said, ["predict"])
    assert [text.decode() for text in predicted.ravel()] == said["predict"]


@sklearn_needed
def test_pickle_that_is_not_trusted(models, tmp_path):
    make("sklearn_names", tmp_path / "model.pkl")
    text = models.refusal("sklearn_untrusted", files(tmp_path, 'backend: "sklearn"\n'))[1]
    assert 'parameters { key: "trust_pickle" value { string_value: "yes" } }' in text


@sklearn_needed
def test_output_that_the_model_does_not_have(models, tmp_path):
    make("sklearn_names", tmp_path / "model.pkl")
    config = f'backend: "sklearn"\nmax_batch_size: 8\n{TRUSTED}{io({"input": 4}, {"score": 1})}'
    assert "has no output 'score'; it has: predict" in models.refusal("sklearn_score", files(tmp_path, config))[1]


@xgboost_needed
@pytest.mark.parametrize(("kind", "file"), [("xgboost_classifier", "model.json"), ("xgboost_binary", "model.ubj")])
def test_xgboost(models, caller, tmp_path, kind, file):
    said = json.loads(make(kind, tmp_path / file))
    models.load(kind, files(tmp_path, 'backend: "xgboost"\nmax_batch_size: 64\n'))
    check_classifier(caller, kind, said)
