import type { NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { candidateTtlSeconds } from "../candidate-ttl.ts";
import type { VariantHost } from "./tuning-deps.ts";

const LOAD_TIMEOUT_MS = 300_000;
/** A tuning that is killed leaves its candidate no longer than this, and the time of a measurement that is made again. */
const SPARE_SECONDS = 900;
const LONGEST_MEASUREMENT = 4;

export interface NereidHostOptions {
  readonly client: NereidClient;
  readonly model: string;
  /** How long one measurement is to be. */
  readonly measureSeconds: number;
  /** Candidates stay behind what is served. */
  readonly lowPriority: boolean;
}

/** A Nereid server: configurations are candidates of the served model, on runners of their own. */
export function nereidHost({ client, model, measureSeconds, lowPriority }: NereidHostOptions): VariantHost {
  const ttlSeconds = candidateTtlSeconds(LONGEST_MEASUREMENT * measureSeconds, SPARE_SECONDS);
  const add: VariantHost["add"] = async ({ id, fields }) => {
    const config = JSON.parse(JSON.stringify(fields)) as Record<string, unknown>; // JSON.parse answers any.
    const request = { name: id, config, ttlSeconds, lowPriority };
    const { name } = await client.addCandidate(model, request, { timeoutMs: LOAD_TIMEOUT_MS });
    return name;
  };
  return {
    add,
    renew: async (config) => {
      const isThere = (await client.candidates()).some(({ name }) => name === config.id);
      // The server takes the same once more as a wish that it lives on.
      await add(config);
      return isThere ? "lives-on" : "loaded";
    },
    remove: ({ id }) => removeQuietly(client, id),
  };
}

/** Removes what a tuning of this model that was killed has left. */
export async function removeLeftovers(client: NereidClient, model: string): Promise<void> {
  for (const { name, of, inUse } of await client.candidates())
    if (of === model && inUse === null && name.startsWith(`${model}_config_`)) await removeQuietly(client, name);
}

async function removeQuietly(client: NereidClient, name: string): Promise<void> {
  try {
    await client.removeCandidate(name);
  } catch (error) {
    // It may have ended by itself.
    if (NereidError.from(error).code !== "NOT_FOUND") throw error;
  }
}
