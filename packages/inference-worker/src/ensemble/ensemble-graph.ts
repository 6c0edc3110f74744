/** One step, as the configuration writes it. Maps are from the model's name to the ensemble's tensor. */
export interface EnsembleStep {
  readonly index: number;
  readonly model: string;
  /** Undefined = the latest. */
  readonly version: string | undefined;
  readonly inputs: readonly { readonly input: string; readonly tensor: string }[];
  readonly outputs: readonly { readonly output: string; readonly tensor: string }[];
}

/** Steps and where their data comes from. */
export interface EnsembleGraph {
  readonly steps: readonly EnsembleStep[];
  /** The step that writes a tensor; absent for inputs of the ensemble. */
  readonly writer: ReadonlyMap<string, number>;
  /** For each step the nearest decoupled step its inputs stem from; -1 where there is none: it runs once. */
  readonly origin: readonly number[];
}

/** Two decoupled steps whose answers a third would have to pair. */
export interface MixedOrigins {
  readonly kind: "mixed";
  readonly step: number;
}

/** Works out the graph; `decoupled` tells which steps may answer any number of times. Pure. */
export function ensembleGraph(
  steps: readonly EnsembleStep[],
  decoupled: (step: EnsembleStep) => boolean,
): EnsembleGraph | MixedOrigins {
  const writer = new Map<string, number>();
  for (const { index, outputs } of steps) for (const { tensor } of outputs) writer.set(tensor, index);
  const origin = new Array<number | undefined>(steps.length).fill(undefined);
  /** Origins above one another: -1 first. */
  const lineOf = (index: number): number[] => {
    const line = [index];
    for (let at = index; at !== -1; ) {
      at = origin[at] ?? -1;
      line.unshift(at);
    }
    return line;
  };
  const visit = (index: number): number | MixedOrigins => {
    const known = origin[index];
    if (known !== undefined) return known;
    const step = steps[index];
    let deepest = -1;
    for (const { tensor } of step?.inputs ?? []) {
      const from = writer.get(tensor);
      if (from === undefined) continue;
      const above = visit(from);
      if (typeof above === "object") return above;
      const source = steps[from];
      const mine = source !== undefined && decoupled(source) ? from : above;
      if (mine === deepest || lineOf(deepest).includes(mine)) continue;
      if (!lineOf(mine).includes(deepest)) return { kind: "mixed", step: index };
      deepest = mine;
    }
    origin[index] = deepest;
    return deepest;
  };
  for (const { index } of steps) {
    const found = visit(index);
    if (typeof found === "object") return found;
  }
  return { steps, writer, origin: origin.map((one) => one ?? -1) };
}

/** The origin of a tensor: the decoupled step that gives it anew with each answer; -1 = it exists once. */
export function originOf(graph: EnsembleGraph, tensor: string, decoupled: (step: EnsembleStep) => boolean): number {
  const writer = graph.writer.get(tensor);
  const step = writer === undefined ? undefined : graph.steps[writer];
  if (writer === undefined || step === undefined) return -1;
  return decoupled(step) ? writer : (graph.origin[writer] ?? -1);
}

/** Steps that have to run for these tensors to exist. */
export function neededSteps(graph: EnsembleGraph, tensors: Iterable<string>): ReadonlySet<number> {
  const needed = new Set<number>();
  const queue = [...tensors];
  for (let tensor = queue.pop(); tensor !== undefined; tensor = queue.pop()) {
    const index = graph.writer.get(tensor);
    if (index === undefined || needed.has(index)) continue;
    needed.add(index);
    for (const input of graph.steps[index]?.inputs ?? []) queue.push(input.tensor);
  }
  return needed;
}
