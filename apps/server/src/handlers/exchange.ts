import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyShare } from "../http/body-budget.ts";
import type { HttpWatch } from "../logging/http-watch.ts";

/** One request of the V2 port and the answer to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly share: BodyShare;
  /** Told what the line about this exchange should say. */
  readonly watch: HttpWatch;
}
