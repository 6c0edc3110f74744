import { NereidError } from "@nereid/errors";
import { type OutputTensor, requestIdPrefix } from "@nereid/protocol";
import type { ExecutionResult } from "../runners/instance-channel.ts";
import { stripStates } from "../sequence/sequence-scheduler.ts";
import type { BatchRun } from "./batch-run.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { type GatheredBatch, gatherBatch, hasFixedSize } from "./gather-batch.ts";
import type { ExecutionMoments } from "./infer-ticket.ts";
import type { Job } from "./job.ts";
import { ALIGNMENT, itemsOf } from "./lay-out.ts";
import { recordFlight } from "./record-flight.ts";
import { scatterBatch } from "./scatter-batch.ts";
import { SharedBlocks } from "./shared-blocks.ts";

/** Executes a batch on a backend that takes it as one: gather, execute, scatter, answer. */
export function runBatch(context: ExecutionContext, run: BatchRun): void {
  let gathered: GatheredBatch;
  try {
    const requests = run.entries.map(({ request }) => request);
    gathered = gatherBatch({ spec: context.spec, slab: run.slab, hint: context.hint }, requests);
  } catch (error) {
    run.free(context.clock.nowNs(), true);
    failAll(context, run, { error: NereidError.from(error), reason: "OTHER" });
    run.done();
    return;
  }
  run.instance.channel
    .execute({ inputs: gathered.inputs, outputs: gathered.outputs, arena: gathered.arena })
    .then(
      (result) => finish(context, { run, gathered }, result),
      (error: unknown) => abandon(context, { run, gathered }, NereidError.from(error)),
    )
    .finally(() => run.done());
}

interface Executed {
  readonly run: BatchRun;
  readonly gathered: GatheredBatch;
}

function finish(context: ExecutionContext, { run, gathered }: Executed, result: ExecutionResult): void {
  const { spec, clock, statistics } = context;
  const { instance, entries } = run;
  // A batch sent ahead waited at the instance until the one before it was done: that is queueing, not computing.
  const startNs = Math.max(run.startNs, Math.min(instance.lastEndNs, result.inferStartNs));
  const requests = entries.map(({ request }) => request);
  const jobs = entries.filter(({ job }) => job !== undefined).length;
  gathered.inputBlock?.release();
  const held = new SharedBlocks([gathered.outputBlock, gathered.arena, result.extra], jobs);
  let answers: OutputTensor[][];
  try {
    answers = scatterBatch(spec, { requests, gathered }, result);
    entries.forEach(({ job }, index) => {
      // Before the instance is free: the next request of the sequence reads what this one wrote.
      if (job !== undefined) run.settleState(job, answers[index]);
    });
  } catch (error) {
    held.releaseAll();
    run.free(clock.nowNs());
    failAll(context, run, { error: NereidError.from(error), reason: "BACKEND" });
    return;
  }
  const batchSize = itemsOf(entries);
  learn(context, result, batchSize);
  instance.executions += 1;
  // The instance gets its next batch before anyone encodes the answers of this one.
  run.free(clock.nowNs());
  const endNs = clock.nowNs();
  const phases = {
    computeInputNs: Math.max(0, result.inferStartNs - startNs),
    computeInferNs: Math.max(0, result.inferEndNs - result.inferStartNs),
    computeOutputNs: Math.max(0, endNs - result.inferEndNs),
  };
  const endMs = clock.wallMs();
  const { gpuUuid } = instance;
  statistics.recordExecution({ batchSize, gpuUuid, ...phases });
  const batch = { ...run, copiedBytes: gathered.copiedBytes };
  entries.forEach(({ job, request }, index) => {
    if (job === undefined) return;
    statistics.recordSuccess({
      batchSize: Math.max(1, job.batchSize),
      gpuUuid,
      requestNs: endNs - job.enqueuedNs,
      queueNs: startNs - job.enqueuedNs,
      ...phases,
      endMs,
    });
    context.facts.answered(job, { totalNs: endNs - job.enqueuedNs, atMs: endMs, mates: jobs });
    const moments: ExecutionMoments = {
      queueStartNs: job.enqueuedNs,
      computeStartNs: startNs,
      inputEndNs: result.inferStartNs,
      outputStartNs: result.inferEndNs,
      endNs,
    };
    const made = answers[index] ?? [];
    const outputs = request === job.request ? made : stripStates(made, job.request);
    const flight = recordFlight(context, job, { endNs, batch, moments, outputBytes: bytesOf(outputs) });
    job.sink.answer(
      {
        response: { modelName: spec.name, modelVersion: spec.version, id: job.request.id, outputs },
        moments,
        copiedBytes: gathered.copiedBytes,
        ...(flight !== undefined && { flight }),
        release: held.holder(),
      },
      true,
    );
  });
}

function abandon(context: ExecutionContext, { run, gathered }: Executed, error: NereidError): void {
  gathered.inputBlock?.release();
  gathered.outputBlock?.release();
  gathered.arena?.release();
  for (const { job } of run.entries) if (job !== undefined) run.settleState(job, undefined);
  run.free(context.clock.nowNs(), true);
  const said = error.code === "UNAVAILABLE" ? error : withModel(error, context.spec.name);
  failAll(context, run, { error: said, reason: "BACKEND" });
}

/** Fails every request of a batch, each with its id in front. */
export function failAll(
  context: ExecutionContext,
  run: Pick<BatchRun, "entries" | "instance" | "notes" | "first" | "serial">,
  failure: { readonly error: NereidError; readonly reason: "BACKEND" | "OTHER" },
): void {
  for (const { job } of run.entries) if (job !== undefined) failJob(context, job, { run, ...failure });
}

export function failJob(
  context: ExecutionContext,
  job: Job,
  failure: {
    readonly run: Pick<BatchRun, "entries" | "instance" | "notes" | "first" | "serial">;
    readonly error: NereidError;
    readonly reason: "BACKEND" | "OTHER";
  },
): void {
  const { clock, statistics } = context;
  const { error, run, reason } = failure;
  const endNs = clock.nowNs();
  const { gpuUuid } = run.instance;
  statistics.recordFailure({ reason, gpuUuid, requestNs: endNs - job.enqueuedNs });
  recordFlight(context, job, { endNs, batch: { ...run, copiedBytes: 0 }, error });
  const { name: model, version } = context.spec;
  context.onFailed?.({ model, version, requestId: job.request.id, instance: run.instance.name, error });
  job.sink.fail(new NereidError(error.code, requestIdPrefix(job.request.id) + error.message, { cause: error }));
}

function learn({ spec, hint }: ExecutionContext, result: ExecutionResult, batchSize: number): void {
  const loose = result.outputs.filter(({ name }) => {
    const output = spec.outputByName.get(name);
    return output === undefined || !hasFixedSize(output, spec);
  });
  const perItem = loose.reduce((sum, { byteLength }) => sum + byteLength + ALIGNMENT, 0) / Math.max(1, batchSize);
  hint.bytesPerItem = Math.max(perItem, hint.bytesPerItem * 0.95);
}

function bytesOf(outputs: readonly OutputTensor[]): number {
  return outputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

function withModel(error: NereidError, model: string): NereidError {
  return new NereidError(error.code, `onnx runtime error in model '${model}': ${error.message}`, { cause: error });
}
