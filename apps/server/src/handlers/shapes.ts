import { sortedVersions } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";
import { entryOf } from "./entry-of.ts";

/** `GET /nereid/v1/models/M/shapes`: which shapes the requests of each served version had, since its load. */
export function shapeFacts(context: ServerContext, name: string) {
  const versions = sortedVersions(entryOf(context, name)).flatMap(({ served }) => served ?? []);
  return {
    versions: versions.map(({ spec, facts }) => ({
      version: spec.version,
      maxBatchSize: spec.maxBatchSize,
      inputs: spec.inputs.map(({ name: input, datatype, dims, ragged }) => ({
        name: input,
        datatype,
        dims,
        ragged: ragged === true,
      })),
      ...(facts?.shapes.report() ?? { rows: [], otherRequests: 0, otherShapes: 0 }),
    })),
  };
}
