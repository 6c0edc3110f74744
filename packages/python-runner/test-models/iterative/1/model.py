"""An iterative sequence: each turn adds one, until the number of turns that was asked for is reached."""

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        self.turns = {}

    def execute(self, requests):
        responses = []
        for request in requests:
            key = request.correlation_id()
            wanted = int(pb_utils.get_input_tensor_by_name(request, "TURNS").as_numpy().flatten()[0])
            self.turns[key] = self.turns.get(key, 0) + 1
            if self.turns[key] < wanted:
                request.set_release_flags(pb_utils.TRITONSERVER_REQUEST_RELEASE_RESCHEDULE)
                responses.append(None)
            else:
                done = np.array([[self.turns.pop(key)]], np.int32)
                responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("DONE", done)]))
        return responses
