"""Loads and unloads another model, and asks whether it is ready."""

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            what = pb_utils.get_input_tensor_by_name(request, "WHAT").as_numpy()[0].decode()
            name = pb_utils.get_input_tensor_by_name(request, "NAME").as_numpy()[0].decode()
            if what == "load":
                pb_utils.load_model(model_name=name)
            elif what == "unload":
                pb_utils.unload_model(name)
            ready = np.array([pb_utils.is_model_ready(name)])
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("READY", ready)]))
        return responses
