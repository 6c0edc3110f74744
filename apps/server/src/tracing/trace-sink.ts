import type { RecordedTrace } from "./recorded-trace.ts";

/** Where finished traces go. */
export interface TraceSink {
  /** False when there is no room for it: the trace is lost. */
  add(trace: RecordedTrace): boolean;
  /** Brings away what still waits. */
  close(): Promise<void>;
}
