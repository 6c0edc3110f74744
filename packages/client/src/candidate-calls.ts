import type { Candidate, CandidateMade, CandidateRequest } from "./candidate-types.ts";
import type { CallOptions } from "./client-types.ts";
import { ModelCalls } from "./model-calls.ts";
import { parseJson } from "./repository-calls.ts";
import type { ShadowRequest, ShadowStatus } from "./shadow-types.ts";

/** As long as a load. */
const MAKE_TIMEOUT_MS = 290_000;

/** Candidates, models made for a time from the files of served ones, and shadow traffic. A real Triton has neither (NOT_FOUND). */
export abstract class CandidateCalls extends ModelCalls {
  /**
   * Makes a candidate of what a model serves, and waits until it serves. The same again lets it live on; with another configuration it is
   * made anew. CONFLICT for a name that is taken, TOO_MANY_REQUESTS when there are eight.
   */
  async addCandidate(base: string, request: CandidateRequest, options: CallOptions = {}): Promise<CandidateMade> {
    const answer = await this.transport.call({
      timeoutMs: MAKE_TIMEOUT_MS,
      ...options,
      method: "POST",
      path: `/nereid/v1/models/${encodeURIComponent(base)}/candidates`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    return parseJson(answer);
  }

  /** Every candidate that is there. */
  async candidates(options: CallOptions = {}): Promise<readonly Candidate[]> {
    const answer = await this.transport.call({ ...options, method: "GET", path: "/nereid/v1/candidates" });
    return parseJson<{ candidates: readonly Candidate[] }>(answer).candidates;
  }

  /** Ends a candidate, and waits until its process has ended. CONFLICT while traffic or a shadow goes to it. */
  async removeCandidate(name: string, options: CallOptions = {}): Promise<void> {
    const path = `/nereid/v1/candidates/${encodeURIComponent(name)}`;
    await this.transport.call({ timeoutMs: MAKE_TIMEOUT_MS, ...options, method: "DELETE", path });
  }

  /** How the requests of a model are mirrored, and what came of it; null where they are not. */
  async shadow(model: string, options: CallOptions = {}): Promise<ShadowStatus | null> {
    const answer = await this.transport.call({ ...options, method: "GET", path: shadowPath(model) });
    return parseJson<{ shadow: ShadowStatus | null }>(answer).shadow;
  }

  /** Mirrors them from now on, until it is stopped or the server ends; what was counted before begins anew. */
  async startShadow(model: string, request: ShadowRequest, options: CallOptions = {}): Promise<ShadowStatus> {
    const answer = await this.transport.call({
      ...options,
      method: "PUT",
      path: shadowPath(model),
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    return parseJson<{ shadow: ShadowStatus }>(answer).shadow;
  }

  /** Harmless where nothing is mirrored. */
  async stopShadow(model: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call({ ...options, method: "DELETE", path: shadowPath(model) });
  }
}

function shadowPath(model: string): string {
  return `/nereid/v1/models/${encodeURIComponent(model)}/shadow`;
}
