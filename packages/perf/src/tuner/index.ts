/** What pages need of tunings: types and figures, without anything of Node. */
export { compareFigures, metricOf, missedPercent, utilityOf, type Wanted } from "./compare-figures.ts";
export { goodputWithin, quantileAt, shareWithin } from "./goodput.ts";
export { chanceAbove } from "./intervals.ts";
export { paretoFront } from "./pareto.ts";
export { levelWords } from "./recommend.ts";
export * from "./tuning-types.ts";
