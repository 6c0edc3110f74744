import { NereidError } from "@nereid/errors";
import { type ModelConfig, parseModelConfig } from "@nereid/model-config";
import { composeEnsemble } from "../ensemble/compose-ensemble.ts";
import { composingModels, ensembleSteps } from "../ensemble/ensemble-steps.ts";
import type { ModelEntry } from "./model-entry.ts";
import type { ServedVersion } from "./served-version.ts";

export interface DependencyHost {
  readonly entries: readonly ModelEntry[];
  entry(name: string): ModelEntry | undefined;
  resolve(name: string, version: string | undefined): ServedVersion;
  /** The configuration text on disk; undefined for a model that is not there, or is there more than once. */
  configText(name: string): Promise<string | undefined>;
  /** Loads the model unless some version of it is served; nobody but an ensemble asked for it. */
  ensureLoaded(name: string): Promise<void>;
}

/** Throws INVALID_ARGUMENT, with Triton's texts, unless the models of an ensemble are there and loaded (scheduling.md §7). */
export async function loadComposing(host: DependencyHost, config: ModelConfig): Promise<void> {
  const missing: string[] = [];
  await walk(host, { config, path: [config.name], missing });
  if (missing.length > 0) {
    const names = [...new Set(missing)].sort().join(", ");
    throw new NereidError(
      "INVALID_ARGUMENT",
      `ensemble ${config.name} contains models that are not available or ambiguous: ${names}`,
    );
  }
  await Promise.all(
    composingModels(config).map(async (model) => {
      try {
        await host.ensureLoaded(model);
      } catch (error) {
        const why = NereidError.from(error).message.trimEnd();
        throw new NereidError(
          "INVALID_ARGUMENT",
          `${notLoaded(config.name, model)} Model '${model}' loading failed with error: ${why}`,
          { cause: error },
        );
      }
    }),
  );
  checkComposing(host, config);
}

/** Throws INVALID_ARGUMENT unless every step has a version it can use. */
export function checkComposing(host: DependencyHost, config: ModelConfig): void {
  for (const { model, version } of ensembleSteps(config)) {
    const entry = host.entry(model);
    const ready = [...(entry?.versions.values() ?? [])].filter(({ state }) => state === "READY");
    if (ready.length === 0) throw new NereidError("INVALID_ARGUMENT", notLoaded(config.name, model));
    if (version !== undefined && !ready.some((one) => one.version === version)) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `ensemble '${config.name}' depends on '${model}' whose required version ${version} is not loaded.`,
      );
    }
  }
  composeEnsemble(config, ({ model, version }) => host.resolve(model, version).spec);
}

/** Ensembles, loaded or waiting for their models, that have this model as a step. */
export function dependentsOf(host: Pick<DependencyHost, "entries">, model: string): readonly ModelEntry[] {
  return host.entries.filter(({ config }) => config !== undefined && composingModels(config).includes(model));
}

function notLoaded(ensemble: string, model: string): string {
  return `ensemble '${ensemble}' depends on '${model}' which has no loaded version.`;
}

/** Follows ensembles within ensembles: finds models that are not there, and refuses a ring before anything waits for itself. */
async function walk(
  host: DependencyHost,
  at: { readonly config: ModelConfig; readonly path: readonly string[]; readonly missing: string[] },
): Promise<void> {
  for (const model of composingModels(at.config)) {
    if (at.path.includes(model)) {
      const ring = [...at.path.slice(at.path.indexOf(model)), model].join(" -> ");
      throw new NereidError("INVALID_ARGUMENT", `circular dependency between ensembles: ${ring}`);
    }
    const text = await host.configText(model);
    if (text === undefined) {
      // Served from files of a load request: there is nothing on disk to look at.
      if (![...(host.entry(model)?.versions.values() ?? [])].some(({ state }) => state === "READY"))
        at.missing.push(model);
      continue;
    }
    const { config } = parseModelConfig(text);
    if (config !== undefined) await walk(host, { config, path: [...at.path, model], missing: at.missing });
  }
}
