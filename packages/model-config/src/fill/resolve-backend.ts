/** Fields that say which backend runs a model; empty strings where not given. */
export interface BackendFields {
  readonly backend: string;
  readonly platform: string;
  readonly filename: string;
}

interface Rule {
  readonly backend: string;
  /** Platforms that choose the backend; the first one is filled in. */
  readonly platforms: readonly string[];
  /** File the backend looks for, and the platform it stands for where a backend has several. */
  readonly files: readonly { readonly name: string; readonly platform: string }[];
}

/** In the order in which Triton asks; the first match ends the search (model-config.md §5). */
const RULES: readonly Rule[] = [
  {
    backend: "tensorflow",
    platforms: ["tensorflow_savedmodel", "tensorflow_graphdef"],
    files: [
      { name: "model.savedmodel", platform: "tensorflow_savedmodel" },
      { name: "model.graphdef", platform: "tensorflow_graphdef" },
    ],
  },
  { backend: "tensorrt", platforms: ["tensorrt_plan"], files: [{ name: "model.plan", platform: "tensorrt_plan" }] },
  {
    backend: "onnxruntime",
    platforms: ["onnxruntime_onnx"],
    files: [{ name: "model.onnx", platform: "onnxruntime_onnx" }],
  },
  { backend: "openvino", platforms: [], files: [{ name: "model.xml", platform: "" }] },
  {
    backend: "pytorch",
    platforms: ["pytorch_libtorch", "libtorch", "torch_aoti"],
    files: [
      { name: "model.pt", platform: "pytorch_libtorch" },
      { name: "model.pt2", platform: "torch_aoti" },
    ],
  },
  { backend: "python", platforms: [], files: [{ name: "model.py", platform: "" }] },
  // Not one of Triton's: models written in JavaScript or TypeScript, and Node addons.
  {
    backend: "javascript",
    platforms: [],
    files: [
      { name: "model.mjs", platform: "" },
      { name: "model.js", platform: "" },
      { name: "model.ts", platform: "" },
      { name: "model.node", platform: "" },
    ],
  },
  // Nor this one: text generation by llama.cpp.
  { backend: "llamacpp", platforms: [], files: [{ name: "model.gguf", platform: "" }] },
];

/**
 * Completes backend, platform and model file from each other and from the files of the first version directory. Answers
 * undefined when nothing names a backend. Given fields are never changed.
 */
export function resolveBackend(
  given: BackendFields,
  modelName: string,
  versionEntries: readonly string[],
): BackendFields | undefined {
  const rule = RULES.find((candidate) => matches(candidate, given, versionEntries));
  if (rule !== undefined) return complete(rule, given, versionEntries);
  if (given.backend !== "" || given.platform !== "" || given.filename !== "") return given;
  const dot = modelName.indexOf(".");
  if (dot === -1) return undefined;
  const backend = modelName.slice(dot + 1);
  return { backend, platform: "", filename: `model.${backend}` };
}

function matches(rule: Rule, given: BackendFields, entries: readonly string[]): boolean {
  if (given.backend !== "") return given.backend === rule.backend;
  if (given.platform !== "") return rule.platforms.includes(given.platform) || namedBy(rule, given.filename);
  if (given.filename !== "") return namedBy(rule, given.filename);
  return rule.files.some((file) => entries.includes(file.name));
}

/** A literal file name selects the backend; with a foreign platform the pair check reports it later. */
function namedBy(rule: Rule, filename: string): boolean {
  return rule.files.some((file) => file.name === filename);
}

function complete(rule: Rule, given: BackendFields, entries: readonly string[]): BackendFields {
  const byPlatform = rule.files.find((file) => file.platform !== "" && file.platform === given.platform);
  const byName = rule.files.find((file) => file.name === given.filename);
  const byEntry = given.filename === "" ? rule.files.find((file) => entries.includes(file.name)) : undefined;
  const file = byPlatform ?? byName ?? byEntry ?? rule.files[0];
  // A backend that tells its platforms by the file cannot tell them by a name of the author's choice.
  const undecided = rule.backend === "tensorflow" && byName === undefined && byEntry === undefined;
  const platform = given.platform !== "" || undecided ? given.platform : (file?.platform ?? "");
  const filename =
    given.filename !== "" || (undecided && byPlatform === undefined) ? given.filename : (file?.name ?? "");
  return { backend: rule.backend, platform, filename };
}
