/** State of a model's key-value cache, for balancers that look at response headers (http.md §14). */
export interface KvCacheMetrics {
  /** 0 to 1. */
  readonly utilization: number;
  readonly maxTokenCapacity: number;
}

/**
 * Value of the response header `endpoint-load-metrics` in the format that the request header `endpoint-load-metrics-format` asks for;
 * undefined = no header: another format, none asked for, or a model without such metrics.
 */
export function endpointLoadMetrics(
  format: string | undefined,
  read: () => KvCacheMetrics | undefined,
): string | undefined {
  if (format !== "text" && format !== "json") return undefined;
  const metrics = read();
  if (metrics === undefined) return undefined;
  const { utilization, maxTokenCapacity } = metrics;
  if (format === "text")
    return `TEXT named_metrics.kv_cache_utilization=${utilization}, named_metrics.max_token_capacity=${maxTokenCapacity}`;
  return `JSON ${JSON.stringify({ named_metrics: { kv_cache_utilization: utilization, max_token_capacity: maxTokenCapacity } })}`;
}
