import { randomUUID } from "node:crypto";
import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Call, ServiceContext } from "../context.ts";
import { parsePassing } from "../parse-input.ts";
import type { TryOutput } from "./read-output.ts";
import { sendOnce } from "./send-once.ts";
import { sendStream } from "./send-stream.ts";
import type { ServerPhases } from "./server-timing.ts";
import { checkInputSize, tryInput } from "./try-input.ts";
import { openWay, type TryWay } from "./try-way.ts";

/** One answer of a stream. */
export interface TryStep {
  /** Milliseconds after the request was sent. */
  readonly atMs: number;
  readonly outputs: readonly TryOutput[];
}

export interface TryAnswer {
  readonly version: string;
  readonly outputs: readonly TryOutput[];
  /** Null where there are none; `noPhases` says why. */
  readonly phases: ServerPhases | null;
  readonly noPhases: string | null;
  /** Null for a model that answers once. */
  readonly steps: readonly TryStep[] | null;
  /** Why not all answers are there; null when they are. */
  readonly cutShort: string | null;
}

export interface TryFailure {
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
}

export interface TryResult {
  readonly requestId: string;
  readonly protocol: "http" | "grpc";
  /** Milliseconds from sending the request to having the whole answer, as the dashboard saw it; of the last one that was sent. */
  readonly wholeMs: number;
  /** Of every request that was answered, in their order. */
  readonly durationsMs: readonly number[];
  /** What the model answered to the last request; null when it failed. */
  readonly answer: TryAnswer | null;
  /** What went wrong with the last request, after which none was sent. */
  readonly failure: TryFailure | null;
}

/** Milliseconds for all requests of one call together. */
const LONGEST_MS = 60_000;

/**
 * Sends a request to a model of the node, or the same one several times, and tells what came back and where the time went. What the
 * model or the server refuses is a result. Throws FORBIDDEN, INVALID_ARGUMENT for what is no request, and PAYLOAD_TOO_LARGE.
 */
export async function tryModel({ ctx, input }: Call<z.input<typeof tryInput>>): Promise<TryResult> {
  const target = { action: "model.try", targetType: "model", targetId: nameOf(input) };
  await authoriseChange(ctx, "model.infer", target);
  const wanted = parsePassing(tryInput, input);
  checkInputSize(wanted.inputs);
  // People try again and again: a row a minute says who does it.
  const oncePerMinute = `try/${ctx.actor.id}/${ctx.nodeId}/${wanted.model}`;
  await recordAudit({ ctx, input: { ...target, targetId: wanted.model, outcome: "succeeded", oncePerMinute } });
  return send(ctx, wanted);
}

function nameOf(input: unknown): string {
  if (typeof input !== "object" || input === null || !("model" in input)) return "";
  return typeof input.model === "string" ? input.model.slice(0, 255) : "";
}

async function send(ctx: ServiceContext, wanted: z.output<typeof tryInput>): Promise<TryResult> {
  const { protocol, repeat } = wanted;
  const deadline = performance.now() + LONGEST_MS;
  const durationsMs: number[] = [];
  let requestId = randomUUID();
  let startedAt = performance.now();
  let answer: TryAnswer | null = null;
  let way: TryWay | undefined;
  try {
    way = await openWay(ctx, wanted);
    for (let sent = 0; sent < repeat && performance.now() < deadline; sent += 1) {
      requestId = randomUUID();
      const timeoutMs = Math.max(1, deadline - performance.now());
      startedAt = performance.now();
      const call = { way, wanted, requestId, timeoutMs };
      answer = way.decoupled ? await sendStream(call) : await sendOnce(call);
      durationsMs.push(performance.now() - startedAt);
    }
    return { requestId, protocol, wholeMs: durationsMs.at(-1) ?? 0, durationsMs, answer, failure: null };
  } catch (thrown) {
    const { code, message, fix = null } = NereidError.from(thrown);
    const failure = { code, message, fix: fix ?? (way === undefined ? null : way.advise(code)) };
    return { requestId, protocol, wholeMs: performance.now() - startedAt, durationsMs, answer: null, failure };
  } finally {
    await way?.close();
  }
}
