import type { EventEmitter } from "node:events";
import { NereidError } from "@nereid/errors";
import type { Hold } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";

/**
 * Keeps a model loaded for a request, and loads it first where requests may do that. Release it when the request is over. `client`
 * says "close" when nobody waits any more. Undefined without `--load-on-demand`; a promise only while the model is loaded.
 */
export function holdModel(
  { onDemand }: ServerContext,
  model: string,
  client: EventEmitter,
): Hold | Promise<Hold> | undefined {
  if (onDemand === undefined) return undefined;
  const abort = new AbortController();
  const hold = onDemand.hold(model, abort.signal);
  if (!(hold instanceof Promise)) return hold;
  const gone = () => abort.abort(new NereidError("CANCELLED", ""));
  client.once("close", gone);
  return hold.finally(() => client.off("close", gone));
}
