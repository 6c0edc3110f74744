import type { DenseLayer } from "../models/mlp.ts";
import { heUniform } from "./random.ts";

/** A trainable dense layer: forward, backward and one step of stochastic gradient descent, sample by sample. */
export class Dense implements DenseLayer {
  readonly weights: Float32Array;
  readonly bias: Float32Array;
  readonly #inputs: number;
  readonly #outputs: number;

  constructor(inputs: number, outputs: number, random: () => number) {
    this.#inputs = inputs;
    this.#outputs = outputs;
    this.weights = heUniform(inputs * outputs, inputs, random);
    this.bias = new Float32Array(outputs);
  }

  forward(input: Float32Array): Float32Array {
    const output = Float32Array.from(this.bias);
    for (let i = 0; i < this.#inputs; i++) {
      const x = input[i] ?? 0;
      if (x === 0) continue;
      const row = i * this.#outputs;
      for (let o = 0; o < this.#outputs; o++) output[o] = (output[o] ?? 0) + x * (this.weights[row + o] ?? 0);
    }
    return output;
  }

  /** Updates the layer for one sample and returns the gradient of its input. */
  backward(input: Float32Array, gradient: Float32Array, rate: number): Float32Array {
    const back = new Float32Array(this.#inputs);
    for (let i = 0; i < this.#inputs; i++) {
      const x = input[i] ?? 0;
      const row = i * this.#outputs;
      let sum = 0;
      for (let o = 0; o < this.#outputs; o++) {
        const g = gradient[o] ?? 0;
        const w = this.weights[row + o] ?? 0;
        sum += w * g;
        if (x !== 0) this.weights[row + o] = w - rate * g * x;
      }
      back[i] = sum;
    }
    for (let o = 0; o < this.#outputs; o++) this.bias[o] = (this.bias[o] ?? 0) - rate * (gradient[o] ?? 0);
    return back;
  }
}

/** Gradient of softmax with cross-entropy: probabilities minus the one-hot label. */
export function softmaxGradient(logits: Float32Array, label: number): Float32Array {
  const top = Math.max(...logits);
  const exps = logits.map((logit) => Math.exp(logit - top));
  const total = exps.reduce((sum, value) => sum + value, 0);
  return exps.map((value, index) => value / total - (index === label ? 1 : 0));
}

export function argmax(values: ArrayLike<number>): number {
  let best = 0;
  for (let index = 1; index < values.length; index++) if ((values[index] ?? 0) > (values[best] ?? 0)) best = index;
  return best;
}

export function relu(values: Float32Array): Float32Array {
  return values.map((value) => Math.max(0, value));
}

/** The gradient where the activation was positive, else 0. */
export function reluGradient(gradient: Float32Array, activated: Float32Array): Float32Array {
  return gradient.map((value, index) => ((activated[index] ?? 0) > 0 ? value : 0));
}
