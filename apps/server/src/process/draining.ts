import type { IncomingMessage } from "node:http";
import { NereidError } from "@nereid/errors";
import type { BodyShare } from "../http/body-budget.ts";
import { readJsonObject } from "../http/json-body.ts";

/**
 * Whether the server is being taken out of service: readiness says no, so that balancers send nothing more, while everything that
 * comes is answered as before. Kept in memory only; a restarted server is in service again.
 */
export class Draining {
  #active = false;

  get active(): boolean {
    return this.#active;
  }

  set(active: boolean): void {
    this.#active = active;
  }
}

/** The wish in a body `{"draining": true}`. INVALID_ARGUMENT for anything else. */
export async function readDraining(from: {
  readonly request: IncomingMessage;
  readonly share: BodyShare;
}): Promise<boolean> {
  const { draining } = await readJsonObject(from);
  if (typeof draining !== "boolean") {
    throw new NereidError("INVALID_ARGUMENT", "'draining' must be true or false", { fix: 'send {"draining": true}' });
  }
  return draining;
}
