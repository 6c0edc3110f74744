import { NereidError } from "@nereid/errors";
import type { OutputTensor } from "@nereid/protocol";
import type { ModelStatistics } from "@nereid/telemetry";
import { cacheKey } from "../cache/cache-key.ts";
import { CACHE_HIT, cachedMoments, insertTimed, keptOutputs } from "../cache/cached-answer.ts";
import type { CachedResponse, ResponseCache } from "../cache/response-cache.ts";
import { BusySeconds } from "../facts/busy-seconds.ts";
import { VersionFacts } from "../facts/version-facts.ts";
import type { FlightRecorder } from "../flight/flight-recorder.ts";
import type { RateLimiter } from "../rate-limiter/rate-limiter.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import type { InstanceChannel } from "../runners/instance-channel.ts";
import { looseCharacters } from "../runners/loose-characters.ts";
import { costOf } from "../scheduler/cost-of.ts";
import type { BatchNotes, RefusalReason, RequestScheduler } from "../scheduler/request-scheduler.ts";
import { ResponseOrder } from "../scheduler/response-order.ts";
import type { SequenceScheduler } from "../sequence/sequence-scheduler.ts";
import type { Slab, SlabBlock } from "../shm/slab.ts";
import type { Clock } from "../time/clock.ts";
import { BodyRoom } from "./body-room.ts";
import { BusyShare } from "./busy-share.ts";
import { createScheduler, type Ordering } from "./create-scheduler.ts";
import type { ExecutionContext, RequestFailure } from "./execution-context.ts";
import type { InferTicket } from "./infer-ticket.ts";
import { busyTime, InstancePool, type ModelInstance } from "./instance-pool.ts";
import { type AnswerSink, type BatchEntry, type Job, ordered } from "./job.ts";
import { itemsOf } from "./lay-out.ts";
import type { InstanceSpec, ModelSpec } from "./model-spec.ts";
import { openAnswers } from "./open-answers.ts";
import { recordFlight } from "./record-flight.ts";
import { runBatch } from "./run-batch.ts";
import { runRequests } from "./run-requests.ts";
import { sendsAhead } from "./sends-ahead.ts";

/** What the models of a server share. */
export interface SharedParts {
  readonly flights?: FlightRecorder | undefined;
  readonly rateLimiter?: RateLimiter | undefined;
  readonly cache?: ResponseCache | undefined;
  /** Told of every request that is refused or fails. */
  readonly onFailed?: ((failure: RequestFailure) => void) | undefined;
  /** Code of a refusal because too much waits; UNAVAILABLE where it is not given. */
  readonly overloadCode?: "UNAVAILABLE" | "TOO_MANY_REQUESTS" | undefined;
}

export interface ExecutorOptions {
  readonly spec: ModelSpec;
  readonly clock: Clock;
  readonly statistics: ModelStatistics;
  readonly shared: SharedParts;
  /** Executions that take longer end their runner; 0 = no limit. */
  readonly executionTimeoutMs: number;
  readonly onStuck: (reason: string) => void;
  readonly log: (text: string) => void;
}

/** A request with longer parameters than this is executed by itself. */
const MOST_SHARED_CHARACTERS = 1 << 16;

/**
 * The execution side of one model version: its queue, its instances, and the way of a batch through gather, runner and
 * scatter. Instances come and go with the runner process; the queue stays.
 */
export class ModelExecutor {
  readonly facts: VersionFacts;
  readonly #options: ExecutorOptions;
  readonly #context: ExecutionContext;
  readonly #scheduler: RequestScheduler<Job>;
  /** The same scheduler, where it is that of sequences. */
  readonly #sequences: SequenceScheduler<Job> | undefined;
  readonly #ordering: Ordering;
  /** Of answers; for each instance where they follow its executions. */
  readonly #orders = new Map<number | undefined, ResponseOrder>();
  readonly #bodies = new BodyRoom();
  readonly #pool: InstancePool;
  /** Of the batch that each busy instance executes. */
  readonly #watchdogs = new Map<ModelInstance, NodeJS.Timeout>();
  #slab: Slab | undefined;
  #executing = 0;
  /** Requests whose answer is looked for in a cache elsewhere. */
  #lookups = 0;
  /** Instances by index that get no batches, also when the runner comes back. */
  readonly #held = new Set<number>();
  #batches = 0;
  #serial = 0;
  #drained: (() => void)[] = [];

