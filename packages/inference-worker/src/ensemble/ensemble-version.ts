import { NereidError } from "@nereid/errors";
import { type OutputTensor, requestIdPrefix } from "@nereid/protocol";
import type { ModelStatistics } from "@nereid/telemetry";
import { cacheKey, contentKeyOf } from "../cache/cache-key.ts";
import { CACHE_HIT, cachedMoments, insertTimed, keptOutputs } from "../cache/cached-answer.ts";
import type { ExecutionMoments, InferAnswer, InferTicket } from "../models/infer-ticket.ts";
import type { AnswerSink } from "../models/job.ts";
import type { SharedParts } from "../models/model-executor.ts";
import type { ModelSpec } from "../models/model-spec.ts";
import { openAnswers } from "../models/open-answers.ts";
import { notReadyError, type RequestChoice } from "../models/resolve-version.ts";
import type { InstanceState, Lease, MemoryLedger, ServedVersion } from "../models/served-version.ts";
import type { SequencePlace, ValidRequest } from "../request/valid-request.ts";
import { stoppedError } from "../scheduler/stopped-error.ts";
import type { SlabBlock } from "../shm/slab.ts";
import type { Clock } from "../time/clock.ts";
import type { ComposedEnsemble } from "./compose-ensemble.ts";
import { neededSteps } from "./ensemble-graph.ts";
import type { EnsembleLink, EnsembleOutcome } from "./ensemble-link.ts";
import { EnsembleRun } from "./ensemble-run.ts";

export interface EnsembleVersionOptions {
  readonly spec: ModelSpec;
  /** Changes with its configuration. */
  readonly key: string;
  readonly composed: ComposedEnsemble;
  readonly maxInFlight: number;
  readonly clock: Clock;
  readonly statistics: ModelStatistics;
  readonly shared: SharedParts;
  /** The version a step uses now; throws as a request for it would. */
  readonly resolve: (model: string, version: string | undefined, choice?: RequestChoice) => ServedVersion;
}

const GIVE_UP_MS = 300_000;

/** A version of an ensemble: no process of its own, every step is a request to another model of this server. */
export class EnsembleVersion implements ServedVersion {
  readonly spec: ModelSpec;
  readonly statistics: ModelStatistics;
  readonly ledger: MemoryLedger = {};
  readonly restarts = 0;
  readonly pid = undefined;
  readonly instances = [];
  readonly instanceStates: readonly InstanceState[] = [];
  readonly #options: EnsembleVersionOptions;
  readonly #waiters = new Set<() => void>();
  #inFlight = 0;
  #inFlightBytes = 0;
  #averageNs = 0;
  #leases = 0;
  #stopping = false;
  #serial = 0;

  constructor(options: EnsembleVersionOptions) {
    this.#options = options;
    this.spec = options.spec;
    this.statistics = options.statistics;
  }

  get ready(): boolean {
    return this.reason === "";
  }

  readonly placement = undefined;
  readonly sendsAhead = false;
  readonly facts = undefined;

  async checkReady(): Promise<boolean> {
    if (!this.ready) return false;
    const { composed, resolve } = this.#options;
    const steps = await Promise.all(
      composed.graph.steps.map(({ model, version }) => resolve(model, version).checkReady()),
    );
    return steps.every((ready) => ready);
  }

