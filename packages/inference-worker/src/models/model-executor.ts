import { NereidError } from "@nereid/errors";
import { type InferResponse, type OutputTensor, requestIdPrefix } from "@nereid/protocol";
import type { ModelStatistics } from "@nereid/telemetry";
import type { ValidRequest } from "../request/valid-request.ts";
import type { ExecutionResult, InstanceChannel } from "../runners/instance-channel.ts";
import { decideDynamic, decideSingle } from "../scheduler/decide-batch.ts";
import { NO_QUEUE_POLICY, type QueuedRequest, type RefusalReason, Scheduler } from "../scheduler/scheduler.ts";
import type { Slab, SlabBlock } from "../shm/slab.ts";
import type { Clock } from "../time/clock.ts";
import { type ArenaHint, type GatheredBatch, gatherBatch, hasFixedSize, scatterBatch } from "./batch-execution.ts";
import { BodyRoom } from "./body-room.ts";
import { InstancePool, type ModelInstance } from "./instance-pool.ts";
import type { InstanceSpec, ModelSpec } from "./model-spec.ts";
import { SharedBlocks } from "./shared-blocks.ts";

/** When a request went through its phases, by the executor's clock, in nanoseconds. */
export interface ExecutionMoments {
  readonly queueStartNs: number;
  readonly computeStartNs: number;
  readonly inputEndNs: number;
  readonly outputStartNs: number;
  readonly endNs: number;
}

/** An answer whose tensors may lie in shared memory: call `release` once its bytes are sent or no longer wanted. */
export interface InferAnswer {
  readonly response: InferResponse;
  readonly moments: ExecutionMoments;
  release(): void;
}

export interface InferTicket {
  readonly answer: Promise<InferAnswer>;
  /** The client has gone; drops the request if it has not been handed to an instance. */
  cancel(): void;
}

interface Job extends QueuedRequest {
  readonly resolve: (answer: InferAnswer) => void;
  readonly reject: (error: NereidError) => void;
}

interface Running {
  readonly instance: ModelInstance;
  readonly jobs: readonly Job[];
  readonly gathered: GatheredBatch;
  readonly startNs: number;
}

export interface ExecutorOptions {
  readonly spec: ModelSpec;
  readonly clock: Clock;
  readonly statistics: ModelStatistics;
  /** Executions that take longer end their runner; 0 = no limit. */
  readonly executionTimeoutMs: number;
  readonly onStuck: (reason: string) => void;
}

/**
 * The execution side of one model version: its queue, its instances, and the way of a batch through gather, runner and
 * scatter. Instances come and go with the runner process; the queue stays.
 */
export class ModelExecutor {
  readonly #options: ExecutorOptions;
  readonly #scheduler: Scheduler<Job>;
  readonly #hint: ArenaHint = { bytesPerItem: 0 };
  readonly #bodies = new BodyRoom();
  readonly #pool: InstancePool;
  #slab: Slab | undefined;
  #executing = 0;
  #drained: (() => void)[] = [];

