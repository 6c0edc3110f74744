/** Names for `--need`, and of the rows. */
export const SUBJECTS = [
  "node",
  "engine",
  "cpu",
  "cuda",
  "tensorrt",
  "webgpu",
  "nvidia",
  "vulkan",
  "python",
  "numpy",
  "torch",
  "tensorflow",
  "openvino",
  "onnxruntime-python",
  "sklearn",
  "xgboost",
  "llama",
  "shared-memory",
  "memory",
  "cores",
  "open-files",
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** One row of what the doctor says. */
export interface Finding {
  readonly subject: Subject;
  /** `absent`: not there, which is no fault where nobody needs it. `problem`: it is there and does not do, or is too small. */
  readonly status: "ok" | "absent" | "problem";
  readonly text: string;
  /** The command, or the step, that mends it. */
  readonly fix?: string;
}