  get reason(): string {
    if (this.#stopping) return "unloaded";
    for (const { model, version } of this.#options.composed.graph.steps) {
      try {
        const served = this.#options.resolve(model, version);
        if (!served.ready) return `model '${model}', a step of it, is not ready: ${served.reason}`;
      } catch (error) {
        return NereidError.from(error).message;
      }
    }
    return "";
  }

  get queued(): number {
    return 0;
  }

  holdsSequence(): boolean {
    return false;
  }

  releaseSequence(): void {
    // Its steps hold them.
  }

  measureMemory(): MemoryLedger {
    return this.ledger;
  }

  /** In the memory of the first step: its runner then reads the body where it was received. */
  reserve(byteLength: number): SlabBlock | undefined {
    const first = this.#options.composed.graph.steps[0];
    try {
      return first && this.#options.resolve(first.model, first.version).reserve(byteLength);
    } catch {
      return undefined;
    }
  }

  submit(request: ValidRequest): InferTicket {
    if (this.#stopping) throw stoppedError(request.id);
    return this.#submit(request);
  }

  lease(): Lease {
    if (this.#stopping) throw notReadyError(this.spec);
    this.#leases += 1;
    let open = true;
    return {
      spec: this.spec,
      submit: (request) => this.#submit(request),
      release: () => {
        if (!open) return;
        open = false;
        this.#leases -= 1;
        this.#wake();
      },
    };
  }

  async operateInstance(): Promise<InstanceState> {
    throw new NereidError("UNSUPPORTED", `ensemble '${this.spec.name}' has no instances of its own`, {
      fix: "operate the instances of the models of its steps",
    });
  }

  async resize(): Promise<void> {
    // It has no instances.
  }

  sweep(): void {
    // It has no memory.
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    await this.#until(() => this.#inFlight === 0 && this.#leases === 0, deadlineMs);
  }

  #submit(request: ValidRequest): InferTicket {
    const { sink, answer, abandon } = openAnswers(this.spec.decoupled);
    const cancels: (() => void)[] = [];
    const call = {
      request,
      sink,
      startNs: this.#options.clock.nowNs(),
      serial: ++this.#serial,
      cancels,
      cancelled: false,
    };
    try {
      this.#admit(request);
      this.#answer(call);
    } catch (error) {
      sink.fail(NereidError.from(error));
    }
    return {
      answer,
      cancel: () => {
        call.cancelled = true;
        for (const cancel of cancels) cancel();
        abandon();
      },
    };
  }

  #answer(call: EnsembleCall): void {
    const { cache } = this.#options.shared;
    const held = this.#hold(call);
    if (cache === undefined || !this.spec.cached) {
      this.#run(call, held, undefined);
      return;
    }
    // Of the very versions that would run: traffic may be divided between several.
    const contentKey = [this.#options.key, ...held.leases.map(({ spec }) => contentKeyOf(() => spec))].join();
    const { name, version, execution } = this.spec;
    const key = cacheKey({ name, version, execution, contentKey }, call.request);
    const found = cache.lookup(key);
    const go = (response: Awaited<typeof found>) => {
      const nowNs = this.#options.clock.nowNs();
      const outputs = keptOutputs(response, call.request);
      if (outputs === undefined) {
        this.statistics.cache?.recordMiss(nowNs - call.startNs);
        const into = { cache, clock: this.#options.clock, statistics: this.statistics };
        this.#run(call, held, (kept) => insertTimed(into, key, kept));
        return;
      }
      held.finish();
      this.statistics.cache?.recordHit(nowNs - call.startNs);
      const batchSize = Math.max(1, call.request.batchSize);
      this.statistics.recordSuccess({ ...CACHE_HIT, batchSize, requestNs: nowNs - call.startNs });
      call.sink.answer(
        this.#answerOf(call, outputs, { at: cachedMoments(call.startNs, nowNs), release: () => undefined }),
        true,
      );
    };
    if (found instanceof Promise) void found.then(go);
    else go(found);
  }

  /** Keeps the versions of all steps until the request is over. Throws, with the ensemble's name, where one is not there. */
  #hold(call: EnsembleCall): HeldSteps {
    const { composed, resolve } = this.#options;
    const leases: Lease[] = [];
    this.#inFlight += 1;
    this.#inFlightBytes += call.request.byteLength;
    let over = false;
    const finish = () => {
      if (over) return;
      over = true;
      this.#inFlight -= 1;
      this.#inFlightBytes -= call.request.byteLength;
      for (const lease of leases) lease.release();
      this.#wake();
    };
    try {
      const { sequence } = call.request;
      const choice: RequestChoice = { traffic: "take", ...(sequence && { sequence }) };
      for (const { model, version } of composed.graph.steps)
        leases.push(leaseOf(resolve(model, version, choice), sequence));
    } catch (error) {
      finish();
      throw this.#named(NereidError.from(error));
    }
    return { leases, finish };
  }

  #run(
    call: EnsembleCall,
    { leases, finish }: HeldSteps,
    keep: ((outputs: readonly OutputTensor[]) => void) | undefined,
  ): void {
    const { composed, clock, maxInFlight } = this.#options;
    // One behind: a model that answers once is given its answer when everything is over, with the times of all steps.
    let last: { readonly outputs: readonly OutputTensor[]; readonly release: () => void } | undefined;
    const link: EnsembleLink = {
      name: this.spec.name,
      batching: this.spec.maxBatchSize > 0,
      decoupled: composed.decoupled,
      graph: composed.graph,
      answersAt: composed.answersAt,
      steps: leases,
      optionalInputs: this.spec.inputs.filter(({ optional }) => optional).map(({ name }) => name),
      maxInFlight,
      nowNs: () => clock.nowNs(),
      needed: (outputs) => neededSteps(composed.graph, outputs),
      outputShape: (name, shape) => this.#outputShape(name, shape),
      until: (condition) => this.#until(condition, GIVE_UP_MS),
      answer: (outputs, outcome, release) => {
        if (composed.decoupled)
          call.sink.answer(
            this.#answerOf(call, outputs, { at: this.#momentsOf(call, outcome), outcome, release }),
            false,
          );
        else last = { outputs, release };
      },
      fail: (error, outcome) => {
        last?.release();
        finish();
        this.#failed(call, error, outcome);
      },
      end: (outcome) => {
        finish();
        this.#succeeded(call, outcome);
        const { outputs, release } = last ?? { outputs: [], release: () => undefined };
        if (last !== undefined) keep?.(outputs);
        call.sink.answer(
          {
            ...this.#answerOf(call, outputs, { at: this.#momentsOf(call, outcome), outcome, release }),
            ...(composed.decoupled && { empty: true }),
          },
          true,
        );
      },
    };
    const run = new EnsembleRun(link, call.request);
    call.cancels.push(() => run.cancel());
    if (call.cancelled) run.cancel();
    run.start();
  }

  #answerOf(
    { request }: EnsembleCall,
    outputs: readonly OutputTensor[],
    made: { readonly at: ExecutionMoments; readonly outcome?: EnsembleOutcome; readonly release: () => void },
  ): InferAnswer {
    const { name, version } = this.spec;
    return {
      response: { modelName: name, modelVersion: version, id: request.id, outputs },
      moments: made.at,
      ...(made.outcome !== undefined && { copiedBytes: made.outcome.copiedBytes, steps: made.outcome.timings }),
      release: made.release,
    };
  }

