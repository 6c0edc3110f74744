import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerChain } from "../models/answer-chain.ts";
import type { InferTicket } from "../models/infer-ticket.ts";
import type { ModelSpec, TensorSpec } from "../models/model-spec.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import { type EnsembleStep, ensembleGraph, neededSteps, originOf } from "./ensemble-graph.ts";
import type { EnsembleLink, StepLink } from "./ensemble-link.ts";
import { EnsembleRun } from "./ensemble-run.ts";

const MOMENTS = { queueStartNs: 0, computeStartNs: 0, inputEndNs: 0, outputStartNs: 0, endNs: 0 };

const tensorSpec = (name: string): TensorSpec => ({
  name,
  datatype: "INT32",
  dims: [1],
  modelDims: [1],
  variable: false,
  optional: false,
  labels: [],
});

const numberIn = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
const bytesOf = (value: number) => new Uint8Array(Int32Array.of(value).buffer);

/** Step i adds up its inputs and its own number; the last one is what the ensemble gives. */
interface World {
  readonly steps: readonly EnsembleStep[];
  /** Answers each step gives to each request; 1 and not decoupled where absent. */
  readonly repeats: ReadonlyMap<number, number>;
  readonly failing: number | undefined;
  readonly maxInFlight: number;
}

interface Outcome {
  readonly answers: number[];
  readonly ended: number;
  readonly failure: NereidError | undefined;
  readonly held: number;
  readonly mostInFlight: number;
}

function modelOf(step: EnsembleStep, decoupled: boolean): ModelSpec {
  const inputs = step.inputs.map(({ input }) => tensorSpec(input));
  const outputs = step.outputs.map(({ output }) => tensorSpec(output));
  return {
    name: step.model,
    version: "1",
    maxBatchSize: 0,
    inputs,
    outputs,
    inputByName: new Map(inputs.map((one) => [one.name, one])),
    outputByName: new Map(outputs.map((one) => [one.name, one])),
    requiredInputs: inputs.length,
    decoupled,
  } as unknown as ModelSpec;
}

async function play({ steps, repeats, failing, maxInFlight }: World, turns: () => number): Promise<Outcome> {
  const decoupled = ({ index }: EnsembleStep) => repeats.has(index);
  const graph = ensembleGraph(steps, decoupled);
  if ("kind" in graph) throw new Error("mixed");
  const wanted = steps.at(-1)?.outputs[0]?.tensor ?? "";
  let held = 0;
  const inFlight = steps.map(() => 0);
  let mostInFlight = 0;
  const linkOf = (step: EnsembleStep): StepLink => {
    const spec = modelOf(step, decoupled(step));
    return {
      spec,
      submit: (request): InferTicket => {
        const chain = new AnswerChain();
        inFlight[step.index] = (inFlight[step.index] ?? 0) + 1;
        mostInFlight = Math.max(mostInFlight, inFlight[step.index] ?? 0);
        const value = request.inputs.reduce((sum, { bytes }) => sum + numberIn(bytes), step.index);
        void (async () => {
          const count = repeats.get(step.index) ?? 1;
          for (let answer = 0; answer < count; answer++) {
            for (let turn = turns(); turn > 0; turn--) await undefined;
            if (step.index === failing) return chain.fail(new NereidError("UNAVAILABLE", "step failed"));
            held += 1;
            let live = true;
            chain.put(
              {
                response: {
                  modelName: step.model,
                  modelVersion: "1",
                  id: "",
                  outputs: step.outputs.map(({ output }) => ({
                    name: output,
                    datatype: "INT32",
                    shape: [1],
                    bytes: bytesOf(value + answer * 1000),
                  })),
                },
                moments: MOMENTS,
                release: () => {
                  if (!live) throw new Error("released twice");
                  live = false;
                  held -= 1;
                },
              },
              !repeats.has(step.index),
            );
          }
          if (repeats.has(step.index))
            chain.put(
              {
                response: { modelName: "", modelVersion: "", id: "", outputs: [] },
                moments: MOMENTS,
                empty: true,
                release: () => undefined,
              },
              true,
            );
          return undefined;
        })().finally(() => {
          inFlight[step.index] = (inFlight[step.index] ?? 1) - 1;
        });
        return { answer: chain.take(), cancel: () => chain.abandon(new NereidError("CANCELLED", "")) };
      },
    };
  };
  const outcome = { answers: [] as number[], ended: 0, failure: undefined as NereidError | undefined };
  const done = new Promise<void>((resolve) => {
    const releases: (() => void)[] = [];
    const over = () => {
      outcome.ended += 1;
      for (const release of releases) release();
      resolve();
    };
    const link: EnsembleLink = {
      name: "E",
      batching: false,
      decoupled: steps.some(decoupled),
      graph,
      answersAt: originOf(graph, wanted, decoupled),
      steps: steps.map(linkOf),
      optionalInputs: [],
      maxInFlight,
      nowNs: () => 0,
      needed: (outputs) => neededSteps(graph, outputs),
      outputShape: (_name, shape) => shape,
      until: async (condition) => {
        while (!condition()) await new Promise((next) => setImmediate(next));
      },
      answer: ([output], _outcome, release) => {
        if (output !== undefined) outcome.answers.push(numberIn(output.bytes));
        releases.push(release);
      },
      fail: (error) => {
        outcome.failure = error;
        over();
      },
      end: over,
    };
    const input = tensorSpec("in");
    const request = {
      id: "",
      batchSize: 1,
      inputs: [{ spec: input, shape: [1], bytes: bytesOf(7) }],
      outputs: [tensorSpec(wanted)],
      priority: 0,
      timeoutNs: 0,
      parameters: new Map(),
      sequence: undefined,
      deadlineNs: Number.POSITIVE_INFINITY,
    } as unknown as ValidRequest;
    new EnsembleRun(link, request).start();
  });
  await done;
  // Steps that nobody waits for any more may still give back what they made.
  for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
  return { ...outcome, held, mostInFlight };
}

