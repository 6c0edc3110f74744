// node deploy/prometheus/check-queries.mjs <Prometheus URL>
// Runs the queries of Triton's public Grafana boards and those of our own board, and says for each whether data came. Exit code 1
// when one that must have data has none: then a board somewhere stays empty.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** What a query may lack without being wrong. */
const ALWAYS = "";
const GPU = "needs a GPU";
const GRPC = "needs gRPC calls";
const FAILURES = "needs failed requests";

const by = (metric, labels = "model") => `sum by (${labels}) (rate(${metric}[1m]))`;
const average = (metric) => `${by(metric)} / ${by("nv_inference_request_success")}`;

/** Queries as published boards for Triton have them: totals, rates by model, averages of the microsecond counters, devices. */
export const TRITON_QUERIES = [
  ["nv_inference_request_success", ALWAYS],
  ["nv_inference_request_failure", ALWAYS],
  ["sum(increase(nv_inference_request_success[1m]))", ALWAYS],
  ["sum(increase(nv_inference_request_failure[1m]))", ALWAYS],
  ['sum by (reason) (increase(nv_inference_request_failure{reason="BACKEND"}[1m]))', ALWAYS],
  [by("nv_inference_request_success"), ALWAYS],
  [by("nv_inference_count"), ALWAYS],
  [by("nv_inference_exec_count"), ALWAYS],
  ["sum(increase(nv_inference_count[5m])) / sum(increase(nv_inference_exec_count[5m]))", ALWAYS],
  [`${by("nv_inference_count", "model, version")} / ${by("nv_inference_exec_count", "model, version")}`, ALWAYS],
  [average("nv_inference_request_duration_us"), ALWAYS],
  [average("nv_inference_queue_duration_us"), ALWAYS],
  [average("nv_inference_compute_input_duration_us"), ALWAYS],
  [average("nv_inference_compute_infer_duration_us"), ALWAYS],
  [average("nv_inference_compute_output_duration_us"), ALWAYS],
  ["avg(delta(nv_inference_queue_duration_us[30s]) / (1 + delta(nv_inference_request_success[30s])))", ALWAYS],
  ["nv_inference_queue_duration_us / 1000", ALWAYS],
  ["sum by (model) (nv_inference_pending_request_count)", ALWAYS],
  ["nv_model_load_duration_secs", ALWAYS],
  ["avg(nv_cpu_utilization)", ALWAYS],
  ["nv_cpu_memory_used_bytes / nv_cpu_memory_total_bytes", ALWAYS],
  ["nv_pinned_memory_pool_used_bytes / nv_pinned_memory_pool_total_bytes", ALWAYS],
  ["avg by (gpu_uuid) (nv_gpu_utilization)", GPU],
  ["sum by (gpu_uuid) (nv_gpu_memory_used_bytes) / sum by (gpu_uuid) (nv_gpu_memory_total_bytes)", GPU],
  ["nv_gpu_power_usage", GPU],
  ["nv_gpu_power_limit", GPU],
  ["rate(nv_energy_consumption[1m])", GPU],
];

/** Queries of a Grafana board with its variables filled in. */
export function boardQueries(board) {
  const queries = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  return queries.map((query) => [query.replaceAll("$__rate_interval", "1m").replaceAll(/\$\w+/g, ".*"), lack(query)]);
}

function lack(query) {
  if (/nv_gpu_|nv_energy/.test(query)) return GPU;
  if (query.includes("nereid_grpc_")) return GRPC;
  return query.endsWith("> 0") ? FAILURES : ALWAYS;
}

async function ask(prometheus, query) {
  const url = new URL("/api/v1/query", prometheus);
  url.searchParams.set("query", query);
  const { status, data, error } = await (await fetch(url)).json();
  if (status !== "success") return { error };
  const values = data.result.map(({ value: [, value] }) => value);
  return { series: values.length, numbers: values.filter((value) => value !== "NaN").length };
}

/** One line a query; the number of those that must have data and have none. */
export async function checkQueries(prometheus, print = console.log) {
  const board = JSON.parse(readFileSync(new URL("../grafana/nereid.json", import.meta.url), "utf8"));
  let missing = 0;
  for (const [title, queries] of [
    ["Triton's boards", TRITON_QUERIES],
    ["deploy/grafana/nereid.json", boardQueries(board)],
  ]) {
    print(`\n${title}`);
    for (const [query, needs] of queries) {
      const { error, series, numbers } = await ask(prometheus, query);
      const verdict = error ?? (numbers > 0 ? `${series} series` : `no data${needs === ALWAYS ? "" : `: ${needs}`}`);
      const bad = error !== undefined || (numbers === 0 && needs === ALWAYS);
      if (bad) missing += 1;
      print(`${bad ? "MISSING" : numbers > 0 ? "ok     " : "-      "} ${verdict.padEnd(28)} ${query}`);
    }
  }
  const rules = await (await fetch(new URL("/api/v1/rules", prometheus))).json();
  const all = rules.data.groups.flatMap(({ rules: list }) => list);
  const broken = all.filter(({ health }) => health === "err");
  print(`\nalert rules: ${all.length} loaded, ${broken.length} that cannot be evaluated`);
  for (const { name, lastError } of broken) print(`BROKEN  ${name}: ${lastError}`);
  return missing + broken.length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [prometheus] = process.argv.slice(2);
  if (prometheus === undefined) {
    console.error("usage: check-queries.mjs <Prometheus URL>, such as http://127.0.0.1:9090");
    process.exit(2);
  }
  const missing = await checkQueries(prometheus);
  console.log(missing === 0 ? "\nevery query that must have data has it" : `\n${missing} without data`);
  process.exit(missing === 0 ? 0 : 1);
}
