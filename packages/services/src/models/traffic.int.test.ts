import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findRequests } from "../requests/find-requests.ts";
import { testContext } from "../testing/service-context.ts";
import { cancelLoad } from "./cancel-load.ts";
import { divideTraffic, trafficText } from "./divide-traffic.ts";
import { getTraffic } from "./get-traffic.ts";
import { profileModel } from "./profile-model.ts";
import { profileTrace } from "./profile-trace.ts";

const name = "resnet";

describe.each(await testDialects())("traffic, loads in progress and requests on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  beforeEach(() => test.db.auditEvent.deleteMany());
  afterAll(() => test.drop());
  const rows = () => test.db.auditEvent.findMany({ orderBy: { seq: "asc" } });

  it("is divided, read and given back; the trail says what it was before and after", async () => {
    const ctx = testContext(test.db);
    expect(await getTraffic({ ctx, input: { name } })).toEqual({ traffic: null });
    const divided = {
      weights: { "1": 90, "2": 10 },
      stickyHeader: "x-user",
      shares: { "1": 0.9, "2": 0.1 },
    };
    const { weights, stickyHeader } = divided;
    const input = { name, weights, stickyHeader, reason: "a first tenth" };
    expect(await divideTraffic({ ctx, input })).toEqual({ traffic: divided, warnings: [] });
    const viewer = { ...ctx, actor: testContext(test.db, "viewer").actor };
    expect(await getTraffic({ ctx: viewer, input: { name } })).toEqual({ traffic: divided });
    expect(await divideTraffic({ ctx, input: { name, weights: null } })).toEqual({ traffic: null, warnings: [] });
    const row = { action: "traffic.divide", targetType: "model", targetId: name, outcome: "succeeded" };
    const [highest, split] = [{ traffic: "highest version" }, { traffic: "1=90, 2=10 by x-user" }];
    expect(await rows()).toMatchObject([
      { ...row, before: highest, after: split, reason: "a first tenth" },
      { ...row, before: split, after: highest },
    ]);
  });

  it("the node's refusal is passed on and audited", async () => {
    const ctx = testContext(test.db);
    await expect(divideTraffic({ ctx, input: { name, weights: { "9": 1 } } })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "'resnet' has no version 9",
    });
    expect(await rows()).toMatchObject([
      { action: "traffic.divide", outcome: "failed", after: { traffic: "9=1", error: "'resnet' has no version 9" } },
    ]);
  });

  it.each([
    [{}, /at least one weight must be above 0/],
    [{ "1": 0 }, /at least one weight must be above 0/],
    [{ "1": 0.5 }, /weights\.1/],
    [{ "1": -1 }, /weights\.1/],
    [{ one: 1 }, /weights\.one/],
    [Object.fromEntries(Array.from({ length: 101 }, (_, i) => [String(i), 1])), /at most 100 versions/],
  ])("weights %j are refused before anything is asked", async (weights, message) => {
    const ctx = testContext(test.db);
    const refusal = { code: "INVALID_ARGUMENT", message: expect.stringMatching(message) };
    await expect(divideTraffic({ ctx, input: { name, weights } })).rejects.toMatchObject(refusal);
    expect(await rows()).toEqual([]);
  });

  it("what is no header name is refused", async () => {
    const input = { name, weights: { "1": 1 }, stickyHeader: "x user" };
    await expect(divideTraffic({ ctx: testContext(test.db), input })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "stickyHeader: is not the name of a request header",
    });
  });

  it("a load in progress is cancelled; where there is none the node's words say so", async () => {
    const ctx = testContext(test.db);
    expect(await cancelLoad({ ctx, input: { name } })).toEqual({ cancelled: 1 });
    await expect(cancelLoad({ ctx, input: { name } })).rejects.toMatchObject({
      code: "CONFLICT",
      message: "no load of model 'resnet' is in progress",
    });
    const row = { action: "model.cancel", targetId: name };
    expect(await rows()).toMatchObject([
      { ...row, outcome: "succeeded", after: { cancelled: 1 } },
      { ...row, outcome: "failed", after: { code: "CONFLICT" } },
    ]);
  });

  it("a profile is taken, noted, and read again", async () => {
    const ctx = testContext(test.db);
    const taken = await profileModel({ ctx, input: { name, seconds: 2, version: "3", reason: "slow" } });
    expect(taken).toMatchObject({ model: name, seconds: 2, version: "3", runs: 4 });
    expect(await profileTrace({ ctx, input: { name, id: taken.id } })).toHaveLength(1);
    const invalid = { code: "INVALID_ARGUMENT" };
    await expect(profileModel({ ctx, input: { name, seconds: 61 } })).rejects.toMatchObject(invalid);
    await expect(profileTrace({ ctx, input: { name, id: "../etc" } })).rejects.toMatchObject(invalid);
    await expect(profileModel({ ctx, input: { name, version: "9" } })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const viewer = testContext(test.db, "viewer");
    await expect(profileModel({ ctx: viewer, input: { name } })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await rows()).toMatchObject([
      { action: "model.profile", outcome: "succeeded", reason: "slow", after: { profile: taken.id, runs: 4 } },
      { action: "model.profile", outcome: "failed", after: { code: "NOT_FOUND" } },
      { action: "model.profile", outcome: "failed" },
    ]);
  });

  it("a viewer looks and changes nothing", async () => {
    const ctx = testContext(test.db, "viewer");
    const forbidden = { code: "FORBIDDEN" };
    await expect(divideTraffic({ ctx, input: { name, weights: null } })).rejects.toMatchObject(forbidden);
    await expect(cancelLoad({ ctx, input: { name } })).rejects.toMatchObject(forbidden);
    expect((await rows()).map(({ action, outcome }) => [action, outcome])).toEqual([
      ["traffic.divide", "failed"],
      ["model.cancel", "failed"],
    ]);
    expect((await findRequests({ ctx, input: {} })).records.map(({ serial }) => serial)).toEqual([8, 7]);
    expect((await findRequests({ ctx, input: { cause: "slow", limit: 1 } })).records).toMatchObject([{ id: "r-7" }]);
    await expect(findRequests({ ctx, input: { limit: 501 } })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

it("trafficText goes by number, and says nothing for null but where all go", () => {
  expect(trafficText({ weights: { "10": 1, "9": 2 }, stickyHeader: "X-User" })).toBe("9=2, 10=1 by x-user");
  expect(trafficText(null)).toBe("highest version");
});
