"""Works until it is told that nobody waits, and says so in a file named by the parameter `note`."""

import json
import time

import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            note = json.loads(request.parameters())["note"]
            open(note + ".started", "w").close()
            end = time.monotonic() + 30
            while not request.is_cancelled() and time.monotonic() < end:
                time.sleep(0.005)
            with open(note, "w") as file:
                file.write("cancelled" if request.is_cancelled() else "late")
            error = pb_utils.TritonError("cancelled", pb_utils.TritonError.CANCELLED)
            responses.append(pb_utils.InferenceResponse(error=error))
        return responses
