import type { TuningJson } from "@nereid/perf";
import { settingError } from "./read-settings.ts";

type Fields = { readonly [name: string]: TuningJson };

/** Fields that are lists by nature: a list there is one value, a list of lists is what to try. */
const LISTS = new Set([
  "instance_group",
  "preferred_batch_size",
  "input",
  "output",
  "gpus",
  "gpu_execution_accelerator",
  "cpu_execution_accelerator",
  "model_warmup",
  "profile",
]);
const MOST = 10_000;

/** Every combination of the lists in `model_config_parameters`, as Model Analyzer reads them. INVALID_ARGUMENT for too many or none. Pure. */
export function expandParameters(value: unknown): Fields[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw settingError(
      "model_config_parameters is no map",
      "write fields of the configuration below it, each with what to try",
    );
  const all = expandObject(value);
  if (all.length === 0 || all.length > MOST)
    throw settingError(`model_config_parameters has ${all.length} combinations`, `give from 1 to ${MOST}`);
  return all;
}

function expandObject(value: object): Fields[] {
  let all: Fields[] = [{}];
  for (const [name, one] of Object.entries(value)) {
    const choices = expandValue(one, LISTS.has(name));
    all = all.flatMap((fields) => choices.map((choice) => ({ ...fields, [name]: choice })));
    if (all.length > MOST) return all;
  }
  return all;
}

function expandValue(value: unknown, isList: boolean): TuningJson[] {
  if (Array.isArray(value)) {
    if (!isList) return value.flatMap((one) => expandValue(one, false));
    return value.some((one) => Array.isArray(one)) ? value.flatMap((one) => expandList(one)) : expandList(value);
  }
  if (typeof value === "object" && value !== null) return expandObject(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return [value];
  if (value === null || value === undefined) return [{}];
  throw settingError(`model_config_parameters has '${String(value)}'`, "use texts, numbers, lists and maps");
}

function expandList(value: unknown): TuningJson[][] {
  const list = Array.isArray(value) ? value : [value];
  let all: TuningJson[][] = [[]];
  for (const one of list) {
    const choices = expandValue(one, false);
    all = all.flatMap((before) => choices.map((choice) => [...before, choice]));
  }
  return all;
}
