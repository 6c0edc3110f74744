"""XGBoost: a booster in `model.json` or `model.ubj`."""

from __future__ import annotations

import json
from typing import Any, Callable

import numpy as np
import xgboost

from ..host import host
from ..request import InferenceRequest
from ..response import InferenceResponse
from .batches import config_of
from .signature import Port
from .tabular import Method, Table, complete_table


class TritonPythonModel:
    """One input of rows; outputs `predict`, `margin` and, of a classifier, `predict_proba`."""

    @staticmethod
    def auto_complete_config(config: Any) -> Any:
        booster = _open()
        classes = _classes(booster)
        if classes == 0:
            outputs = [Port("predict", "FP32", [-1, -1])]
        else:
            outputs = [Port("predict", "INT64", [-1, 1]), Port("predict_proba", "FP32", [-1, classes])]
        return complete_table(config, booster.num_features(), outputs)

    def initialize(self, args: dict[str, str]) -> None:
        booster = _open()
        gpu = args["model_instance_kind"] == "GPU"
        booster.set_param({"device": f"cuda:{args['model_instance_device_id']}" if gpu else "cpu", "nthread": host.session.get("intraOpThreads", 1)})
        self._table = Table(config_of(args), _methods(booster))

    def execute(self, requests: list[InferenceRequest]) -> list[InferenceResponse]:
        return self._table.execute(requests)


def _open() -> Any:
    booster = xgboost.Booster()
    booster.load_model(host.model_file)
    return booster


def _classes(booster: Any) -> int:
    """How many a classifier tells apart; 0 for a model that is none."""
    learner = json.loads(booster.save_config())["learner"]
    objective = learner["objective"]["name"]
    if objective.startswith("multi:"):
        return int(learner["learner_model_param"]["num_class"])
    return 2 if objective in ("binary:logistic", "binary:logitraw") else 0


def _methods(booster: Any) -> dict[str, Method]:
    def margin(rows: np.ndarray) -> Any:
        return booster.inplace_predict(rows, predict_type="margin", missing=np.nan)

    def values(rows: np.ndarray) -> Any:
        return booster.inplace_predict(rows, missing=np.nan)

    classes = _classes(booster)
    if classes == 0:
        return {"predict": values, "margin": margin}
    probabilities = _of_two(margin) if classes == 2 and not _is_multi(booster) else _of_many(margin)
    return {"predict": lambda rows: probabilities(rows).argmax(1), "predict_proba": probabilities, "margin": margin}


def _is_multi(booster: Any) -> bool:
    return bool(json.loads(booster.save_config())["learner"]["objective"]["name"].startswith("multi:"))


def _of_two(margin: Method) -> Callable[[np.ndarray], np.ndarray]:
    def probabilities(rows: np.ndarray) -> np.ndarray:
        second = 1 / (1 + np.exp(-np.asarray(margin(rows), np.float64).ravel()))
        return np.stack([1 - second, second], axis=1)

    return probabilities


def _of_many(margin: Method) -> Callable[[np.ndarray], np.ndarray]:
    def probabilities(rows: np.ndarray) -> np.ndarray:
        scores = np.asarray(margin(rows), np.float64)
        grown = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(grown / grown.sum(axis=1, keepdims=True))

    return probabilities
