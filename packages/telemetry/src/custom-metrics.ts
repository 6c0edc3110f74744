import { NereidError } from "@nereid/errors";
import { BoundHistogram } from "./bound-histogram.ts";
import type { Labels, PrometheusWriter } from "./prometheus-writer.ts";

/** What is done with one metric. */
export interface CustomMetricCall {
  readonly family: string;
  readonly description: string;
  readonly kind: "COUNTER" | "GAUGE" | "HISTOGRAM";
  readonly labels: Labels;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
  readonly action: "declare" | "increment" | "set" | "observe" | "value" | "remove";
  readonly amount?: number;
}

interface Series {
  readonly labels: Labels;
  readonly owners: Set<string>;
  value: number;
  readonly histogram: BoundHistogram | undefined;
}

interface Family {
  readonly kind: CustomMetricCall["kind"];
  readonly description: string;
  readonly series: Map<string, Series>;
}

/** What a Prometheus server can still take in from one model's mistake. */
const MOST_SERIES = 10_000;
const MOST_TEXT = 1_000;
const MOST_BUCKETS = 200;
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const MOST_LABELS = 50;
/** Prefixes of the server's own families. */
const RESERVED = ["nv_", "nereid_"] as const;

/**
 * Metrics that models define themselves (backends.md §2.3, MetricFamily). A family and its labels are one metric whoever tells of it; it goes with the
 * last of those who declared it.
 */
export class CustomMetrics {
  readonly #families = new Map<string, Family>();
  #count = 0;

  /** The value after it; undefined for a histogram. INVALID_ARGUMENT for what contradicts the family as it is known. */
  apply(owner: string, call: CustomMetricCall): number | undefined {
    if (call.action === "remove") {
      this.#remove(owner, call);
      return undefined;
    }
    const { family, series } = this.#find(owner, call);
    const { action, amount } = call;
    if (action === "declare" || action === "value") return series.histogram === undefined ? series.value : undefined;
    if (typeof amount !== "number" || !Number.isFinite(amount))
      throw invalid(`metric '${call.family}': ${action} needs a finite number`);
    if (action === "observe") {
      if (series.histogram === undefined)
        throw invalid(`metric '${call.family}' is no histogram; only those are observed`);
      series.histogram.record(amount);
      return undefined;
    }
    if (series.histogram !== undefined) throw invalid(`metric '${call.family}' is a histogram; use observe`);
    if (action === "set") {
      if (family.kind === "COUNTER")
        throw invalid(`metric '${call.family}' is a counter, which can only be incremented`);
      series.value = amount;
      return series.value;
    }
    if (family.kind === "COUNTER" && amount < 0)
      throw invalid(`metric '${call.family}' is a counter, which cannot be incremented by ${amount}`);
    series.value += amount;
    return series.value;
  }

