import { NereidError } from "@nereid/errors";
import { type Clock, type InferAnswer, type ServedVersion, validateRequest } from "@nereid/inference-worker";
import {
  decodeTensorValues,
  type InferInput,
  type InferRequest,
  isDatatype,
  NO_CONTROLS,
  type OutputTensor,
} from "@nereid/protocol";
import type { Sliced } from "../inference/slices.ts";
import { type Comparison, compareOutputs } from "./compare-outputs.ts";
import type { Comparer } from "./comparer.ts";
import type { ShadowRoom } from "./shadow-room.ts";
import type { ShadowRules } from "./shadow-rules.ts";
import { type DropReason, type InputSummary, ShadowTally } from "./shadow-tally.ts";

export interface ShadowOptions {
  readonly rules: ShadowRules;
  /** Whom the requests are mirrored to, if it can take any now. */
  readonly target: () => ServedVersion | undefined;
  readonly room: ShadowRoom;
  readonly comparer: Comparer;
  readonly clock: Clock;
}

/** A request as it was given to the version that answers. */
export interface PrimaryRequest {
  readonly served: ServedVersion;
  /** The version that the client named. */
  readonly version: string | undefined;
  readonly request: InferRequest;
}

/** A request that is to be mirrored, from its submission to its answer. */
export interface Mirror {
  /** The answer has been sent; what it lies in is still there. */
  answered(answer: InferAnswer): void;
  /** There is no answer. */
  abandon(): void;
}

/** Larger requests are not copied. */
const LARGEST_BYTES = 16 << 20;
const MOST_IN_FLIGHT = 32;
const SHOWN_ELEMENTS = 16;

/**
 * Shadow traffic of one model: a share of its requests is given to another version or a candidate too, once the client has its answer, and
 * the two answers are compared. It gives way wherever there is little room; nothing of it reaches the client.
 */
export class Shadow {
  readonly rules: ShadowRules;
  readonly startedAtMs: number;
  readonly #options: ShadowOptions;
  readonly #tally: ShadowTally;
  #credit = 0;
  #inFlight = 0;
  #ended = false;

  constructor(options: ShadowOptions) {
    this.#options = options;
    this.rules = options.rules;
    this.startedAtMs = options.clock.wallMs();
    this.#tally = new ShadowTally(options.rules.keepWorst);
  }

  get status() {
    return this.#tally.status();
  }

  /** What has begun is forgotten. */
  end(): void {
    this.#ended = true;
  }

