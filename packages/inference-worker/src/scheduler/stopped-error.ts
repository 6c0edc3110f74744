import { NereidError } from "@nereid/errors";
import { requestIdPrefix } from "@nereid/protocol";

/** What a scheduler answers while its model ends (scheduling.md §1). That of sequences puts no request id in front. */
export function stoppedError(requestId?: string): NereidError {
  const prefix = requestId === undefined ? "" : requestIdPrefix(requestId);
  return new NereidError(
    "UNAVAILABLE",
    `${prefix}Server is stopping, scheduler for model has stopped accepting new inference requests`,
  );
}
