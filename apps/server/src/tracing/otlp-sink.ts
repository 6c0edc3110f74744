import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TraceOptions } from "../options/trace-options.ts";
import type { RecordedTrace } from "./recorded-trace.ts";
import type { TraceSink } from "./trace-sink.ts";
import type { TraceMoment } from "./tracer.ts";

/** A collector that does not answer must not hold up the exit. */
const CLOSE_WITHIN_MS = 3000;
const LOG_EVERY_MS = 60_000;

const REQUEST_MOMENTS: ReadonlySet<TraceMoment> = new Set([
  "REQUEST_START",
  "QUEUE_START",
  "INFER_RESPONSE_COMPLETE",
  "REQUEST_END",
]);
const COMPUTE_MOMENTS: ReadonlySet<TraceMoment> = new Set([
  "COMPUTE_START",
  "COMPUTE_INPUT_END",
  "COMPUTE_OUTPUT_START",
  "COMPUTE_END",
]);

type SpanTracer = ReturnType<TracerProvider["getTracer"]>;
type Moments = RecordedTrace["moments"];

/**
 * Sends traces to a collector over OTLP/HTTP: the span `InferRequest`, below it one named for the model, and below that `compute`,
 * with Triton's attributes and its moments as events. This module is loaded when the first trace is to be sent.
 */
export class OtlpSink implements TraceSink {
  readonly #provider: TracerProvider;
  readonly #tracer: SpanTracer;

  constructor({
    options,
    log,
    onLost,
  }: {
    readonly options: TraceOptions["opentelemetry"];
    readonly log: (text: string) => void;
    /** Traces that will not be at the collector: it did not take them. */
    readonly onLost: (traces: number) => void;
  }) {
    diag.setLogger(diagnostics(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
    this.#provider = new TracerProvider({
      // Which requests are traced is decided before they come here.
      sampler: new AlwaysOnSampler(),
      resource: resourceFromAttributes({
        "service.name": "triton-inference-server",
        ...Object.fromEntries(options.resource),
      }),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: counting(new OTLPTraceExporter({ url: options.url }), onLost),
          maxQueueSize: options.maxQueueSize,
          scheduledDelayMillis: options.scheduleDelayMs,
          maxExportBatchSize: Math.min(options.maxExportBatchSize, options.maxQueueSize),
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer("triton-server");
  }

  add(recorded: RecordedTrace): boolean {
    const { moments, options } = recorded;
    const first = moments[0]?.[1];
    const last = moments.at(-1)?.[1];
    // Without the level TIMESTAMPS there is nothing to tell.
    if (first === undefined || last === undefined) return true;
    const { parentSpan } = options;
    const context =
      parentSpan === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId: parentSpan.traceId,
            spanId: parentSpan.spanId,
            traceFlags: parentSpan.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
            isRemote: true,
          });
    const span = this.#tracer.startSpan(
      "InferRequest",
      { kind: SpanKind.SERVER, startTime: wall(recorded, first) },
      context,
    );
    const outer = moments.filter(([moment]) => !REQUEST_MOMENTS.has(moment) && !COMPUTE_MOMENTS.has(moment));
    for (const [moment, ns] of outer) span.addEvent(moment, undefined, wall(recorded, ns));
    this.#addRequest(recorded, trace.setSpan(ROOT_CONTEXT, span));
    if (recorded.failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: recorded.failure });
    span.end(wall(recorded, last));
    return true;
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_WITHIN_MS);
    });
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  /** The span of the model, that of its computing, and those of an ensemble's steps. */
  #addRequest(recorded: RecordedTrace, parent: Context): void {
    const { subject, id, parent: ensemble } = recorded.options;
    const own = recorded.moments.filter(([moment]) => REQUEST_MOMENTS.has(moment));
    const [start, end] = ends(own.length > 0 ? own : recorded.moments);
    const span = this.#tracer.startSpan(
      subject.model,
      {
        kind: SpanKind.INTERNAL,
        startTime: wall(recorded, start),
        attributes: {
          "triton.model_name": subject.model,
          "triton.model_version": Number(subject.version),
          "triton.trace_id": id,
          "triton.trace_parent_id": ensemble?.options.id ?? 0,
          ...(subject.requestId !== "" && { "triton.request_id": subject.requestId }),
        },
      },
      parent,
    );
    for (const [moment, ns] of own) span.addEvent(moment, undefined, wall(recorded, ns));
    const within = trace.setSpan(ROOT_CONTEXT, span);
    const compute = recorded.moments.filter(([moment]) => COMPUTE_MOMENTS.has(moment));
    if (compute.length > 0) this.#addCompute(recorded, compute, within);
    for (const child of recorded.children) this.#addRequest(child, within);
    if (recorded.failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: recorded.failure });
    span.end(wall(recorded, end));
  }

  #addCompute(recorded: RecordedTrace, moments: Moments, parent: Context): void {
    const [start, end] = ends(moments);
    const span = this.#tracer.startSpan(
      "compute",
      { kind: SpanKind.INTERNAL, startTime: wall(recorded, start) },
      parent,
    );
    for (const [moment, ns] of moments) span.addEvent(moment, undefined, wall(recorded, ns));
    span.end(wall(recorded, end));
  }
}

function ends(moments: Moments): readonly [number, number] {
  return [moments[0]?.[1] ?? 0, moments.at(-1)?.[1] ?? 0];
}

/** Seconds and nanoseconds of Unix time. */
function wall({ options }: RecordedTrace, ns: number): [number, number] {
  const total = options.wallOffsetNs + BigInt(Math.round(ns));
  return [Number(total / 1_000_000_000n), Number(total % 1_000_000_000n)];
}

/** Failures of the exporter, at most one a minute: a collector that is down would fill the log. */
function diagnostics(log: (text: string) => void) {
  let nextMs = 0;
  const say = (text: string): void => {
    const now = Date.now();
    if (now < nextMs) return;
    nextMs = now + LOG_EVERY_MS;
    log(`traces: ${text.slice(0, 500)}`);
  };
  const nothing = () => undefined;
  return { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing };
}

/** The same exporter, telling how many traces (spans without a parent here) it could not bring away. */
function counting(exporter: SpanExporter, onLost: (traces: number) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // 0 is success in the library's ExportResultCode.
        if (result.code !== 0) onLost(spans.filter(({ kind }) => kind === SpanKind.SERVER).length);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
