import { NereidError } from "@nereid/errors";
import type { ValidInput, ValidRequest } from "../request/valid-request.ts";
import { productOf } from "./lay-out.ts";
import type { BatchInputSpec } from "./model-spec.ts";

/** A tensor the server makes for a batch. */
export interface MadeTensor {
  readonly name: string;
  readonly datatype: "INT32" | "FP32";
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** The batch inputs of a model for these requests (scheduling.md §3). Pure. */
export function makeBatchInputs(
  specs: readonly BatchInputSpec[],
  requests: readonly ValidRequest[],
): readonly MadeTensor[] {
  return specs.flatMap((spec) => {
    const { shape, values } = valuesOf(spec, requests);
    const bytes = encode(values, spec.datatype);
    return spec.targets.map((name) => ({ name, datatype: spec.datatype, shape, bytes }));
  });
}

interface Values {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

function valuesOf({ kind, source }: BatchInputSpec, requests: readonly ValidRequest[]): Values {
  const inputs = requests.map((request) => sourceOf(request, source));
  const counts = inputs.map(({ shape }) => productOf(shape));
  switch (kind) {
    case "BATCH_ELEMENT_COUNT":
      return flat(counts);
    case "BATCH_ACCUMULATED_ELEMENT_COUNT":
      return flat(accumulate(counts));
    case "BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO":
      return flat([0, ...accumulate(counts)]);
    case "BATCH_MAX_ELEMENT_COUNT_AS_SHAPE": {
      // Only its shape says something; its content is undefined.
      const most = Math.max(...counts);
      return { shape: [most], values: new Array<number>(most).fill(0) };
    }
    case "BATCH_ITEM_SHAPE":
    case "BATCH_ITEM_SHAPE_FLATTEN": {
      const items = requests.flatMap((request, index) => {
        const item = inputs[index]?.shape.slice(1) ?? [];
        return Array.from({ length: Math.max(1, request.batchSize) }, () => item);
      });
      const values = items.flat();
      const rank = items[0]?.length ?? 0;
      return { shape: kind === "BATCH_ITEM_SHAPE" ? [items.length, rank] : [values.length], values };
    }
  }
}

function sourceOf(request: ValidRequest, name: string): ValidInput {
  const input = request.inputs.find(({ spec }) => spec.name === name);
  if (input === undefined)
    throw new NereidError("INTERNAL", `batch_input needs input '${name}', which a request lacks`);
  return input;
}

function accumulate(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count));
}

function flat(values: readonly number[]): Values {
  return { shape: [values.length], values };
}

function encode(values: readonly number[], datatype: "INT32" | "FP32"): Uint8Array {
  const array = datatype === "INT32" ? Int32Array.from(values) : Float32Array.from(values);
  return new Uint8Array(array.buffer);
}
