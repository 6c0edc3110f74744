import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testContext } from "../testing/service-context.ts";
import { listEvents } from "./list-events.ts";

describe("ends of runners among the events", () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  const row = (atMs: number, model: string, kind: "ended" | "restarted") => ({
    atMs,
    model,
    version: "1",
    kind,
    reason: kind === "ended" ? "signal SIGKILL" : "",
  });

  it("are marks of their model, one for one mishap", async () => {
    const base = testContext(test.db);
    const rows = [row(1_000, "resnet", "ended"), row(1_200, "resnet", "restarted"), row(2_000, "other", "ended")];
    const ctx = { ...base, node: { ...base.node, runnerEvents: async () => rows } };
    expect(await listEvents({ ctx, input: { model: "resnet" } })).toEqual([
      {
        t: 1,
        kind: "restart",
        model: "resnet",
        version: "1",
        label: "Process of version 1 ended by itself: signal SIGKILL",
        actorName: "server",
        auditId: null,
      },
    ]);
    expect(await listEvents({ ctx, input: { from: 1.5 } })).toMatchObject([{ model: "other" }]);
  });

  it("are left out while the server does not answer", async () => {
    const base = testContext(test.db);
    const ctx = { ...base, node: { ...base.node, runnerEvents: () => Promise.reject(new Error("down")) } };
    expect(await listEvents({ ctx, input: {} })).toEqual([]);
  });
});
