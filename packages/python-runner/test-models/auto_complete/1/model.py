"""Has no configuration file: everything about it is said here."""

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    @staticmethod
    def auto_complete_config(auto_complete_model_config):
        names = [entry["name"] for entry in auto_complete_model_config.as_dict()["input"]]
        if "X" not in names:
            auto_complete_model_config.add_input({"name": "X", "data_type": "TYPE_FP32", "dims": [-1]})
        auto_complete_model_config.add_input({"name": "BIAS", "data_type": "TYPE_FP32", "dims": [1], "optional": True})
        auto_complete_model_config.add_output({"name": "Y", "data_type": "TYPE_FP32", "dims": [-1]})
        auto_complete_model_config.set_max_batch_size(16)
        auto_complete_model_config.set_dynamic_batching()
        return auto_complete_model_config

    def execute(self, requests):
        responses = []
        for request in requests:
            value = pb_utils.get_input_tensor_by_name(request, "X").as_numpy()
            bias = pb_utils.get_input_tensor_by_name(request, "BIAS")
            total = value * 2 if bias is None else value * 2 + bias.as_numpy()
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("Y", total.astype(np.float32))]))
        return responses
