import type { ExecutionMoments } from "@nereid/inference-worker";

export interface RequestTiming {
  /** When the head and the end of the request had come, by the monotonic clock. */
  readonly startNs: number;
  readonly receivedNs: number;
  readonly moments: ExecutionMoments;
}

/** The phases of a request as a `Server-Timing` header (W3C), in milliseconds. What lies between is the server's own work. */
export function serverTiming({ startNs, receivedNs, moments }: RequestTiming): string {
  const { queueStartNs, computeStartNs, inputEndNs, outputStartNs, endNs } = moments;
  const phases = [
    ["receive", receivedNs - startNs],
    ["decode", queueStartNs - receivedNs],
    ["queue", computeStartNs - queueStartNs],
    ["input", inputEndNs - computeStartNs],
    ["infer", outputStartNs - inputEndNs],
    ["output", endNs - outputStartNs],
  ] as const;
  return phases.map(([name, ns]) => `${name};dur=${Math.max(0, ns / 1e6).toFixed(3)}`).join(", ");
}
