import type { TraceSetting } from "./trace-settings.ts";
import type { ParentSpan } from "./traceparent.ts";
import type { RequestTrace, TracedTensor, TraceMoment, TraceSubject } from "./tracer.ts";

/** A tensor as it was, copied: its memory belongs to the request. */
export interface CopiedTensor {
  readonly activity: "TENSOR_QUEUE_INPUT" | "TENSOR_BACKEND_OUTPUT";
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  /** Only the beginning was kept. */
  readonly truncated: boolean;
}

/** Of one tensor; the whole of a large one would cost more time to write than the request took. */
const MOST_TENSOR_BYTES = 256 << 10;
const MOST_MOMENTS = 256;
const MOST_CHILDREN = 64;

export interface RecordedTraceOptions {
  readonly id: number;
  readonly setting: TraceSetting;
  readonly subject: TraceSubject;
  readonly parentSpan: ParentSpan | undefined;
  readonly parent: RecordedTrace | undefined;
  /** Unix time minus monotonic time, ns. */
  readonly wallOffsetNs: bigint;
  /** Called once with a root trace, when it is complete. */
  readonly onEnd: (trace: RecordedTrace) => void;
}

/** What is known of one traced request; brought into its final form when it has ended, not while it runs. */
export class RecordedTrace implements RequestTrace {
  readonly options: RecordedTraceOptions;
  readonly moments: (readonly [TraceMoment, number])[] = [];
  readonly copied: CopiedTensor[] = [];
  /** Steps of an ensemble. */
  readonly children: RecordedTrace[] = [];
  failure: string | undefined;
  #ended = false;

  constructor(options: RecordedTraceOptions) {
    this.options = options;
    const siblings = options.parent?.children;
    if (siblings !== undefined && siblings.length < MOST_CHILDREN) siblings.push(this);
  }

  /** Bytes of tensors that wait to be written. */
  get byteLength(): number {
    const own = this.copied.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    return this.children.reduce((sum, child) => sum + child.byteLength, own);
  }

  stamp(moment: TraceMoment, ns: number): void {
    if (this.#ended || !this.options.setting.levels.includes("TIMESTAMPS")) return;
    if (this.moments.length < MOST_MOMENTS) this.moments.push([moment, ns]);
  }

  tensors(activity: CopiedTensor["activity"], tensors: readonly TracedTensor[]): void {
    if (this.#ended || !this.options.setting.levels.includes("TENSORS")) return;
    for (const { name, datatype, shape, data } of tensors) {
      if (!("bytes" in data)) continue;
      const truncated = data.bytes.byteLength > MOST_TENSOR_BYTES;
      const bytes = Uint8Array.from(truncated ? data.bytes.subarray(0, MOST_TENSOR_BYTES) : data.bytes);
      this.copied.push({ activity, name, datatype, shape, bytes, truncated });
    }
  }

  fail(message: string): void {
    if (!this.#ended) this.failure ??= message;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.moments.sort(([, a], [, b]) => a - b);
    if (this.options.parent === undefined) this.options.onEnd(this);
  }
}
