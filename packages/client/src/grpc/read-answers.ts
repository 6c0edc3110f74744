import { NereidError } from "@nereid/errors";
import type {
  StatisticDuration as DurationMessage,
  LogSettingsResponse,
  ModelMetadataResponse_TensorMetadata,
  ModelStatistics,
  TraceSettingResponse,
} from "@nereid/grpc";
import { isDatatype, type RepositoryIndexEntry, type TensorMetadata } from "@nereid/protocol";
import type { LogSettings, TraceSettings } from "../settings-types.ts";
import type { ModelStatisticsEntry, StatisticDuration } from "../statistics-types.ts";

/** Statistics in the shape of the HTTP answer; counts beyond 2^53 lose their last digits. */
export function statisticsEntry(stats: ModelStatistics): ModelStatisticsEntry {
  const of = stats.inferenceStats;
  return {
    name: stats.name,
    version: stats.version,
    last_inference: Number(stats.lastInference),
    inference_count: Number(stats.inferenceCount),
    execution_count: Number(stats.executionCount),
    inference_stats: {
      success: duration(of?.success),
      fail: duration(of?.fail),
      queue: duration(of?.queue),
      compute_input: duration(of?.computeInput),
      compute_infer: duration(of?.computeInfer),
      compute_output: duration(of?.computeOutput),
      cache_hit: duration(of?.cacheHit),
      cache_miss: duration(of?.cacheMiss),
    },
    response_stats: Object.fromEntries(
      Object.entries(stats.responseStats).map(([index, phases]) => [
        index,
        {
          compute_infer: duration(phases.computeInfer),
          compute_output: duration(phases.computeOutput),
          success: duration(phases.success),
          fail: duration(phases.fail),
          empty_response: duration(phases.emptyResponse),
          cancel: duration(phases.cancel),
        },
      ]),
    ),
    batch_stats: stats.batchStats.map((batch) => ({
      batch_size: Number(batch.batchSize),
      compute_input: duration(batch.computeInput),
      compute_infer: duration(batch.computeInfer),
      compute_output: duration(batch.computeOutput),
    })),
    memory_usage: stats.memoryUsage.map(({ type, id, byteSize }) => ({
      type,
      id: Number(id),
      byte_size: Number(byteSize),
    })),
  };
}

export function tensorMetadata({ name, datatype, shape }: ModelMetadataResponse_TensorMetadata): TensorMetadata {
  if (!isDatatype(datatype))
    throw new NereidError("INTERNAL", `tensor '${name}' has the unknown datatype '${datatype}'`);
  return { name, datatype, shape: shape.map(Number) };
}

const STATES = ["UNKNOWN", "READY", "UNAVAILABLE", "LOADING", "UNLOADING"] as const;

/** One row of the index; what is empty is left out, as over HTTP. */
export function indexEntry(row: {
  name: string;
  version: string;
  state: string;
  reason: string;
}): RepositoryIndexEntry {
  const state = STATES.find((known) => known === row.state);
  return {
    name: row.name,
    ...(row.version !== "" && { version: row.version }),
    ...(state !== undefined && { state }),
    ...(row.reason !== "" && { reason: row.reason }),
  };
}

/** Trace settings in the shape of the HTTP answer: `trace_level` a list, all others a text. */
export function traceSettingsOf({ settings }: TraceSettingResponse): TraceSettings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, { value }]) => [name, name === "trace_level" ? value : (value[0] ?? "")]),
  );
}

export function logSettingsOf({ settings }: LogSettingsResponse): LogSettings {
  const of = (name: string) => settings[name]?.parameterChoice.value;
  return {
    log_file: String(of("log_file") ?? ""),
    log_info: of("log_info") === true,
    log_warning: of("log_warning") === true,
    log_error: of("log_error") === true,
    log_verbose_level: Number(of("log_verbose_level") ?? 0),
    log_format: of("log_format") === "ISO8601" ? "ISO8601" : "default",
  };
}

function duration(message: DurationMessage | undefined): StatisticDuration {
  return { count: Number(message?.count ?? 0n), ns: Number(message?.ns ?? 0n) };
}
