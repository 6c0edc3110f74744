"""Texts in all the ways they may be given back."""

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            texts = pb_utils.get_input_tensor_by_name(request, "IN").as_numpy()
            assert texts.dtype == np.object_ and all(isinstance(text, bytes) for text in texts.flatten())
            upper = np.array([text.decode().upper() for text in texts.flatten()], dtype=np.object_)
            fixed = texts.astype(np.bytes_)
            responses.append(
                pb_utils.InferenceResponse(
                    [
                        pb_utils.Tensor("SAME", texts),
                        pb_utils.Tensor("UPPER", upper.reshape(texts.shape)),
                        pb_utils.Tensor("FIXED", fixed),
                    ]
                )
            )
        return responses
