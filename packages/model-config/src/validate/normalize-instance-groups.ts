import { clone, create } from "@bufbuild/protobuf";
import type { Diagnostic } from "../diagnostic.ts";
import {
  ModelInstanceGroup_Kind as Kind,
  type ModelConfig,
  ModelConfigSchema,
  type ModelInstanceGroup,
  ModelInstanceGroupSchema,
} from "../gen/model_config_pb.ts";
import { schedulerKind } from "../helpers.ts";
import { Report } from "../report.ts";
import type { ConfigDocument } from "../text/tree.ts";
import { checkInstanceGroups, supportedGpus } from "./instance-groups.ts";
import type { Gpu } from "./validate-model-config.ts";

/** What a backend would like where the config leaves it open. */
export interface PreferredInstanceGroup {
  readonly kind: Kind;
  readonly count?: number;
  readonly gpus?: readonly number[];
}

export interface InstanceGroupContext {
  readonly gpus: readonly Gpu[];
  readonly cudaBuild: boolean;
  readonly modelName: string;
  readonly backendPreferred?: readonly PreferredInstanceGroup[];
  readonly document?: ConfigDocument;
}

/**
 * Resolves names, kinds, counts (per GPU for KIND_GPU) and GPUs of the instance groups (model-config.md §6) and checks
 * the result. Ensembles have none and come back unchanged. The argument is not changed.
 */
export function normalizeInstanceGroups(
  config: ModelConfig,
  context: InstanceGroupContext,
): { config: ModelConfig; diagnostics: Diagnostic[] } {
  if (schedulerKind(config) === "ensemble" || config.platform === "ensemble") return { config, diagnostics: [] };
  const filled = clone(ModelConfigSchema, config);
  if (filled.instanceGroup.length === 0) filled.instanceGroup.push(addedGroup(context));
  const supported = context.cudaBuild ? supportedGpus(context.gpus) : [];
  for (const [index, group] of filled.instanceGroup.entries()) {
    if (group.name === "") group.name = `${context.modelName}_${index}`;
    if (group.kind === Kind.AUTO) group.kind = automaticKind(group, supported);
    const preferred = context.backendPreferred?.find((candidate) => candidate.kind === group.kind);
    if (group.count < 1) group.count = defaultCount(group, filled.backend, preferred);
    if (group.kind === Kind.GPU && group.gpus.length === 0) {
      const wished = preferred?.gpus?.filter((id) => supported.includes(id)) ?? [];
      group.gpus = wished.length > 0 ? wished : [...supported];
    }
  }
  const report = new Report(context.document);
  checkInstanceGroups({ config: filled, model: context.modelName, report }, context);
  return { config: filled, diagnostics: report.diagnostics };
}

function addedGroup(context: InstanceGroupContext): ModelInstanceGroup {
  const preferred = context.backendPreferred?.[0];
  return create(ModelInstanceGroupSchema, { name: context.modelName, kind: preferred?.kind ?? Kind.AUTO });
}

function automaticKind(group: ModelInstanceGroup, supported: readonly number[]): Kind {
  const usable = supported.length > 0 && group.gpus.every((id) => supported.includes(id));
  return usable ? Kind.GPU : Kind.CPU;
}

function defaultCount(
  group: ModelInstanceGroup,
  backend: string,
  preferred: PreferredInstanceGroup | undefined,
): number {
  if (preferred?.count !== undefined && preferred.count > 0) return preferred.count;
  return group.kind === Kind.CPU && (backend === "onnxruntime" || backend === "tensorflow") ? 2 : 1;
}
