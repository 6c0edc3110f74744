import { NereidError } from "@nereid/errors";
import type { OutputTensor } from "@nereid/protocol";
import type { ResponseObservation } from "@nereid/telemetry";
import type { ValidRequest } from "../request/valid-request.ts";
import type { TensorRef } from "../runner-protocol/messages.ts";
import type { ExecutionTimes, RequestToExecute, RunnerResponse } from "../runners/requests-execution.ts";
import { stripStates } from "../sequence/sequence-scheduler.ts";
import type { SlabBlock } from "../shm/slab.ts";
import type { BatchRun } from "./batch-run.ts";
import type { ExecutionContext } from "./execution-context.ts";
import type { ExecutionMoments } from "./infer-ticket.ts";
import type { BatchEntry, Job } from "./job.ts";
import { ALIGNMENT, align, arenaBytes, itemsOf, placeOf } from "./lay-out.ts";
import type { ModelSpec, TensorSpec } from "./model-spec.ts";
import { recordFlight } from "./record-flight.ts";
import { modelShape, outwardShape } from "./reshape.ts";
import { failAll, failJob } from "./run-batch.ts";

/** Executes a batch on a backend that takes its requests one by one and answers each as often as it likes. */
export function runRequests(context: ExecutionContext, run: BatchRun): void {
  let laid: Laid;
  try {
    laid = layOut(context, run);
  } catch (error) {
    run.free(context.clock.nowNs(), true);
    failAll(context, run, { error: NereidError.from(error), reason: "OTHER" });
    run.done();
    return;
  }
  new RequestsRun(context, run, laid).start();
}

interface Laid {
  readonly parts: readonly RequestToExecute[];
  readonly block: SlabBlock | undefined;
  readonly arena: SlabBlock | undefined;
  readonly copiedBytes: number;
}

class RequestsRun {
  readonly #context: ExecutionContext;
  readonly #run: BatchRun;
  readonly #laid: Laid;
  /** Entries whose last answer is not in. */
  readonly #open = new Set<number>();
  /** What came before the execution returned, of models that answer once: told with the times of the whole. */
  readonly #early: { readonly index: number; readonly response: RunnerResponse }[] = [];
  readonly #first = new Map<number, number>();
  /** Of decoupled models: responses so far, and when the last came. */
  readonly #responses = new Map<number, { readonly count: number; readonly atNs: number }>();
  /** Entries whose client was told of a failure: what the model still says is not told any more. */
  readonly #failed = new Set<number>();
  #returned = false;
  #times: ExecutionTimes = { inferStartNs: 0, inferEndNs: 0 };
  #counted = false;
  #done = false;

  constructor(context: ExecutionContext, run: BatchRun, laid: Laid) {
    this.#context = context;
    this.#run = run;
    this.#laid = laid;
    for (const index of run.entries.keys()) this.#open.add(index);
  }

