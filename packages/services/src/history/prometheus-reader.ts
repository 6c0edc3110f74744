import { FAILURE_REASONS } from "@nereid/telemetry";
import type { Clock } from "../clock.ts";
import type {
  HistoryAnswer,
  HistoryQuery,
  HistoryReader,
  ModelTotals,
  NodeHistory,
  NodePoint,
  WindowQuery,
} from "./history-reader.ts";
import { type PrometheusApi, type PrometheusSeries, prometheusApi } from "./prometheus-api.ts";
import { type BoundCount, fromBounds } from "./prometheus-histogram.ts";
import { NO_SUMS, type SeriesSums } from "./series-sums.ts";
import { planSteps, type StepPlan } from "./step-tiers.ts";

export interface PrometheusReaderOptions {
  readonly url: string;
  readonly clock: Clock;
}

/** Two scrapes at 15 s, which an increase needs at least; Prometheus is never asked for finer steps. */
const FINEST = [{ step: 30, chunkSeconds: 0, keepSeconds: Number.POSITIVE_INFINITY }];

/** Counters of Triton by what they become. */
const COUNTERS = {
  success: "nv_inference_request_success",
  inferences: "nv_inference_count",
  executions: "nv_inference_exec_count",
  request: "nv_inference_request_duration_us",
  queue: "nv_inference_queue_duration_us",
  computeInput: "nv_inference_compute_input_duration_us",
  computeInfer: "nv_inference_compute_infer_duration_us",
  computeOutput: "nv_inference_compute_output_duration_us",
  busy: "nereid_instance_busy_seconds_total",
} as const;

type Counter = keyof typeof COUNTERS;

/** History out of a Prometheus that scrapes the nodes: Triton's counters, and our histograms where the node is one of ours. */
export function prometheusReader({ url, clock }: PrometheusReaderOptions): HistoryReader {
  const api = prometheusApi(url);
  const plan = (query: { from: number; to: number; maxPoints?: number | undefined }): StepPlan =>
    planSteps({ ...query, now: Math.floor(clock.now() / 1000), tiers: FINEST });
  return {
    range: (query) => range(api, query, plan(query)),
    nodeRange: (query) => nodeRange(api, query.node, plan(query)),
    totals: (query) => totals(api, query),
    models: async ({ node, from, to }) => {
      const window = `[${Math.max(60, Math.round(to - from))}s]`;
      const query = `group by (model) (increase(${COUNTERS.success}{${selector({ node })}}${window}) > 0)`;
      const found = await api.query(query, to);
      return found.flatMap(({ labels }) => labels["model"] ?? []).sort();
    },
  };
}

async function range(api: PrometheusApi, query: HistoryQuery, planned: StepPlan): Promise<HistoryAnswer> {
  const { step, from, to, partialFrom } = planned;
  const by = query.splitBy === "version" ? "version" : query.splitBy === "node" ? "instance" : undefined;
  const grouped = (more: readonly string[] = []) => [...(by === undefined ? [] : [by]), ...more].join(", ");
  const where = `{${selector(query)}}`;
  // What is known at the end of a step is what happened in it.
  const ask = async (text: string) =>
    (await api.queryRange(text, { from: from + step, to, step })).map(({ labels, values }) => ({
      labels,
      values: values.map(([t, value]) => [t - step, value] as const),
    }));
  const increase = (name: string, more: readonly string[] = []) =>
    ask(`sum by (${grouped(more)}) (increase(${name}${where}[${step}s]))`);
  const [watched, failures, bounds, pending, pendingMost, ...counters] = await Promise.all([
    ask(`count(${COUNTERS.success}{${selector({ node: query.node })}})`),
    increase("nv_inference_request_failure", ["reason"]),
    increase("nereid_inference_request_duration_seconds_bucket", ["le"]),
    ask(`sum by (${grouped()}) (avg_over_time(nv_inference_pending_request_count${where}[${step}s]))`),
    ask(`sum by (${grouped()}) (max_over_time(nv_inference_pending_request_count${where}[${step}s]))`),
    ...COUNTER_NAMES.map((name) => increase(COUNTERS[name])),
  ]);
  const keyOf = ({ labels }: PrometheusSeries) => (by === undefined ? "" : (labels[by] ?? ""));
  const keys = [...new Set(counters.flat().map(keyOf))].sort();
  if (by === undefined && keys.length === 0) keys.push("");
  const seconds = (watched ?? []).flatMap(({ values }) => values.filter(([, count]) => count > 0).map(([t]) => t));
  return {
    step,
    from,
    to,
    partialFrom,
    source: "prometheus",
    series: keys.map((key) => {
      const own = (found: readonly PrometheusSeries[] = []) => found.filter((one) => keyOf(one) === key);
      const parts = {
        counters: COUNTER_NAMES.map((_, place) => sumByTime(own(counters[place]))),
        failures: own(failures),
        bounds: own(bounds),
        pending: sumByTime(own(pending)),
        pendingMost: sumByTime(own(pendingMost)),
      };
      return { key, points: seconds.map((t) => ({ t, merged: sumsAt(t, step, parts), seconds: step })) };
    }),
  };
}