  /** A full batch may wait at a busy instance, where there is only one. */
  readonly sendsAhead: boolean;

  constructor(options: ExecutorOptions) {
    this.sendsAhead = sendsAhead(options.spec, options.shared.rateLimiter);
    this.#options = options;
    const { spec, clock, statistics, shared } = options;
    this.facts = new VersionFacts(spec);
    this.#context = {
      spec,
      clock,
      statistics,
      flights: shared.flights,
      facts: this.facts,
      onFailed: shared.onFailed,
      hint: { bytesPerItem: 0 },
    };
    statistics.watchInstances(() => this.#second());
    this.#pool = new InstancePool({ sendsAhead: this.sendsAhead, onGranted: () => this.#dispatch() });
    const created = createScheduler({
      spec,
      clock,
      overloadCode: shared.overloadCode,
      log: options.log,
      pool: this.#pool,
      start: (entries, notes, instance) => this.#start(entries, notes, instance),
    });
    this.#scheduler = created.scheduler;
    this.#sequences = created.sequences;
    this.#ordering = created.ordering;
  }

  get instances(): readonly ModelInstance[] {
    return this.#pool.instances;
  }

  get queued(): number {
    return this.#scheduler.queued;
  }

  /** Whether a live sequence of this id is bound here. */
  holdsSequence(id: bigint | string): boolean {
    return this.#sequences?.has(id) === true;
  }

  releaseSequence(id: bigint | string): void {
    this.#sequences?.release(id);
  }

  /** Room in shared memory to receive a request's body in; see `BodyRoom`. */
  reserve(byteLength: number): SlabBlock | undefined {
    return this.#slab && this.#bodies.reserve(this.#slab, byteLength);
  }

