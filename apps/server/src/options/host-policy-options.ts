import { type HostPolicy, parseCoreList } from "@nereid/inference-worker";
import { bad, type GivenFlags } from "./given-flags.ts";

const FLAG = "host-policy";
const FORM = "<name>,cpu-cores=<first>-<last> or <name>,numa-node=<n>";

/** `--host-policy` by name. INVALID_ARGUMENT for what is no policy. */
export function parseHostPolicies(given: GivenFlags): ReadonlyMap<string, HostPolicy> {
  const policies = new Map<string, HostPolicy>();
  for (const text of given.all(FLAG)) {
    const [, name = "", key = "", value = ""] = /^([^,=]+),([^,=]+)=([\s\S]+)$/.exec(text) ?? [];
    policies.set(name, { ...policies.get(name), ...setting(key, value, text) });
  }
  return policies;
}

function setting(key: string, value: string, text: string): HostPolicy {
  if (key === "numa-node" && /^\d{1,4}$/.test(value)) return { numaNode: Number(value) };
  const cores = key === "cpu-cores" ? parseCoreList(value) : undefined;
  if (cores === undefined) throw bad(FLAG, `expected ${FORM}, got "${text}"`);
  return { cores };
}
