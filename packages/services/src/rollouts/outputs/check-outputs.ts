import type { Database } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import type { InferenceNode } from "../../context.ts";
import { callInputs } from "../../playground/generate-body.ts";
import { type TryRequest, tryRequest } from "../../playground/try-input.ts";
import type { OutputCheck } from "../evidence.ts";
import { placeOf, type RolloutSpec } from "../rollout-spec.ts";
import { compareOutputs, type Tolerance } from "./compare-outputs.ts";

type InferResponse = Awaited<ReturnType<InferenceNode["infer"]>>;

export interface OutputCheckParts {
  readonly db: Database;
  readonly client: Pick<InferenceNode, "infer">;
  readonly spec: RolloutSpec;
  readonly step: number;
  readonly clock: { readonly now: () => number };
}

const TIMEOUT_MS = 10_000;
/** A process that crashes is restarted at once, and its requests fail once. */
const TRIES = 3;

/**
 * Sends the fixtures to both versions and compares the answers. The baseline is asked before and after the candidate: what it does not
 * answer twice alike proves nothing. Throws UNAVAILABLE when the server does not answer.
 */
export async function checkOutputs({ db, client, spec, step, clock }: OutputCheckParts): Promise<OutputCheck> {
  const gate = spec.gates.find((one) => one.kind === "outputs");
  const wanted = gate?.fixtures ?? [];
  const rows = await db.fixture.findMany({
    where: { model: spec.model, ...(wanted.length > 0 && { name: { in: [...wanted] } }) },
    orderBy: { name: "asc" },
  });
  const tolerance = { absolute: gate?.absolute ?? 0, relative: gate?.relative ?? 0 };
  const unfit: string[] = [];
  const differences: { fixture: string; says: string }[] = [];
  for (const { name, body } of rows) {
    const found = await compareOne({ client, spec, tolerance }, tryRequest.parse(body));
    if (found.kind === "unfit") unfit.push(name);
    else if (found.says !== null) differences.push({ fixture: name, says: found.says });
  }
  return { atMs: clock.now(), step, fixtures: rows.length, unfit, differences };
}

interface Comparison {
  readonly client: OutputCheckParts["client"];
  readonly spec: RolloutSpec;
  readonly tolerance: Tolerance;
}

type Compared = { readonly kind: "unfit" } | { readonly kind: "compared"; readonly says: string | null };

const UNFIT: Compared = { kind: "unfit" };

async function compareOne({ client, spec, tolerance }: Comparison, request: TryRequest): Promise<Compared> {
  // One request of a sequence says nothing without those before it.
  if ("sequence_id" in request.parameters) return UNFIT;
  const ask = (role: "baseline" | "candidate") => {
    const { model, version } = placeOf(spec, role);
    return client.infer(
      model,
      { inputs: callInputs(request.inputs), parameters: request.parameters },
      { version, timeoutMs: TIMEOUT_MS },
    );
  };
  const first = await answerOf(() => ask("baseline"));
  if (first.kind === "failed") return UNFIT;
  const second = await patiently(() => ask("candidate"));
  const third = await answerOf(() => ask("baseline"));
  if (third.kind === "failed" || compareOutputs(first.answer, third.answer, tolerance) !== null) return UNFIT;
  if (second.kind === "failed") return { kind: "compared", says: `the candidate fails: ${second.message}` };
  return { kind: "compared", says: compareOutputs(first.answer, second.answer, tolerance) };
}

type Asked =
  | { readonly kind: "answered"; readonly answer: InferResponse }
  | { readonly kind: "failed"; readonly message: string };

async function answerOf(ask: () => Promise<InferResponse>): Promise<Asked> {
  try {
    return { kind: "answered", answer: await ask() };
  } catch (thrown) {
    const error = NereidError.from(thrown);
    if (error.code === "UNAVAILABLE") throw error;
    return { kind: "failed", message: error.message };
  }
}

async function patiently(ask: () => Promise<InferResponse>): Promise<Asked> {
  let message = "";
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      return { kind: "answered", answer: await ask() };
    } catch (thrown) {
      message = NereidError.from(thrown).message;
    }
  }
  return { kind: "failed", message };
}
