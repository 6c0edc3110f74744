"""Gives back what it knows of a request and of itself."""

import json
import os

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        self.args = args
        self.config = json.loads(args["model_config"])

    def execute(self, requests):
        responses = []
        for request in requests:
            about = {
                "id": request.request_id(),
                "correlation": request.correlation_id(),
                "flags": request.flags(),
                "timeout": request.timeout(),
                "parameters": json.loads(request.parameters()),
                "outputs": list(request.requested_output_names()),
                "greeting": self.config["parameters"]["greeting"]["string_value"],
                "kind": self.args["model_instance_kind"],
                "device": self.args["model_instance_device_id"],
                "instance": self.args["model_instance_name"],
                "version": self.args["model_version"],
                "name": self.args["model_name"],
                "files": sorted(os.listdir(self.args["model_repository"])),
                "directory": os.path.basename(pb_utils.get_model_dir()),
            }
            text = np.array([json.dumps(about)], dtype=object)
            responses.append(
                pb_utils.InferenceResponse(
                    [pb_utils.Tensor("ABOUT", text)], parameters={"text": "a", "number": 7, "flag": True, "half": 0.5}
                )
            )
        return responses
