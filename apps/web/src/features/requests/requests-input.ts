import type { inferParserType } from "nuqs/server";
import type { requestsSearchParams } from "./search-params.ts";

const SHOWN = 100;

type Params = Omit<inferParserType<typeof requestsSearchParams>, "row">;

/** What the address asks the server for. */
export function requestsInputOf(model: string, params: Params) {
  const { from, to, slowerMs, fasterMs, cause, version, order } = params;
  return {
    model,
    order,
    limit: SHOWN,
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(slowerMs !== null && { slowerMs }),
    ...(fasterMs !== null && { fasterMs }),
    ...(cause !== null && { cause }),
    ...(version !== null && { version }),
  };
}
