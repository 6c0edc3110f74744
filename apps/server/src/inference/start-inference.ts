import { NereidError } from "@nereid/errors";
import {
  type InferAnswer,
  type InferTicket,
  once,
  type ServedVersion,
  type StepMoments,
  validateRequest,
} from "@nereid/inference-worker";
import { classify, type InferRequest, type InferResponse } from "@nereid/protocol";
import { inferenceDetail } from "../logging/inference-detail.ts";
import { logFailure } from "../logging/log-model-news.ts";
import type { ServerContext } from "../server-context.ts";
import type { Mirror, Shadow } from "../shadow/shadow.ts";
import type { RequestTrace, TraceMoment } from "../tracing/tracer.ts";
import { asAsked, errorAsAsked } from "./asked-name.ts";
import { OutputWindows } from "./output-windows.ts";
import { readSharedInputs } from "./shared-inputs.ts";

export interface InferenceCall {
  readonly model: string;
  /** Digits; undefined = the server's choice. */
  readonly version: string | undefined;
  readonly request: InferRequest;
  /** Text of the UNSUPPORTED for a decoupled model, where the front end can send one answer only. */
  readonly singleAnswer?: string;
  readonly traceparent?: string | undefined;
  /** When the client stops waiting, by the server's monotonic clock. */
  readonly deadlineNs?: number | undefined;
  /** Value of the header that keeps a client with one version while traffic is divided. */
  readonly sticky?: string | undefined;
  /** What a look at the same model told (`toldBy`), by which the request was read. */
  readonly told?: string | undefined;
  /** Moments the front end has measured so far, by its own names. */
  readonly received?: readonly (readonly [TraceMoment, number])[];
}

export interface InferenceTicket extends InferTicket {
  /** The version that answers. */
  readonly modelName: string;
  readonly modelVersion: string;
  readonly decoupled: boolean;
  /** The front end stamps its sending and ends the trace. */
  readonly trace: RequestTrace | undefined;
}

/**
 * From a decoded request to a place in the queue, the same for every front end: finds the version, reads inputs from shared
 * memory, checks, enqueues; and behind the execution classes are picked and shared-memory outputs are written. Nothing is awaited
 * between finding a version and using it, but the copying of much shared memory. Throws Triton's errors; the answer rejects with them.
 */
export function startInference(context: ServerContext, call: InferenceCall): InferenceTicket {
  const { controls } = call.request;
  const served = context.manager.resolve(call.model, call.version, {
    ...(controls.sequenceId !== undefined && { sequence: { id: controls.sequenceId, start: controls.sequenceStart } }),
    traffic: "take",
    sticky: call.sticky,
    told: call.told,
  });
  const { spec } = served;
  if (spec.decoupled && call.singleAnswer !== undefined) throw new NereidError("UNSUPPORTED", call.singleAnswer);
  const trace = context.tracer.active
    ? context.tracer.begin({
        model: spec.name,
        version: spec.version,
        requestId: call.request.id,
        traceparent: call.traceparent,
      })
    : undefined;
  for (const [moment, ns] of call.received ?? []) trace?.stamp(moment, ns);
  trace?.stamp("REQUEST_START", context.clock.nowNs());
  const held = new Held();
  try {
    const outputs = OutputWindows.acquire(context.sharedMemory, call.request.outputs);
    held.add(outputs);
    const shadow = context.shadows.of(call.model);
    const shadowed: Shadowed | undefined = shadow && { shadow, mirror: undefined };
    const submit = (request: InferRequest) => {
      trace?.tensors("TENSOR_QUEUE_INPUT", request.inputs);
      const ticket = served.submit(validateRequest(asAsked(spec, call.model), request, call.deadlineNs));
      if (shadowed !== undefined) shadowed.mirror = shadowed.shadow.take({ served, version: call.version, request });
      return ticket;
    };
    const stop = { wanted: false };
    const read = readSharedInputs(context, {
      served,
      request: call.request,
      held,
      stopped: () => checkNotStopped(stop),
    });
    const ticket = read instanceof Promise ? submitLater(read, submit, stop) : submit(read);
    const answer = finish(context, {
      asked: call.model,
      served,
      request: call.request,
      ticket,
      outputs,
      held,
      trace,
      shadowed,
    });
    return {
      answer,
      cancel: () => {
        ticket.cancel();
        // Nobody may ask for the next answer, which would end the request: what it holds must not wait for that.
        if (spec.decoupled) held.release();
      },
      modelName: call.model,
      modelVersion: spec.version,
      decoupled: spec.decoupled,
      trace,
    };
  } catch (error) {
    held.release();
    const refusal = NereidError.from(error);
    logFailure(context.logs, {
      model: spec.name,
      version: spec.version,
      requestId: call.request.id,
      instance: undefined,
      error: refusal,
    });
    trace?.fail(refusal.message);
    trace?.end();
    throw errorAsAsked(error, spec, call.model);
  }
}

/** Of a model whose requests are mirrored. */
interface Shadowed {
  readonly shadow: Shadow;
  /** Of a request that is, once it was submitted. */
  mirror: Mirror | undefined;
}

