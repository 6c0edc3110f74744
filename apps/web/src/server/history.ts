import { type HistoryReader, type MetricsHub, prometheusReader, systemClock } from "@nereid/services";
import { processEnv } from "../env.ts";
import { getRuntime } from "./runtime.ts";

let prometheus: HistoryReader | undefined;

/** Records what a node measures from now on; nothing where a Prometheus does it. */
export function startHistory(nodeId: string, hub: Pick<MetricsHub, "follow">): void {
  if (processEnv().prometheusUrl === undefined) getRuntime().history.start(nodeId, hub);
}

/**
 * Where history is read. That of Prometheus is one per bundle and not part of the shared runtime: its errors must be of the class that
 * the code around it knows.
 */
export function getHistoryReader(): HistoryReader {
  const { prometheusUrl } = processEnv();
  if (prometheusUrl === undefined) return getRuntime().history.reader;
  prometheus ??= prometheusReader({ url: prometheusUrl, clock: systemClock });
  return prometheus;
}
