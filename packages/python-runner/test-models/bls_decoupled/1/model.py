"""Sums up what a decoupled model answers. MODE 0: exec, 1: async_exec, 2: exec that stops after three, 3: without the flag."""

import asyncio

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    async def execute(self, requests):
        return [await self.answer(request) for request in requests]

    async def answer(self, request):
        mode = int(pb_utils.get_input_tensor_by_name(request, "MODE").as_numpy()[0])
        count = pb_utils.get_input_tensor_by_name(request, "COUNT")
        call = pb_utils.InferenceRequest(model_name="repeat", requested_output_names=["INDEX"], inputs=[count])
        if mode == 3:
            response = call.exec()
            return pb_utils.InferenceResponse(error=response.error())
        responses = (await asyncio.gather(call.async_exec(decoupled=True)))[0] if mode == 1 else call.exec(decoupled=True)
        seen = []
        kept = []
        for response in responses:
            if response.has_error():
                break
            kept.append(response)
            for tensor in response.output_tensors():
                seen.append(int(tensor.as_numpy()[0]))
            if mode == 2 and len(seen) == 3:
                responses.cancel()
                break
        return pb_utils.InferenceResponse(
            [
                pb_utils.Tensor("TOTAL", np.array([sum(seen)], np.int32)),
                pb_utils.Tensor("SEEN", np.array([len(seen)], np.int32)),
            ]
        )
