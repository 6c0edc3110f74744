"""Sum and difference of two vectors; the configuration comes from the file beside it."""

import json

import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        self.types = {
            name: pb_utils.triton_string_to_numpy(pb_utils.get_output_config_by_name(config, name)["data_type"])
            for name in ("SUM", "DIFFERENCE")
        }

    def execute(self, requests):
        responses = []
        for request in requests:
            left = pb_utils.get_input_tensor_by_name(request, "LEFT").as_numpy()
            right = pb_utils.get_input_tensor_by_name(request, "RIGHT").as_numpy()
            results = {"SUM": left + right, "DIFFERENCE": left - right}
            tensors = [pb_utils.Tensor(name, value.astype(self.types[name])) for name, value in results.items()]
            responses.append(pb_utils.InferenceResponse(output_tensors=tensors))
        return responses