const COUNTER_NAMES: readonly Counter[] = [
  "success",
  "inferences",
  "executions",
  "request",
  "queue",
  "computeInput",
  "computeInfer",
  "computeOutput",
  "busy",
];

interface Parts {
  readonly counters: readonly ReadonlyMap<number, number>[];
  readonly failures: readonly PrometheusSeries[];
  readonly bounds: readonly PrometheusSeries[];
  readonly pending: ReadonlyMap<number, number>;
  readonly pendingMost: ReadonlyMap<number, number>;
}

function sumsAt(t: number, step: number, parts: Parts): SeriesSums {
  const value = (name: Counter, factor = 1) =>
    whole((parts.counters[COUNTER_NAMES.indexOf(name)]?.get(t) ?? 0) * factor);
  const failures: Record<string, number> = {};
  let failure = 0;
  for (const { labels, values } of parts.failures) {
    const count = whole(values.find(([at]) => at === t)?.[1] ?? 0);
    const reason = FAILURE_REASONS.find((known) => known === labels["reason"]) ?? "OTHER";
    if (count > 0) failures[reason] = (failures[reason] ?? 0) + count;
    failure += count;
  }
  const bounds = parts.bounds.flatMap(({ labels, values }): BoundCount[] => {
    const found = values.find(([at]) => at === t);
    const le = labels["le"] === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels["le"]);
    return found === undefined || Number.isNaN(le) ? [] : [{ le, count: found[1] }];
  });
  return {
    ...NO_SUMS,
    success: value("success"),
    failure,
    failures,
    inferences: value("inferences"),
    executions: value("executions"),
    pending: whole(parts.pendingMost.get(t) ?? 0),
    pendingSum: whole((parts.pending.get(t) ?? 0) * step),
    sumNs: {
      request: value("request", 1e3),
      queue: value("queue", 1e3),
      computeInput: value("computeInput", 1e3),
      computeInfer: value("computeInfer", 1e3),
      computeOutput: value("computeOutput", 1e3),
    },
    latency: fromBounds(bounds),
    busyNs: value("busy", 1e9),
  };
}

