"""Decoupled: COUNT answers from a thread of its own, then the final flag. The parameter `fail` ends it with an error instead."""

import json
import threading

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        assert pb_utils.using_decoupled_model_transaction_policy(config)
        self.threads = []

    def execute(self, requests):
        for request in requests:
            count = int(pb_utils.get_input_tensor_by_name(request, "COUNT").as_numpy()[0])
            parameters = json.loads(request.parameters())
            thread = threading.Thread(target=self.answer, args=(request.get_response_sender(), count, parameters))
            self.threads.append(thread)
            thread.start()
        return None

    def answer(self, sender, count, parameters):
        for index in range(count):
            if sender.is_cancelled():
                break
            value = pb_utils.Tensor("INDEX", np.array([index], np.int32))
            sender.send(pb_utils.InferenceResponse([value], parameters={"of": count}))
        if "fail" in parameters:
            error = pb_utils.TritonError(parameters["fail"], pb_utils.TritonError.UNAVAILABLE)
            sender.send(pb_utils.InferenceResponse(error=error), flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        else:
            sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)

    def finalize(self):
        for thread in self.threads:
            thread.join()
