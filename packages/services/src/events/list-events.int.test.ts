import type { ServerEvent } from "@nereid/client";
import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyConfig } from "../config/apply-config.ts";
import { loadModel } from "../models/load-model.ts";
import { testContext } from "../testing/service-context.ts";
import { listEvents } from "./list-events.ts";
import { listTimeline } from "./list-timeline.ts";

describe("events of a server among those of the records", () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  const row = (atMs: number, model: string, more: Partial<ServerEvent>): ServerEvent => ({
    id: atMs,
    atMs,
    model,
    version: "",
    kind: "unloaded",
    reason: "",
    ...more,
  });
  const telling = (rows: readonly ServerEvent[]) => {
    const base = testContext(test.db);
    const node = { ...base.node, serverEvents: async () => [...rows] };
    return { ...base, node, nodes: base.nodes.map((one) => ({ ...one, client: node })) };
  };

  it("ends of runners are marks of their model, one for one mishap", async () => {
    const ended = { kind: "runner-ended", version: "1", reason: "signal SIGKILL" } as const;
    const ctx = telling([
      row(1_000, "resnet", ended),
      row(1_200, "resnet", { kind: "runner-restarted", version: "1" }),
      row(2_000, "other", ended),
    ]);
    expect(await listEvents({ ctx, input: { model: "resnet" } })).toEqual([
      {
        id: "node/local/1000",
        t: 1,
        kind: "restart",
        model: "resnet",
        version: "1",
        node: "local",
        label: "Process of version 1 ended by itself: signal SIGKILL",
        detail: null,
        actorName: "server",
        auditId: null,
        change: null,
      },
    ]);
    expect(await listEvents({ ctx, input: { from: 1.5 } })).toMatchObject([{ model: "other" }]);
  });

  it("are left out, and the server is named, while it does not answer", async () => {
    const base = telling([]);
    const node = { ...base.node, serverEvents: () => Promise.reject(new Error("down")) };
    const ctx = { ...base, node, nodes: base.nodes.map((one) => ({ ...one, client: node })) };
    expect(await listEvents({ ctx, input: {} })).toEqual([]);
    expect(await listTimeline({ ctx, input: {} })).toMatchObject({ events: [], silent: [{ problem: "down" }] });
  });

  it("a load that was asked for is told once, a change of a configuration leads to its two texts, alerts are there twice", async () => {
    const base = telling([]);
    const now = base.clock.now();
    const ctx = telling([
      row(now - 500, "resnet", { kind: "load-finished", versions: ["1"] }),
      row(now - 60_000, "resnet", { kind: "load-finished", versions: ["1"] }),
      row(now - 61_000, "resnet", { kind: "load-failed", reason: "no such file" }),
      row(now - 62_000, "resnet", { kind: "evicted", reason: "memory" }),
    ]);
    await loadModel({ ctx, input: { name: "resnet" } });
    const { digest } = await ctx.node.modelConfigState("resnet");
    await applyConfig({ ctx, input: { name: "resnet", text: "new", ifDigest: digest, reason: "faster" } });
    await test.db.alert.create({
      data: {
        id: "a1",
        key: "slo/s1/fast",
        severity: "page",
        title: "resnet is slow",
        model: "resnet",
        openedAt: new Date(now - 30_000),
        closedAt: new Date(now - 20_000),
        facts: {},
      },
    });
    const { events, more, silent } = await listTimeline({ ctx, input: { seconds: 100 } });
    expect(events.map(({ label }) => label).sort()).toEqual([
      "Alert over: resnet is slow",
      "Alert: resnet is slow",
      "Configuration changed",
      "Evicted to make room",
      "Load failed",
      "Loaded",
      "Loaded version 1",
    ]);
    expect([more, silent]).toEqual([false, []]);
    const changed = events.find(({ kind }) => kind === "config");
    const entries = await test.db.configEntry.findMany({ orderBy: { number: "asc" } });
    expect(changed?.change).toEqual({ from: entries[0]?.id, to: entries[1]?.id });
    expect(changed?.detail).toContain("faster");

    const narrowed = await listTimeline({ ctx, input: { kinds: ["config", "load"], q: "FASTER" } });
    expect(narrowed.events.map(({ kind }) => kind)).toEqual(["config"]);
    expect((await listTimeline({ ctx, input: { actor: "ada" } })).events).toHaveLength(2);
    expect(await listTimeline({ ctx, input: { limit: 1 } })).toMatchObject({ more: true });
    await expect(listTimeline({ ctx, input: { node: "none" } })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
