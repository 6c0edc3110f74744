import type { InstanceSpec } from "../models/model-spec.ts";
import { coreListText, parseCoreList } from "./core-list.ts";

/** `--host-policy` of one name. */
export interface HostPolicy {
  readonly cores?: readonly number[];
  readonly numaNode?: number;
}

/** Which cores the runner of some instances is bound to, and what is to be said about it. */
export interface CoreChoice {
  /** Undefined = not bound. */
  readonly cores: readonly number[] | undefined;
  readonly warning?: string;
}

/** Name of the policy of an instance: its group's, else Triton's default. */
export function policyNameOf({ kind, device, hostPolicy }: InstanceSpec): string {
  if (hostPolicy !== undefined && hostPolicy !== "") return hostPolicy;
  if (kind === "KIND_GPU") return `gpu_${device}`;
  return kind === "KIND_MODEL" ? "model" : "cpu";
}

/**
 * The cores of every policy: those it names, else those of its NUMA node. `readCoreList` gives the cores of a node as the system
 * writes them, undefined where there is no such node; `problems` says which.
 */
export function coresOfPolicies(
  policies: ReadonlyMap<string, HostPolicy>,
  readCoreList: (numaNode: number) => string | undefined,
): { readonly cores: ReadonlyMap<string, readonly number[]>; readonly problems: readonly string[] } {
  const cores = new Map<string, readonly number[]>();
  const problems: string[] = [];
  for (const [name, { cores: named, numaNode }] of policies) {
    const text = named === undefined && numaNode !== undefined ? readCoreList(numaNode) : undefined;
    const own = named ?? (text === undefined ? undefined : parseCoreList(text));
    if (own !== undefined) cores.set(name, own);
    else problems.push(`host policy '${name}' has no effect: this machine tells no cores of NUMA node ${numaNode}`);
  }
  return { cores, problems };
}

/** The cores of the one process that runs these instances. Pure. */
export function chooseCores(
  instances: readonly InstanceSpec[],
  cores: ReadonlyMap<string, readonly number[]>,
): CoreChoice {
  const names = [...new Set(instances.map(policyNameOf))];
  const bound = names.filter((name) => cores.has(name));
  if (bound.length === 0) return { cores: undefined };
  const free = names.filter((name) => !cores.has(name));
  if (free.length > 0) {
    const warning = `instances of host policies ${list(bound)} and of ${list(free)}, which has no cores, run in one process: it is not bound`;
    return { cores: undefined, warning };
  }
  const union = [...new Set(bound.flatMap((name) => cores.get(name) ?? []))].sort((a, b) => a - b);
  if (bound.length === 1) return { cores: union };
  const warning = `instances of host policies ${list(bound)} run in one process: it is bound to the cores of all of them, ${coreListText(union)}`;
  return { cores: union, warning };
}

function list(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(", ");
}
