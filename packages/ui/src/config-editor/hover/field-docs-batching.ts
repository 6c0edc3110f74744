import type { FieldDoc } from "./field-docs.ts";

/** Schedulers, queues, instances. */
export const BATCHING_DOCS: Readonly<Record<string, FieldDoc>> = {
  dynamic_batching: { text: "Puts requests that wait together into one execution; excludes the other schedulers." },
  "dynamic_batching.preferred_batch_size": {
    text: "Batch sizes, in items, that are sent at once when they are reached; the others wait for the delay.",
    unset: "max_batch_size",
  },
  "dynamic_batching.max_queue_delay_microseconds": {
    text: "How long the oldest request may wait for company, in microseconds; more makes batches larger and answers later.",
    unset: "0: whoever waits goes as soon as an instance is free",
  },
  "dynamic_batching.preserve_ordering": { text: "Answers leave in the order in which requests came.", unset: "false" },
  "dynamic_batching.priority_levels": { text: "Number of priorities; 1 is the highest.", unset: "0: none" },
  "dynamic_batching.default_priority_level": {
    text: "Priority of requests that name none; needed with priority_levels.",
  },
  "dynamic_batching.default_queue_policy": { text: "Limits of the queue for requests without a policy of their own." },
  "dynamic_batching.default_queue_policy.timeout_action": {
    text: "What happens to a request that waited too long.",
    unset: "REJECT",
  },
  "dynamic_batching.default_queue_policy.default_timeout_microseconds": {
    text: "Longest wait in the queue, in microseconds.",
    unset: "0: no limit",
  },
  "dynamic_batching.default_queue_policy.allow_timeout_override": {
    text: "Requests may bring a shorter limit of their own.",
    unset: "false",
  },
  "dynamic_batching.default_queue_policy.max_queue_size": {
    text: "Most requests that wait; further ones are refused at once.",
    unset: "0: no limit",
  },
  "dynamic_batching.priority_queue_policy": { text: "Key: priority. Value: the limits for requests of it." },
  "dynamic_batching.priority_queue_policy.timeout_action": {
    text: "What happens to a request that waited too long.",
    unset: "REJECT",
  },
  "dynamic_batching.priority_queue_policy.default_timeout_microseconds": {
    text: "Longest wait of this priority, in microseconds.",
    unset: "0: no limit",
  },
  "dynamic_batching.priority_queue_policy.allow_timeout_override": {
    text: "Requests may bring a shorter limit of their own.",
    unset: "false",
  },
  "dynamic_batching.priority_queue_policy.max_queue_size": {
    text: "Most requests of this priority that wait.",
    unset: "0: no limit",
  },
  sequence_batching: {
    text: "Sends the requests of one sequence to one instance, in order; excludes the other schedulers.",
  },
  "sequence_batching.max_sequence_idle_microseconds": {
    text: "A sequence without requests for this long is ended, in microseconds.",
    unset: "1,000,000 (one second)",
  },
  "sequence_batching.control_input": {
    text: "A tensor that tells the model where a sequence begins, ends or which one it is.",
  },
  "sequence_batching.control_input.name": { text: "Name of the graph's input." },
  "sequence_batching.control_input.control": { text: "What the tensor tells; one kind a tensor." },
  "sequence_batching.control_input.control.kind": { text: "Start, ready, end, or the sequence's id." },
  "sequence_batching.control_input.control.int32_false_true": { text: "Two integers: for no and for yes." },
  "sequence_batching.control_input.control.fp32_false_true": { text: "Two floats: for no and for yes." },
  "sequence_batching.control_input.control.bool_false_true": { text: "Two bools: for no and for yes." },
  "sequence_batching.control_input.control.data_type": {
    text: "Type of the sequence id; for CONTROL_SEQUENCE_CORRID only.",
  },
  "sequence_batching.state": { text: "A tensor that the server keeps from one request of a sequence to the next." },
  "sequence_batching.state.input_name": { text: "Input that gets the state." },
  "sequence_batching.state.output_name": { text: "Output the next state is taken from." },
  "sequence_batching.state.data_type": { text: "Element type of the state." },
  "sequence_batching.state.dims": { text: "Shape of the state, without the batch dimension." },
  "sequence_batching.state.initial_state": { text: "What the state is when a sequence begins.", unset: "zeros" },
  "sequence_batching.direct": { text: "Each sequence has its own slot of the batch." },
  "sequence_batching.direct.max_queue_delay_microseconds": {
    text: "How long the first request waits for the other slots, in microseconds.",
    unset: "0",
  },
  "sequence_batching.direct.minimum_slot_utilization": {
    text: "Share of the slots that should be filled before the delay ends, 0 to 1.",
    unset: "0",
  },
  "sequence_batching.oldest": { text: "Batches are formed of different sequences, oldest requests first." },
  "sequence_batching.oldest.max_candidate_sequences": { text: "Most sequences of an instance at a time.", unset: "0" },
  "sequence_batching.oldest.preferred_batch_size": {
    text: "Batch sizes, in items, that are sent at once.",
    unset: "max_batch_size",
  },
  "sequence_batching.oldest.max_queue_delay_microseconds": {
    text: "How long a request may wait for company, in microseconds.",
    unset: "0",
  },
  "sequence_batching.iterative_sequence": {
    text: "A request may be put back into the queue for its next step.",
    unset: "false",
  },
  instance_group: {
    text: "Copies of the model that run side by side, and where.",
    unset: "one group of the backend's choice",
  },
  "instance_group.name": { text: "Name of the group in logs and metrics.", unset: "model name and number" },
  "instance_group.count": {
    text: "Number of instances, on each GPU where the kind is GPU.",
    unset: "1; 2 on CPUs for ONNX",
  },
  "instance_group.kind": { text: "What the instances run on.", unset: "KIND_AUTO: a GPU where there is one" },
  "instance_group.gpus": { text: "Numbers of the GPUs; not with KIND_CPU.", unset: "all" },
  "instance_group.profile": { text: "Optimization profiles; TensorRT only." },
  "instance_group.passive": { text: "The instances are loaded but get no requests.", unset: "false" },
  "instance_group.host_policy": { text: "Name of a set of host settings, e.g. NUMA node and cores." },
  "instance_group.rate_limiter": { text: "Resources an execution needs before it may start." },
  "instance_group.rate_limiter.priority": { text: "Weight among instances; 1 is the highest.", unset: "1" },
  "instance_group.rate_limiter.resources": { text: "One resource and how much of it an execution takes." },
  "instance_group.secondary_devices": { text: "Further devices the instances use." },
};