interface Started {
  readonly shadowed: Shadowed | undefined;
  /** The model that the client named. */
  readonly asked: string;
  readonly served: ServedVersion;
  readonly request: InferRequest;
  readonly ticket: InferTicket;
  readonly outputs: OutputWindows;
  readonly held: Held;
  readonly trace: RequestTrace | undefined;
}

/** The first answer, or a later one, made ready for the front end; what the request holds is given back with the last. */
async function finish(
  context: ServerContext,
  started: Started,
  coming: Promise<InferAnswer> = started.ticket.answer,
): Promise<InferAnswer> {
  const { clock, logSettings } = context;
  const { asked, served, request, outputs, held, trace } = started;
  let answer: InferAnswer | undefined;
  let more = false;
  try {
    answer = await coming;
    if (logSettings.verbose > 0) logSettings.detail(inferenceDetail(served, request, answer.moments), "inference done");
    stampExecution(trace, answer);
    if (trace !== undefined) traceSteps(context, trace, { request, steps: answer.steps ?? [] });
    trace?.tensors(
      "TENSOR_BACKEND_OUTPUT",
      answer.response.outputs.map((output) => ({ ...output, data: output })),
    );
    trace?.stamp("INFER_RESPONSE_COMPLETE", clock.nowNs());
    const { next } = answer;
    const placed = await outputs.place(withClasses(served, request, answer.response));
    const response = placed.modelName === asked ? placed : { ...placed, modelName: asked };
    more = next !== undefined;
    const release = releaseOf(started, answer);
    return {
      ...answer,
      response,
      release,
      ...(next !== undefined && { next: () => finish(context, started, next()) }),
    };
  } catch (error) {
    answer?.release();
    started.shadowed?.mirror?.abandon();
    const { message } = NereidError.from(error);
    if (logSettings.verbose > 0)
      logSettings.detail({ ...inferenceDetail(served, request), error: message }, "inference failed");
    trace?.fail(message);
    throw errorAsAsked(error, served.spec, asked);
  } finally {
    if (!more) {
      held.release();
      trace?.stamp("REQUEST_END", clock.nowNs());
    }
  }
}

/** Gives the answer back; of a request that is mirrored it is looked at first, when the client has it. */
function releaseOf({ shadowed }: Started, answer: InferAnswer): () => void {
  const mirror = shadowed?.mirror;
  if (mirror === undefined) return answer.release;
  return once(() => {
    mirror.answered(answer);
    answer.release();
  });
}

/** A ticket for a request whose inputs are still being read. */
function submitLater(
  read: Promise<InferRequest>,
  submit: (request: InferRequest) => InferTicket,
  stop: { wanted: boolean },
): InferTicket {
  let ticket: InferTicket | undefined;
  return {
    answer: read.then((request) => {
      checkNotStopped(stop);
      ticket = submit(request);
      return ticket.answer;
    }),
    cancel: () => {
      stop.wanted = true;
      return ticket?.cancel() ?? true;
    },
  };
}

function checkNotStopped(stop: { readonly wanted: boolean }): void {
  if (stop.wanted) throw new NereidError("CANCELLED", "");
}

function stampExecution(trace: RequestTrace | undefined, { moments }: Pick<InferAnswer, "moments">): void {
  if (trace === undefined) return;
  trace.stamp("QUEUE_START", moments.queueStartNs);
  trace.stamp("COMPUTE_START", moments.computeStartNs);
  trace.stamp("COMPUTE_INPUT_END", moments.inputEndNs);
  trace.stamp("COMPUTE_OUTPUT_START", moments.outputStartNs);
  trace.stamp("COMPUTE_END", moments.endNs);
}

/** Each step of an ensemble has a trace of its own, with that of the ensemble as its parent. */
function traceSteps(
  { tracer }: ServerContext,
  parent: RequestTrace,
  { request, steps }: { readonly request: InferRequest; readonly steps: readonly StepMoments[] },
): void {
  for (const { model, version, moments } of steps) {
    const step = tracer.begin({ model, version, requestId: request.id, traceparent: undefined, parent });
    step?.stamp("REQUEST_START", moments.queueStartNs);
    stampExecution(step, { moments });
    step?.stamp("REQUEST_END", moments.endNs);
    step?.end();
  }
}

/** What a request holds of shared memory; given back once, whatever happens. */
class Held {
  readonly #parts: { release(): void }[] = [];

  add(part: { release(): void }): void {
    this.#parts.push(part);
  }

  release(): void {
    for (const part of this.#parts.splice(0)) part.release();
  }
}

function withClasses(served: ServedVersion, request: InferRequest, response: InferResponse): InferResponse {
  if (!request.outputs.some(({ classification }) => classification > 0)) return response;
  const wanted = new Map(request.outputs.map((output) => [output.name, output]));
  const outputs = response.outputs.map((output) => {
    const wish = wanted.get(output.name);
    if (wish === undefined || wish.classification === 0) return output;
    const labels = served.spec.outputByName.get(output.name)?.labels ?? [];
    return classify(output, { k: wish.classification, batching: served.spec.maxBatchSize > 0, labels });
  });
  return { ...response, outputs };
}
