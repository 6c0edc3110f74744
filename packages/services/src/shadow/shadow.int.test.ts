import type { ModelStatus } from "@nereid/client";
import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testContext } from "../testing/service-context.ts";
import { startShadow, stopShadow } from "./change-shadow.ts";
import { getShadow, targetsOf } from "./get-shadow.ts";

const name = "resnet";

describe.each(await testDialects())("shadow traffic on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  beforeEach(() => test.db.auditEvent.deleteMany());
  afterAll(() => test.drop());
  const rows = () => test.db.auditEvent.findMany({ orderBy: { seq: "asc" } });

  it("is begun, read and ended; the trail says what was asked for and what it came to", async () => {
    const ctx = testContext(test.db);
    expect((await getShadow({ ctx, input: { name } })).shadow).toBeNull();
    const { shadow } = await startShadow({ ctx, input: { name, target: "2", percent: 5, reason: "new weights" } });
    expect(shadow).toMatchObject({ target: "2", percent: 5 });
    const viewer = { ...ctx, actor: testContext(test.db, "viewer").actor };
    expect((await getShadow({ ctx: viewer, input: { name } })).shadow).toEqual(shadow);
    expect(await stopShadow({ ctx, input: { name } })).toEqual({ stopped: true });
    expect(await stopShadow({ ctx, input: { name } })).toEqual({ stopped: false });
    expect(await rows()).toMatchObject([
      {
        action: "shadow.start",
        targetId: name,
        outcome: "succeeded",
        reason: "new weights",
        after: { shadow: "5 % to 2" },
      },
      { action: "shadow.stop", outcome: "succeeded", after: { was: "5 % to 2: 10 of 11 agreed, 1 failed" } },
      { action: "shadow.stop", outcome: "succeeded", after: { shadow: "none" } },
    ]);
  });

  it("is refused to viewers, and the node's refusal is passed on; both leave a row", async () => {
    const ctx = testContext(test.db);
    const viewer = { ...ctx, actor: testContext(test.db, "viewer").actor };
    await expect(startShadow({ ctx: viewer, input: { name, target: "2", percent: 5 } })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(startShadow({ ctx, input: { name, target: "9", percent: 5 } })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect((await rows()).map(({ action, outcome }) => [action, outcome])).toEqual([
      ["shadow.start", "failed"],
      ["shadow.start", "failed"],
    ]);
  });

  it.each([
    { target: "two", percent: 5 },
    { target: "a/b/1", percent: 5 },
    { target: "2", percent: 0 },
    { target: "2", percent: 5, absolute: Number.POSITIVE_INFINITY },
  ])("%j is no shadow", async (input) => {
    await expect(startShadow({ ctx: testContext(test.db), input: { name, ...input } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

it("targets are the versions that serve, and those of the model's candidates", () => {
  const model = (of: string, candidateOf: string | null, states: Readonly<Record<string, "READY" | "LOADING">>) =>
    ({
      name: of,
      candidateOf,
      versions: Object.entries(states).map(([version, state]) => ({ version, state })),
    }) as unknown as ModelStatus;
  const models = [
    model("m", null, { "10": "READY", "9": "READY", "11": "LOADING" }),
    model("trial", "m", { "9": "READY" }),
    model("other", "x", { "1": "READY" }),
  ];
  expect(targetsOf("m", models)).toEqual(["9", "10", "trial/9"]);
  expect(targetsOf("other", models)).toEqual([]);
});
