import { NereidError } from "@nereid/errors";
import type { InferTicket } from "../models/infer-ticket.ts";
import type { RequestChoice } from "../models/resolve-version.ts";
import type { ServedVersion } from "../models/served-version.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import { validateRequest } from "../request/validate-request.ts";
import type { ModelCall } from "./model-calls.ts";

/** Where a call finds its model. */
export interface CallTargets {
  resolve(name: string, version: string | undefined, choice: RequestChoice): ServedVersion;
  /** Keeps the model loaded, or loads it first where requests may do that. */
  hold(model: string, signal: AbortSignal): { release(): void } | Promise<{ release(): void }> | undefined;
}

/** Puts a model's request to another model into that one's queue. Rejects with Triton's texts of BLS (backends.md §2.5). */
export async function callModel(targets: CallTargets, call: ModelCall, signal: AbortSignal): Promise<InferTicket> {
  const held = await targets.hold(call.model, signal);
  try {
    signal.throwIfAborted();
    const served = targetOf(targets, call);
    if (served.spec.decoupled && !call.decoupled)
      throw new NereidError(
        "INVALID_ARGUMENT",
        `Model ${call.model} is using the decoupled. The current BLS request call doesn't support models using the decoupled transaction policy. Please use 'decoupled=True' argument to the 'exec' or 'async_exec' calls for decoupled models.'`,
      );
    return served.submit(requestFor(served, call));
  } finally {
    held?.release();
  }
}

function targetOf(targets: CallTargets, { model, version, sequence }: ModelCall): ServedVersion {
  try {
    return targets.resolve(model, version, { traffic: "take", ...(sequence && { sequence }) });
  } catch (error) {
    throw new NereidError(
      NereidError.from(error).code,
      `Failed for execute the inference request. Model '${model}' is not ready.`,
      { cause: error },
    );
  }
}

function requestFor({ spec }: ServedVersion, call: ModelCall): ValidRequest {
  const { sequence } = call;
  const request = validateRequest(spec, {
    id: call.id,
    modelParameters: call.parameters,
    controls: {
      ...(sequence !== undefined && { sequenceId: sequence.id }),
      sequenceStart: sequence?.start ?? false,
      sequenceEnd: sequence?.end ?? false,
      priority: BigInt(call.priority),
      timeoutMicroseconds: BigInt(call.timeoutMicroseconds),
    },
    binaryDataOutput: true,
    inputs: call.inputs.map(({ name, datatype, shape, bytes }) => ({
      name,
      datatype,
      shape,
      data: { kind: "bytes", bytes },
    })),
    outputs: call.outputs.map((name) => ({ name, binary: true, classification: 0 })),
  });
  if (spec.execution === "batch" || !call.inputs.some(({ shared }) => shared)) return request;
  // An engine leaves its inputs alone; a script may write into them, and the caller still reads these.
  const shared = new Set(call.inputs.filter((input) => input.shared).map(({ name }) => name));
  return {
    ...request,
    inputs: request.inputs.map((input) => (shared.has(input.spec.name) ? { ...input, copied: true } : input)),
  };
}
