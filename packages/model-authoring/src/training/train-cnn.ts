import type { CnnWeights } from "../models/cnn.ts";
import { argmax, Dense, relu, reluGradient, softmaxGradient } from "./dense.ts";
import { type Digit, shuffled } from "./digits.ts";
import { heUniform, seededRandom } from "./random.ts";

const SIDE = 28;
const KERNEL = 5;
const STRIDE = 2;
const OUT = 12;

/** One 5×5 convolution with stride 2 over a 28×28 image, trained sample by sample. */
class Convolution {
  readonly kernel: Float32Array;
  readonly bias: Float32Array;
  readonly #filters: number;

  constructor(filters: number, random: () => number) {
    this.#filters = filters;
    this.kernel = heUniform(filters * KERNEL * KERNEL, KERNEL * KERNEL, random);
    this.bias = new Float32Array(filters);
  }

  forward(image: Float32Array): Float32Array {
    const output = new Float32Array(this.#filters * OUT * OUT);
    this.#eachOutput((at, filter, origin) => {
      let sum = this.bias[filter] ?? 0;
      for (let k = 0; k < KERNEL * KERNEL; k++) {
        sum +=
          (this.kernel[filter * 25 + k] ?? 0) * (image[origin + Math.floor(k / KERNEL) * SIDE + (k % KERNEL)] ?? 0);
      }
      output[at] = sum;
    });
    return output;
  }

  step(image: Float32Array, gradient: Float32Array, rate: number): void {
    this.#eachOutput((at, filter, origin) => {
      const change = rate * (gradient[at] ?? 0);
      if (change === 0) return;
      this.bias[filter] = (this.bias[filter] ?? 0) - change;
      for (let k = 0; k < KERNEL * KERNEL; k++) {
        const pixel = image[origin + Math.floor(k / KERNEL) * SIDE + (k % KERNEL)] ?? 0;
        this.kernel[filter * 25 + k] = (this.kernel[filter * 25 + k] ?? 0) - change * pixel;
      }
    });
  }

  #eachOutput(visit: (at: number, filter: number, origin: number) => void): void {
    for (let filter = 0; filter < this.#filters; filter++) {
      for (let cell = 0; cell < OUT * OUT; cell++) {
        visit(filter * OUT * OUT + cell, filter, Math.floor(cell / OUT) * STRIDE * SIDE + (cell % OUT) * STRIDE);
      }
    }
  }
}

export interface CnnPlan {
  readonly filters: number;
  readonly epochs: number;
  readonly seed: number;
}

/** Trains the small CNN and says how well it reads digits it never saw. */
export function trainCnn(
  plan: CnnPlan,
  sets: { readonly training: readonly Digit[]; readonly heldOut: readonly Digit[] },
): { weights: CnnWeights; accuracy: number } {
  const random = seededRandom(plan.seed);
  const convolution = new Convolution(plan.filters, random);
  const dense = new Dense(plan.filters * OUT * OUT, 10, random);
  for (let epoch = 0; epoch < plan.epochs; epoch++) {
    const rate = 0.01 / 2 ** epoch;
    for (const { pixels, label } of shuffled(sets.training, plan.seed + epoch)) {
      const features = relu(convolution.forward(pixels));
      const gradient = softmaxGradient(dense.forward(features), label);
      convolution.step(pixels, reluGradient(dense.backward(features, gradient, rate), features), rate);
    }
  }
  const right = sets.heldOut.filter(
    ({ pixels, label }) => argmax(dense.forward(relu(convolution.forward(pixels)))) === label,
  );
  return {
    weights: {
      filters: plan.filters,
      kernel: convolution.kernel,
      kernelBias: convolution.bias,
      dense: dense.weights,
      denseBias: dense.bias,
    },
    accuracy: right.length / sets.heldOut.length,
  };
}