  #succeeded(call: EnsembleCall, outcome: EnsembleOutcome): void {
    const { clock } = this.#options;
    const requestNs = clock.nowNs() - call.startNs;
    this.#averageNs = this.#averageNs === 0 ? requestNs : this.#averageNs * 0.95 + requestNs * 0.05;
    const phases = {
      computeInputNs: outcome.inputNs,
      computeInferNs: outcome.inferNs,
      computeOutputNs: outcome.outputNs,
    };
    const batchSize = Math.max(1, call.request.batchSize);
    this.statistics.recordExecution({ batchSize, ...phases });
    this.statistics.recordSuccess({ batchSize, requestNs, queueNs: outcome.queueNs, ...phases, endMs: clock.wallMs() });
    this.#remember(call, outcome);
  }

  #failed(call: EnsembleCall, error: NereidError, outcome: EnsembleOutcome): void {
    const requestNs = this.#options.clock.nowNs() - call.startNs;
    this.statistics.recordFailure({ reason: error.code === "CANCELLED" ? "CANCELED" : "OTHER", requestNs });
    this.#remember(call, outcome, error);
    call.sink.fail(error);
  }

  #remember({ request, startNs, serial }: EnsembleCall, outcome: EnsembleOutcome, error?: NereidError): void {
    const { shared, clock } = this.#options;
    const { name: model, version } = this.spec;
    const totalNs = clock.nowNs() - startNs;
    shared.flights?.offer({ model, version, failed: error !== undefined, totalNs }, (causes) => ({
      serial,
      id: request.id,
      model,
      version,
      causes,
      atMs: clock.wallMs() - totalNs / 1e6,
      outcome: error === undefined ? "answered" : "failed",
      ...(error !== undefined && { error: { code: error.code, message: error.message } }),
      totalNs,
      queue: { position: 0, waitedNs: outcome.queueNs, priority: request.priority },
      phases: { inputNs: outcome.inputNs, inferNs: outcome.inferNs, outputNs: outcome.outputNs },
      bytes: { input: request.byteLength, output: 0, copied: outcome.copiedBytes },
      shapes: request.inputs.map(({ spec, shape }) => ({ name: spec.name, shape })),
      steps: outcome.steps,
    }));
  }

  /** Limits of what may be under way at once: an ensemble has no queue of its own. */
  #admit({ id, byteLength }: ValidRequest): void {
    const { maxRequests, maxBytes, maxPredictedWaitNs } = this.spec.admission;
    const prefix = requestIdPrefix(id);
    const refuse = (text: string) => {
      const retryAfterMs = Math.max(1, Math.ceil(this.#averageNs / 1e6));
      throw new NereidError(this.#options.shared.overloadCode ?? "UNAVAILABLE", `${prefix}${text}`, { retryAfterMs });
    };
    if (maxRequests > 0 && this.#inFlight >= maxRequests)
      refuse(`ensemble '${this.spec.name}' has ${this.#inFlight} requests under way, its limit (max_queue_requests)`);
    if (maxBytes > 0 && this.#inFlightBytes + byteLength > maxBytes) {
      refuse(
        `ensemble '${this.spec.name}' has ${this.#inFlightBytes} bytes of requests under way; with this one they exceed its limit of ${maxBytes} (max_queue_bytes)`,
      );
    }
    if (maxPredictedWaitNs > 0 && this.#averageNs > maxPredictedWaitNs && this.#inFlight > 0) {
      refuse(
        `ensemble '${this.spec.name}' takes ${Math.round(this.#averageNs / 1e6)} ms for a request now, more than its limit of ${maxPredictedWaitNs / 1e6} ms (max_queue_wait_ms)`,
      );
    }
  }

  /** As the ensemble's own configuration has it: a batch dimension in front, where the last step has none. */
  #outputShape(name: string, shape: readonly number[]): readonly number[] {
    const rank = this.spec.outputByName.get(name)?.dims.length;
    if (rank === undefined) return shape;
    const batching = this.spec.maxBatchSize > 0;
    if (batching && shape.length === rank) return [1, ...shape];
    return !batching && shape.length === rank + 1 && shape[0] === 1 ? shape.slice(1) : shape;
  }

  #momentsOf({ startNs }: EnsembleCall, outcome: EnsembleOutcome): ExecutionMoments {
    const endNs = this.#options.clock.nowNs();
    return {
      queueStartNs: startNs,
      computeStartNs: outcome.startNs,
      inputEndNs: outcome.startNs,
      outputStartNs: endNs,
      endNs,
    };
  }

  #named(error: NereidError): NereidError {
    return new NereidError(error.code, `in ensemble '${this.spec.name}', ${error.message}`, { cause: error });
  }

  async #until(condition: () => boolean, withinMs: number): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve) => {
      const check = () => {
        if (!condition()) return;
        done();
      };
      const timer = setTimeout(() => done(), withinMs);
      // Steps end without telling everybody: look now and then, too.
      const poll = setInterval(check, 5);
      const done = () => {
        clearTimeout(timer);
        clearInterval(poll);
        this.#waiters.delete(check);
        resolve();
      };
      this.#waiters.add(check);
    });
  }

  #wake(): void {
    for (const check of this.#waiters) check();
  }
}

interface EnsembleCall {
  readonly request: ValidRequest;
  readonly sink: AnswerSink;
  readonly startNs: number;
  readonly serial: number;
  readonly cancels: (() => void)[];
  /** While its answer was looked up in the cache, say. */
  cancelled: boolean;
}

interface HeldSteps {
  /** By step. */
  readonly leases: readonly Lease[];
  /** Exactly one of them counts. */
  readonly finish: () => void;
}

/** A version that is being unloaded lends itself to nobody, and stays for its sequences until they end: those need no lease. */
function leaseOf(served: ServedVersion, sequence: SequencePlace | undefined): Lease {
  if (sequence === undefined || sequence.start || !served.holdsSequence(sequence.id)) return served.lease();
  return { spec: served.spec, submit: (request) => served.submit(request), release: () => undefined };
}
