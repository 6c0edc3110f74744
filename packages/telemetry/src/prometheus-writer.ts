export type MetricType = "counter" | "gauge" | "histogram" | "summary";

export type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly type: MetricType;
  readonly help: string;
  readonly lines: string[];
}

/** Samples of one metric family. */
export interface FamilyWriter {
  /** Adds a sample; `suffix` is `_bucket`, `_sum` or `_count` for histograms and summaries. */
  sample(labels: Labels, value: number, suffix?: string): void;
  /** Adds a sample with a further label, `le` or `quantile`, behind the others. */
  part(labels: Labels, part: readonly ["le" | "quantile", string], value: number): void;
}

/**
 * Prometheus text exposition (version 0.0.4). Families appear in the order they were first named; those without samples
 * are left out, HELP and TYPE included (metrics.md §1).
 */
export class PrometheusWriter {
  readonly #families = new Map<string, Family>();
  /** Label sets are used by many families and sorted once. */
  readonly #rendered = new WeakMap<Labels, string>();

  /** Opens a family, or continues one. Throws TypeError when the name is taken by another type. */
  family(name: string, type: MetricType, help: string): FamilyWriter {
    let family = this.#families.get(name);
    if (family === undefined) {
      family = { type, help, lines: [] };
      this.#families.set(name, family);
    } else if (family.type !== type) {
      throw new TypeError(`metric family ${name} is a ${family.type}, not a ${type}`);
    }
    const { lines } = family;
    return {
      sample: (labels, value, suffix = "") => {
        const inner = this.#labels(labels);
        lines.push(`${name}${suffix}${inner === "" ? "" : `{${inner}}`} ${renderValue(value)}`);
      },
      part: (labels, [key, text], value) => {
        const inner = this.#labels(labels);
        const suffix = key === "le" ? "_bucket" : "";
        lines.push(`${name}${suffix}{${inner}${inner === "" ? "" : ","}${key}="${text}"} ${renderValue(value)}`);
      },
    };
  }

  #labels(labels: Labels): string {
    let text = this.#rendered.get(labels);
    if (text === undefined) {
      text = renderLabels(labels);
      this.#rendered.set(labels, text);
    }
    return text;
  }

  /** The page, ending in a newline; empty when there are no samples. */
  text(): string {
    const page: string[] = [];
    for (const [name, { type, help, lines }] of this.#families) {
      if (lines.length === 0) continue;
      page.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines);
    }
    return page.length === 0 ? "" : `${page.join("\n")}\n`;
  }
}

function renderLabels(labels: Labels): string {
  return Object.keys(labels)
    .sort(compareLabels)
    .map((name) => `${labelName(name)}="${escapeLabel(labels[name] ?? "")}"`)
    .join(",");
}

function compareLabels(a: string, b: string): number {
  const rank = (name: string) => (name === "le" || name === "quantile" ? 1 : 0);
  return rank(a) - rank(b) || (a < b ? -1 : Number(a > b));
}

/** Label names come from model configurations too (metric_tags); characters Prometheus refuses become `_`. */
function labelName(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_]/g, "_");
  return /^[0-9]/.test(clean) ? `_${clean}` : clean;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function escapeHelp(help: string): string {
  return help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function renderValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}
