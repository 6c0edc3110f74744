import type { NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { ExperimentCheckpoint, ExperimentSpec, ExperimentWindow } from "@nereid/perf";

export interface ExperimentBegin {
  readonly spec: Pick<ExperimentSpec, "model" | "version">;
  readonly before: ExperimentCheckpoint | undefined;
}

/**
 * The version that an experiment compares: the one that was asked for, the one it was begun with (windows of two versions are no pair), or the
 * newest that is ready. With it, the windows that were measured of it. CONFLICT when none is ready.
 */
export async function experimentVersion(
  client: Pick<NereidClient, "model">,
  { spec, before }: ExperimentBegin,
): Promise<{ readonly version: string; readonly windows: readonly ExperimentWindow[] }> {
  const version = spec.version ?? before?.version;
  if (version !== undefined) return { version, windows: before?.windows ?? [] };
  // Nobody knows which version windows without one were measured with.
  return { version: await newestReady(client, spec.model), windows: [] };
}

async function newestReady(client: Pick<NereidClient, "model">, model: string): Promise<string> {
  const { versions } = await client.model(model);
  const ready = versions.filter((one) => one.ready).map(({ version }) => version);
  const newest = ready.toSorted((a, b) => Number(BigInt(a) - BigInt(b))).at(-1);
  if (newest === undefined) {
    throw new NereidError("CONFLICT", `no version of ${model} is served`, { fix: "load it, and begin again" });
  }
  return newest;
}
