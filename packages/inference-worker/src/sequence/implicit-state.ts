import type { OutputTensor } from "@nereid/protocol";
import type { TensorSpec } from "../models/model-spec.ts";
import { modelShape } from "../models/reshape.ts";
import type { ValidInput } from "../request/valid-request.ts";

export interface StateValue {
  /** Without the batch dimension. */
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** A tensor the server keeps from one request of a sequence to the next (scheduling.md §5, Implicit state). */
export interface StateSpec {
  readonly input: TensorSpec;
  readonly output: TensorSpec;
  /** Also an output clients may ask for; the others are hidden from them. */
  readonly visible: boolean;
  /** What every sequence begins with. */
  readonly initial: StateValue;
}

/** The states of one sequence. It begins with the initial values; nothing but `update` and `reset` changes them. */
export class ImplicitState {
  readonly #specs: readonly StateSpec[];
  readonly #batching: boolean;
  #values: readonly StateValue[];
  #shapeKey: string;

  /** `batching`: the model has a batch dimension, of size 1 in every tensor here. */
  constructor(specs: readonly StateSpec[], batching: boolean) {
    this.#specs = specs;
    this.#batching = batching;
    this.#values = specs.map(({ initial }) => initial);
    this.#shapeKey = shapeKeyOf(specs, this.#values);
  }

  /** States with the same key may share a batch; empty where all their dims are fixed. */
  get shapeKey(): string {
    return this.#shapeKey;
  }

  /** The tensors to feed, in the order of the configuration. Their bytes stay as they are after an `update`. */
  inputs(): ValidInput[] {
    return this.#specs.map(({ input }, index) => {
      const { shape, bytes } = this.#value(index);
      return { spec: input, shape: this.#outside(shape), bytes };
    });
  }

  /** Takes the states out of what the model gave for one request. Bytes are copied: they lie in memory that is used again. */
  update(outputs: readonly OutputTensor[]): void {
    this.#values = this.#specs.map(({ output }, index) => {
      const produced = outputs.find(({ name }) => name === output.name);
      if (produced === undefined) return this.#value(index);
      const item = this.#batching ? produced.shape.slice(1) : produced.shape;
      return { shape: modelShape(output, item), bytes: produced.bytes.slice() };
    });
    this.#shapeKey = shapeKeyOf(this.#specs, this.#values);
  }

  /** A sequence begins. */
  reset(): void {
    this.#values = this.#specs.map(({ initial }) => initial);
    this.#shapeKey = shapeKeyOf(this.#specs, this.#values);
  }

  #value(index: number): StateValue {
    return this.#values[index] ?? { shape: [], bytes: new Uint8Array() };
  }

  #outside(shape: readonly number[]): readonly number[] {
    return this.#batching ? [1, ...shape] : shape;
  }
}

/** Key of the states at the start of a sequence. */
export function initialShapeKey(specs: readonly StateSpec[]): string {
  return shapeKeyOf(
    specs,
    specs.map(({ initial }) => initial),
  );
}

/** Output specs a request must ask the model for because of the states, beyond those it asks for itself. */
export function stateOutputs(specs: readonly StateSpec[], requested: readonly TensorSpec[]): readonly TensorSpec[] {
  return specs.flatMap(({ output }) => (requested.some(({ name }) => name === output.name) ? [] : [output]));
}

function shapeKeyOf(specs: readonly StateSpec[], values: readonly StateValue[]): string {
  let key = "";
  specs.forEach(({ input }, index) => {
    if (input.variable) key += `|${values[index]?.shape.join("x") ?? ""}`;
  });
  return key;
}
