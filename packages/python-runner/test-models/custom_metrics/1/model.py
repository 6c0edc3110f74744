"""A counter, a gauge and a histogram of its own."""

import numpy as np
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        counters = pb_utils.MetricFamily(
            name="texts_seen_total", description="Texts that came", kind=pb_utils.MetricFamily.COUNTER
        )
        self.seen = counters.Metric(labels={"model": args["model_name"], "version": args["model_version"]})
        self.longest = pb_utils.MetricFamily(
            name="texts_longest", description="Length of the longest text", kind=pb_utils.MetricFamily.GAUGE
        ).Metric(labels={"model": args["model_name"]})
        self.lengths = pb_utils.MetricFamily(
            name="texts_length", description="Lengths of the texts", kind=pb_utils.MetricFamily.HISTOGRAM
        ).Metric(labels={"model": args["model_name"]}, buckets=[2.0, 8.0])

    def execute(self, requests):
        responses = []
        for request in requests:
            for text in pb_utils.get_input_tensor_by_name(request, "TEXT").as_numpy():
                self.seen.increment(1)
                self.lengths.observe(len(text))
                if len(text) > self.longest.value():
                    self.longest.set(len(text))
            count = np.array([self.seen.value()], np.float64)
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("SEEN", count)]))
        pb_utils.Logger.log_info("custom_metrics counted texts")
        return responses