/** What the last tensor is worth, worked out without any order of events. */
function expected({ steps, repeats }: World): number[] {
  const worth = (tensor: string): number[] => {
    if (tensor === "in") return [7];
    const step = steps.find(({ outputs }) => outputs.some((output) => output.tensor === tensor));
    if (step === undefined) return [];
    let sums = [step.index];
    for (const { tensor: input } of step.inputs) {
      const values = worth(input);
      sums =
        sums.length === 1 || values.length === 1
          ? sums.flatMap((sum) => values.map((value) => sum + value))
          : sums.map((sum, at) => sum + (values[at] ?? 0));
    }
    const times = repeats.get(step.index);
    return times === undefined
      ? sums
      : sums.flatMap((sum) => Array.from({ length: times }, (_, at) => sum + at * 1000));
  };
  return worth(steps.at(-1)?.outputs[0]?.tensor ?? "");
}

/** A chain of steps that may also look further back; at most one of them is decoupled. */
const worlds = fc
  .record({
    size: fc.integer({ min: 1, max: 7 }),
    edges: fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 8 }),
    decoupledAt: fc.option(fc.nat(6), { nil: undefined }),
    times: fc.integer({ min: 0, max: 4 }),
    failing: fc.option(fc.nat(6), { nil: undefined }),
    maxInFlight: fc.integer({ min: 0, max: 2 }),
    delays: fc.array(fc.nat(6), { minLength: 1, maxLength: 20 }),
  })
  .map(({ size, edges, decoupledAt, times, failing, maxInFlight, delays }) => {
    const steps = Array.from({ length: size }, (_, index): EnsembleStep => {
      const back = edges.filter(([to, from]) => to === index && from < index).map(([, from]) => `t${from}`);
      const from = [...new Set([index === 0 ? "in" : `t${index - 1}`, ...back])];
      return {
        index,
        model: `m${index}`,
        version: undefined,
        inputs: from.map((tensor) => ({ input: `i_${tensor}`, tensor })),
        outputs: [{ output: "out", tensor: `t${index}` }],
      };
    });
    const repeats = new Map(decoupledAt !== undefined && decoupledAt < size ? [[decoupledAt, times] as const] : []);
    return {
      steps,
      repeats,
      failing: failing !== undefined && failing < size ? failing : undefined,
      maxInFlight,
      delays,
    };
  });

describe("a request's way through an ensemble", () => {
  it("gives every answer once, whatever the order in which steps end, and gives all memory back", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ delays, ...world }) => {
        let at = 0;
        const outcome = await play(world, () => delays[at++ % delays.length] ?? 0);
        expect(outcome.ended).toBe(1);
        expect(outcome.held).toBe(0);
        const [decoupledAt] = world.repeats.keys();
        const runs =
          world.failing !== undefined &&
          !(decoupledAt !== undefined && decoupledAt <= world.failing && world.repeats.get(decoupledAt) === 0);
        if (runs) {
          expect(outcome.failure?.message).toBe("in ensemble 'E', step failed");
          expect(outcome.failure?.code).toBe("UNAVAILABLE");
        } else {
          expect(outcome.failure).toBeUndefined();
          // Answers of later steps may overtake each other.
          expect(outcome.answers.sort((a, b) => a - b)).toEqual(expected(world).sort((a, b) => a - b));
        }
        if (world.maxInFlight > 0) expect(outcome.mostInFlight).toBeLessThanOrEqual(world.maxInFlight);
      }),
      { numRuns: 400 },
    );
  });
});
