/** Something that holds memory now. */
export interface Holding {
  /** For people, such as `resnet version 3`. */
  readonly name: string;
  readonly bytes: number;
  readonly kind: "served" | "loading" | "leaving";
  /** Set when it may be unloaded to make room. */
  readonly evictable?: { readonly model: string; readonly usedNs: number };
  /** It may be unloaded once the requests that it has now are answered. */
  readonly busy?: boolean;
}

export interface MemoryQuestion {
  /** The model that is to be loaded. */
  readonly model: string;
  readonly needBytes: number;
  /** Bytes of all models together; undefined = no budget. */
  readonly budgetBytes: number | undefined;
  /** What the machine could still give; undefined where it is not known. */
  readonly freeBytes: number | undefined;
  readonly holdings: readonly Holding[];
  /** A copy of it is served meanwhile: both are needed for a moment. */
  readonly reload: boolean;
}

export type MemoryDecision =
  | { readonly kind: "fits" }
  /** Unload this one, then ask again. */
  | { readonly kind: "evict"; readonly model: string }
  /** Others are just being loaded or unloaded: ask again when one of them is done. */
  | { readonly kind: "wait" }
  /** There would be room without models that have requests: ask again when those are answered, and refuse when that takes long. */
  | { readonly kind: "wait-for-requests"; readonly message: string }
  | { readonly kind: "refuse"; readonly message: string };

/** What a runner process takes with its engine and a model of no size. */
export const RUNNER_BYTES = 96 * 2 ** 20;
const FILE_FACTOR = 1.5;
const LARGEST_NAMED = 3;

/** What a version will take that was never loaded here, from the size of its files. */
export function estimatedBytes(fileBytes: number): number {
  return Math.ceil(FILE_FACTOR * fileBytes) + RUNNER_BYTES;
}

/**
 * Whether a load has room: in the budget, and on the machine. Makes room from models that were loaded on demand, the one that was
 * used longest ago first; never from what a person loaded.
 */
export function decideMemory(question: MemoryQuestion): MemoryDecision {
  const { needBytes, holdings } = question;
  const room = roomOf(question);
  if (needBytes <= room) return { kind: "fits" };
  const evictable = holdings
    .flatMap(({ bytes, evictable: entry }) => (entry === undefined ? [] : [{ ...entry, bytes }]))
    .sort((a, b) => a.usedNs - b.usedNs);
  const passing = sum(holdings.filter(({ kind }) => kind !== "served"));
  const [oldest] = evictable;
  // Nothing is unloaded in vain: only where there would be room behind it.
  if (oldest !== undefined && needBytes <= room + sum(evictable) + passing)
    return { kind: "evict", model: oldest.model };
  if (passing > 0) return { kind: "wait" };
  const message = refusal(question, room);
  const later = sum(holdings.filter(({ busy }) => busy === true));
  return later > 0 && needBytes <= room + sum(evictable) + later
    ? { kind: "wait-for-requests", message }
    : { kind: "refuse", message };
}

/** What may still be taken. What is being loaded counts with what it will take, which the machine does not know yet. */
function roomOf({ budgetBytes, freeBytes, holdings }: MemoryQuestion): number {
  const promised = sum(holdings.filter(({ kind }) => kind === "loading"));
  const inBudget = budgetBytes === undefined ? Number.POSITIVE_INFINITY : budgetBytes - sum(holdings);
  const onMachine = freeBytes === undefined ? Number.POSITIVE_INFINITY : freeBytes - promised;
  return Math.max(0, Math.min(inBudget, onMachine));
}

function refusal({ model, needBytes, budgetBytes, freeBytes, holdings, reload }: MemoryQuestion, room: number): string {
  const held = sum(holdings);
  const budgetRules = budgetBytes !== undefined && budgetBytes - held <= room;
  const where = budgetRules
    ? `${megabytes(room)} of the budget of ${megabytes(budgetBytes)} are free`
    : `the machine has ${megabytes(freeBytes ?? 0)} available`;
  const largest = [...holdings].sort((a, b) => b.bytes - a.bytes).slice(0, LARGEST_NAMED);
  const who =
    largest.length === 0
      ? "no other model is loaded"
      : `loaded models hold ${megabytes(held)} (most: ${largest.map(({ name, bytes }) => `${name} ${megabytes(bytes)}`).join(", ")})`;
  const both = reload
    ? " While it is reloaded the copy that serves stays, so both are needed for a moment; unloading it first makes room."
    : "";
  const raise = budgetRules ? ", or raise --model-memory-budget-bytes" : ", or give the machine more memory";
  return `not enough memory for model '${model}': it needs about ${megabytes(needBytes)} and ${where}; ${who}.${both} Unload another model${raise}`;
}

function sum(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 1 : 0)} MiB`;
}
