import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { WindowQuery } from "../history/history-reader.ts";
import { testContext } from "../testing/service-context.ts";
import { nodeReadings } from "./node-readings.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("a window of a node is read from the history, whole and for that node", async () => {
  const ctx = testContext(test.db, "viewer");
  const asked: WindowQuery[] = [];
  const history: typeof ctx.history = {
    ...ctx.history,
    nodeRange: async (query) => {
      asked.push({ node: query.node, from: query.from, to: query.to });
      return {
        step: 10,
        from: 1_000,
        to: 1_600,
        partialFrom: null,
        points: [{ t: 1_000, seconds: 10, cpu: 0.5 }],
        source: "own",
      };
    },
  };
  const answer = await nodeReadings({ ctx: { ...ctx, history }, input: { id: "local", from: 1_000, to: 1_600 } });
  expect(asked).toEqual([{ node: "local", from: 1_000, to: 1_600 }]);
  expect(answer).toMatchObject({ step: 10, from: 1_000, to: 1_600 });
  expect(answer.points).toEqual([{ t: 1_000, cpu: 0.5, requestsPerSecond: null, failuresPerSecond: null }]);
});

it.each([
  { from: 10 },
  { to: 10 },
  { from: 20, to: 20 },
  { from: 0, to: 40 * 86_400 },
  { seconds: 60, from: 0, to: 60 },
])("%o is no window", async (window) => {
  const ctx = testContext(test.db, "viewer");
  await expect(nodeReadings({ ctx, input: { id: "local", ...window } })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});