  /** Takes a request; its answers settle exactly once. Throws UNAVAILABLE when the queue is full or closed. */
  submit(request: ValidRequest): InferTicket {
    const { sink, answer, abandon } = openAnswers(this.#options.spec.decoupled);
    const job = this.#newJob(request, sink);
    const { cache } = this.#options.shared;
    if (cache !== undefined && this.#options.spec.cached) this.#answerFromCache(cache, job);
    else this.#enqueue(job);
    return {
      answer,
      cancel: () => {
        job.cancelled = true;
        this.#scheduler.cancel(job);
        job.stop?.();
        abandon();
      },
    };
  }

  /** New instances after a start or restart of the runner. */
  attach(channels: readonly InstanceChannel[], on: { slab: Slab; specs: readonly InstanceSpec[] }): void {
    this.#slab = on.slab;
    this.#pool.replace(channels.map((channel, index) => this.#newInstance(channel, on.specs[index])));
    this.#dispatch();
  }

  /** Another number of instances of the same runner. Resolves once those that are not among them have nothing left to do. */
  async resize(channels: readonly InstanceChannel[], specs: readonly InstanceSpec[]): Promise<void> {
    const idle = this.#pool.resize(
      channels.map(
        (channel, index) =>
          this.#pool.instances.find((instance) => instance.channel === channel) ??
          this.#newInstance(channel, specs[index]),
      ),
    );
    this.#dispatch();
    await idle;
    for (const index of this.#held) if (index >= channels.length) this.#held.delete(index);
  }

  /** Keeps an instance from further batches, or lets it have them again. */
  hold(index: number, held: boolean): void {
    if (held) this.#held.add(index);
    else this.#held.delete(index);
    const instance = this.#pool.instances.find((candidate) => candidate.index === index);
    if (instance !== undefined) this.#pool.hold(instance, held);
    this.#dispatch();
  }

  /** Resolves once the instance has nothing left to answer, or is gone. */
  async idle(index: number): Promise<void> {
    await this.#pool.instances.find((candidate) => candidate.index === index)?.channel.idle();
  }

  /** The instance at this index goes on over another connection, after a restart. */
  exchange(channel: InstanceChannel): void {
    const exchanged = this.#pool.instances.map((instance) =>
      instance.index === channel.index ? this.#newInstance(channel, instance.spec) : instance,
    );
    void this.#pool.resize(exchanged);
    this.#dispatch();
  }

  /** The runner is gone. What waits keeps waiting for the next one. */
  detach(): void {
    this.#pool.replace([]);
    this.#slab = undefined;
    // Sequences must know that there is no instance: their idle time stands still.
    this.#dispatch();
  }

  /** Refuses everything that waits, for instance because no runner comes back. */
  refuseQueued(error: NereidError): void {
    this.#scheduler.refuseAll(error, "OTHER");
    this.#checkDrained();
  }

  stopAccepting(): void {
    this.#scheduler.stopAccepting();
    this.#checkDrained();
  }

  /** Ends every live sequence: what comes later for one of them is refused with this error. */
  endSequences(error: NereidError): void {
    this.#sequences?.endAll(error);
    this.#checkDrained();
  }

  /** Resolves once nothing is queued or executing and no sequence is under way. */
  async drained(): Promise<void> {
    if (this.#idleAndEmpty()) return;
    await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  #newJob(request: ValidRequest, sink: AnswerSink): Job {
    const { clock, shared, spec } = this.#options;
    const enqueuedNs = clock.nowNs();
    const serial = shared.flights?.nextSerial() ?? ++this.#serial;
    // What goes over the socket with all others of its batch must not cost them their execution.
    const alone = spec.execution === "requests" && looseCharacters(request) > MOST_SHARED_CHARACTERS;
    const job: Job = {
      serial,
      arrival: -1,
      request,
      batchSize: request.batchSize,
      shapeKey: alone ? `${request.shapeKey}#${serial}` : request.shapeKey,
      enqueuedNs,
      cost: costIn(spec, request),
      sink: this.#ordering === "arrival" ? this.#ordered(sink, undefined) : sink,
      position: 0,
      stop: undefined,
      cancelled: false,
      place: undefined,
      refuse: (error, reason) => this.#refuse(job, error, reason),
    };
    return job;
  }

  #ordered(sink: AnswerSink, instance: number | undefined): AnswerSink {
    const order = this.#orders.get(instance) ?? new ResponseOrder();
    this.#orders.set(instance, order);
    return ordered(order.open(), sink, { keepInMemory: this.#options.spec.decoupled });
  }

  #enqueue(job: Job): void {
    const { statistics } = this.#options;
    statistics.incrementPending();
    job.arrival = this.facts.arrived(job);
    try {
      job.position = this.#scheduler.enqueue(job);
    } catch (error) {
      // Refused before it was accepted: no failure of the model's (metrics.md §2.1).
      statistics.decrementPending();
      const refusal = NereidError.from(error);
      recordFlight(this.#context, job, { endNs: this.#options.clock.nowNs(), error: refusal });
      this.facts.refused(job, refusal, "FULL");
      this.#tellFailure(job, refusal);
      job.sink.fail(refusal);
    }
    this.#pool.returnUnused();
  }

  #answerFromCache(cache: ResponseCache, job: Job): void {
    const key = cacheKey(this.#options.spec, job.request);
    const found = cache.lookup(key);
    if (found instanceof Promise) {
      this.#lookups += 1;
      void found.then((response) => {
        this.#lookups -= 1;
        this.#cacheAnswered(cache, { job, key, response });
        this.#checkDrained();
      });
    } else this.#cacheAnswered(cache, { job, key, response: found });
  }

  #cacheAnswered(
    cache: ResponseCache,
    looked: { readonly job: Job; readonly key: string; readonly response: CachedResponse | undefined },
  ): void {
    const { clock, statistics, spec } = this.#options;
    const { job, key, response } = looked;
    const nowNs = clock.nowNs();
    if (job.cancelled) {
      job.sink.fail(new NereidError("CANCELLED", ""));
      return;
    }
    const lookupNs = nowNs - job.enqueuedNs;
    const outputs = keptOutputs(response, job.request);
    if (outputs === undefined) {
      statistics.cache?.recordMiss(lookupNs);
      job.sink = keeping(job.sink, (kept) => insertTimed({ cache, clock, statistics }, key, kept));
      this.#enqueue(job);
      return;
    }
    statistics.cache?.recordHit(lookupNs);
    statistics.recordSuccess({ ...CACHE_HIT, batchSize: Math.max(1, job.batchSize), requestNs: lookupNs });
    recordFlight(this.#context, job, { endNs: nowNs, cached: true });
    job.sink.answer(
      {
        response: { modelName: spec.name, modelVersion: spec.version, id: job.request.id, outputs },
        moments: cachedMoments(job.enqueuedNs, nowNs),
        release: () => undefined,
      },
      true,
    );
  }

  #dispatch(): void {
    this.#scheduler.dispatch();
    this.#pool.returnUnused();
  }

  #start(entries: readonly BatchEntry[], notes: BatchNotes, at: number | undefined): void {
    const { clock, statistics, spec } = this.#options;
    const nowNs = clock.nowNs();
    const instance = at === undefined ? this.#pool.take(nowNs) : this.#pool.takeAt(at, nowNs);
    const slab = this.#slab;
    const jobs = entries.flatMap(({ job }) => job ?? []);
    if (instance !== undefined && instance.inFlight > 1) instance.aheadRequests = jobs.length;
    else for (const _ of jobs) statistics.decrementPending();
    if (instance === undefined || slab === undefined) {
      const error = new NereidError("INTERNAL", "a batch was sent while no instance was free");
      for (const job of jobs) this.#reject(job, error);
      this.#scheduler.executed(jobs, Number.NaN);
      return;
    }
    this.#executing += 1;
    statistics.recordClosed(notes.reason);
    const first = this.facts.batchSent(entries, notes);
    if (this.#ordering === "execution") for (const job of jobs) job.sink = this.#ordered(job.sink, instance.index);
    const run = spec.execution === "batch" ? runBatch : runRequests;
    if (instance.inFlight === 1) this.#watch(instance);
    run(this.#context, {
      instance,
      slab,
      entries,
      notes,
      first,
      serial: ++this.#batches,
      startNs: nowNs,
      free: (endNs, failed = false) => {
        clearTimeout(this.#watchdogs.get(instance));
        this.#watchdogs.delete(instance);
        const busyNs = Math.max(0, endNs - Math.max(nowNs, instance.lastEndNs));
        const restNs = Math.max(0, nowNs - instance.lastEndNs);
        if (!failed) this.facts.traffic.executed({ endNs, batchSize: itemsOf(entries), ns: busyNs, restNs });
        instance.lastEndNs = endNs;
        // What was sent ahead begins now.
        for (; instance.aheadRequests > 0; instance.aheadRequests--) statistics.decrementPending();
        this.#pool.give(instance, endNs);
        // A batch that was sent ahead begins only now.
        if (instance.inFlight > 0) this.#watch(instance);
        this.#scheduler.executed(jobs, failed ? Number.NaN : endNs - nowNs);
        this.#dispatch();
      },
      settleState: (job, outputs) => {
        if (outputs !== undefined) this.#sequences?.settle(job, outputs);
      },
      reschedule: (job) => {
        statistics.incrementPending();
        this.#sequences?.reschedule(job);
      },
      done: () => {
        this.#executing -= 1;
        this.#checkDrained();
      },
    });
  }

  #watch(instance: ModelInstance): void {
    const { executionTimeoutMs, onStuck } = this.#options;
    if (executionTimeoutMs === 0) return;
    const stuck = () => onStuck(`an execution took longer than ${executionTimeoutMs} ms`);
    this.#watchdogs.set(instance, setTimeout(stuck, executionTimeoutMs));
  }

  #reject(job: Job, error: NereidError): void {
    const { clock, statistics } = this.#options;
    statistics.recordFailure({ reason: "OTHER", requestNs: clock.nowNs() - job.enqueuedNs });
    job.sink.fail(error);
  }

