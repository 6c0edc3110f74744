import type { OutputTensor, TensorData } from "@nereid/protocol";
import type { TraceOptions } from "../options/trace-options.ts";
import { RecordedTrace } from "./recorded-trace.ts";
import { TraceFileSink } from "./trace-file-sink.ts";
import type { TraceSettings } from "./trace-settings.ts";
import type { TraceSink } from "./trace-sink.ts";
import { parseTraceparent } from "./traceparent.ts";

/** Moments of a request by Triton's names (http.md §12). */
export type TraceMoment =
  | "HTTP_RECV_START"
  | "HTTP_RECV_END"
  | "GRPC_WAITREAD_START"
  | "GRPC_WAITREAD_END"
  | "REQUEST_START"
  | "QUEUE_START"
  | "COMPUTE_START"
  | "COMPUTE_INPUT_END"
  | "COMPUTE_OUTPUT_START"
  | "COMPUTE_END"
  | "INFER_RESPONSE_COMPLETE"
  | "REQUEST_END"
  | "HTTP_SEND_START"
  | "HTTP_SEND_END"
  | "GRPC_SEND_START"
  | "GRPC_SEND_END";

export interface TracedTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: TensorData | Pick<OutputTensor, "bytes">;
}

/** One traced request. Times are the server's monotonic clock in nanoseconds; after `end` nothing is recorded. */
export interface RequestTrace {
  stamp(moment: TraceMoment, ns: number): void;
  tensors(activity: "TENSOR_QUEUE_INPUT" | "TENSOR_BACKEND_OUTPUT", tensors: readonly TracedTensor[]): void;
  /** The request failed with this text. */
  fail(message: string): void;
  end(): void;
}

export interface TraceSubject {
  readonly model: string;
  readonly version: string;
  readonly requestId: string;
  /** W3C trace context that came with the request. */
  readonly traceparent: string | undefined;
  /** The trace of the ensemble this is a step of: it is traced with it, whatever the model's own settings. */
  readonly parent?: RequestTrace | undefined;
}

export interface TracerOptions {
  readonly settings: TraceSettings;
  readonly options: TraceOptions;
  readonly log: (text: string) => void;
}

/** Decides which requests are traced and brings finished traces where they belong: a file or an OTLP collector. */
export class Tracer {
  readonly counts = { begun: 0, dropped: 0 };
  readonly #settings: TraceSettings;
  readonly #options: TracerOptions;
  #sink: TraceSink | undefined;

  constructor(options: TracerOptions) {
    this.#settings = options.settings;
    this.#options = options;
    const { mode, file, levels } = options.options;
    if (mode === "triton" && file === "" && levels.length > 0)
      options.log("no request is traced: a trace level is set and no file; give --trace-config=triton,file=<path>");
    if (mode === "opentelemetry" && levels.includes("TENSORS"))
      options.log("trace level TENSORS is for trace files; OpenTelemetry traces have times only");
  }

  /** False while nothing can be traced: then `begin` need not be called. */
  get active(): boolean {
    return this.#settings.active;
  }

  /** The trace of this request, when it is one of those that are traced. Called for every request: costs nothing when off. */
  begin(subject: TraceSubject): RequestTrace | undefined {
    if (!this.#settings.active) return undefined;
    const parent = subject.parent instanceof RecordedTrace ? subject.parent : undefined;
    const inOtel = this.#options.options.mode === "opentelemetry";
    const parentSpan = inOtel && parent === undefined ? parseTraceparent(subject.traceparent) : undefined;
    const setting =
      parent === undefined
        ? this.#settings.sample(subject.model, parentSpan?.sampled === true)
        : parent.options.setting;
    if (setting === undefined) return undefined;
    this.counts.begun += 1;
    return new RecordedTrace({
      id: this.counts.begun,
      setting,
      subject,
      parentSpan,
      parent,
      wallOffsetNs: BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint(),
      onEnd: (trace) => this.#write(trace),
    });
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    await this.#sink?.close();
  }

  #write(trace: RecordedTrace): void {
    this.#sink ??= this.#open();
    if (!this.#sink.add(trace)) this.counts.dropped += 1;
  }

  #open(): TraceSink {
    const { options, log } = this.#options;
    const lost = (traces: number) => {
      this.counts.dropped += traces;
    };
    if (options.mode === "triton") return new TraceFileSink({ file: options.file, log, lost });
    return new LazySink(
      async () => {
        // Only a server that sends traces pays for the memory of the OpenTelemetry packages.
        const { OtlpSink } = await import("./otlp-sink.ts");
        return new OtlpSink({ options: options.opentelemetry, log, onLost: lost });
      },
      { capacity: options.opentelemetry.maxQueueSize, log, lost },
    );
  }
}

interface LazyOptions {
  readonly capacity: number;
  readonly log: (text: string) => void;
  readonly lost: (traces: number) => void;
}

/** Keeps traces until the sink is there. */
class LazySink implements TraceSink {
  readonly #opening: Promise<void>;
  readonly #capacity: number;
  #waiting: RecordedTrace[] = [];
  #sink: TraceSink | undefined;
  #broken = false;

  constructor(open: () => Promise<TraceSink>, { capacity, log, lost }: LazyOptions) {
    this.#capacity = capacity;
    this.#opening = open().then(
      (sink) => {
        this.#sink = sink;
        for (const trace of this.#waiting.splice(0)) sink.add(trace);
      },
      (error: unknown) => {
        this.#broken = true;
        lost(this.#waiting.splice(0).length);
        log(`traces cannot be sent: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
  }

  add(trace: RecordedTrace): boolean {
    if (this.#sink !== undefined) return this.#sink.add(trace);
    if (this.#broken || this.#waiting.length >= this.#capacity) return false;
    this.#waiting.push(trace);
    return true;
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#sink?.close();
  }
}
