"""Fails in the way the input names."""

import os
import signal
import time

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        ways = [pb_utils.get_input_tensor_by_name(request, "WAY").as_numpy().flatten()[0].decode() for request in requests]
        whole = next((way for way in ways if way.startswith("all:")), None)
        if whole is not None:
            return self.fail_all(whole[4:], requests)
        return [self.one(way) for way in ways]

    def one(self, way):
        if way.startswith("code:"):
            code = getattr(pb_utils.TritonError, way[5:])
            return pb_utils.InferenceResponse(error=pb_utils.TritonError(f"told {way[5:]}", code))
        if way == "missing":
            return pb_utils.InferenceResponse([])
        return pb_utils.InferenceResponse(
            [
                pb_utils.Tensor("SAID", np.array([[way.encode()]], dtype=object)),
                pb_utils.Tensor("UNASKED", np.zeros((1, 1), np.float32)),
            ]
        )

    def fail_all(self, way, requests):
        if way == "raise":
            raise ValueError("no good")
        if way == "model_exception":
            raise pb_utils.TritonModelException("own exception")
        if way == "count":
            return []
        if way == "no_list":
            return "text"
        if way == "element":
            return [1 for _ in requests]
        if way == "exit":
            os._exit(3)
        if way == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if way == "loop":
            while True:
                time.sleep(0)
        if way == "memory":
            np.ones(64 << 30, dtype=np.uint8)
        if way == "close":
            os.closerange(3, 64)
        return [self.one(way) for _ in requests]
