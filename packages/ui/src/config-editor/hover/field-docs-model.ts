import type { FieldDoc } from "./field-docs.ts";

/** Name, files, tensors, versions, ensembles. */
export const MODEL_DOCS: Readonly<Record<string, FieldDoc>> = {
  name: {
    text: "The model's name in requests; when it is written it must be the name of the directory.",
    unset: "the directory's name",
  },
  platform: {
    text: "Framework and file format together; `backend` is the newer way and enough on its own.",
    unset: "from the backend",
  },
  backend: {
    text: "The engine that runs the model; this server runs `onnxruntime`.",
    unset: "from the files of the first version",
  },
  runtime: { text: "File name of the backend's library.", unset: "the backend's own" },
  default_model_filename: {
    text: "Name of the model's file inside each version directory.",
    unset: "model.onnx for ONNX",
  },
  cc_model_filenames: { text: "Other file names for GPUs of given compute capabilities, e.g. `7.5`." },
  metric_tags: { text: "Labels added to every metric of this model." },
  max_batch_size: {
    text: "Most inferences that are put into one execution, in items; with more than 0 every tensor has a batch dimension in front that `dims` leaves out.",
    unset: "0: no batching; completed from the graph when inputs and outputs are not written",
  },
  version_policy: { text: "Which of the numbered version directories are served.", unset: "the newest one" },
  "version_policy.latest": { text: "Serves the versions with the highest numbers." },
  "version_policy.latest.num_versions": { text: "How many of the newest versions are served.", unset: "1" },
  "version_policy.all": { text: "Serves every version that is there." },
  "version_policy.specific": { text: "Serves exactly the versions listed." },
  "version_policy.specific.versions": {
    text: "Numbers of the versions to serve; those that are missing are left out with a warning.",
  },
  input: { text: "One tensor that a request has to bring.", unset: "completed from the graph" },
  "input.name": { text: "Name of the tensor, exactly as the model's graph has it." },
  "input.data_type": { text: "Element type of the tensor; must be the graph's." },
  "input.format": { text: "How an image's axes are ordered; it asks for exactly three dims.", unset: "FORMAT_NONE" },
  "input.dims": { text: "Shape of one item, without the batch dimension; -1 where a size may vary." },
  "input.reshape": { text: "Gives the model another shape than the request has; the number of elements must stay." },
  "input.reshape.shape": { text: "The shape the model gets for one item; `[ ]` is a scalar." },
  "input.is_shape_tensor": { text: "The tensor tells shapes; TensorRT only.", unset: "false" },
  "input.allow_ragged_batch": {
    text: "Requests of different shapes may share a batch; the tensor is then joined flat.",
    unset: "false",
  },
  "input.optional": {
    text: "A request may leave the tensor out; only without batching, and only if the graph has a value for it.",
    unset: "false",
  },
  "input.is_non_linear_format_io": {
    text: "The tensor has a vectorised memory layout; TensorRT only.",
    unset: "false",
  },
  output: { text: "One tensor that a request may ask for.", unset: "completed from the graph" },
  "output.name": { text: "Name of the tensor, exactly as the model's graph has it." },
  "output.data_type": { text: "Element type of the tensor; must be the graph's." },
  "output.dims": { text: "Shape of one item, without the batch dimension; must equal the graph's, -1 included." },
  "output.label_filename": {
    text: "File with one label per line, relative to the model's directory, for classification answers.",
  },
  "output.reshape": { text: "Gives the answer another shape than the model has; the number of elements must stay." },
  "output.reshape.shape": { text: "The shape the model gives for one item." },
  "output.is_shape_tensor": { text: "The tensor tells shapes; TensorRT only.", unset: "false" },
  "output.is_non_linear_format_io": {
    text: "The tensor has a vectorised memory layout; TensorRT only.",
    unset: "false",
  },
  batch_input: { text: "A tensor the server makes from the batch itself, for ragged batches." },
  "batch_input.kind": { text: "What the tensor tells of the batch, e.g. the number of elements of each request." },
  "batch_input.target_name": { text: "Names of the graph's inputs that get the tensor." },
  "batch_input.data_type": { text: "TYPE_INT32 or TYPE_FP32." },
  "batch_input.source_input": { text: "The one input the numbers are taken of." },
  batch_output: { text: "An output that is handed out to the requests of a ragged batch by their input shapes." },
  "batch_output.kind": { text: "How the output is divided among the requests." },
  "batch_output.target_name": { text: "Names of the outputs this is about." },
  "batch_output.source_input": { text: "The one input whose shapes say how to divide." },
  ensemble_scheduling: { text: "Makes the model a pipeline: tensors go from step to step through other models." },
  "ensemble_scheduling.step": { text: "One call of another model." },
  "ensemble_scheduling.step.model_name": { text: "Name of the model that is called." },
  "ensemble_scheduling.step.model_version": {
    text: "Version that is called; -1 is the newest.",
    unset: "0, which asks for version 0",
  },
  "ensemble_scheduling.step.input_map": {
    text: "Key: input of the called model. Value: tensor of the ensemble that feeds it.",
  },
  "ensemble_scheduling.step.output_map": {
    text: "Key: output of the called model. Value: tensor of the ensemble it becomes.",
  },
  "ensemble_scheduling.max_inflight_requests": {
    text: "Most requests of the ensemble at a time.",
    unset: "0: no limit",
  },
};
