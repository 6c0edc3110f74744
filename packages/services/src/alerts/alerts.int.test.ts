import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { SecondBucket } from "@nereid/client";
import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HistoryReader } from "../history/history-reader.ts";
import { sumsOf } from "../history/series-sums.ts";
import { listSlos, previewSlo, removeSlo, saveSlo } from "../slos/slos.ts";
import { seriesOf } from "../testing/buckets.ts";
import { testContext } from "../testing/service-context.ts";
import { acknowledgeAlert, listAlerts } from "./alerts.ts";
import { listChannels, removeChannel, saveChannel, testChannel } from "./channels.ts";
import { deliverAlerts } from "./deliver-alerts.ts";
import { findReceiver } from "./find-receiver.ts";
import { postMessage } from "./post-message.ts";
import { isSignedWith } from "./sign-message.ts";
import { reviewAlerts } from "./watch-alerts.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of messages that answers as it is told. */
async function receiver() {
  const received: Received[] = [];
  const answers: number[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const status = answers.shift() ?? 200;
      response.writeHead(status, status === 302 ? { location: "http://127.0.0.1:1/" } : {}).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { received, answers, url: `http://127.0.0.1:${port}/hook?token=t`, close: () => server.close() };
}

/** A history in which every request took so long, or failed. */
function historyOf(state: { latencyMs: number; failed: number }): HistoryReader {
  return {
    models: async () => ["resnet"],
    totals: async () => [],
    nodeRange: async () => {
      throw new Error("alerts are found without the history of machines");
    },
    range: async ({ from, to }) => {
      const series = seriesOf(
        "resnet",
        Array.from({ length: 100 }, () => state.latencyMs),
        { failure: state.failed },
      );
      return {
        step: to - from,
        from,
        to,
        partialFrom: null,
        series: [{ key: "", points: [{ t: from, seconds: to - from, merged: sumsOf(series) }] }],
        source: "own",
      };
    },
  };
}

describe.each(await testDialects())("objectives and alerts on $dialect", (dialect) => {
  let test: TestDatabase;
  let hook: Awaited<ReturnType<typeof receiver>>;
  let now = Date.parse("2026-11-21T08:00:00Z");
  const state = { latencyMs: 5, failed: 0 };
  let allowInside = true;
  let seconds: SecondBucket[] = [];
  const connection = { state: "live" as "live" | "down", since: 0 };
  const clock = { now: () => now };
  const contextOf = (role: "viewer" | "operator" | "admin" = "admin") => ({
    ...testContext(test.db, role),
    clock,
    history: historyOf(state),
    alerts: {
      seal: (text: string) => `sealed:${text}`,
      unseal: (text: string) => text.replace("sealed:", ""),
      post: (message: Parameters<typeof postMessage>[0]) => postMessage(message, { allowInside: true }),
      check: (url: URL) => findReceiver(url, { allowInside }),
    },
  });
  const machine = (after: number) => seconds.filter(({ t }) => t > after);
  const review = () =>
    reviewAlerts({
      db: test.db,
      clock,
      history: historyOf(state),
      nodes: () => [{ id: "local", name: "local", connection: { ...connection }, machine }],
    });
  const deliver = () =>
    deliverAlerts({ db: test.db, clock, ...contextOf().alerts, dashboardUrl: "https://nereid.example" });

  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  beforeEach(async () => {
    allowInside = true;
    seconds = [];
    Object.assign(state, { latencyMs: 5, failed: 0 });
    Object.assign(connection, { state: "live", since: 0 });
    hook = await receiver();
    await test.db.alert.deleteMany();
    await test.db.alertChannel.deleteMany();
    await test.db.slo.deleteMany();
  });
  afterEach(() => hook.close());
  afterAll(() => test.drop());

  const promise = { name: "fast", model: "resnet", latencyMs: 20, objective: 0.99, windowDays: 30 };

  it("previews on what was measured, keeps, changes and removes, all of it audited", async () => {
    const ctx = contextOf("operator");
    const preview = await previewSlo({ ctx, input: promise });
    expect(preview).toMatchObject({ state: "kept", attainment: 1, budgetLeft: 1, requests: 100 });
    const slo = await saveSlo({ ctx, input: promise });
    state.latencyMs = 90;
    const [listed] = await listSlos({ ctx, input: {} });
    expect(listed).toMatchObject({ slo: promise, standing: { state: "broken", attainment: 0, goodput: 0 } });
    expect(listed?.standing.throughput).toBeGreaterThan(0);
    await saveSlo({ ctx, input: { ...promise, id: slo.id, latencyMs: 100 } });
    expect((await listSlos({ ctx, input: { model: "resnet" } }))[0]?.standing.state).toBe("kept");
    expect(await removeSlo({ ctx, input: { id: slo.id } })).toMatchObject({ latencyMs: 100 });
    expect(await listSlos({ ctx, input: {} })).toEqual([]);
    const rows = await test.db.auditEvent.findMany({ where: { targetType: "slo" }, orderBy: { seq: "asc" } });
    expect(rows.map(({ action, outcome }) => [action, outcome])).toEqual([
      ["slo.create", "succeeded"],
      ["slo.change", "succeeded"],
      ["slo.remove", "succeeded"],
    ]);
    expect(rows[1]).toMatchObject({ before: { latencyMs: 20 }, after: { latencyMs: 100 } });
    await expect(saveSlo({ ctx: contextOf("viewer"), input: promise })).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("opens one alert for one mishap, closes it when it is over, and tells both, signed", async () => {
    const ctx = contextOf();
    const { secret, channel } = await saveChannel({
      ctx,
      input: { name: "pager", url: hook.url, severities: ["page"] },
    });
    await saveSlo({ ctx, input: promise });
    expect(await review()).toEqual({ opened: 0, closed: 0 });
    state.latencyMs = 90;
    expect(await review()).toEqual({ opened: 1, closed: 0 });
    expect(await review()).toEqual({ opened: 0, closed: 0 });
    const [alert] = await listAlerts({ ctx, input: {} });
    expect(alert).toMatchObject({ severity: "page", model: "resnet", closedAtMs: null });
    expect(alert?.title).toContain("resnet: fast uses its error budget 100.0 times");
    expect(await deliver()).toBe(1);
    state.latencyMs = 5;
    expect(await review()).toEqual({ opened: 0, closed: 1 });
    expect(await deliver()).toBe(1);
    expect(await deliver()).toBe(0);
    expect(hook.received.map(({ body }) => JSON.parse(body).event)).toEqual(["opened", "closed"]);
    for (const { headers, body } of hook.received) {
      const signature = String(headers["x-nereid-signature"]).replace("sha256=", "");
      expect(isSignedWith(secret ?? "", { timestamp: String(headers["x-nereid-timestamp"]), body, signature })).toBe(
        true,
      );
      expect(body).not.toContain(secret);
    }
    expect((await listChannels({ ctx }))[0]).toMatchObject({ id: channel.id, last: { state: "delivered" } });
    expect(await listAlerts({ ctx, input: {} })).toEqual([]);
    expect(await listAlerts({ ctx, input: { state: "closed" } })).toHaveLength(1);
  });

  it("tries again with growing pauses, and gives up after a day", async () => {
    const ctx = contextOf();
    await saveChannel({ ctx, input: { name: "pager", url: hook.url, severities: ["page", "ticket"] } });
    Object.assign(connection, { state: "down", since: now - 60_000 });
    hook.answers.push(500, 302);
    await review();
    expect(await deliver()).toBe(0);
    expect(await deliver()).toBe(0);
    expect(hook.received).toHaveLength(1);
    now += 10_000;
    expect(await deliver()).toBe(0);
    now += 30_000;
    expect(await deliver()).toBe(1);
    expect(hook.received).toHaveLength(3);

    connection.state = "live";
    hook.answers.push(...Array.from({ length: 20 }, () => 503));
    await review();
    for (let hour = 0; hour < 48; hour++) {
      await deliver();
      now += 3_600_000;
    }
    const given = await test.db.alertDelivery.findFirst({ where: { event: "closed" } });
    expect(given).toMatchObject({ state: "given-up", attempts: 9, lastError: "answered with status 503" });
  });

  it("does not cry for a node that is away for a moment", async () => {
    Object.assign(connection, { state: "down", since: now - 10_000 });
    expect(await review()).toEqual({ opened: 0, closed: 0 });
    connection.since = now - 40_000;
    expect(await review()).toEqual({ opened: 1, closed: 0 });
  });

  it("acknowledges, and takes that back; a removed objective closes its alert", async () => {
    const ctx = contextOf("operator");
    const slo = await saveSlo({ ctx, input: promise });
    state.failed = 900;
    await review();
    const [alert] = await listAlerts({ ctx, input: {} });
    const id = alert?.id ?? "";
    expect(await acknowledgeAlert({ ctx, input: { id } })).toMatchObject({ acknowledgedByName: "Ada" });
    expect(await acknowledgeAlert({ ctx, input: { id, acknowledged: false } })).toMatchObject({
      acknowledgedByName: null,
    });
    await expect(acknowledgeAlert({ ctx: contextOf("viewer"), input: { id } })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await removeSlo({ ctx, input: { id: slo.id } });
    expect(await listAlerts({ ctx, input: {} })).toEqual([]);
  });

  it("tests a channel, and audits no address with its token", async () => {
    const ctx = contextOf();
    const { channel } = await saveChannel({ ctx, input: { name: "pager", url: hook.url, severities: ["page"] } });
    expect(await testChannel({ ctx, input: { id: channel.id } })).toEqual({ status: 200 });
    expect(JSON.parse(hook.received[0]?.body ?? "")).toMatchObject({ event: "test" });
    await removeChannel({ ctx, input: { id: channel.id } });
    const rows = await test.db.auditEvent.findMany({ where: { targetType: "channel" } });
    expect(JSON.stringify(rows)).not.toContain("token=t");
    await expect(listChannels({ ctx: contextOf("operator") })).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("a receiver inside was kept, and each message to it then refused", async () => {
    const input = { name: "pager", url: hook.url, severities: ["page" as const] };
    allowInside = false;
    await expect(saveChannel({ ctx: contextOf(), input })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^url: 127\.0\.0\.1 is an address inside/),
      fix: expect.stringContaining("NEREID_ALERTS_ALLOW_PRIVATE"),
    });
    await expect(
      saveChannel({ ctx: contextOf(), input: { ...input, url: "http://[::ffff:10.0.0.1]/" } }),
    ).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(saveChannel({ ctx: contextOf("operator"), input })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await test.db.alertChannel.count()).toBe(0);
    allowInside = true;
    expect((await saveChannel({ ctx: contextOf(), input })).channel.url).toBe(hook.url);
  });

  it("a receiver that hangs does not keep the others from being told, nor for ever", async () => {
    const silent = createServer(() => undefined);
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
    try {
      await expect(
        postMessage({ url, headers: {}, body: "{}" }, { allowInside: true, timeoutMs: 50 }),
      ).rejects.toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("did not answer within") });
      const never = () => new Promise<string[]>(() => undefined);
      await expect(
        postMessage(
          { url: "http://named.example/", headers: {}, body: "{}" },
          { allowInside: true, timeoutMs: 20, resolve: never },
        ),
      ).rejects.toMatchObject({ code: "UNAVAILABLE" });

      const ctx = contextOf();
      await saveChannel({ ctx, input: { name: "hanging", url, severities: ["page"] } });
      for (let at = 0; at < 30; at += 1) {
        Object.assign(connection, { state: "down", since: now - 60_000 });
        await review();
        connection.state = "live";
        await review();
        now += 1;
      }
      await saveChannel({ ctx, input: { name: "pager", url: hook.url, severities: ["page"] } });
      connection.state = "down";
      await review();
      const asked: string[] = [];
      const post = async (message: Parameters<typeof postMessage>[0]) => {
        asked.push(message.url);
        if (message.url === hook.url) return 200;
        throw new Error("hangs");
      };
      await deliverAlerts({ db: test.db, clock, ...ctx.alerts, post });
      expect(asked.filter((one) => one === hook.url)).toHaveLength(1);
      expect(asked.filter((one) => one === url)).toHaveLength(4);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it("of a receiver whose answer never ends, no more than its status is read", async () => {
    let gone: Promise<unknown> | undefined;
    const endless = createServer((_request, response) => {
      gone = once(response, "close");
      response.writeHead(200);
      const write = () => {
        if (response.destroyed) return;
        if (response.write(Buffer.alloc(65_536))) setImmediate(write);
        else response.once("drain", write);
      };
      write();
    });
    endless.listen(0, "127.0.0.1");
    await once(endless, "listening");
    const address = endless.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
    expect(await postMessage({ url, headers: {}, body: "{}" }, { allowInside: true })).toBe(200);
    await gone;
    endless.close();
  });

  it("new errors of a GPU are found in what is remembered, without a look at the history", async () => {
    const at = Math.floor(now / 1000);
    const second = (t: number, xidErrors: number): SecondBucket => ({
      t,
      series: [],
      node: { gpus: [{ index: 1, xidErrors }] },
    });
    seconds = [second(at - 700, 0), second(at - 20, 3), second(at - 10, 3)];
    expect(await review()).toEqual({ opened: 0, closed: 0 });
    seconds.push(second(at - 5, 5));
    expect(await review()).toEqual({ opened: 1, closed: 0 });
    expect((await listAlerts({ ctx: contextOf(), input: {} }))[0]?.title).toBe(
      "GPU 1 of node local reports Xid errors",
    );
    seconds = [];
    expect(await review()).toEqual({ opened: 0, closed: 1 });
  });

  it("sends nothing inside unless that is allowed, not even by a name that resolves there or a redirect", async () => {
    const message = { url: hook.url, headers: {}, body: "{}" };
    await expect(postMessage(message, { allowInside: false })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const named = { ...message, url: "http://public.example/hook" };
    const mixed = async () => ["93.184.216.34", "127.0.0.1"];
    await expect(postMessage(named, { allowInside: false, resolve: mixed })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(postMessage({ ...message, url: "file:///etc/passwd" }, { allowInside: true })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    expect(hook.received).toEqual([]);
    hook.answers.push(302);
    expect(await postMessage(message, { allowInside: true })).toBe(302);
    expect(hook.received).toHaveLength(1);
  });
});
