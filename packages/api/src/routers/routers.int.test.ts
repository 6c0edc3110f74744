import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import type { ManagedNode, Role } from "@nereid/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSubscription } from "../is-subscription.ts";
import { createCaller } from "../root.ts";
import { apiContext, withLocal } from "../testing/api-context.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const context = (role: Role | null) => apiContext(test.db, role);

describe("procedures", () => {
  it("a viewer reads and may not load", async () => {
    const caller = createCaller(context("viewer"));
    expect(await caller.models.list()).toHaveLength(2);
    await expect(caller.models.load({ name: "resnet" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(caller.models.unload({ name: "resnet" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect((await caller.session.me()).permissions).not.toContain("model.load");
  });

  it("an operator loads, and the audit trail says so", async () => {
    const caller = createCaller(context("operator"));
    expect(await caller.models.load({ name: "resnet" })).toMatchObject({ warnings: [{ code: "UNUSED_FIELD" }] });
    const { events } = await caller.audit.list({});
    expect(events.filter(({ outcome }) => outcome === "succeeded")).toMatchObject([{ action: "model.load" }]);
  });

  it("a mistake in the input is one sentence (it was the schema's verdict as JSON)", async () => {
    const caller = createCaller(context("viewer"));
    const wrong = { model: "", after: -1 };
    const { message } = await caller.metrics.latency(wrong).then(
      () => new Error("was accepted"),
      (error: Error) => error,
    );
    expect(message).toMatch(/^model: [^{}[\]]+; after: [^{}[\]]+$/);
  });

  it("a node's failure keeps its words; a foreign one loses them and is logged", async () => {
    const caller = createCaller(context("operator"));
    await expect(caller.models.load({ name: "broken" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("no model.onnx"),
    });
    const ctx = context("viewer");
    const client = { ...ctx.node, models: () => Promise.reject(new Error("secret path /etc")) };
    const failing = withLocal(ctx, { client });
    await expect(createCaller(failing).models.list()).rejects.toMatchObject({
      code: "INTERNAL_SERVER_ERROR",
      message: expect.not.stringContaining("secret"),
    });
    expect(ctx.logged).toHaveLength(1);
  });

  it("streams tracked rows and resumes after the last event", async () => {
    const ctx = context("viewer");
    const asked: number[] = [];
    const metrics: ManagedNode["metrics"] = {
      ...ctx.metrics,
      follow: async function* ({ after }) {
        asked.push(after);
        yield { kind: "connection", connection: { state: "live", since: 1 } };
        yield { kind: "bucket", bucket: { t: 101, series: [] } };
      },
    };
    const caller = createCaller(withLocal(ctx, { metrics }));
    const ids: string[] = [];
    for await (const item of await caller.metrics.latency({ model: "m", after: 90, lastEventId: "100" })) {
      // Without HTTP in between an item is still the envelope, an array, whatever its type says.
      const [id] = item as unknown as [string];
      ids.push(id);
    }
    expect(asked).toEqual([100]);
    expect(ids).toEqual(["100", "101"]);
  });

  it("a stream that the shutdown cuts off fails in a way that browsers retry", async () => {
    const ctx = context("viewer");
    const caller = createCaller({ ...ctx, shutdown: AbortSignal.abort() });
    const drain = async () => {
      for await (const _ of await caller.metrics.summaries());
    };
    await expect(drain()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("a session has 16 streams at most, and a closed one makes room (a viewer could freeze the dashboard)", async () => {
    const ctx = context("viewer");
    const follow: ManagedNode["metrics"]["follow"] = async function* () {
      for (let t = 1; ; t += 1) yield { kind: "bucket", bucket: { t, series: [] } };
    };
    const open = async (sessionId: string) => {
      const caller = createCaller({ ...withLocal(ctx, { metrics: { ...ctx.metrics, follow } }), sessionId });
      const stream = (await caller.metrics.summaries())[Symbol.asyncIterator]();
      await stream.next();
      return stream;
    };
    const streams = await Promise.all(Array.from({ length: 16 }, () => open("s1")));
    await expect(open("s1")).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
    await open("s2");
    await streams[0]?.return?.(undefined);
    await open("s1");
    expect(["metrics.summaries", "models.list", "toString", "no.such"].map(isSubscription)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("a stream ends when its session does", async () => {
    const ctx = context("viewer");
    let now = 0;
    const clock = { now: () => (now += 20_000) };
    const metrics: ManagedNode["metrics"] = {
      ...ctx.metrics,
      follow: async function* () {
        for (let t = 1; ; t += 1) yield { kind: "bucket", bucket: { t, series: [] } };
      },
    };
    const closing = { ...withLocal(ctx, { metrics }), base: { ...ctx.base, clock } };
    const caller = createCaller({ ...closing, refreshActor: async () => null });
    const drain = async () => {
      for await (const _ of await caller.metrics.latency({ model: "m", after: 0 }));
    };
    await expect(drain()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});
