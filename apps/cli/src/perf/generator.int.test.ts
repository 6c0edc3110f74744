import { once } from "node:events";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GeneratorFleet } from "@nereid/perf";
import { afterEach, expect, it } from "vitest";
import { ENTRY } from "../testing/product.ts";
import { parsePerfCommand } from "./parse-perf-command.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Processes that send recorded arrivals to a server which answers everything. */
async function recordedLoad() {
  const server = createServer((request, answer) => request.resume().on("end", () => answer.end("{}")));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const target = { ...parsePerfCommand(["-m", "m", "-u", `127.0.0.1:${port}`]), decoupled: false };
  const fleet = new GeneratorFleet(join(dirname(ENTRY), "perf-generator.js"));
  closers.push(
    () => fleet[Symbol.dispose](),
    () => server.close(),
  );
  const start = (offsetsMs: readonly number[], processes: number) =>
    fleet.start(
      {
        target,
        streams: [[{ kind: "body", path: "/", body: "{}" }]],
        outputs: [],
        parameters: new Map(),
        sequences: undefined,
        shape: { kind: "open", arrivals: { kind: "recorded", offsetsMs } },
        seed: 0,
        total: undefined,
      },
      processes,
    );
  return { fleet, start };
}

it("recorded arrivals that were stopped between two of them ended the next load, as soon as the second was due", async () => {
  const { fleet, start } = await recordedLoad();
  await start([0, 1500, 3000], 1);
  await sleep(200);
  await fleet.stop();
  const { ended } = await start(
    Array.from({ length: 31 }, (_, at) => at * 100),
    1,
  );
  await ended;
  const { records } = await fleet.flush();
  await fleet.stop();
  expect(records).toHaveLength(31);
});

it("several processes made a load each, from when each had begun: a burst came as several small ones", async () => {
  const { fleet, start } = await recordedLoad();
  const bursts = Array.from({ length: 40 }, (_, at) => Math.floor(at / 4) * 50);
  const { ended } = await start(bursts, 3);
  await ended;
  const { records, generator } = await fleet.flush();
  await fleet.stop();
  expect(generator.processes).toBe(3);
  const due = records.map(({ dueMs }) => dueMs).toSorted((a, b) => a - b);
  const [first = 0] = due;
  expect(due.map((ms) => Math.round(1000 * (ms - first)) / 1000)).toEqual(bursts);
});
