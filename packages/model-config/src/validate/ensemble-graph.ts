import type { ModelEnsembling } from "../gen/model_config_pb.ts";
import type { Scope } from "./scope.ts";

/** A tensor of the ensemble: the steps that read it and the one that writes it. */
interface Tensor {
  readonly readers: number[];
  writer: number | undefined;
  /** Where it was seen first, for positions. */
  readonly path: string;
}

const BLOCK = "ensemble_scheduling";

/** Every ensemble input is used, every output is written from the inputs, and no tensor is written for nobody. */
export function checkTensorFlow(scope: Scope, ensemble: ModelEnsembling): void {
  const { config, model, report } = scope;
  const add = (path: string, message: string) => report.add({ code: "ensemble", path, message });
  const tensors = new Map<string, Tensor>();
  if (!collectTensors(scope, ensemble, tensors)) return;
  for (const [index, input] of config.input.entries()) {
    if (!tensors.has(input.name)) {
      add(`input[${index}].name`, `ensemble input '${input.name}' for ensemble ${model}' is not used`);
    }
  }
  for (const [index, output] of config.output.entries()) {
    if (!tensors.has(output.name)) {
      add(`output[${index}].name`, `ensemble output '${output.name}' for ensemble ${model}' is not used`);
    }
  }
  const ready = reachable(scope, ensemble);
  const outputs = new Set(config.output.map((output) => output.name));
  for (const [index, output] of config.output.entries()) {
    if (ready.has(output.name) || !tensors.has(output.name)) continue;
    const missing = unconnected({ ensemble, tensors, ready }, output.name);
    const detail =
      missing === undefined ? "" : `: at least one of its depending tensors, '${missing}', is not connected`;
    add(`output[${index}].name`, `output '${output.name}' for ensemble '${model}' is not written${detail}`);
  }
  for (const [name, tensor] of tensors) {
    if (tensor.readers.length > 0 || outputs.has(name)) continue;
    add(tensor.path, `ensemble tensor '${name}' is unused in ensemble '${model}'`);
  }
}

function collectTensors({ model, report }: Scope, ensemble: ModelEnsembling, tensors: Map<string, Tensor>): boolean {
  let consistent = true;
  for (const [index, step] of ensemble.step.entries()) {
    for (const [key, name] of Object.entries(step.inputMap)) {
      const path = `${BLOCK}.step[${index}].input_map[${JSON.stringify(key)}]`;
      const tensor = tensors.get(name) ?? { readers: [], writer: undefined, path };
      tensor.readers.push(index);
      tensors.set(name, tensor);
    }
    for (const [key, name] of Object.entries(step.outputMap)) {
      const path = `${BLOCK}.step[${index}].output_map[${JSON.stringify(key)}]`;
      const tensor = tensors.get(name) ?? { readers: [], writer: undefined, path };
      if (tensor.writer !== undefined) {
        consistent = false;
        const message = `ensemble tensor '${name}' can appear in an output map only once for ensemble '${model}' step ${index}`;
        report.add({ code: "ensemble", path, message });
      }
      tensor.writer = index;
      tensors.set(name, tensor);
    }
  }
  return consistent;
}

/** Names of the tensors that exist once all steps whose inputs exist have run. */
function reachable({ config }: Scope, ensemble: ModelEnsembling): Set<string> {
  const ready = new Set(config.input.map((input) => input.name));
  const steps = ensemble.step.map((step) => ({
    needs: new Set(Object.values(step.inputMap)),
    gives: Object.values(step.outputMap),
  }));
  const waiting = new Map<string, number[]>();
  for (const [index, step] of steps.entries()) {
    for (const name of step.needs) waiting.set(name, [...(waiting.get(name) ?? []), index]);
  }
  const queue = [...ready];
  for (let at = 0; at < queue.length; at += 1) {
    for (const index of waiting.get(queue[at] ?? "") ?? []) {
      const step = steps[index];
      if (step === undefined) continue;
      step.needs.delete(queue[at] ?? "");
      if (step.needs.size > 0) continue;
      for (const name of step.gives) {
        if (ready.has(name)) continue;
        ready.add(name);
        queue.push(name);
      }
    }
  }
  return ready;
}

/** The first tensor upstream of an unwritten one that no step writes; undefined when it is the tensor itself. */
function unconnected(
  graph: { ensemble: ModelEnsembling; tensors: ReadonlyMap<string, Tensor>; ready: ReadonlySet<string> },
  output: string,
): string | undefined {
  const seen = new Set([output]);
  const queue = [output];
  let nearest: string | undefined;
  for (let at = 0; at < queue.length; at += 1) {
    const name = queue[at] ?? "";
    const writer = graph.tensors.get(name)?.writer;
    if (writer === undefined) return name === output ? undefined : name;
    for (const need of Object.values(graph.ensemble.step[writer]?.inputMap ?? {})) {
      if (graph.ready.has(need)) continue;
      nearest ??= need;
      if (seen.has(need)) continue;
      seen.add(need);
      queue.push(need);
    }
  }
  // Every tensor has a writer: the steps wait for each other.
  return nearest;
}
