/** Every cause that a diagnosis can name. */
export const CAUSES = [
  "not-enough-data",
  "one-version",
  "one-node",
  "one-instance",
  "one-shape",
  "slow-client",
  "full-batch",
  "saturated",
  "delay-too-long",
  "shapes-prevent-batches",
  "bursts",
  "waits-behind-others",
  "cold-batch-size",
  "noisy-neighbour",
  "grows-with-batch",
  "too-many-threads",
  "slow-model",
  "gpu-throttled",
  "input-handling",
  "output-handling",
  "periodic",
  "queue-refuses",
  "deadline-too-short",
  "model-fails",
  "memory-short",
  "gpu-errors",
  "too-little-load",
  "batches-too-small",
  "event-loop-lag",
  "healthy",
  "unknown",
] as const;

export type Cause = (typeof CAUSES)[number];

/** A chart that shows what a step looked at, over the window. */
export const EVIDENCE_CHARTS = [
  "latency",
  "phases",
  "queue",
  "batches",
  "failures",
  "machine",
  "gpu",
  "neighbours",
] as const;

export type EvidenceChart = (typeof EVIDENCE_CHARTS)[number];

export interface Evidence {
  readonly label: string;
  /** With its unit. */
  readonly value: string;
  /** What it was held against, with its unit. */
  readonly bar?: string;
}

/** A new value of a field of the model's configuration, such as `instance_group[0].count`; null removes it. */
export interface ConfigChange {
  readonly path: string;
  readonly value: number | number[] | null;
}

/** One change that should help, and what it should do. */
export interface Suggestion {
  readonly says: string;
  /** What is predicted, and from what. */
  readonly effect: string;
  /** Edits of config.pbtxt that make it; empty where it is not a matter of the configuration. */
  readonly edits: ConfigChange[];
  /** Where it is done, when it is not the configuration: a path of the dashboard. */
  readonly link?: string;
}

export interface Verdict {
  readonly cause: Cause;
  readonly title: string;
  readonly explanation: string;
  /** 0…1. */
  readonly confidence: number;
  readonly suggestion: Suggestion | null;
}

/** What one step of the tree found. */
export interface Finding {
  /** One of the step's branches. */
  readonly branch: string;
  readonly says: string;
  readonly evidence: readonly Evidence[];
  readonly chart?: EvidenceChart;
}