  /** Metrics that only this owner had are gone. */
  left(owner: string): void {
    for (const [name, family] of this.#families)
      for (const [key, series] of family.series) {
        series.owners.delete(owner);
        if (series.owners.size === 0) this.#drop(name, key);
      }
  }

  render(writer: PrometheusWriter): void {
    for (const [name, { kind, description, series }] of this.#families) {
      const type = kind === "COUNTER" ? "counter" : kind === "GAUGE" ? "gauge" : "histogram";
      const family = writer.family(name, type, description);
      for (const { labels, value, histogram } of series.values()) {
        if (histogram === undefined) family.sample(labels, value);
        else {
          const counts = histogram.cumulative();
          histogram.bounds.forEach((bound, index) => {
            family.part(labels, ["le", String(bound)], counts[index] ?? 0);
          });
          family.part(labels, ["le", "+Inf"], counts.at(-1) ?? 0);
          family.sample(labels, histogram.sum, "_sum");
          family.sample(labels, counts.at(-1) ?? 0, "_count");
        }
      }
    }
  }

  #find(owner: string, call: CustomMetricCall): { readonly family: Family; readonly series: Series } {
    const known = this.#families.get(call.family);
    if (known !== undefined && known.kind !== call.kind)
      throw invalid(`metric family '${call.family}' is a ${known.kind} already, and cannot be a ${call.kind} too`);
    const key = keyOf(call.labels);
    const found = known?.series.get(key);
    if (known !== undefined && found !== undefined) {
      found.owners.add(owner);
      return { family: known, series: found };
    }
    check(call);
    if (this.#count >= MOST_SERIES)
      throw invalid(`models have ${MOST_SERIES} metrics of their own already; use fewer different labels`);
    const family = known ?? { kind: call.kind, description: call.description, series: new Map<string, Series>() };
    this.#families.set(call.family, family);
    const histogram = call.kind === "HISTOGRAM" ? new BoundHistogram(call.buckets ?? []) : undefined;
    const series = { labels: { ...call.labels }, owners: new Set([owner]), value: 0, histogram };
    family.series.set(key, series);
    this.#count += 1;
    return { family, series };
  }

  #remove(owner: string, { family, labels }: CustomMetricCall): void {
    const key = keyOf(labels);
    const series = this.#families.get(family)?.series.get(key);
    series?.owners.delete(owner);
    if (series?.owners.size === 0) this.#drop(family, key);
  }

  #drop(name: string, key: string): void {
    const family = this.#families.get(name);
    if (family?.series.delete(key) === true) this.#count -= 1;
    if (family?.series.size === 0) this.#families.delete(name);
  }
}

function check({ family, description, kind, labels, buckets = [] }: CustomMetricCall): void {
  if (typeof family !== "string" || !NAME.test(family) || family.length > MOST_TEXT)
    throw invalid(
      `'${String(family).slice(0, 100)}' is no name for a metric: letters, digits, _ and :, not beginning with a digit`,
    );
  const reserved = RESERVED.find((prefix) => family.startsWith(prefix));
  if (reserved !== undefined)
    throw invalid(`metric names that begin with '${reserved}' are the server's own; rename '${family}'`);
  if (!["COUNTER", "GAUGE", "HISTOGRAM"].includes(kind))
    throw invalid(`metric family '${family}' has no kind '${kind}'`);
  if (typeof description !== "string" || typeof labels !== "object" || labels === null)
    throw invalid(`metric family '${family}' needs a description and labels`);
  if (description.length > MOST_TEXT)
    throw invalid(`the description of metric '${family}' must have at most ${MOST_TEXT} characters`);
  const names = Object.keys(labels);
  if (names.length > MOST_LABELS) throw invalid(`metric '${family}' has more than ${MOST_LABELS} labels`);
  // One line that Prometheus cannot read costs the whole page, the server's own metrics with it.
  const wrong = names.find(
    (name) => !LABEL_NAME.test(name) || name.startsWith("__") || (kind === "HISTOGRAM" && name === "le"),
  );
  if (wrong !== undefined)
    throw invalid(
      `'${wrong.slice(0, 100)}' is no name for a label of metric '${family}': letters, digits and _, not beginning with a digit or __, and not 'le' with a histogram`,
    );
  const texts = Object.entries(labels).flat();
  if (texts.some((text) => typeof text !== "string" || text.length > MOST_TEXT))
    throw invalid(`labels of metric '${family}' must be texts of at most ${MOST_TEXT} characters`);
  if (kind === "HISTOGRAM" && (!Array.isArray(buckets) || buckets.length === 0 || buckets.length > MOST_BUCKETS))
    throw invalid(`histogram '${family}' needs 1 to ${MOST_BUCKETS} buckets`);
  if (kind === "HISTOGRAM" && !buckets.every((bound, index) => index === 0 || bound > (buckets[index - 1] ?? bound)))
    throw invalid(`buckets of histogram '${family}' must be ascending`);
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function invalid(message: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message);
}
