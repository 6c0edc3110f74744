import { NereidError } from "@nereid/errors";
import { estimateOfDirectory, sortedVersions } from "@nereid/inference-worker";
import { snapshotOf } from "../config/change-config.ts";
import type { ServerContext } from "../server-context.ts";

/**
 * `GET /nereid/v1/models/M/memory`: what each load of the model since the start held, who holds what now, and what the server reckons a
 * first load of each version takes.
 */
export async function memoryFacts(context: ServerContext, name: string) {
  const { manager, loads, options } = context;
  // Measured before the loads are read, whose ledgers it writes.
  const holders = manager.entries
    .flatMap((entry) =>
      sortedVersions(entry).flatMap(({ served }) => {
        const bytes = served?.pid === undefined ? undefined : served.measureMemory().currentBytes;
        return served === undefined || bytes === undefined
          ? []
          : [{ model: entry.name, version: served.spec.version, bytes }];
      }),
    )
    .sort((a, b) => b.bytes - a.bytes);
  return {
    loads: loads.of(name),
    estimates: await estimatesOf(context, name),
    holders,
    serverBytes: process.memoryUsage.rss(),
    ...(options.loading.memoryBudgetBytes !== undefined && { budgetBytes: options.loading.memoryBudgetBytes }),
  };
}

/** None where the model's folder is gone. */
async function estimatesOf(context: ServerContext, name: string) {
  try {
    const { versions } = await snapshotOf(context, name);
    return await Promise.all(
      versions.map(async ({ version, directory }) => ({
        version: String(version),
        ...(await estimateOfDirectory(directory)),
      })),
    );
  } catch (error) {
    if (NereidError.from(error).code === "NOT_FOUND") return [];
    throw error;
  }
}
