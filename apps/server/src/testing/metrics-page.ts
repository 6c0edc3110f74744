import type { TestServer } from "./start-test-server.ts";

/** One reading of the metrics page. */
export interface MetricsPage {
  readonly text: string;
  /** Value of a series, written as on the page: `name{label="x"}`; undefined when there is none. */
  value(series: string): number | undefined;
  /** Every series, without its value. */
  readonly series: readonly string[];
}

export async function readMetricsPage(server: TestServer): Promise<MetricsPage> {
  const response = await fetch(server.metricsUrl);
  const text = await response.text();
  const values = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const at = line.lastIndexOf(" ");
    values.set(line.slice(0, at), toNumber(line.slice(at + 1)));
  }
  return { text, series: [...values.keys()], value: (series) => values.get(series) };
}

function toNumber(text: string): number {
  return text === "+Inf" ? Number.POSITIVE_INFINITY : Number(text);
}
