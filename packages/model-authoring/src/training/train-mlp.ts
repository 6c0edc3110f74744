import type { DenseLayer } from "../models/mlp.ts";
import { argmax, Dense, relu, reluGradient, softmaxGradient } from "./dense.ts";
import { type Digit, shuffled } from "./digits.ts";
import { seededRandom } from "./random.ts";

const HIDDEN = 128;
const EPOCHS = 6;

/** 784-128-10 with stochastic gradient descent; the rate falls by half each epoch after the second. */
export function trainMlp(training: readonly Digit[]): readonly DenseLayer[] {
  const random = seededRandom(20);
  const first = new Dense(784, HIDDEN, random);
  const second = new Dense(HIDDEN, 10, random);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = 0.02 / 2 ** Math.max(0, epoch - 2);
    for (const { pixels, label } of shuffled(training, epoch)) {
      const hidden = relu(first.forward(pixels));
      const gradient = softmaxGradient(second.forward(hidden), label);
      first.backward(pixels, reluGradient(second.backward(hidden, gradient, rate), hidden), rate);
    }
  }
  return [first, second];
}

/** Share of digits that the layers read right. */
export function mlpAccuracy(layers: readonly DenseLayer[], digits: readonly Digit[]): number {
  const [first, second] = layers;
  if (!(first instanceof Dense) || !(second instanceof Dense)) throw new TypeError("expected the two trained layers");
  const right = digits.filter(({ pixels, label }) => argmax(second.forward(relu(first.forward(pixels)))) === label);
  return right.length / digits.length;
}
