import { NereidError } from "@nereid/errors";
import type { CostClass } from "./policy.ts";

const FORM = "small:4096:queued=64:executing=0:weight=4, large:*:queued=16:executing=1";
const OPTIONS = ["queued", "executing", "weight"] as const;

type Option = (typeof OPTIONS)[number];

/**
 * Reads the classes of requests by cost: `name:maxCost` with options `queued`, `executing` (0 or left out = unlimited) and
 * `weight` (1 or more), separated by commas, in ascending order of cost, the last one with `*`. INVALID_ARGUMENT says what
 * is wrong and shows the form.
 */
export function parseCostClasses(text: string): CostClass[] {
  const parts = text.split(",").map((part) => part.trim());
  const classes: CostClass[] = [];
  parts.forEach((part, index) => {
    const costClass = parseClass(part, index === parts.length - 1);
    const before = classes.at(-1);
    if (classes.some(({ name }) => name === costClass.name)) throw wrong(`class '${costClass.name}' is there twice`);
    if (before !== undefined && costClass.maxCost <= before.maxCost) {
      throw wrong(`the cost of class '${costClass.name}' must be above that of '${before.name}' before it`);
    }
    classes.push(costClass);
  });
  return classes;
}

function parseClass(text: string, isLast: boolean): CostClass {
  const [name = "", maxCost = "", ...options] = text.split(":").map((part) => part.trim());
  if (!/^[\w-]+$/.test(name)) throw wrong(`'${text}' does not begin with a name of letters, digits, '_' and '-'`);
  if (isLast && maxCost !== "*")
    throw wrong(`the last class, '${name}', must have the cost '*', so that all requests fit`);
  if (!isLast && !(/^\d{1,15}$/.test(maxCost) && Number(maxCost) > 0)) {
    throw wrong(
      `the cost of class '${name}' is '${maxCost}' and must be a whole number above 0; '*' only in the last class`,
    );
  }
  const given: Partial<Record<Option, number>> = {};
  for (const option of options) {
    const [key, value] = parseOption(option, name);
    if (given[key] !== undefined) throw wrong(`class '${name}' has '${key}' twice`);
    given[key] = value;
  }
  return {
    name,
    maxCost: maxCost === "*" ? Number.POSITIVE_INFINITY : Number(maxCost),
    maxQueued: given.queued ?? 0,
    maxExecuting: given.executing ?? 0,
    weight: given.weight ?? 1,
  };
}

function parseOption(text: string, name: string): [Option, number] {
  const [key = "", value = "", ...rest] = text.split("=").map((part) => part.trim());
  const option = OPTIONS.find((known) => known === key);
  if (option === undefined) {
    throw wrong(`class '${name}' has the option '${text}'; there are ${OPTIONS.join(", ")}`);
  }
  const least = option === "weight" ? 1 : 0;
  if (!/^\d{1,9}$/.test(value) || rest.length > 0 || Number(value) < least) {
    throw wrong(`'${option}' of class '${name}' is '${value}' and must be a whole number of at least ${least}`);
  }
  return [option, Number(value)];
}

function wrong(what: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `cost classes: ${what}; the form is '${FORM}'`);
}
