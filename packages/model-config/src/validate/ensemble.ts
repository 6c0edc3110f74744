import type { ModelEnsembling } from "../gen/model_config_pb.ts";
import { findPath } from "../text/locate.ts";
import { checkTensorFlow } from "./ensemble-graph.ts";
import { fixOf, type Scope } from "./scope.ts";

const BLOCK = "ensemble_scheduling";

/** Static checks of an ensemble; those against the composing models are made when these are known. */
export function checkEnsemble(scope: Scope): void {
  const { config, model, report } = scope;
  const refuse = (path: string, message: string) =>
    report.add({
      code: "ensemble",
      path,
      message,
      fix: fixOf(report, `Remove ${path}`, { op: "remove", path }),
    });
  if (config.instanceGroup.length > 0) {
    refuse("instance_group", `instance group should not be specified for ensemble '${model}'`);
  }
  if (config.optimization !== undefined) {
    refuse("optimization", `optimization should not be specified for ensemble '${model}'`);
  }
  if (config.modelWarmup.length > 0) {
    refuse("model_warmup", `model_warmup can not be specified for ensemble '${model}'`);
  }
  const { schedulingChoice } = config;
  const ensemble = schedulingChoice.case === "ensembleScheduling" ? schedulingChoice.value : undefined;
  if (ensemble === undefined || ensemble.step.length === 0) {
    report.add({
      code: "ensemble",
      path: BLOCK,
      message: `must specify 'step' for ensemble '${model}'`,
      help: "Write ensemble_scheduling { step [ { model_name: ... input_map ... output_map ... } ] }.",
    });
    return;
  }
  const complete = checkSteps(scope, ensemble);
  warnAboutVersions(scope, ensemble);
  if (complete) checkTensorFlow(scope, ensemble);
}

function checkSteps({ model, report }: Scope, ensemble: ModelEnsembling): boolean {
  let complete = true;
  for (const [index, step] of ensemble.step.entries()) {
    const missing = [
      ...(step.modelName === "" ? ["model_name"] : []),
      ...(Object.keys(step.inputMap).length === 0 ? ["input_map"] : []),
      ...(Object.keys(step.outputMap).length === 0 ? ["output_map"] : []),
    ];
    for (const field of missing) {
      complete = false;
      report.add({
        code: "ensemble",
        path: `${BLOCK}.step[${index}].${field}`,
        message: `must specify '${field}' in step ${index} of ensemble '${model}'`,
      });
    }
  }
  return complete;
}

/** A version that is left out reads as 0, which names version 0 rather than the latest. */
function warnAboutVersions({ report }: Scope, ensemble: ModelEnsembling): void {
  for (const [index, step] of ensemble.step.entries()) {
    const path = `${BLOCK}.step[${index}].model_version`;
    if (step.modelVersion !== 0n) continue;
    if (report.document !== undefined && findPath(report.document, path) !== undefined) continue;
    report.add({
      severity: "warning",
      code: "ensemble-version",
      path,
      message: `step ${index} gives no model_version, which asks for version 0; write model_version: -1 for the latest`,
      fix: fixOf(report, "Write model_version: -1", { op: "set", path, value: -1 }),
    });
  }
}