/** What counters grew by in the window, by model. */
async function totals(api: PrometheusApi, { node, from, to }: WindowQuery): Promise<ModelTotals[]> {
  const window = Math.max(60, Math.round(to - from));
  const ask = async (name: string, more = "") => {
    const query = `sum by (model${more}) (increase(${name}{${selector({ node })}}[${window}s]))`;
    return (await api.query(query, to)).map(({ labels, values }) => ({
      labels,
      values: values.map(([, value]) => [to, value] as const),
    }));
  };
  const [failures = [], bounds = [], ...counters] = await Promise.all([
    ask("nv_inference_request_failure", ", reason"),
    ask("nereid_inference_request_duration_seconds_bucket", ", le"),
    ...COUNTER_NAMES.map((name) => ask(COUNTERS[name])),
  ]);
  const models = [...new Set(counters.flat().flatMap(({ labels }) => labels["model"] ?? []))].sort();
  return models.map((model) => {
    const own = (found: readonly PrometheusSeries[]) => found.filter(({ labels }) => labels["model"] === model);
    const parts = {
      counters: counters.map((found) => sumByTime(own(found))),
      failures: own(failures),
      bounds: own(bounds),
      pending: new Map<number, number>(),
      pendingMost: new Map<number, number>(),
    };
    return { model, sums: sumsAt(to, window, parts) };
  });
}

const GAUGES = {
  cpu: "nv_cpu_utilization",
  memoryUsedBytes: "nv_cpu_memory_used_bytes",
  memoryTotalBytes: "nv_cpu_memory_total_bytes",
  rssBytes: "nereid_server_memory_bytes",
} as const;

const GPU_GAUGES = {
  utilization: "nv_gpu_utilization",
  memoryUsedBytes: "nv_gpu_memory_used_bytes",
  memoryTotalBytes: "nv_gpu_memory_total_bytes",
  powerWatts: "nv_gpu_power_usage",
} as const;

async function nodeRange(api: PrometheusApi, node: string, planned: StepPlan): Promise<NodeHistory> {
  const { step, from, to, partialFrom } = planned;
  const where = `{${selector({ node })}}[${step}s]`;
  const ask = (name: string, by = "") =>
    api.queryRange(`avg by (${by}) (avg_over_time(${name}${where}))`, { from: from + step, to, step });
  const own = await Promise.all(
    Object.entries(GAUGES).map(async ([field, name]) => [field, sumByTime(await ask(name))] as const),
  );
  const ofGpus = await Promise.all(
    Object.entries(GPU_GAUGES).map(async ([field, name]) => [field, await ask(name, "gpu_uuid")] as const),
  );
  const uuids = [...new Set(ofGpus.flatMap(([, found]) => found.map(({ labels }) => labels["gpu_uuid"] ?? "")))].sort();
  const times = [...new Set(own.flatMap(([, values]) => [...values.keys()]))].sort((a, b) => a - b);
  const points = times.map((at): NodePoint => {
    const gpus = uuids.map((uuid, index) => ({
      index,
      name: uuid,
      ...known(
        ofGpus.map(([field, found]) => [
          field,
          sumByTime(found.filter((one) => one.labels["gpu_uuid"] === uuid)).get(at),
        ]),
      ),
    }));
    const fields = known(own.map(([field, values]) => [field, values.get(at)]));
    return { t: at - step, seconds: step, ...fields, ...(gpus.length > 0 && { gpus }) };
  });
  return { step, from, to, partialFrom, points, source: "prometheus" };
}

function known(fields: readonly (readonly [string, number | undefined])[]): Record<string, number> {
  return Object.fromEntries(fields.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])));
}

/**
 * Which series are meant. Targets of other nodes than the local one carry their id in the label `nereid_node`, which the scrape
 * configuration gives them; "all" means every target.
 */
function selector({ node, model, version }: Pick<HistoryQuery, "node" | "model" | "version">): string {
  const parts = [
    ...(node === "all" ? [] : [`nereid_node=${quoted(node === "local" ? "" : node)}`]),
    ...(model === undefined ? [] : [`model=${quoted(model)}`]),
    ...(version === undefined ? [] : [`version=${quoted(version)}`]),
  ];
  return parts.join(",");
}

function quoted(text: string): string {
  return `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")}"`;
}

function sumByTime(series: readonly PrometheusSeries[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { values } of series) {
    for (const [t, value] of values) if (Number.isFinite(value)) sums.set(t, (sums.get(t) ?? 0) + value);
  }
  return sums;
}

function whole(value: number): number {
  return Number.isFinite(value) && value > 0 ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : 0;
}
