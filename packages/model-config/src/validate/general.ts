import { schedulerKind } from "../helpers.ts";
import { lookup } from "../lookup.ts";
import { meantBackend, platformHelp } from "../text/value-advice.ts";
import { addFor, fixOf, type Scope } from "./scope.ts";

/** Platforms that go with each backend Triton knows; other backends are not checked. */
const PLATFORMS_OF: Readonly<Record<string, readonly string[]>> = {
  tensorflow: ["tensorflow_graphdef", "tensorflow_savedmodel"],
  tensorrt: ["tensorrt_plan"],
  onnxruntime: ["onnxruntime_onnx"],
  pytorch: ["pytorch_libtorch", "libtorch", "torch_aoti"],
};

/** Name, platform and backend, batch size, version policy, response cache. */
export function checkGeneral(scope: Scope, directoryName: string): void {
  checkName(scope, directoryName);
  checkBackend(scope);
  checkBatchSize(scope);
  checkVersionPolicy(scope);
  checkResponseCache(scope);
  checkModelFilename(scope);
}

/** The file is looked for below the version directory and nowhere else. */
function checkModelFilename({ config, report }: Scope): void {
  const name = config.defaultModelFilename;
  const leaves = name.startsWith("/") || name.includes("\\") || name.includes("\0") || name.split("/").includes("..");
  if (!leaves) return;
  report.add({
    code: "model-filename",
    path: "default_model_filename",
    message: "default_model_filename must name a file inside the version directory",
    help: "Write the plain name of the file, such as model.onnx.",
    fix: fixOf(report, "Remove default_model_filename", { op: "remove", path: "default_model_filename" }),
  });
}

function checkName({ config, report }: Scope, directoryName: string): void {
  if (config.name === "") {
    report.add({ code: "name", path: "name", message: "model configuration must specify 'name'" });
    return;
  }
  if (config.name === directoryName) return;
  report.add({
    code: "directory-name",
    path: "name",
    message: `unexpected directory name '${directoryName}' for model '${config.name}', directory name must equal model name`,
    help: `Write name: "${directoryName}", leave the name out, or rename the directory to ${config.name}.`,
    fix: fixOf(report, `Write name: "${directoryName}"`, { op: "set", path: "name", value: directoryName }),
  });
}

function checkBackend({ config, model, report }: Scope): void {
  const { backend, platform } = config;
  if (platform === "ensemble" || schedulerKind(config) === "ensemble") {
    if (platform === "ensemble" && backend === "") return;
    report.add({
      code: "platform-backend",
      path: backend === "" ? "platform" : "backend",
      message: `Ensemble model '${model}' must have platform type 'ensemble' and empty backend type`,
      help: 'Write platform: "ensemble" and remove the backend.',
      fix:
        backend === ""
          ? fixOf(report, 'Write platform: "ensemble"', { op: "set", path: "platform", value: "ensemble" })
          : fixOf(report, "Remove the backend", { op: "remove", path: "backend" }),
    });
    return;
  }
  if (backend === "") {
    report.add({
      code: "platform-backend",
      path: "platform",
      message: `unexpected platform type '${platform}' for ${model}`,
      help: platformHelp(platform) ?? 'Name the backend, for example backend: "onnxruntime".',
    });
    return;
  }
  const allowed = lookup(PLATFORMS_OF, backend);
  const meant = meantBackend(backend);
  // With a document the reader has said so already.
  if (allowed === undefined && meant !== undefined && report.document === undefined) {
    report.add({
      severity: "warning",
      code: "unknown-backend",
      path: "backend",
      message: `there is no backend '${backend}'; write backend: "${meant}"`,
    });
  }
  if (allowed === undefined || platform === "" || allowed.includes(platform)) return;
  report.add({
    code: "platform-backend",
    path: "platform",
    message: `unexpected 'platform' and 'backend' pair, got:${platform}, ${backend}`,
    help: `Remove the platform: backend "${backend}" is enough.`,
    fix: fixOf(report, "Remove the platform", { op: "remove", path: "platform" }),
  });
}

function checkBatchSize(scope: Scope): void {
  if (scope.config.maxBatchSize >= 0) return;
  addFor(scope, {
    code: "max-batch-size",
    path: "max_batch_size",
    message: "'max_batch_size' must be non-negative value",
    help: "0 means the model does not batch.",
    fix: fixOf(scope.report, "Write 0", { op: "set", path: "max_batch_size", value: 0 }),
  });
}

function checkVersionPolicy({ config, report }: Scope): void {
  const choice = config.versionPolicy?.policyChoice;
  const empty =
    (choice?.case === "latest" && choice.value.numVersions === 0) ||
    (choice?.case === "specific" && choice.value.versions.length === 0);
  if (!empty) return;
  const path = `version_policy.${choice?.case ?? "latest"}`;
  report.add({
    severity: "warning",
    code: "version-policy",
    path,
    message: "the version policy selects no version, so the model cannot be loaded",
    help: "Write version_policy: { latest: { num_versions: 1 } } or leave version_policy out.",
    fix:
      choice?.case === "latest"
        ? fixOf(report, "Write num_versions: 1", { op: "set", path: `${path}.num_versions`, value: 1 })
        : fixOf(report, "Remove the policy", { op: "remove", path: "version_policy" }),
  });
}

function checkResponseCache({ config, model, report }: Scope): void {
  if (config.responseCache?.enable !== true) return;
  const fix = fixOf(report, "Disable the response cache", { op: "set", path: "response_cache.enable", value: false });
  if (schedulerKind(config) === "sequence") {
    report.add({
      code: "response-cache",
      path: "response_cache.enable",
      message: `Response Cache does not currently support model ${model} with sequence batching scheduler. Please disable the response cache.`,
      fix,
    });
  }
  if (config.modelTransactionPolicy?.decoupled === true) {
    report.add({
      code: "response-cache",
      path: "response_cache.enable",
      message: `Response Cache does not currently support model ${model} with 'decoupled' transaction policy. Please disable the response cache.`,
      fix,
    });
  }
}
