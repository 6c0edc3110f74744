import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { TunedModel, TuningConfig } from "@nereid/perf";
import type { VariantHost } from "./tuning-deps.ts";

const LOAD_TIMEOUT_MS = 300_000;

/**
 * Any V2 server in EXPLICIT mode: loads a configuration with the files of the model, sent along, under a name of its own. Nothing is
 * written to its repository. NOT_FOUND when the repository here does not have the model.
 */
export function tritonHost(client: NereidClient, model: TunedModel, repository: string): VariantHost {
  let files: Record<string, Uint8Array> | undefined;
  return {
    add: async (config) => {
      files ??= modelFiles(join(repository, model.name));
      await client.loadModel(config.id, {
        config: variantConfig(config, model),
        files,
        timeoutMs: LOAD_TIMEOUT_MS,
      });
      return config.id;
    },
    remove: async ({ id }) => {
      await client.unloadModel(id).catch((error: unknown) => {
        if (NereidError.from(error).code !== "NOT_FOUND") throw error;
      });
    },
  };
}

/** The whole configuration of a variant: a load takes no part of one, and brings no files but those of versions, so no labels. Pure. */
export function variantConfig({ id, fields }: TuningConfig, model: TunedModel): Record<string, unknown> {
  const whole: Record<string, unknown> = { ...model.config, ...fields, name: id };
  for (const [name, value] of Object.entries(whole)) if (value === null) delete whole[name];
  const { output } = whole;
  if (Array.isArray(output))
    whole["output"] = output.map((one: unknown) => {
      if (typeof one !== "object" || one === null) return one;
      const { label_filename: _labels, ...rest } = { label_filename: "", ...one };
      return rest;
    });
  return whole;
}

/** Contents by `<version>/<path>`. */
function modelFiles(directory: string): Record<string, Uint8Array> {
  let versions: string[];
  try {
    versions = readdirSync(directory).filter((name) => /^[1-9]\d*$/.test(name));
  } catch (cause) {
    throw new NereidError("NOT_FOUND", `there is no model in ${directory}`, {
      fix: "name the directory that holds the model's own with --model-repository",
      cause,
    });
  }
  const files = versions.flatMap((version) =>
    readdirSync(join(directory, version), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return Object.fromEntries(
    files.map((file) => [`${relative(directory, file).split(sep).join("/")}`, readFileSync(file)]),
  );
}
