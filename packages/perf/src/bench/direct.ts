/** A child process of the bench: the engine called directly, as fast as it goes. Prints one JSON line a round. */
import { createInterface } from "node:readline";
import * as ort from "onnxruntime-node";

interface Order {
  readonly file: string;
  readonly input: string;
  readonly shape: readonly number[];
  readonly durationMs: number;
}

const sessions = new Map<string, ort.InferenceSession>();

async function sessionOf(file: string): Promise<ort.InferenceSession> {
  const known = sessions.get(file);
  if (known !== undefined) return known;
  const session = await ort.InferenceSession.create(file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
  sessions.set(file, session);
  return session;
}

for await (const line of createInterface({ input: process.stdin })) {
  const order: Order = JSON.parse(line);
  const session = await sessionOf(order.file);
  const elements = order.shape.reduce((product, dim) => product * dim, 1);
  const data = new Float32Array(elements).fill(0.5);
  const times: number[] = [];
  const warmUntil = performance.now() + Math.min(500, order.durationMs / 4);
  let end = Number.POSITIVE_INFINITY;
  for (;;) {
    const start = performance.now();
    if (start >= end) break;
    await session.run({ [order.input]: new ort.Tensor("float32", data, order.shape) });
    const done = performance.now();
    if (start < warmUntil) continue;
    if (end === Number.POSITIVE_INFINITY) end = start + order.durationMs;
    times.push(done - start);
  }
  times.sort((a, b) => a - b);
  const p50 = times[Math.floor(times.length / 2)] ?? 0;
  process.stdout.write(
    `${JSON.stringify({ runs: times.length, perSecond: times.length / (order.durationMs / 1000), p50Us: p50 * 1000 })}\n`,
  );
}
