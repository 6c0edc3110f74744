import type { NereidError } from "@nereid/errors";
import { callInputs, generateBodyOf, outputsOfGenerate } from "./generate-body.ts";
import { readOutputs } from "./read-output.ts";
import type { TryCall } from "./send-once.ts";
import type { TryAnswer, TryStep } from "./try-model.ts";

const MOST_STEPS = 200;
const NO_PHASES = "The server tells no phases of a request that is answered more than once.";

interface Stepped {
  readonly version: string;
  readonly outputs: TryStep["outputs"];
}

/** One request to a model that answers any number of times: its answers with the moments at which they came. */
export async function sendStream(call: TryCall): Promise<TryAnswer> {
  const stop = AbortSignal.timeout(Math.ceil(call.timeoutMs));
  const startedAt = performance.now();
  const steps: TryStep[] = [];
  let version = "";
  let cutShort: string | null = null;
  try {
    for await (const step of call.way.grpc === undefined ? overHttp(call, stop) : overGrpc(call, stop)) {
      version = step.version;
      steps.push({ atMs: performance.now() - startedAt, outputs: step.outputs });
      if (steps.length < MOST_STEPS) continue;
      cutShort = `Only the first ${MOST_STEPS} answers were waited for.`;
      break;
    }
  } catch (thrown) {
    if (!stop.aborted) throw thrown;
    cutShort = "After 60 s no more answers were waited for.";
  }
  const outputs = steps.at(-1)?.outputs ?? [];
  return { version, outputs, phases: null, noPhases: NO_PHASES, steps, cutShort };
}

async function* overHttp({ way, wanted, requestId }: TryCall, signal: AbortSignal): AsyncGenerator<Stepped> {
  const { model, version } = wanted;
  const datatypes = new Map(way.outputs.map(({ name, datatype }) => [name, datatype]));
  const body = { ...generateBodyOf(wanted), id: requestId };
  const options = { signal, ...(version !== undefined && { version }) };
  for await (const answer of way.node.generateStream(model, body, options)) {
    yield { version: answer.model_version, outputs: outputsOfGenerate(answer, datatypes) };
  }
}

async function* overGrpc({ way, wanted, requestId }: TryCall, signal: AbortSignal): AsyncGenerator<Stepped> {
  const { model, version, inputs, parameters } = wanted;
  const stream = way.grpc?.inferStream({ signal });
  if (stream === undefined) return;
  const call = { id: requestId, inputs: callInputs(inputs), parameters };
  stream.send(model, call, { emptyFinalResponse: true, ...(version !== undefined && { version }) });
  stream.end();
  for await (const { response, error, final } of stream) {
    const failure: NereidError | undefined = error;
    if (failure !== undefined) throw failure;
    // The last one may say only that it is the last.
    if (response.outputs.length > 0) yield { version: response.modelVersion, outputs: readOutputs(response) };
    if (final === true) return;
  }
}
