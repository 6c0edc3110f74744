"""Picture bytes (a plain PGM) to normalised values, in place: a model may change its inputs."""

import helper
import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        self.kept = []

    def execute(self, requests):
        responses = []
        for request in requests:
            raw = pb_utils.get_input_tensor_by_name(request, "PICTURE").as_numpy()
            scale = pb_utils.get_input_tensor_by_name(request, "SCALE").as_numpy()
            scale *= 2
            # What a model keeps stays as it is.
            self.kept.append(scale)
            pictures = np.stack([helper.read_pgm(item) for item in raw.flatten()])
            outputs = [
                pb_utils.Tensor("PIXELS", pictures.transpose(0, 2, 1) * scale.reshape(-1, 1, 1)),
                pb_utils.Tensor("FIRST", self.kept[0]),
            ]
            responses.append(pb_utils.InferenceResponse(outputs))
        return responses
