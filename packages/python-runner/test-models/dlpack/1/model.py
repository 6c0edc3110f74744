"""Every numeric type through DLPack and back, and BF16 without numpy's help."""

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    @staticmethod
    def auto_complete_config(config):
        for kind in ("BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FP16", "FP32", "FP64", "BF16"):
            config.add_input({"name": f"IN_{kind}", "data_type": f"TYPE_{kind}", "dims": [-1], "optional": True})
            config.add_output({"name": f"OUT_{kind}", "data_type": f"TYPE_{kind}", "dims": [-1]})
        return config

    def execute(self, requests):
        responses = []
        for request in requests:
            tensors = []
            for tensor in request.inputs():
                name = tensor.name().replace("IN_", "OUT_")
                assert tensor.is_cpu() and tensor.__dlpack_device__() == (1, 0)
                if tensor.name() == "IN_BF16":
                    try:
                        tensor.as_numpy()
                        raise AssertionError("BF16 became an array of numpy")
                    except TypeError:
                        pass
                    tensors.append(pb_utils.Tensor.from_dlpack(name, tensor.to_dlpack()))
                    continue
                once = pb_utils.Tensor.from_dlpack("once", tensor)
                assert once.triton_dtype() == tensor.triton_dtype()
                array = once.as_numpy() if once.as_numpy().dtype == np.bool_ else np.from_dlpack(once)
                tensors.append(pb_utils.Tensor(name, array))
            responses.append(pb_utils.InferenceResponse(tensors))
        return responses
