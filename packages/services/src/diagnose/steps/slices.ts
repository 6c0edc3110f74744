import type { FlightRecord } from "@nereid/client";
import { slowOnes } from "../figures.ts";
import type { StatsWindow } from "../stats-window.ts";
import type { Step } from "../step.ts";
import type { Thresholds } from "../thresholds.ts";
import type { Cause, Verdict } from "../verdict.ts";
import { ms, percent } from "../words.ts";

type Kind = "version" | "instance" | "shape";

interface Slice {
  readonly kind: Kind;
  readonly key: string;
  /** Share of the slow requests, and of all that were sampled. */
  readonly ofSlow: number;
  readonly ofAll: number;
}

const KEYS: Readonly<Record<Kind, (record: FlightRecord) => string>> = {
  version: ({ version }) => version,
  instance: ({ instance }) => instance?.name ?? "",
  shape: ({ shapes }) => shapes.map(({ name, shape }) => `${name}[${shape.join(",")}]`).join(" "),
};

/** The slice that explains most of the slow requests although it is not most of the traffic; undefined where none does. */
export function findSlice(window: StatsWindow, bars: Thresholds): Slice | undefined {
  const slow = slowOnes(window);
  const { sampled } = window;
  // Without a sample of the rest nothing can be said to be over-represented.
  if (slow.length < 5 || sampled.length < 10) return undefined;
  const found = (["version", "instance", "shape"] as const).flatMap((kind) => {
    const counts = new Map<string, number>();
    for (const record of slow) counts.set(KEYS[kind](record), (counts.get(KEYS[kind](record)) ?? 0) + 1);
    const [top] = [...counts].toSorted(([, a], [, b]) => b - a);
    if (top === undefined || top[0] === "") return [];
    const [key, count] = top;
    const ofSlow = count / slow.length;
    const ofAll = sampled.filter((record) => KEYS[kind](record) === key).length / sampled.length;
    return ofSlow >= bars.sliceShare && ofSlow >= ofAll * bars.sliceLift ? [{ kind, key, ofSlow, ofAll }] : [];
  });
  return found.toSorted((a, b) => b.ofSlow - b.ofAll - (a.ofSlow - a.ofAll))[0];
}

/** Whether a version, a node, an instance or a shape stands out. */
export function slices(then: string): Step {
  return {
    id: "slices",
    question: "Is it the whole model, or one part of it?",
    decide: (window, bars) => {
      const node = slowestNode(window);
      const slice = findSlice(window, bars);
      const branch = slice?.kind ?? (node === undefined ? "whole" : "node");
      const says =
        slice !== undefined
          ? `${percent(slice.ofSlow)} of the slow requests are of ${slice.kind} ${slice.key}, which has ${percent(slice.ofAll)} of the traffic.`
          : node !== undefined
            ? `On node ${node.key} the 99th percentile is ${ms(node.p99)}, elsewhere ${ms(node.elsewhere)}.`
            : "No version, node, instance or shape stands out.";
      const evidence = [
        ...window.versions.map(({ key, slice: of }) => ({ label: `p99 of version ${key}`, value: ms(of.p99) })),
        ...(window.nodes.length > 1
          ? window.nodes.map(({ key, slice: of }) => ({ label: `p99 on ${key}`, value: ms(of.p99) }))
          : []),
      ];
      return { branch, says, evidence, chart: "latency" };
    },
    branches: {
      whole: { label: "The whole model", onward: { to: then } },
      version: { label: "One version", onward: { verdict: (window, bars) => verdictOf(window, bars, "one-version") } },
      instance: {
        label: "One instance",
        onward: { verdict: (window, bars) => verdictOf(window, bars, "one-instance") },
      },
      shape: {
        label: "One shape of inputs",
        onward: { verdict: (window, bars) => verdictOf(window, bars, "one-shape") },
      },
      node: { label: "One node", onward: { verdict: nodeVerdict } },
    },
  };
}

function slowestNode({ nodes }: StatsWindow): { key: string; p99: number; elsewhere: number } | undefined {
  const known = nodes.flatMap(({ key, slice }) => (slice.p99 === null ? [] : [{ key, p99: slice.p99 }]));
  const [worst, next] = known.toSorted((a, b) => b.p99 - a.p99);
  if (worst === undefined || next === undefined || worst.p99 < next.p99 * 2) return undefined;
  return { ...worst, elsewhere: next.p99 };
}

function nodeVerdict(window: StatsWindow): Verdict {
  const node = slowestNode(window);
  const key = node?.key ?? window.node;
  return {
    cause: "one-node",
    title: `Only node ${key} is slow`,
    explanation: `Its 99th percentile is ${ms(node?.p99 ?? null)}, that of the others at most ${ms(node?.elsewhere ?? null)}.`,
    confidence: 0.8,
    suggestion: {
      says: `Look at node ${key}; drain it while you do.`,
      effect: "Its requests go to the other nodes, which answer sooner.",
      edits: [],
      link: `/nodes/${encodeURIComponent(key)}`,
    },
  };
}

const ADVICE: Readonly<Record<"one-version" | "one-instance" | "one-shape", (key: string) => Verdict["suggestion"]>> = {
  "one-version": (key) => ({
    says: `Take traffic away from version ${key}: go back to the one before, or lower its weight.`,
    effect: "Requests without a version are answered by the others, at their latency.",
    edits: [],
    link: "versions",
  }),
  "one-instance": (key) => ({
    says: `Reload the model: instance ${key} then begins anew.`,
    effect: "Its requests are answered at the latency of the other instances.",
    edits: [],
    link: "instances",
  }),
  "one-shape": () => ({
    says: "Warm this shape up, give it a cost class of its own, or serve it from a model of its own.",
    effect: "The other shapes no longer wait behind it.",
    edits: [],
    link: "shapes",
  }),
};

function verdictOf(window: StatsWindow, bars: Thresholds, cause: keyof typeof ADVICE & Cause): Verdict {
  const slice = findSlice(window, bars);
  const key = slice?.key ?? "?";
  const what = { "one-version": "Version", "one-instance": "Instance", "one-shape": "Shape" }[cause];
  return {
    cause,
    title: `${what} ${key} makes the tail`,
    explanation: `${percent(slice?.ofSlow ?? null)} of the slow requests are its own, but only ${percent(slice?.ofAll ?? null)} of the traffic.`,
    confidence: slice === undefined ? 0.4 : Math.min(0.95, 0.5 + (slice.ofSlow - slice.ofAll) / 2),
    suggestion: ADVICE[cause](key),
  };
}
