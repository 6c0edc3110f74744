import { readFileSync } from "node:fs";
import type { InstanceSpec } from "../models/model-spec.ts";
import { bindToCores } from "./bind-to-cores.ts";
import { coreListText } from "./core-list.ts";
import { chooseCores, coresOfPolicies, type HostPolicy } from "./host-policies.ts";

/** Binds the process that runs these instances; never throws. */
export type BindRunner = (
  runner: { readonly pid: number; readonly name: string },
  instances: readonly InstanceSpec[],
) => void;

/** Undefined without policies. `log` is told what could not be done; `about` names the runner. */
export function createBinder(
  policies: ReadonlyMap<string, HostPolicy>,
  log: (text: string, about: Readonly<Record<string, unknown>>) => void,
): BindRunner | undefined {
  if (policies.size === 0) return undefined;
  const { cores, problems } = coresOfPolicies(policies, readNode);
  for (const problem of problems) log(problem, { option: "--host-policy" });
  return ({ pid, name }, instances) => {
    const choice = chooseCores(instances, cores);
    if (choice.warning !== undefined) log(choice.warning, { runner: name });
    if (choice.cores === undefined) return;
    try {
      bindToCores(pid, choice.cores);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log(`the runner is not bound to cores ${coreListText(choice.cores)}: ${why}`, { runner: name });
    }
  };
}

function readNode(node: number): string | undefined {
  try {
    return readFileSync(`/sys/devices/system/node/node${node}/cpulist`, "utf8");
  } catch {
    return undefined;
  }
}
