import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, parse, whole } from "../testing/test-api.ts";
import { identity, loop } from "../testing/test-model.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: [identity("batched"), loop("alone"), identity("unused")] });
});
afterAll(() => server.dispose());

const ask = (model: string, query = "") => server.api.call(`/nereid/v1/models/${model}/simulation?${query}`);

describe("simulation of what came", () => {
  it("has every request that came, what was measured, and two predictions", async () => {
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 8 }, () => server.api.infer("batched", floats("INPUT_FP32", [[round]]))));
    const answer = parse<{ readonly measured: { readonly meanBatch: number } }>(
      await ask("batched", "instances=2&maxBatchSize=4&preferred=2,4"),
    );
    expect(answer).toMatchObject({
      version: "1",
      arrivals: 80,
      isWhole: true,
      setting: {
        present: { instances: 1, maxBatchSize: 64 },
        proposed: { instances: 2, maxBatchSize: 4, preferredBatchSizes: [2, 4] },
      },
      measured: { unanswered: 0 },
      present: { unanswered: 0 },
      proposed: { unanswered: 0 },
      tooLarge: 0,
    });
    expect(answer.measured.meanBatch).toBeGreaterThanOrEqual(1);
  });

  it("tells when they came, so that they can be sent again", async () => {
    const { arrivalsMs, batchSizes, ...answer } = parse<{
      readonly arrivalsMs: readonly number[];
      readonly batchSizes: readonly number[];
    }>(await server.api.call("/nereid/v1/models/batched/arrivals?seconds=60"));
    expect([answer, arrivalsMs.length, batchSizes]).toEqual([{ version: "1", isWhole: true }, 80, Array(80).fill(1)]);
    expect(arrivalsMs).toEqual(arrivalsMs.toSorted((a, b) => a - b));
    expect(arrivalsMs[0]).toBe(0);
    const bad = await server.api.call("/nereid/v1/models/batched/arrivals?seconds=901");
    expect([bad.status, errorOf(bad)]).toEqual([400, "'seconds' must be a whole number from 1 to 900"]);
  });

  it("says what stands against it", async () => {
    expect([(await ask("unused")).status, errorOf(await ask("unused"))]).toEqual([
      409,
      "only 0 requests came in this time: too few to simulate",
    ]);
    await server.api.infer("alone", whole("TURNS", 1));
    expect((await ask("alone", "maxBatchSize=4")).status).toBe(400);
    expect((await ask("batched", "instances=0")).status).toBe(400);
    expect((await ask("batched", "preferred=a")).status).toBe(400);
    expect((await ask("nobody")).status).toBe(404);
  });
});
