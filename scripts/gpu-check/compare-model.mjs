// One model on one provider against the processor, in a process of its own: a provider may crash it. Prints JSON as its last line.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const BATCHES = [1, 8, 32];
/** Enough runs for a mean; a software device takes most of a second for one. */
const [LEAST_RUNS, MOST_RUNS] = [3, 2000];

/** Median of what the runs of one batch size took, milliseconds. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Largest difference of two lists of the same length; NaN where they cannot be compared. */
export function largestDifference(a, b) {
  if (a.length !== b.length || a.length === 0) return Number.NaN;
  let largest = 0;
  // A NaN must not hide behind a comparison that is false.
  for (let at = 0; at < a.length; at += 1) {
    const difference = Math.abs(a[at] - b[at]);
    if (!(difference <= largest)) largest = difference;
    if (Number.isNaN(largest)) return largest;
  }
  return largest;
}

/** Inputs of a batch: the same numbers every time, between 0 and 1. */
function feedsOf(ort, session, batch) {
  const [{ name, shape }] = session.inputMetadata;
  const dims = shape.map((dim, at) => (at === 0 ? batch : Number(dim)));
  const count = dims.reduce((product, dim) => product * dim, 1);
  const data = Float32Array.from({ length: count }, (_, at) => ((at * 7919) % 256) / 255);
  return { [name]: new ort.Tensor("float32", data, dims) };
}

async function compare({ root, model, provider, secondsEach }) {
  const ort = createRequire(`${root}/packages/perf/package.json`)("onnxruntime-node");
  const open = (name) =>
    ort.InferenceSession.create(model, { executionProviders: [name], intraOpNumThreads: 1, logSeverityLevel: 3 });
  const reference = await open("cpu");
  const session = await open(provider);
  const [output] = session.outputNames;
  let difference = 0;
  const batches = [];
  for (const batch of BATCHES) {
    const feeds = feedsOf(ort, session, batch);
    const begin = performance.now();
    const got = (await session.run(feeds))[output].data;
    const firstMs = performance.now() - begin;
    const here = largestDifference(got, (await reference.run(feeds))[output].data);
    difference = Number.isNaN(here) ? here : Math.max(difference, here);
    const times = [];
    const end = performance.now() + secondsEach * 1000;
    while (times.length < LEAST_RUNS || (performance.now() < end && times.length < MOST_RUNS)) {
      const start = performance.now();
      await session.run(feeds);
      times.push(performance.now() - start);
    }
    const ms = median(times);
    batches.push({ batch, firstMs, ms, itemsPerSecond: (batch * 1000) / ms, runs: times.length });
  }
  return { difference, batches };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const print = (answer) => process.stdout.write(`\n${JSON.stringify(answer)}\n`);
  compare(JSON.parse(process.argv[2] ?? "{}")).then(
    (value) => print({ value }),
    (error) => print({ message: error.message }),
  );
}
