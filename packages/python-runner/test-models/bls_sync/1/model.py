"""Asks other models one after the other: `add_sub` for a sum, and with a wrong name for an error."""

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        return [self.answer(request) for request in requests]

    def answer(self, request):
        target = pb_utils.get_input_tensor_by_name(request, "TARGET").as_numpy().flatten()[0].decode()
        values = pb_utils.get_input_tensor_by_name(request, "VALUES")
        left = pb_utils.Tensor.from_dlpack("LEFT", values.to_dlpack())
        right = pb_utils.Tensor("RIGHT", np.full((1, 4), 10, np.float32))
        call = pb_utils.InferenceRequest(
            model_name=target, requested_output_names=["SUM"], inputs=[left, right], request_id="inner"
        )
        first = call.exec()
        if first.has_error():
            error = first.error()
            return pb_utils.InferenceResponse(error=pb_utils.TritonError("inner: " + error.message(), error.code()))
        total = pb_utils.get_output_tensor_by_name(first, "SUM")
        # The output of one call as the input of the next.
        chained = pb_utils.InferenceRequest(
            model_name=target,
            requested_output_names=["SUM", "DIFFERENCE"],
            inputs=[pb_utils.Tensor.from_dlpack("LEFT", total), right],
        ).exec()
        names = sorted(tensor.name() for tensor in chained.output_tensors())
        result = pb_utils.get_output_tensor_by_name(chained, "SUM").as_numpy()
        return pb_utils.InferenceResponse(
            [pb_utils.Tensor("RESULT", result), pb_utils.Tensor("NAMES", np.array([names], dtype=object))]
        )
