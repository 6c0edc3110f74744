import type { GivenResource } from "@nereid/inference-worker";
import { bad, type GivenFlags } from "./given-flags.ts";
import type { OptionNotice } from "./server-options.ts";

/** `--rate-limit=execution_count` and its resources. */
export interface RateLimitOptions {
  readonly resources: readonly GivenResource[];
}

const FORM = "'<resource_name>:<count>:<device>' or '<resource_name>:<count>'";

/** Undefined when the limiter is off. INVALID_ARGUMENT for another mode or a resource of another form. */
export function parseRateLimit(given: GivenFlags): {
  readonly rateLimit: RateLimitOptions | undefined;
  readonly notices: readonly OptionNotice[];
} {
  const resources = given.all("rate-limit-resource").map(parseResource);
  const mode = given.text("rate-limit") ?? "off";
  if (mode === "execution_count") return { rateLimit: { resources }, notices: [] };
  if (mode !== "off") throw bad("rate-limit", `expected execution_count or off, got "${mode}"`);
  const option = "--rate-limit-resource";
  const text = "no effect: the rate limiter is off; give --rate-limit=execution_count, too";
  return { rateLimit: undefined, notices: resources.length === 0 ? [] : [{ option, text }] };
}

function parseResource(text: string): GivenResource {
  const match = /^([^:]+):(\d{1,9})(?::(\d{1,4}|global))?$/.exec(text);
  if (match === null) throw bad("rate-limit-resource", `expected ${FORM}, got "${text}"`);
  const [, name = "", count, device] = match;
  return {
    name,
    count: Number(count),
    device: device === undefined || device === "global" ? undefined : Number(device),
  };
}
