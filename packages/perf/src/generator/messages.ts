import type { LoadSpec } from "./load-spec.ts";

/** What the measuring process tells a generator. */
export type ToGenerator =
  /** Connections are opened and requests made ready; nothing is sent. */
  | { readonly kind: "prepare"; readonly spec: LoadSpec }
  /** The load begins at this moment of the machine's monotonic clock, so that several processes make one load. */
  | { readonly kind: "go"; readonly atMs: number }
  /** Asks for what was recorded since the last time. */
  | { readonly kind: "flush" }
  /** Nothing more is sent; what is under way is waited for, but not long. */
  | { readonly kind: "stop" };

/** What a generator tells. */
export type FromGenerator =
  | { readonly kind: "prepared" }
  /** The load begins at the moment that was said. */
  | { readonly kind: "started" }
  | { readonly kind: "flushed"; readonly flush: GeneratorFlush }
  /** All requests of a fixed number have ended. */
  | { readonly kind: "ended" }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly message: string };

export interface GeneratorFlush {
  /** Packed records. */
  readonly numbers: Float64Array;
  /** Processor time used since the last time, in milliseconds. */
  readonly cpuMs: number;
  /** Longest absence of the event loop since the last time, in milliseconds. */
  readonly lagMs: number;
  readonly failure: string | undefined;
}
