"""Reads a picture by calling other models of the server: prepare, detect, cut out, recognise, spell."""

import triton_python_backend_utils as pb_utils


def ask(model, outputs, **inputs):
    """The answer of another model; raises what went wrong there."""
    tensors = [
        tensor if tensor.name() == name else pb_utils.Tensor(name, tensor.as_numpy())
        for name, tensor in inputs.items()
    ]
    request = pb_utils.InferenceRequest(model_name=model, requested_output_names=list(outputs), inputs=tensors)
    response = request.exec()
    if response.has_error():
        raise pb_utils.TritonModelException(f"{model}: {response.error().message()}")
    return [pb_utils.get_output_tensor_by_name(response, name) for name in outputs]


class TritonPythonModel:
    def execute(self, requests):
        return [self.read(pb_utils.get_input_tensor_by_name(request, "IMAGE")) for request in requests]

    def read(self, image):
        [prepared] = ask("ocr_prepare", ["PREPARED"], IMAGE=image)
        [probability] = ask("ocr_det", ["sigmoid_0.tmp_0"], x=prepared)
        [lines] = ask("ocr_crop", ["LINES"], IMAGE=image, PROBABILITY=probability)
        [signs] = ask("ocr_rec", ["softmax_11.tmp_0"], x=lines)
        text, score = ask("ocr_text", ["TEXT", "SCORE"], PROBABILITIES=signs)
        return pb_utils.InferenceResponse(output_tensors=[text, score])
