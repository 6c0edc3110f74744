import type { RequestPart } from "../runner-protocol/messages.ts";
import { toWireParameters } from "../runner-protocol/parameters.ts";
import type { RequestToExecute } from "./requests-execution.ts";

/** A request as it goes to the runner. */
export function toRequestPart(request: RequestToExecute): RequestPart {
  const { id, inputs, outputs, sequence, timeoutMicroseconds, priority } = request;
  return {
    id,
    inputs,
    outputs,
    parameters: toWireParameters(request.parameters),
    ...(sequence && {
      sequence: {
        id: String(sequence.id),
        kind: typeof sequence.id === "bigint" ? "number" : "text",
        start: sequence.start,
        end: sequence.end,
      },
    }),
    timeoutMicroseconds,
    priority,
  };
}