  constructor(options: ExecutorOptions) {
    this.#options = options;
    const { scheduling } = options.spec;
    // A queue limit or time-out is about requests that wait here; one sent ahead would escape it.
    const sendsAhead =
      scheduling.kind === "dynamic" && scheduling.queue.maxQueueSize === 0 && scheduling.queue.defaultTimeoutNs === 0;
    this.#pool = new InstancePool({ sendsAhead });
    this.#scheduler = new Scheduler<Job>({
      decide: scheduling.kind === "dynamic" ? decideDynamic(scheduling.batch) : decideSingle,
      queue: scheduling.kind === "dynamic" ? scheduling.queue : NO_QUEUE_POLICY,
      clock: options.clock,
      target: { capacity: () => this.#pool.capacity, start: (batch) => this.#start(batch) },
    });
  }

  get instances(): readonly ModelInstance[] {
    return this.#pool.instances;
  }

  /** Room in shared memory to receive a request's body in; see `BodyRoom`. */
  reserve(byteLength: number): SlabBlock | undefined {
    return this.#slab && this.#bodies.reserve(this.#slab, byteLength);
  }

  /** Takes a request; the answer settles exactly once, with UNAVAILABLE when the queue is full or closed. */
  submit(request: ValidRequest): InferTicket {
    const { clock, statistics } = this.#options;
    const nowNs = clock.nowNs();
    let job: Job | undefined;
    const answer = new Promise<InferAnswer>((resolve, reject) => {
      job = {
        request,
        batchSize: request.batchSize,
        shapeKey: request.shapeKey,
        enqueuedNs: nowNs,
        deadlineNs: this.#scheduler.deadlineOf(request, nowNs),
        resolve,
        reject,
        refuse: (error, reason) => this.#refuse({ error, reason, enqueuedNs: nowNs, reject }),
      };
      statistics.incrementPending();
      try {
        this.#scheduler.enqueue(job);
      } catch (error) {
        statistics.decrementPending();
        throw error;
      }
    });
    return { answer, cancel: () => job !== undefined && this.#scheduler.cancel(job) };
  }

  /** New instances after a start or restart of the runner. */
  attach(channels: readonly InstanceChannel[], on: { slab: Slab; specs: readonly InstanceSpec[] }): void {
    this.#slab = on.slab;
    this.#pool.replace(channels.map((channel, index) => newInstance(channel, on.specs[index])));
    this.#scheduler.dispatch();
  }

  /** Another number of instances of the same runner. Resolves once those that are not among them have nothing left to do. */
  async resize(channels: readonly InstanceChannel[], specs: readonly InstanceSpec[]): Promise<void> {
    const idle = this.#pool.resize(
      channels.map(
        (channel, index) =>
          this.#pool.instances.find((instance) => instance.channel === channel) ?? newInstance(channel, specs[index]),
      ),
    );
    this.#scheduler.dispatch();
    await idle;
  }

  /** The runner is gone. What waits keeps waiting for the next one. */
  detach(): void {
    this.#pool.replace([]);
    this.#slab = undefined;
  }

  /** Refuses everything that waits, for instance because no runner comes back. */
  refuseQueued(error: NereidError): void {
    this.#scheduler.refuseAll(error, "OTHER");
    this.#checkDrained();
  }

  stopAccepting(): void {
    this.#scheduler.stopAccepting();
  }

  /** Resolves once nothing is queued or executing. */
  async drained(): Promise<void> {
    if (this.#idleAndEmpty()) return;
    await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  #start(jobs: readonly Job[]): void {
    const instance = this.#pool.take();
    const slab = this.#slab;
    const { spec, clock, statistics } = this.#options;
    for (const _ of jobs) statistics.decrementPending();
    if (instance === undefined || slab === undefined) {
      this.#rejectAll(jobs, new NereidError("INTERNAL", "a batch was sent while no instance was free"));
      return;
    }
    const startNs = clock.nowNs();
    let gathered: GatheredBatch;
    try {
      gathered = gatherBatch(
        { spec, slab, hint: this.#hint },
        jobs.map(({ request }) => request),
      );
    } catch (error) {
      this.#pool.give(instance);
      this.#rejectAll(jobs, NereidError.from(error));
      return;
    }
    this.#executing += 1;
    const running: Running = { instance, jobs, gathered, startNs };
    const watchdog = this.#watch();
    instance.channel
      .execute({ inputs: gathered.inputs, outputs: gathered.outputs, arena: gathered.arena })
      .then(
        (result) => this.#finish(running, result),
        (error: unknown) => this.#abandon(running, NereidError.from(error)),
      )
      .finally(() => {
        clearTimeout(watchdog);
        this.#executing -= 1;
        this.#checkDrained();
      });
  }

  #watch(): NodeJS.Timeout | undefined {
    const { executionTimeoutMs, onStuck } = this.#options;
    if (executionTimeoutMs === 0) return undefined;
    return setTimeout(() => onStuck(`an execution took longer than ${executionTimeoutMs} ms`), executionTimeoutMs);
  }

  #finish(running: Running, result: ExecutionResult): void {
    const { jobs, gathered, instance } = running;
    const { spec, clock, statistics } = this.#options;
    // A batch sent ahead waited at the instance until the one before it was done: that is queueing, not computing.
    const startNs = Math.max(running.startNs, Math.min(instance.lastEndNs, result.inferStartNs));
    const requests = jobs.map(({ request }) => request);
    gathered.inputBlock?.release();
    const held = new SharedBlocks([gathered.outputBlock, gathered.arena, result.extra], jobs.length);
    let answers: OutputTensor[][];
    try {
      answers = scatterBatch(spec, { requests, gathered }, result);
    } catch (error) {
      held.releaseAll();
      this.#free(instance);
      this.#fail(jobs, NereidError.from(error), instance.gpuUuid);
      return;
    }
    const batchSize = requests.reduce((sum, request) => sum + Math.max(1, request.batchSize), 0);
    this.#learn(result, batchSize);
    instance.executions += 1;
    // The instance gets its next batch before anyone encodes the answers of this one.
    this.#free(instance);
    const endNs = clock.nowNs();
    const phases = {
      computeInputNs: Math.max(0, result.inferStartNs - startNs),
      computeInferNs: Math.max(0, result.inferEndNs - result.inferStartNs),
      computeOutputNs: Math.max(0, endNs - result.inferEndNs),
    };
    const endMs = clock.wallMs();
    const { gpuUuid } = instance;
    statistics.recordExecution({ batchSize, gpuUuid, ...phases });
    jobs.forEach((job, index) => {
      statistics.recordSuccess({
        batchSize: Math.max(1, job.batchSize),
        gpuUuid,
        requestNs: endNs - job.enqueuedNs,
        queueNs: startNs - job.enqueuedNs,
        ...phases,
        endMs,
      });
      job.resolve({
        response: {
          modelName: spec.name,
          modelVersion: spec.version,
          id: job.request.id,
          outputs: answers[index] ?? [],
        },
        moments: {
          queueStartNs: job.enqueuedNs,
          computeStartNs: startNs,
          inputEndNs: result.inferStartNs,
          outputStartNs: result.inferEndNs,
          endNs,
        },
        release: held.holder(),
      });
    });
  }

  #learn(result: ExecutionResult, batchSize: number): void {
    const { outputByName } = this.#options.spec;
    const loose = result.outputs.filter(({ name }) => {
      const output = outputByName.get(name);
      return output === undefined || !hasFixedSize(output);
    });
    const perItem = loose.reduce((sum, { byteLength }) => sum + byteLength + 64, 0) / batchSize;
    this.#hint.bytesPerItem = Math.max(perItem, this.#hint.bytesPerItem * 0.95);
  }

  #abandon({ jobs, gathered, instance }: Running, error: NereidError): void {
    gathered.inputBlock?.release();
    gathered.outputBlock?.release();
    gathered.arena?.release();
    this.#free(instance);
    const said = error.code === "UNAVAILABLE" ? error : withModel(error, this.#options.spec.name);
    this.#fail(jobs, said, instance.gpuUuid);
  }

  #free(instance: ModelInstance): void {
    instance.lastEndNs = this.#options.clock.nowNs();
    this.#pool.give(instance);
    this.#scheduler.dispatch();
  }

  #fail(jobs: readonly Job[], error: NereidError, gpuUuid: string | undefined): void {
    const { clock, statistics } = this.#options;
    for (const job of jobs) {
      statistics.recordFailure({ reason: "BACKEND", gpuUuid, requestNs: clock.nowNs() - job.enqueuedNs });
      const prefix = requestIdPrefix(job.request.id);
      job.reject(new NereidError(error.code, prefix + error.message, { cause: error }));
    }
  }

  #rejectAll(jobs: readonly Job[], error: NereidError): void {
    const { clock, statistics } = this.#options;
    for (const job of jobs) {
      statistics.recordFailure({ reason: "OTHER", requestNs: clock.nowNs() - job.enqueuedNs });
      job.reject(error);
    }
  }

  #refuse(refusal: {
    error: NereidError;
    reason: RefusalReason;
    enqueuedNs: number;
    reject: (error: NereidError) => void;
  }): void {
    const { clock, statistics } = this.#options;
    statistics.decrementPending();
    statistics.recordFailure({ reason: refusal.reason, requestNs: clock.nowNs() - refusal.enqueuedNs });
    refusal.reject(refusal.error);
    this.#checkDrained();
  }

  #idleAndEmpty(): boolean {
    return this.#executing === 0 && this.#scheduler.queued === 0;
  }

  #checkDrained(): void {
    if (!this.#idleAndEmpty()) return;
    for (const resolve of this.#drained.splice(0)) resolve();
  }
}

function newInstance(channel: InstanceChannel, spec: InstanceSpec | undefined): ModelInstance {
  const name = spec?.name ?? `instance_${channel.index}`;
  return { name, channel, gpuUuid: spec?.gpuUuid, executions: 0, inFlight: 0, lastEndNs: 0 };
}

function withModel(error: NereidError, model: string): NereidError {
  return new NereidError(error.code, `onnx runtime error in model '${model}': ${error.message}`, { cause: error });
}
