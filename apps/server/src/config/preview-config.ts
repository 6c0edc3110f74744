import { basename } from "node:path";
import { HONOURED_FIELDS, type ModelEntry, planModel, type VersionPlan } from "@nereid/inference-worker";
import {
  changedFields,
  completeFromOnnx,
  type Diagnostic,
  diagnoseConfig,
  hasErrors,
  type ModelConfig,
  type OnnxSignature,
  parseModelConfig,
  printModelConfig,
} from "@nereid/model-config";
import type { GraphSummary, ModelSnapshot } from "@nereid/model-repository";
import type { ServerContext } from "../server-context.ts";
import { newestGraph } from "./model-graph.ts";

export type ChangeKind = "none" | "in-place" | "reload" | "not-loaded";

export interface ConfigPreview {
  readonly diagnostics: readonly Diagnostic[];
  /** The configuration completed from the graph, printed; null when it has errors. */
  readonly effective: string | null;
  readonly change: { readonly kind: ChangeKind; readonly fields: readonly string[] };
}

const NO_CHANGE = { kind: "none", fields: [] } as const;

/** What a configuration text would mean for a model, without touching anything. */
export async function previewConfig(
  context: ServerContext,
  snapshot: ModelSnapshot,
  text: string,
): Promise<ConfigPreview> {
  const { config } = parseModelConfig(text);
  const graph = await newestGraph(snapshot, config?.defaultModelFilename);
  const diagnostics = diagnoseConfig({
    text,
    modelName: snapshot.name,
    graph,
    gpus: context.plan.gpus.gpus,
    honoured: HONOURED_FIELDS,
    versionEntries: snapshot.firstVersionEntries,
    defaultMaxBatchSize: context.options.defaultMaxBatchSize,
  });
  const entry = context.manager.entry(snapshot.name);
  if (config === undefined || hasErrors(diagnostics)) return { diagnostics, effective: null, change: NO_CHANGE };
  const planned = planOf(context, snapshot, text);
  const effective = planned === undefined ? undefined : complete(context, planned.config, graph);
  return {
    diagnostics,
    effective: effective === undefined ? null : printModelConfig(effective),
    change: changeOf(entry, planned?.versions, effective),
  };
}

/** Undefined for what cannot be planned for a reason that the text does not show, such as a missing file. */
function planOf(context: ServerContext, snapshot: ModelSnapshot, text: string) {
  const configFile = snapshot.configFile ?? `${snapshot.directory}/config.pbtxt`;
  const versions = context.desired.pinOf(snapshot.name);
  try {
    return planModel(
      { ...snapshot, configText: text, configFile: basename(configFile) },
      context.plan,
      versions === undefined ? {} : { versions },
    );
  } catch {
    return undefined;
  }
}

function complete(context: ServerContext, config: ModelConfig, graph: GraphSummary | null): ModelConfig {
  if (graph === null || !context.options.autoComplete) return config;
  const options = { defaultMaxBatchSize: context.options.defaultMaxBatchSize };
  // A graph that was read has datatypes of the protocol only.
  return completeFromOnnx(config, graph as OnnxSignature, options).config;
}

function changeOf(
  entry: ModelEntry | undefined,
  versions: readonly VersionPlan[] | undefined,
  effective: ModelConfig | undefined,
): ConfigPreview["change"] {
  const served = [...(entry?.versions.values() ?? [])].filter(({ state }) => state === "READY");
  if (served.length === 0) return { kind: "not-loaded", fields: [] };
  const before = entry?.config;
  const fields = before === undefined || effective === undefined ? [] : changedFields(before, effective);
  const planned = new Map((versions ?? []).map((plan) => [plan.version, plan]));
  const sameVersions =
    served.length === planned.size && served.every(({ version, key }) => planned.get(version)?.key === key);
  if (!sameVersions) return { kind: "reload", fields };
  const sameCounts = served.every(
    ({ version, served: running }) => running?.instances.length === planned.get(version)?.instances.length,
  );
  return { kind: sameCounts ? "none" : "in-place", fields };
}