  #refuse(job: Job, error: NereidError, reason: RefusalReason): void {
    const { clock, statistics } = this.#options;
    const endNs = clock.nowNs();
    statistics.decrementPending();
    statistics.recordFailure({ reason, requestNs: endNs - job.enqueuedNs });
    recordFlight(this.#context, job, { endNs, error });
    this.facts.refused(job, error, reason);
    if (reason !== "CANCELED") this.#tellFailure(job, error);
    job.sink.fail(error);
    this.#checkDrained();
  }

  #tellFailure(job: Job, error: NereidError): void {
    const { spec, shared } = this.#options;
    shared.onFailed?.({
      model: spec.name,
      version: spec.version,
      requestId: job.request.id,
      instance: undefined,
      error,
    });
  }

  /** What the instances did in the second that ends now. */
  #second(): { readonly busyNs: number; readonly instances: number } {
    const nowNs = this.#options.clock.nowNs();
    let busyNs = 0;
    let instances = 0;
    for (const instance of this.#pool.instances) {
      if (instance.spec?.passive === true) continue;
      busyNs += instance.seconds.mark(nowNs, busyTime(instance, nowNs));
      instances += 1;
    }
    return { busyNs, instances };
  }

  #newInstance(channel: InstanceChannel, spec: InstanceSpec | undefined): ModelInstance {
    const { shared, spec: model } = this.#options;
    const limited = spec?.rateLimit !== undefined && spec.passive !== true ? shared.rateLimiter : undefined;
    return {
      name: spec?.name ?? `instance_${channel.index}`,
      channel,
      spec,
      gpuUuid: spec?.gpuUuid,
      index: channel.index,
      membership: limited?.join({
        model: model.name,
        device: spec?.device ?? 0,
        limit: spec?.rateLimit ?? { resources: [], priority: 1 },
      }),
      executions: 0,
      inFlight: 0,
      aheadRequests: 0,
      held: this.#held.has(channel.index),
      lastEndNs: 0,
      busyNs: 0,
      busySinceNs: 0,
      share: new BusyShare(this.#options.clock.nowNs()),
      seconds: new BusySeconds(this.#options.clock.nowNs()),
    };
  }

  #idleAndEmpty(): boolean {
    return (
      this.#executing === 0 &&
      this.#lookups === 0 &&
      this.#scheduler.queued === 0 &&
      (this.#sequences?.liveSequences ?? 0) === 0
    );
  }

  #checkDrained(): void {
    if (this.#drained.length === 0 || !this.#idleAndEmpty()) return;
    for (const resolve of this.#drained.splice(0)) resolve();
  }
}

/** What a request counts for: its cost where there are cost classes, else the size of its batch. */
function costIn({ admission, costMeasure, maxBatchSize }: ModelSpec, { inputs, batchSize }: ValidRequest): number {
  if (admission.classes.length === 0) return Math.max(1, batchSize);
  const measured = inputs.map(({ spec: { name }, shape, bytes }) => ({ name, shape, bytes }));
  return costOf(measured, costMeasure, maxBatchSize > 0 ? { batchSize } : {});
}

/** A sink whose answers are kept, too. */
function keeping(sink: AnswerSink, keep: (outputs: readonly OutputTensor[]) => void): AnswerSink {
  return {
    answer: (answer, final) => {
      keep(answer.response.outputs);
      sink.answer(answer, final);
    },
    fail: (error) => sink.fail(error),
  };
}
