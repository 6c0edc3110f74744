import { once } from "node:events";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GeneratorFleet } from "@nereid/perf";
import { expect, it } from "vitest";
import { ENTRY } from "../testing/product.ts";
import { parsePerfCommand } from "./parse-perf-command.ts";

it("recorded arrivals that were stopped between two of them ended the next load, as soon as the second was due", async () => {
  const server = createServer((request, answer) => request.resume().on("end", () => answer.end("{}")));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const target = { ...parsePerfCommand(["-m", "m", "-u", `127.0.0.1:${port}`]), decoupled: false };
  using fleet = new GeneratorFleet(join(dirname(ENTRY), "perf-generator.js"));
  const start = (offsetsMs: readonly number[]) =>
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
      1,
    );
  await start([0, 1500, 3000]);
  await sleep(200);
  await fleet.stop();
  const { ended } = await start(Array.from({ length: 31 }, (_, at) => at * 100));
  await ended;
  const { records } = await fleet.flush();
  await fleet.stop();
  server.close();
  expect(records).toHaveLength(31);
});
