import { NereidError } from "@nereid/errors";
import type { OutputTensor, ParameterValue } from "@nereid/protocol";
import type { FlightStep } from "../flight/flight-record.ts";
import type { InferAnswer, StepMoments } from "../models/infer-ticket.ts";
import type { SequencePlace, ValidRequest } from "../request/valid-request.ts";
import type { EnsembleStep } from "./ensemble-graph.ts";
import type { EnsembleLink, EnsembleOutcome, StepLink } from "./ensemble-link.ts";
import { type EnsembleTensor, stepRequest, tensorOf } from "./step-request.ts";

/** Tensors of one round through the ensemble: the request itself, or one answer of a decoupled step below it. */
interface Iteration {
  readonly above: Iteration | undefined;
  readonly below: Iteration[];
  /** The decoupled step whose answer began it; -1 for the request itself. */
  readonly origin: number;
  /** Undefined: the step that should have made it did not. */
  readonly tensors: Map<string, EnsembleTensor | undefined>;
  readonly begun: Set<number>;
  /** Answers its tensors lie in; given back when nobody can look any more. */
  readonly held: (() => void)[];
  users: number;
  answered: boolean;
}

interface Waiting {
  readonly iteration: Iteration;
  readonly step: EnsembleStep;
}

/** One request on its way through an ensemble: starts every step as soon as its tensors are there. */
export class EnsembleRun {
  readonly #link: EnsembleLink;
  readonly #request: ValidRequest;
  readonly #wanted: readonly string[];
  readonly #needed: ReadonlySet<number>;
  readonly #root: Iteration;
  readonly #cancels = new Set<() => void>();
  readonly #inFlight: number[];
  /**
   * Decoupled steps whose model is that of another step, too. Their answers are copied: room for answers is limited, and those that
   * wait for the model's next turn must not take the room which that turn needs.
   */
  readonly #copied: ReadonlySet<number>;
  readonly #waiting: Waiting[] = [];
  readonly #flights: FlightStep[] = [];
  #timings: StepMoments[] = [];
  readonly #sums = { queueNs: 0, inputNs: 0, inferNs: 0, outputNs: 0, copiedBytes: 0 };
  #sequence: SequencePlace | undefined;
  #running = 0;
  #failure: NereidError | undefined;
  #cancelled = false;
  #ended = false;
  readonly #startNs: number;

