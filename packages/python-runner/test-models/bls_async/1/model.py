"""Three calls at once, waited for together."""

import asyncio

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    async def execute(self, requests):
        return [await self.answer(request) for request in requests]

    async def answer(self, request):
        values = pb_utils.get_input_tensor_by_name(request, "VALUES").as_numpy()
        calls = [
            pb_utils.InferenceRequest(
                model_name="add_sub",
                requested_output_names=["SUM"],
                inputs=[
                    pb_utils.Tensor("LEFT", values),
                    pb_utils.Tensor("RIGHT", np.full((1, 4), step, np.float32)),
                ],
            ).async_exec()
            for step in (100, 200, 300)
        ]
        answers = await asyncio.gather(*calls)
        for answer in answers:
            if answer.has_error():
                raise pb_utils.TritonModelException(answer.error().message())
        sums = [pb_utils.get_output_tensor_by_name(answer, "SUM").as_numpy() for answer in answers]
        return pb_utils.InferenceResponse([pb_utils.Tensor("RESULT", np.concatenate(sums))])
