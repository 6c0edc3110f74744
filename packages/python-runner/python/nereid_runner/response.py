"""`pb_utils.InferenceResponse`."""

from __future__ import annotations

import json
from typing import Any, Optional, Sequence

from .errors import TritonError
from .parameters import to_wire
from .tensor import Tensor


class InferenceResponse:
    """Outputs, or an error, and parameters: a dict of texts, numbers and booleans."""

    def __init__(
        self,
        output_tensors: Sequence[Tensor] = (),
        error: Optional[TritonError] = None,
        parameters: Optional[dict[str, Any]] = None,
    ) -> None:
        for tensor in output_tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"output_tensors must be a list of Tensor objects, found {type(tensor)}")
        self._tensors = list(output_tensors)
        self._error = TritonError(error) if isinstance(error, str) else error
        self._wire_parameters = to_wire(parameters or {})
        self._parameters = dict(parameters or {})

    def output_tensors(self) -> list[Tensor]:
        return self._tensors

    def has_error(self) -> bool:
        return self._error is not None

    def error(self) -> Optional[TritonError]:
        return self._error

    def parameters(self) -> str:
        """As JSON text."""
        return json.dumps(self._parameters)

    @property
    def wire_parameters(self) -> dict[str, Any]:
        return self._wire_parameters
