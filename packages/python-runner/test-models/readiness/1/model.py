"""Is ready when its last request said so."""

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        self.ready = True

    async def is_ready(self):
        return self.ready

    def execute(self, requests):
        responses = []
        for request in requests:
            self.ready = bool(pb_utils.get_input_tensor_by_name(request, "READY").as_numpy()[0])
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("WAS_SET", np.array([self.ready]))]))
        return responses
