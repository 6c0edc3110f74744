/** The simulator by itself: the real scheduler on a virtual clock, without an engine. */
export { latencyCurve } from "./latency-curve.ts";
export type { LoadCosts, LoadOutcome, LoadSetup } from "./load-setup.ts";
export { type Random, seededRandom } from "./random.ts";
export { simulateLoad } from "./simulate-load.ts";