  start(): void {
    const { entries, instance } = this.#run;
    const { parts, arena } = this.#laid;
    const { decoupled } = this.#context.spec;
    const ticket = instance.channel.executeRequests(
      { requests: parts, decoupled, arena },
      {
        response: (index, response) => {
          if (!decoupled && !this.#returned) this.#early.push({ index, response });
          else this.#takeDecoupled(index, response);
        },
        returned: (times) => this.#onReturned(times),
      },
    );
    entries.forEach(({ job }, index) => {
      if (job !== undefined) job.stop = () => ticket.cancel(index);
    });
    // Every request hears of the failure by itself.
    ticket.returned.catch(() => this.#onReturned(undefined));
  }

  #onReturned(times: ExecutionTimes | undefined): void {
    if (this.#returned) return;
    const run = this.#run;
    this.#returned = true;
    const nowNs = this.#context.clock.nowNs();
    this.#times = times ?? { inferStartNs: nowNs, inferEndNs: nowNs };
    if (times !== undefined) run.instance.executions += 1;
    for (const { index, response } of this.#early) this.#settle(index, response);
    this.#learn();
    run.free(nowNs, times === undefined);
    for (const { index, response } of this.#early.splice(0)) this.#take(index, response);
    this.#checkDone();
  }

  #learn(): void {
    const { hint, spec } = this.#context;
    if (spec.decoupled) return;
    const items = itemsOf(this.#run.entries);
    const bytes = this.#early
      .flatMap(({ response }) => response.outputs)
      .reduce((sum, output) => sum + output.ref.byteLength + ALIGNMENT, 0);
    hint.bytesPerItem = Math.max(bytes / Math.max(1, items), hint.bytesPerItem * 0.95);
  }

  /** What has to be known before the instance takes its next batch. */
  #settle(index: number, response: RunnerResponse): void {
    const entry = this.#run.entries[index];
    if (entry?.job === undefined || !response.final) return;
    if (response.reschedule) {
      entry.job.stop = undefined;
      this.#run.reschedule(entry.job);
    } else this.#run.settleState(entry.job, this.#statesOf(entry, response));
  }

  /** A state that does not fit would be the next request's input. What is wrong is told when the response is taken. */
  #statesOf({ turn, request }: BatchEntry, response: RunnerResponse): readonly OutputTensor[] | undefined {
    if (response.error !== undefined || turn === undefined) return undefined;
    try {
      return outputsOf(this.#context, request, response);
    } catch {
      return undefined;
    }
  }

  /** Answers of a decoupled model are told as they come. */
  #takeDecoupled(index: number, response: RunnerResponse): void {
    if (!this.#returned) {
      this.#settle(index, response);
      this.#take(index, response);
      return;
    }
    // The sequence has had its turn: its next request may be executing.
    const late = new NereidError("INTERNAL", "the model gave the request back after its execution was over");
    this.#take(index, response.reschedule ? { ...response, reschedule: false, error: late } : response);
  }

  #take(index: number, response: RunnerResponse): void {
    const { spec } = this.#context;
    const entry = this.#run.entries[index];
    if (entry === undefined || !this.#open.has(index)) {
      response.release();
      return;
    }
    // An error need not be the last word of a decoupled model: the request's inputs stay until it is.
    if (response.final) this.#open.delete(index);
    // One that is to run again waits again already.
    if (entry.job === undefined || this.#failed.has(index) || response.reschedule) response.release();
    else if (response.error !== undefined) this.#fail({ index, job: entry.job }, response, response.error);
    else {
      try {
        this.#answer({ index, entry, job: entry.job }, response);
      } catch (error) {
        this.#fail({ index, job: entry.job }, response, NereidError.from(error));
      }
    }
    if (spec.decoupled || this.#returned) this.#checkDone();
  }

  #fail({ index, job }: { index: number; job: Job }, response: RunnerResponse, error: NereidError): void {
    this.#failed.add(index);
    response.release();
    this.#countResponse(index, error.code === "CANCELLED" ? "cancel" : "fail");
    job.stop = undefined;
    this.#countExecution();
    failJob(this.#context, job, { run: this.#run, error, reason: "BACKEND" });
  }

  #answer(at: { index: number; entry: BatchEntry; job: Job }, response: RunnerResponse): void {
    const { spec, clock, statistics } = this.#context;
    const { job, index, entry } = at;
    const endNs = clock.nowNs();
    if (!this.#first.has(index)) this.#first.set(index, endNs);
    const made = outputsOf(this.#context, entry.request, response);
    // States of its sequence, and what else it did not ask for, are dropped without a word (backends.md §2.4).
    const outputs = stripStates(made, job.request);
    const moments = this.#moments(job, endNs);
    let flight: ReturnType<typeof recordFlight>;
    if (response.final) {
      job.stop = undefined;
      this.#countExecution();
      const { gpuUuid } = this.#run.instance;
      statistics.recordSuccess({
        batchSize: Math.max(1, job.batchSize),
        gpuUuid,
        requestNs: endNs - job.enqueuedNs,
        queueNs: moments.computeStartNs - job.enqueuedNs,
        computeInputNs: moments.inputEndNs - moments.computeStartNs,
        computeInferNs: moments.outputStartNs - moments.inputEndNs,
        computeOutputNs: moments.endNs - moments.outputStartNs,
        endMs: clock.wallMs(),
        firstResponseNs: (this.#first.get(index) ?? endNs) - job.enqueuedNs,
      });
      this.#context.facts.answered(job, {
        totalNs: endNs - job.enqueuedNs,
        atMs: clock.wallMs(),
        mates: this.#run.entries.length,
      });
      flight = recordFlight(this.#context, job, {
        endNs,
        batch: { ...this.#run, copiedBytes: this.#laid.copiedBytes },
        moments,
        outputBytes: outputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
      });
    }
    const empty = response.final && made.length === 0 && spec.decoupled;
    this.#countResponse(index, empty ? "empty_response" : "success");
    job.sink.answer(
      {
        response: {
          modelName: spec.name,
          modelVersion: spec.version,
          id: job.request.id,
          outputs,
          ...(response.parameters !== undefined && { parameters: response.parameters }),
        },
        moments,
        copiedBytes: this.#laid.copiedBytes,
        ...(empty && { empty }),
        ...(flight !== undefined && { flight }),
        release: () => response.release(),
      },
      response.final,
    );
  }

  /** One response of a decoupled model (metrics.md §3, response_stats). */
  #countResponse(index: number, outcome: ResponseObservation["outcome"]): void {
    const { spec, clock, statistics } = this.#context;
    if (!spec.decoupled) return;
    const nowNs = clock.nowNs();
    const before = this.#responses.get(index) ?? { count: 0, atNs: this.#run.startNs };
    this.#responses.set(index, { count: before.count + 1, atNs: nowNs });
    statistics.recordResponse({
      index: before.count,
      outcome,
      computeInferNs: nowNs - before.atNs,
      computeOutputNs: 0,
    });
  }

  #moments(job: Job, endNs: number): ExecutionMoments {
    const { startNs, instance } = this.#run;
    // A decoupled model answers while it computes: all of it is computing.
    const times = this.#returned ? this.#times : { inferStartNs: startNs, inferEndNs: endNs };
    const computeStartNs = Math.max(startNs, Math.min(instance.lastEndNs, times.inferStartNs));
    const inputEndNs = Math.min(endNs, Math.max(computeStartNs, times.inferStartNs));
    return {
      queueStartNs: job.enqueuedNs,
      computeStartNs,
      inputEndNs,
      outputStartNs: this.#context.spec.decoupled ? endNs : Math.max(inputEndNs, Math.min(endNs, times.inferEndNs)),
      endNs,
    };
  }

  /** Once a batch: how large it was, and how long it took. */
  #countExecution(): void {
    if (this.#counted) return;
    this.#counted = true;
    const { statistics, clock } = this.#context;
    const { entries, instance, startNs } = this.#run;
    const { inferStartNs, inferEndNs } = this.#returned
      ? this.#times
      : { inferStartNs: startNs, inferEndNs: clock.nowNs() };
    statistics.recordExecution({
      batchSize: itemsOf(entries),
      gpuUuid: instance.gpuUuid,
      computeInputNs: Math.max(0, inferStartNs - startNs),
      computeInferNs: Math.max(0, inferEndNs - inferStartNs),
      computeOutputNs: Math.max(0, clock.nowNs() - inferEndNs),
    });
  }

  #checkDone(): void {
    if (this.#done || !this.#returned || this.#open.size > 0 || this.#early.length > 0) return;
    this.#done = true;
    // Inputs may be read until the last answer; the arena belongs to the channel.
    this.#laid.block?.release();
    this.#run.done();
  }
}

/** Every request's inputs in shared memory: where they lie already, or copied behind each other. */
function layOut({ spec, hint }: ExecutionContext, { entries, slab }: BatchRun): Laid {
  const located = entries.map(({ request }) =>
    request.inputs.map((input) =>
      input.bytes.byteLength > 0 && input.copied !== true ? placeOf(input, slab) : undefined,
    ),
  );
  let byteLength = 0;
  let copiedBytes = 0;
  entries.forEach(({ request }, at) => {
    request.inputs.forEach(({ bytes }, index) => {
      if (located[at]?.[index] !== undefined) return;
      byteLength += align(bytes.byteLength);
      copiedBytes += bytes.byteLength;
    });
  });
  const block =
    byteLength > 0 || entries.some(({ request }) => request.inputs.length > 0) ? slab.allocate(byteLength) : undefined;
  let arena: SlabBlock | undefined;
  try {
    arena = spec.decoupled ? undefined : slab.allocate(arenaBytes(hint, itemsOf(entries)));
  } catch (error) {
    block?.release();
    throw error;
  }
  let offset = 0;
  const parts = entries.map((entry, at) => {
    const inputs = entry.request.inputs.map(({ spec: tensor, shape, bytes }, index): TensorRef => {
      const batch = spec.maxBatchSize > 0 ? 1 : 0;
      const seen = [...shape.slice(0, batch), ...modelShape(tensor, shape.slice(batch))];
      const about = { name: tensor.name, datatype: tensor.datatype, shape: seen };
      const place = located[at]?.[index];
      if (place !== undefined || block === undefined)
        return { ...about, segment: 0, offset: 0, ...place, byteLength: bytes.byteLength };
      block.bytes.set(bytes, offset);
      const ref = { ...about, segment: block.segment, offset: block.offset + offset, byteLength: bytes.byteLength };
      offset += align(bytes.byteLength);
      return ref;
    });
    return partOf(entry, inputs);
  });
  return { parts, block, arena, copiedBytes };
}

function partOf({ request, job, turn }: BatchEntry, inputs: readonly TensorRef[]): RequestToExecute {
  const { sequence } = request;
  return {
    id: request.id,
    inputs,
    outputs: request.outputs.map(({ name }) => name),
    parameters: request.parameters,
    sequence: turn === undefined ? sequence : { id: turn.id, start: turn.start, end: turn.end },
    timeoutMicroseconds: Math.floor(request.timeoutNs / 1000),
    priority: job?.request.priority ?? 0,
  };
}

/**
 * The outputs as clients see them, each checked against the configuration. `request`: as it is executed, which asks for the states of
 * its sequence too.
 */
function outputsOf({ spec }: ExecutionContext, request: ValidRequest, response: RunnerResponse): OutputTensor[] {
  return response.outputs.map(({ ref: { name, datatype, shape }, bytes }) => {
    const output = request.outputs.find((wanted) => wanted.name === name) ?? spec.outputByName.get(name);
    if (output === undefined) return { name, datatype, shape: [...shape], bytes };
    check(spec, output, { datatype, shape });
    const batch = spec.maxBatchSize > 0 ? 1 : 0;
    return { name, datatype, shape: [...shape.slice(0, batch), ...outwardShape(output, shape.slice(batch))], bytes };
  });
}

function check(
  spec: ModelSpec,
  output: TensorSpec,
  { datatype, shape }: Pick<OutputTensor, "datatype" | "shape">,
): void {
  if (output.datatype !== datatype) {
    throw new NereidError(
      "INTERNAL",
      `output '${output.name}' of model '${spec.name}' has datatype ${datatype}, but its configuration says ${output.datatype}`,
    );
  }
  const { modelDims } = output;
  const dims = spec.maxBatchSize > 0 ? shape.slice(1) : shape;
  const fits = dims.length === modelDims.length && modelDims.every((dim, index) => dim === -1 || dim === dims[index]);
  if (!fits) {
    const expected = spec.maxBatchSize > 0 ? [-1, ...modelDims] : modelDims;
    throw new NereidError(
      "INTERNAL",
      `output '${output.name}' of model '${spec.name}' has shape [${shape.join(",")}], but its configuration says [${expected.join(",")}]`,
    );
  }
}
