import { NereidError } from "@nereid/errors";
import type { Candidate, CandidateUse, PlanWarning } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";
import { refuseWhenNotReady } from "./health.ts";
import { inLoadTurn } from "./repository.ts";

/** A candidate as the management API tells of it. */
export interface CandidateStatus {
  readonly name: string;
  readonly of: string;
  readonly versions: readonly string[];
  /** Fields of the configuration that are not as in the model it is made of. */
  readonly config: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lowPriority: boolean;
  readonly inUse: CandidateUse | null;
}

interface CandidateMade {
  readonly name: string;
  readonly of: string;
  readonly versions: readonly string[];
  readonly warnings: readonly PlanWarning[];
  readonly expiresAt: string;
}

const SHORTEST_TTL_SECS = 60;
const LONGEST_TTL_SECS = 86_400;
const TTL_SECS = 3_600;

/**
 * Makes a candidate of what a model serves, in every control mode. `{name, config, ttlSeconds?, lowPriority?}`; errors as
 * `Candidates.add`, INVALID_ARGUMENT for another body.
 */
export async function addCandidate(
  context: ServerContext,
  of: string,
  body: Readonly<Record<string, unknown>>,
): Promise<CandidateMade> {
  refuseWhenNotReady(context);
  const request = { ...parseCandidate(body), of };
  const { candidate, warnings } = await inLoadTurn(context, request.name, () => context.candidates.add(request));
  const { name, versions, expiresAtMs } = candidate;
  return { name, of, versions, warnings, expiresAt: new Date(expiresAtMs).toISOString() };
}

/** Every candidate that is there. */
export function listCandidates({ candidates }: ServerContext): { readonly candidates: readonly CandidateStatus[] } {
  return { candidates: candidates.list().map(statusOf) };
}

/** Ends a candidate; returns when its processes have ended. NOT_FOUND for none of this name, CONFLICT while it is in use. */
export function removeCandidate({ candidates, turns }: ServerContext, name: string): Promise<void> {
  return turns.run(name, () => candidates.remove(name));
}

/** What goes to a candidate through the model that it is made of. */
export function useOfCandidate(
  { manager, shadows }: Pick<ServerContext, "manager" | "shadows">,
  name: string,
  of: string,
): CandidateUse | null {
  const weights = manager.trafficOf(of)?.weights ?? new Map<string, number>();
  if ([...weights].some(([key, weight]) => weight > 0 && key.startsWith(`${name}/`))) return "traffic";
  return shadows.of(of)?.rules.target.startsWith(`${name}/`) === true ? "shadow" : null;
}

function statusOf({ createdAtMs, expiresAtMs, ...candidate }: Candidate): CandidateStatus {
  return {
    ...candidate,
    createdAt: new Date(createdAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}

function parseCandidate(body: Readonly<Record<string, unknown>>) {
  const { name, config, ttlSeconds = TTL_SECS, lowPriority = true } = body;
  if (typeof name !== "string" || name === "")
    throw invalid("'name' must be the name that the candidate gets, such as 'mnist_config_1'");
  if (config === null || typeof config !== "object" || Array.isArray(config)) {
    throw invalid(
      "'config' must be an object of configuration fields, such as {\"max_batch_size\": 16}",
      "send {} for none",
    );
  }
  const whole = typeof ttlSeconds === "number" && Number.isInteger(ttlSeconds);
  if (!whole || ttlSeconds < SHORTEST_TTL_SECS || ttlSeconds > LONGEST_TTL_SECS)
    throw invalid(`'ttlSeconds' must be a whole number from ${SHORTEST_TTL_SECS} to ${LONGEST_TTL_SECS}`);
  if (typeof lowPriority !== "boolean") throw invalid("'lowPriority' must be true or false");
  return { name, config: config as Readonly<Record<string, unknown>>, ttlMs: ttlSeconds * 1000, lowPriority };
}

function invalid(message: string, fix?: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message, fix === undefined ? {} : { fix });
}