  constructor(link: EnsembleLink, request: ValidRequest) {
    this.#link = link;
    this.#request = request;
    this.#sequence = request.sequence;
    this.#wanted = request.outputs.map(({ name }) => name);
    this.#needed = link.needed(this.#wanted);
    this.#inFlight = link.steps.map(() => 0);
    const isTwice = (name: string) => link.steps.filter(({ spec }) => spec.name === name).length > 1;
    this.#copied = new Set(link.steps.flatMap(({ spec }, at) => (spec.decoupled && isTwice(spec.name) ? [at] : [])));
    this.#startNs = link.nowNs();
    this.#root = newIteration(undefined, -1);
    // Until the request is over: its answers may look into the request's own tensors.
    this.#root.users = 1;
    for (const input of request.inputs) this.#root.tensors.set(input.spec.name, tensorOf(input, link.batching));
    for (const name of link.optionalInputs) if (!this.#root.tensors.has(name)) this.#root.tensors.set(name, undefined);
  }

  start(): void {
    this.#advance(this.#root);
    this.#checkEnd();
  }

  cancel(): void {
    this.#cancelled = true;
    for (const cancel of this.#cancels) cancel();
    this.#checkEnd();
  }

  /** Starts what can be started in this iteration and in those below it. */
  #advance(iteration: Iteration): void {
    for (const step of this.#link.graph.steps) {
      if (this.#failure !== undefined || this.#cancelled) return;
      if (!this.#needed.has(step.index) || iteration.begun.has(step.index)) continue;
      if ((this.#link.graph.origin[step.index] ?? -1) !== iteration.origin) continue;
      if (!step.inputs.every(({ tensor }) => known(iteration, tensor))) continue;
      iteration.begun.add(step.index);
      this.#begin({ iteration, step });
    }
    this.#answerIfReady(iteration);
    for (const child of iteration.below) this.#advance(child);
  }

  #begin(at: Waiting): void {
    const limit = this.#link.maxInFlight;
    at.iteration.users += 1;
    if (limit > 0 && (this.#inFlight[at.step.index] ?? 0) >= limit) this.#waiting.push(at);
    else this.#submit(at);
  }

  #submit({ iteration, step }: Waiting): void {
    const link = this.#link.steps[step.index];
    this.#running += 1;
    this.#inFlight[step.index] = (this.#inFlight[step.index] ?? 0) + 1;
    void this.#follow({ iteration, step }, link).finally(() => {
      this.#running -= 1;
      this.#inFlight[step.index] = (this.#inFlight[step.index] ?? 1) - 1;
      this.#release(iteration);
      this.#resume(step.index);
      this.#checkEnd();
    });
  }

  /** Requests that waited for room at this step. */
  #resume(index: number): void {
    const at = this.#waiting.findIndex(({ step }) => step.index === index);
    const [next] = at === -1 ? [] : this.#waiting.splice(at, 1);
    if (next === undefined) return;
    if (this.#failure === undefined && !this.#cancelled) this.#submit(next);
    else this.#release(next.iteration);
  }

  async #follow({ iteration, step }: Waiting, link: StepLink | undefined): Promise<void> {
    if (link === undefined) return this.#fail(new NereidError("INTERNAL", `step ${step.index} has no model`));
    const startedNs = this.#link.nowNs();
    let cancel: (() => void) | undefined;
    try {
      const request = stepRequest(link.spec, {
        step,
        from: { ...this.#request, sequence: this.#sequence },
        tensor: (name) => lookUp(iteration, name),
        wanted: (tensor) => this.#readersOf(tensor) > 0,
        readers: (tensor) => this.#readersOf(tensor),
      });
      const ticket = link.submit(request);
      cancel = () => ticket.cancel();
      this.#cancels.add(cancel);
      if (this.#cancelled) ticket.cancel();
      let answer = await ticket.answer;
      for (;;) {
        const { next } = answer;
        this.#take({ iteration, step }, link, { answer, startedNs });
        if (next === undefined) return;
        // Not asked for while the steps behind have no room: the producer is held up, and memory stays bounded.
        await this.#room(step);
        answer = await next();
      }
    } catch (thrown) {
      this.#fail(NereidError.from(thrown));
    } finally {
      if (cancel !== undefined) this.#cancels.delete(cancel);
    }
  }

  #take(
    { iteration, step }: Waiting,
    link: StepLink,
    { answer, startedNs }: { readonly answer: InferAnswer; readonly startedNs: number },
  ): void {
    this.#count(link, answer, startedNs);
    if (this.#failure === undefined && !this.#cancelled && !this.#ended)
      this.#sequence = overridden(this.#sequence, answer.response.parameters);
    if (this.#failure !== undefined || this.#cancelled || this.#ended || answer.empty === true) {
      answer.release();
      return;
    }
    const target = link.spec.decoupled ? newIteration(iteration, step.index) : iteration;
    const copies = this.#copied.has(step.index);
    const outputs = copies ? answer.response.outputs.map(inOwnMemory) : answer.response.outputs;
    if (copies) answer.release();
    else target.held.push(answer.release);
    const made = new Map(outputs.map((output) => [output.name, output]));
    for (const { output, tensor } of step.outputs) {
      const found = made.get(output);
      target.tensors.set(tensor, found && tensorOf(toValid(found), link.spec.maxBatchSize > 0));
    }
    if (target === iteration) {
      this.#advance(iteration);
      return;
    }
    iteration.users += 1;
    target.users += 1;
    this.#advance(target);
    this.#release(target);
  }

  #count({ spec }: StepLink, { moments, copiedBytes = 0 }: InferAnswer, startedNs: number): void {
    const computeNs = moments.endNs - moments.computeStartNs;
    const queueNs = moments.computeStartNs - moments.queueStartNs;
    this.#sums.queueNs += queueNs;
    this.#sums.inputNs += moments.inputEndNs - moments.computeStartNs;
    this.#sums.inferNs += moments.outputStartNs - moments.inputEndNs;
    this.#sums.outputNs += moments.endNs - moments.outputStartNs;
    this.#sums.copiedBytes += copiedBytes;
    if (this.#timings.length < MOST_FLIGHT_STEPS)
      this.#timings.push({ model: spec.name, version: spec.version, moments });
    if (this.#flights.length >= MOST_FLIGHT_STEPS) return;
    this.#flights.push({
      model: spec.name,
      version: spec.version,
      startedNs: startedNs - this.#startNs,
      queueNs,
      computeNs,
      copiedBytes,
    });
  }

  /** Steps that run, and the answer, as far as they look at this tensor. */
  #readersOf(tensor: string): number {
    const steps = this.#link.graph.steps.filter(
      ({ index, inputs }) => this.#needed.has(index) && inputs.some((one) => one.tensor === tensor),
    );
    // What follows a decoupled step reads the same tensor anew for each answer.
    const again = steps.some(({ index }) => (this.#link.graph.origin[index] ?? -1) !== -1) ? 1 : 0;
    return steps.length + again + (this.#wanted.includes(tensor) ? 1 : 0);
  }

  #answerIfReady(iteration: Iteration): void {
    if (iteration.answered || iteration.origin !== this.#link.answersAt) return;
    if (!this.#wanted.every((name) => lookUp(iteration, name) !== undefined)) return;
    iteration.answered = true;
    const outputs = this.#wanted.flatMap((name): OutputTensor[] => {
      const tensor = lookUp(iteration, name);
      return tensor === undefined ? [] : [outwards(name, tensor, this.#link)];
    });
    iteration.users += 1;
    let released = false;
    this.#link.answer(outputs, this.#outcome(), () => {
      if (released) return;
      released = true;
      this.#release(iteration);
    });
  }

  #outcome(): EnsembleOutcome {
    const timings = this.#timings;
    // Answers of one that answers once are told with the end, which comes after.
    if (this.#link.decoupled) this.#timings = [];
    return { ...this.#sums, startNs: this.#startNs, steps: this.#flights, timings };
  }

  /** Resolves when the steps that take this one's outputs have room. Gives up after a while, as Triton does. */
  #room({ outputs }: EnsembleStep): Promise<void> {
    const behind = this.#link.graph.steps.filter(({ inputs }) =>
      inputs.some((input) => outputs.some(({ tensor }) => tensor === input.tensor)),
    );
    const full = () => this.#waiting.some(({ step }) => behind.includes(step));
    return full()
      ? this.#link.until(() => !full() || this.#failure !== undefined || this.#cancelled)
      : Promise.resolve();
  }

  #fail(error: NereidError): void {
    if (this.#failure !== undefined) return;
    this.#failure = new NereidError(error.code, `in ensemble '${this.#link.name}', ${error.message}`, { cause: error });
    for (const { iteration } of this.#waiting.splice(0)) this.#release(iteration);
  }

  /** The request is over when no step runs and none can begin. A failure is told after the steps that run have ended. */
  #checkEnd(): void {
    if (this.#ended || this.#running > 0 || this.#waiting.length > 0) return;
    this.#ended = true;
    if (this.#cancelled) this.#link.fail(new NereidError("CANCELLED", ""), this.#outcome());
    else if (this.#failure !== undefined) this.#link.fail(this.#failure, this.#outcome());
    else if (this.#link.decoupled) this.#link.end(this.#outcome());
    else if (!this.#root.answered) this.#link.fail(this.#deadlock(), this.#outcome());
    else this.#link.end(this.#outcome());
    this.#release(this.#root);
  }

  #deadlock(): NereidError {
    const prefix = this.#request.id === "" ? "" : `[request id: ${this.#request.id}] `;
    return new NereidError(
      "INVALID_ARGUMENT",
      `in ensemble '${this.#link.name}', ${prefix}unexpected deadlock, at least one output is not set while no more ensemble steps can be made`,
    );
  }

  #release(iteration: Iteration): void {
    iteration.users -= 1;
    if (iteration.users > 0) return;
    for (const release of iteration.held.splice(0)) release();
    const { above } = iteration;
    if (above === undefined) return;
    above.below.splice(above.below.indexOf(iteration), 1);
    this.#release(above);
  }
}

const MOST_FLIGHT_STEPS = 64;

function newIteration(above: Iteration | undefined, origin: number): Iteration {
  const iteration: Iteration = {
    above,
    below: [],
    origin,
    tensors: new Map(),
    begun: new Set(),
    held: [],
    users: 0,
    answered: false,
  };
  above?.below.push(iteration);
  return iteration;
}

function known(iteration: Iteration, tensor: string): boolean {
  for (let at: Iteration | undefined = iteration; at !== undefined; at = at.above)
    if (at.tensors.has(tensor)) return true;
  return false;
}

function lookUp(iteration: Iteration, tensor: string): EnsembleTensor | undefined {
  for (let at: Iteration | undefined = iteration; at !== undefined; at = at.above)
    if (at.tensors.has(tensor)) return at.tensors.get(tensor);
  return undefined;
}

function inOwnMemory(output: OutputTensor): OutputTensor {
  return { ...output, bytes: new Uint8Array(output.bytes) };
}

function toValid({ datatype, shape, bytes }: OutputTensor) {
  return { datatype, shape, bytes };
}

function outwards(name: string, { datatype, shape, bytes }: EnsembleTensor, link: EnsembleLink): OutputTensor {
  return { name, datatype, shape: link.outputShape(name, shape), bytes };
}

/** A step may say that what follows belongs to another sequence, or begins or ends one. */
function overridden(
  place: SequencePlace | undefined,
  parameters: ReadonlyMap<string, ParameterValue> | undefined,
): SequencePlace | undefined {
  const id = parameters?.get("sequence_id");
  const start = parameters?.get("sequence_start");
  const end = parameters?.get("sequence_end");
  if (id === undefined && start === undefined && end === undefined) return place;
  const before = place ?? { id: 0n, start: false, end: false };
  return {
    id: typeof id === "bigint" || typeof id === "string" ? id : before.id,
    start: typeof start === "boolean" ? start : before.start,
    end: typeof end === "boolean" ? end : before.end,
  };
}
