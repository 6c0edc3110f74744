import type { BucketStreamOptions } from "./client-types.ts";
import type { SecondBucket } from "./management-types.ts";
import { resumingStream, type StreamParts } from "./resuming-stream.ts";

const IDLE_TIMEOUT_MS = 15_000;

/** The buckets of a server, one a second, resumed where a connection ended. */
export function bucketStream(
  parts: StreamParts,
  { after, model, signal, idleTimeoutMs = IDLE_TIMEOUT_MS }: BucketStreamOptions,
): AsyncGenerator<SecondBucket, void, undefined> {
  return resumingStream<SecondBucket>(parts, {
    what: "bucket",
    path: "/nereid/v1/buckets",
    query: { model },
    after,
    placeOf: ({ t }) => t,
    idleTimeoutMs,
    signal,
  });
}