  /** Call it when the request was submitted; undefined for one that is not mirrored. Copies the inputs of one that is. */
  take({ served, version, request }: PrimaryRequest): Mirror | undefined {
    const { percent, requests } = this.rules;
    if (version !== undefined && requests === "unversioned") return undefined;
    // Its own answer says nothing.
    if (this.#options.target() === served) return undefined;
    this.#credit += percent;
    if (this.#credit < 100) return undefined;
    this.#credit -= 100;
    const bytes = request.inputs.reduce(
      (sum, { data }) => sum + (data.kind === "bytes" ? data.bytes.byteLength : 0),
      0,
    );
    const refusal = this.#refusal(served, request, bytes);
    if (refusal !== undefined) {
      this.#tally.drop(refusal);
      return undefined;
    }
    this.#inFlight += 1;
    const copied = copyOf(request);
    let over = false;
    const give = () => {
      if (over) return;
      over = true;
      this.#inFlight -= 1;
      this.#options.room.give(bytes);
    };
    return {
      abandon: give,
      answered: (answer) => {
        if (over || this.#ended) give();
        else this.#keepAnswer({ request: copied, answer, give });
      },
    };
  }

  /** Takes the room where it gives no reason. */
  #refusal(served: ServedVersion, request: InferRequest, bytes: number): DropReason | undefined {
    const { spec } = served;
    if (spec.decoupled || spec.scheduling.kind === "sequence" || request.controls.sequenceId !== undefined)
      return "unsupported";
    // More than one batch of the model waits: its own requests need the machine.
    if (served.queued >= Math.max(1, spec.maxBatchSize)) return "primary-busy";
    if (bytes > LARGEST_BYTES) return "too-large";
    if (this.#inFlight >= MOST_IN_FLIGHT) return "target-busy";
    return this.#options.room.take(bytes) ? undefined : "memory";
  }

  #keepAnswer({ request, answer, give }: Kept & { readonly answer: InferAnswer }): void {
    const { outputs } = answer.response;
    const bytes = outputs.reduce((sum, output) => sum + output.bytes.byteLength, 0);
    if (bytes > LARGEST_BYTES || !this.#options.room.take(bytes)) {
      this.#tally.drop(bytes > LARGEST_BYTES ? "too-large" : "memory");
      give();
      return;
    }
    const { queueStartNs, endNs } = answer.moments;
    const kept = outputs.map((output) => ({ ...output, bytes: new Uint8Array(output.bytes) }));
    const done = () => {
      this.#options.room.give(bytes);
      give();
    };
    // Whoever sends the answer goes on first.
    setImmediate(() => void this.#mirror({ request, outputs: kept, primaryNs: endNs - queueStartNs, give: done }));
  }

  async #mirror({
    request,
    outputs,
    primaryNs,
    give,
  }: Kept & { readonly outputs: readonly OutputTensor[]; readonly primaryNs: number }) {
    let answer: InferAnswer | undefined;
    const over = () => {
      answer?.release();
      give();
    };
    try {
      const target = this.#options.target();
      const reason = this.#ended ? undefined : unfit(target);
      if (this.#ended || target === undefined || reason !== undefined) {
        if (reason !== undefined) this.#tally.drop(reason);
        return over();
      }
      const ticket = target.submit(validateRequest(target.spec, request));
      this.#tally.mirrored(primaryNs);
      answer = await ticket.answer;
      this.#tally.answered(answer.moments.endNs - answer.moments.queueStartNs);
      const { outputs: shadow } = answer.response;
      const batched = target.spec.maxBatchSize > 0;
      const comparison = () => this.#compare({ request, answers: { primary: outputs, shadow }, batched, over });
      if (this.#options.comparer.add(comparison)) return;
      this.#tally.drop("behind");
    } catch (error) {
      this.#tally.failed(NereidError.from(error).message);
    }
    over();
  }

  *#compare({ request, answers, batched, over }: Comparing): Sliced<void> {
    try {
      const comparison: Comparison = yield* compareOutputs(answers, this.rules, batched);
      this.#tally.compared(comparison, () => ({
        requestId: request.id,
        at: new Date(this.#options.clock.wallMs()).toISOString(),
        inputs: request.inputs.map(summaryOf),
      }));
    } catch (error) {
      this.#tally.failed(NereidError.from(error).message);
    } finally {
      over();
    }
  }
}

interface Kept {
  readonly request: InferRequest;
  /** Gives back what is kept of it. */
  readonly give: () => void;
}

interface Comparing {
  readonly request: InferRequest;
  readonly answers: Parameters<typeof compareOutputs>[0];
  readonly batched: boolean;
  readonly over: () => void;
}

/** Why it gets no request now. */
function unfit(target: ServedVersion | undefined): DropReason | undefined {
  if (target === undefined) return "target-not-ready";
  const { spec } = target;
  if (spec.decoupled || spec.scheduling.kind === "sequence") return "unsupported";
  return target.queued >= Math.max(1, spec.maxBatchSize) ? "target-busy" : undefined;
}

/** The same request without what concerns the client: its time limits, its priority, its shared memory. */
function copyOf(request: InferRequest): InferRequest {
  return {
    ...request,
    controls: NO_CONTROLS,
    inputs: request.inputs.map((input) =>
      input.data.kind === "bytes"
        ? { ...input, data: { kind: "bytes", bytes: new Uint8Array(input.data.bytes) } }
        : input,
    ),
    outputs: request.outputs.map(({ name }) => ({ name, binary: true, classification: 0 })),
  };
}

function summaryOf({ name, datatype, shape, data }: InferInput): InputSummary {
  const first = data.kind === "bytes" && isDatatype(datatype) ? firstElements(datatype, data.bytes) : [];
  return { name, datatype, shape, first };
}

function firstElements(datatype: Parameters<typeof decodeTensorValues>[0], bytes: Uint8Array): InputSummary["first"] {
  // Elements of 8 bytes at most; texts are read whole, which the limit of a request bounds.
  const some = datatype === "BYTES" ? bytes : bytes.subarray(0, SHOWN_ELEMENTS * 8);
  const values: Iterable<number | bigint | boolean | Uint8Array> = decodeTensorValues(datatype, some);
  return [...values].slice(0, SHOWN_ELEMENTS).map((value) => {
    if (typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    return typeof value === "bigint" ? String(value) : Buffer.from(value.subarray(0, 100)).toString("utf8");
  });
}
