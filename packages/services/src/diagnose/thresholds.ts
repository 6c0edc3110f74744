import { z } from "zod";

/** What counts as much, where a step has to say so. Shown beside each finding, and free to be set. */
export const thresholds = z.object({
  /** Fewer requests say nothing of a 99th percentile. */
  minRequests: z.number().min(1).default(200),
  /** Share of failed requests from which failures come first. */
  failureShare: z.number().min(0).max(1).default(0.01),
  /** Share of the slow requests that one slice must explain. */
  sliceShare: z.number().min(0).max(1).default(0.6),
  /** How much more often than among all requests it must occur among the slow ones. */
  sliceLift: z.number().min(1).default(1.5),
  /** Busy share of the instances from which they are saturated. */
  busyShare: z.number().min(0).max(1).default(0.85),
  /** Share of a request's whole way that is spent with its client. */
  clientShare: z.number().min(0).max(1).default(0.5),
  /** Share of batches that must have been closed for the same reason. */
  closedShare: z.number().min(0).max(1).default(0.5),
  /** Share of the machine's processors in use from which they are short. */
  cpuShare: z.number().min(0).max(1).default(0.85),
  /** Share of the GPU in use from which it is busy. */
  gpuShare: z.number().min(0).max(1).default(0.8),
  gpuLowShare: z.number().min(0).max(1).default(0.4),
  /** Share of memory from which it is short. */
  memoryShare: z.number().min(0).max(1).default(0.92),
  /** Correlation (−1…1) from which two things are held to go together. */
  correlation: z.number().min(0).max(1).default(0.5),
  /** Milliseconds the server's event loop may lag. */
  eventLoopLagMs: z.number().min(0).default(50),
});

export type Thresholds = z.output<typeof thresholds>;
