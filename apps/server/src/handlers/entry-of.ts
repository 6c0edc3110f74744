import { NereidError } from "@nereid/errors";
import type { ModelEntry } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";

/** What the server knows of a model. NOT_FOUND for one it has never heard of. */
export function entryOf({ manager }: ServerContext, name: string): ModelEntry {
  const entry = manager.entry(name);
  if (entry === undefined) throw new NereidError("NOT_FOUND", `Request for unknown model: '${name}' is not found`);
  return entry;
}
