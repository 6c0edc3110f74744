"""scikit-learn: an estimator or pipeline in `model.joblib` or `model.pkl`."""

from __future__ import annotations

import warnings
from typing import Any

import joblib
import numpy as np
import sklearn.exceptions

from ..errors import Refusal
from ..host import host
from ..request import InferenceRequest
from ..response import InferenceResponse
from .batches import config_of, parameter
from .signature import Port
from .tabular import Table, complete_table

TRUST = "trust_pickle"
_METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform")


class TritonPythonModel:
    """One input of rows; each output is the result of the estimator's method of that name."""

    @staticmethod
    def auto_complete_config(config: Any) -> Any:
        """`predict`, and `predict_proba` where the estimator has it; a transformer's `transform`."""
        model = _open(config.as_dict())
        features = int(getattr(model, "n_features_in_", -1))
        return complete_table(config, features, _outputs(model))

    def initialize(self, args: dict[str, str]) -> None:
        config = config_of(args)
        model = _open(config)
        self._table = Table(config, {name: getattr(model, name) for name in _METHODS if callable(getattr(model, name, None))})

    def execute(self, requests: list[InferenceRequest]) -> list[InferenceResponse]:
        return self._table.execute(requests)


def _open(config: dict[str, Any]) -> Any:
    """Refusal unless the configuration trusts the file, and for one of another version of scikit-learn that does not load."""
    if parameter(config, TRUST).lower() not in ("yes", "true", "1"):
        raise Refusal(
            f"'{host.model_file}' is a pickle, and loading a pickle runs whatever code its author put into it; if you trust the author, say so: "
            f'parameters {{ key: "{TRUST}" value {{ string_value: "yes" }} }}'
        )
    with warnings.catch_warnings():
        # A model that was saved by another version may compute something else.
        warnings.simplefilter("error", sklearn.exceptions.InconsistentVersionWarning)
        try:
            return joblib.load(host.model_file)
        except sklearn.exceptions.InconsistentVersionWarning as error:
            raise Refusal(f"the model was saved by another version of scikit-learn: {error}") from None


def _outputs(model: Any) -> list[Port]:
    if not callable(getattr(model, "predict", None)):
        return [Port("transform", "FP32", [-1, -1])]
    classes = getattr(model, "classes_", None)
    # With several targets there is a list of classes for each.
    if classes is None or isinstance(classes, list):
        return [Port("predict", "FP32", [-1, -1])]
    kind = np.asarray(classes).dtype.kind
    predict = Port("predict", "INT64" if kind in "iub" else "FP32" if kind == "f" else "BYTES", [-1, 1])
    if not callable(getattr(model, "predict_proba", None)):
        return [predict]
    return [predict, Port("predict_proba", "FP32", [-1, len(classes)])]
