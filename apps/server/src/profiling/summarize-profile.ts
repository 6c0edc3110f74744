/** Time of one operator type on one provider, over all runs of a profile. */
export interface OperatorTime {
  readonly operator: string;
  /** Such as `CPUExecutionProvider`. */
  readonly provider: string;
  readonly calls: number;
  readonly totalUs: number;
}

export interface ProfileSummary {
  /** Executions that were measured; each may have been a batch of requests. */
  readonly runs: number;
  /** Of the executions as a whole, microseconds. */
  readonly totalUs: number;
  /** The costliest first. */
  readonly operators: readonly OperatorTime[];
  /** The nodes that took most, at most twenty. */
  readonly nodes: readonly (OperatorTime & { readonly node: string })[];
}

interface TraceEvent {
  readonly cat?: string;
  readonly name?: string;
  readonly dur?: number;
  readonly args?: { readonly op_name?: string; readonly provider?: string };
}

const MOST_NODES = 20;
const KERNEL = "_kernel_time";

/** Adds up an ONNX Runtime profile (Chrome's trace event format). Events of other kinds are left out. */
export function summarizeProfile(events: readonly TraceEvent[]): ProfileSummary {
  const operators = new Map<string, OperatorTime>();
  const nodes = new Map<string, OperatorTime & { node: string }>();
  let runs = 0;
  let totalUs = 0;
  for (const { cat, name = "", dur = 0, args } of events) {
    if (cat === "Session" && name === "model_run") {
      runs += 1;
      totalUs += dur;
    }
    if (cat !== "Node" || !name.endsWith(KERNEL)) continue;
    const node = name.slice(0, -KERNEL.length);
    const of = { operator: args?.op_name ?? "unknown", provider: args?.provider ?? "unknown" };
    add(operators, `${of.operator}/${of.provider}`, of, dur);
    add(nodes, node, { ...of, node }, dur);
  }
  const bySize = (a: OperatorTime, b: OperatorTime) => b.totalUs - a.totalUs;
  return {
    runs,
    totalUs,
    operators: [...operators.values()].sort(bySize),
    nodes: [...nodes.values()].sort(bySize).slice(0, MOST_NODES),
  };
}

function add<T extends object>(times: Map<string, OperatorTime & T>, key: string, of: T, us: number): void {
  const known = times.get(key);
  const entry = { ...of, calls: (known?.calls ?? 0) + 1, totalUs: (known?.totalUs ?? 0) + us };
  times.set(key, entry as OperatorTime & T);
}
