import { sortedVersions } from "@nereid/inference-worker";
import type { ModelMetricsSource } from "@nereid/telemetry";
import type { ServerContext } from "../server-context.ts";

/** Every version that is served, with its counters. Names that only clients use are never among them. */
export function modelSources({ manager }: ServerContext): readonly ModelMetricsSource[] {
  return manager.entries.flatMap((entry) =>
    sortedVersions(entry).flatMap(({ state, served, config }): ModelMetricsSource[] =>
      state === "READY" && served !== undefined
        ? [
            {
              name: entry.name,
              version: served.spec.version,
              statistics: served.statistics,
              tags: config?.metricTags ?? {},
            },
          ]
        : [],
    ),
  );
}
