import { NereidError } from "@nereid/errors";
import { z } from "zod";

const number = z.string().transform(Number);
const sample = z.tuple([z.number(), number]);
const labels = z.record(z.string(), z.string());

const answer = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("success"),
    data: z.discriminatedUnion("resultType", [
      z.object({
        resultType: z.literal("matrix"),
        result: z.array(z.object({ metric: labels, values: z.array(sample) })),
      }),
      z.object({
        resultType: z.literal("vector"),
        result: z.array(z.object({ metric: labels, value: sample })),
      }),
    ]),
  }),
  z.object({ status: z.literal("error"), errorType: z.string(), error: z.string() }),
]);

export interface PrometheusSeries {
  readonly labels: Readonly<Record<string, string>>;
  /** Unix second and value. */
  readonly values: readonly (readonly [t: number, value: number])[];
}

export interface PrometheusApi {
  /** Values at `from`, `from + step` and so on, up to `to`. */
  queryRange(query: string, window: { from: number; to: number; step: number }): Promise<readonly PrometheusSeries[]>;
  /** Values at one moment. */
  query(query: string, at: number): Promise<readonly PrometheusSeries[]>;
}

const TIMEOUT_MS = 15_000;

/** The query API of a Prometheus (or what speaks like one). Calls reject with UNAVAILABLE when it does not answer or refuses. */
export function prometheusApi(url: string): PrometheusApi {
  const base = url.replace(/\/+$/, "");
  async function call(path: string, parameters: Record<string, string>): Promise<readonly PrometheusSeries[]> {
    const body: unknown = await fetch(`${base}${path}`, {
      method: "POST",
      body: new URLSearchParams(parameters),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      (response) =>
        response.json().catch(() => ({ status: "error", errorType: "http", error: `status ${response.status}` })),
      (error: unknown) => {
        throw unavailable(base, error instanceof Error ? error.message : String(error));
      },
    );
    const parsed = answer.safeParse(body);
    if (!parsed.success) throw unavailable(base, "its answer is not one of the Prometheus query API");
    if (parsed.data.status === "error") throw unavailable(base, parsed.data.error);
    const { data } = parsed.data;
    if (data.resultType === "matrix") return data.result.map(({ metric, values }) => ({ labels: metric, values }));
    return data.result.map(({ metric, value }) => ({ labels: metric, values: [value] }));
  }
  return {
    queryRange: (query, { from, to, step }) =>
      call("/api/v1/query_range", { query, start: String(from), end: String(to), step: String(step) }),
    query: (query, at) => call("/api/v1/query", { query, time: String(at) }),
  };
}

function unavailable(base: string, why: string): NereidError {
  return new NereidError("UNAVAILABLE", `the Prometheus at ${base} does not tell the history: ${why}`, {
    fix: "see that it runs and that NEREID_PROMETHEUS_URL is its address, or unset the variable so that the dashboard keeps its own history",
  });
}
