import { readdirSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { SseParser } from "@nereid/client";
import { afterEach, describe, expect, it } from "vitest";
import { gated, open, shut } from "../testing/gated-model.ts";
import { childrenOf, processExists } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, parse, type Tensor } from "../testing/test-api.ts";
import { offset, writeModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

interface View {
  readonly loading: readonly {
    readonly version: string;
    readonly stage: string;
    readonly sinceMs: number;
    readonly elapsedMs: number;
  }[];
  readonly lastLoadError: string;
}

interface Event {
  readonly id: number;
  readonly kind: string;
  readonly model: string;
  readonly version: string;
  readonly reason: string;
  readonly stage?: string;
}

let server: TestServer;
afterEach(() => server?.dispose());
const EXPLICIT = ["--model-control-mode=explicit"];
const question: Tensor[] = [{ name: "QUESTION", datatype: "FP32", shape: [1], data: [1] }];
const view = async (model: string) => parse<View>(await server.api.call(`/nereid/v1/models/${model}`));
const stage = async (model: string) => (await view(model)).loading[0]?.stage;
const niceOf = (pid: number, tid: number | string) =>
  Number(readFileSync(`/proc/${pid}/task/${tid}/stat`, "latin1").split(") ")[1]?.split(" ")[16]);
const nices = (pid: number) => new Set(readdirSync(`/proc/${pid}/task`).map((tid) => niceOf(pid, tid)));

/** Follows the events until it is closed. */
function follow(path = "/nereid/v1/events") {
  const events: Event[] = [];
  const types: string[] = [];
  const parser = new SseParser();
  const request = get(new URL(path, server.api.url), (response) => {
    response.setEncoding("utf8").on("data", (text: string) => {
      for (const event of parser.push(text)) {
        types.push(event.type);
        if (event.type === "message") events.push(JSON.parse(event.data) as Event);
      }
    });
    response.on("error", () => {});
  });
  request.on("error", () => {});
  return { events, types, close: () => request.destroy() };
}

describe("a load in progress", () => {
  it("tells its stage and for how long; the index says LOADING and no more", async () => {
    server = await startTestServer({ models: [gated("slow")], mode: EXPLICIT });
    const { api } = server;
    expect((await view("slow")).loading).toEqual([]);
    const load = api.load("slow");
    await waitUntil("its process loads", async () => (await stage("slow")) === "loading");
    const [row] = (await view("slow")).loading;
    expect(row).toMatchObject({ version: "1", stage: "loading" });
    expect(row?.elapsedMs).toBeGreaterThanOrEqual(0);
    expect((await api.index())[0]).toEqual({ name: "slow", version: "1", state: "LOADING" });
    const second = api.load("slow");
    open(server, "slow");
    expect([(await load).status, (await second).status]).toEqual([200, 200]);
    expect((await view("slow")).loading).toEqual([]);
  });

  it.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "has the lowest priority with all its threads, and serves with the normal one",
    async () => {
      server = await startTestServer({ models: [gated("nice")], mode: EXPLICIT });
      const load = server.api.load("nice");
      await waitUntil("its process loads", async () => (await stage("nice")) === "loading");
      const [pid = 0] = childrenOf(server.pid);
      const devices = server.log.find(({ msg }) => msg === "devices");
      if (devices?.["loadPriority"] === "nice") expect(nices(pid)).toEqual(new Set([19]));
      open(server, "nice");
      expect((await load).status).toBe(200);
      expect(nices(pid)).toEqual(new Set([0]));
      expect(numbersOf(await server.api.infer("nice", question))).toEqual([2]);
    },
  );

  it.runIf(process.platform === "linux")("has the normal priority with --load-priority=normal", async () => {
    server = await startTestServer({ models: [gated("normal")], mode: EXPLICIT, args: ["--load-priority=normal"] });
    const load = server.api.load("normal");
    await waitUntil("its process loads", async () => (await stage("normal")) === "loading");
    expect(nices(childrenOf(server.pid)[0] ?? 0)).toEqual(new Set([0]));
    open(server, "normal");
    expect((await load).status).toBe(200);
  });

  it("can be cancelled: its call says so, its process ends, what was served goes on", async () => {
    server = await startTestServer({ models: [gated("copy", 1)], mode: EXPLICIT });
    const { api } = server;
    const cancel = () => api.post("/nereid/v1/models/copy/load/cancel");
    const none = await cancel();
    expect([none.status, errorOf(none)]).toEqual([409, "no load of model 'copy' is in progress"]);
    // Never served: nothing is left of the load.
    const first = api.load("copy");
    await waitUntil("its process loads", async () => (await stage("copy")) === "loading");
    expect(parse(await cancel())).toEqual({ cancelled: 1 });
    const cancelled = await first;
    expect([cancelled.status, errorOf(cancelled)]).toEqual([
      400,
      "the load of model 'copy' was cancelled; what was served goes on",
    ]);
    await waitUntil("its process has ended", () => childrenOf(server.pid).length === 0);
    expect(await api.ready()).toBe(true);
    // Served: the old copy stays.
    open(server, "copy");
    expect((await api.load("copy")).status).toBe(200);
    const pid = await api.runnerPid("copy");
    shut(server, "copy");
    writeModel(server.repository, gated("copy", 10));
    const second = api.load("copy");
    await waitUntil("the new copy loads", async () => (await stage("copy")) === "loading");
    expect(parse(await cancel())).toEqual({ cancelled: 1 });
    expect((await second).status).toBe(400);
    await waitUntil("only the old copy is left", () => childrenOf(server.pid).length === 1);
    expect(await api.runnerPid("copy")).toBe(pid);
    expect(numbersOf(await api.infer("copy", question))).toEqual([2]);
    expect((await view("copy")).lastLoadError).toBe("");
    // And the next load really loads.
    open(server, "copy");
    expect((await api.load("copy")).status).toBe(200);
    expect(numbersOf(await api.infer("copy", question))).toEqual([11]);
    await waitUntil("the old copy has ended", () => !processExists(pid));
  });

  it("that waits for its turn is cancelled at once", async () => {
    server = await startTestServer({
      models: [gated("ahead"), gated("behind")],
      mode: EXPLICIT,
      args: ["--model-load-thread-count=1"],
    });
    const { api } = server;
    const ahead = api.load("ahead");
    await waitUntil("the first loads", async () => (await stage("ahead")) === "loading");
    const behind = api.load("behind");
    await waitUntil(
      "the second waits",
      async () => (await stage("behind")) === "queued" && (await view("behind")).loading[0]?.version === "1",
    );
    expect(parse(await api.post("/nereid/v1/models/behind/load/cancel"))).toEqual({ cancelled: 1 });
    expect((await behind).status).toBe(400);
    open(server, "ahead");
    expect((await ahead).status).toBe(200);
  });
});

describe("the event stream", () => {
  it("tells what happens to models, and is resumed after an id", async () => {
    server = await startTestServer({ models: [gated("one"), offset("two", 1)], mode: EXPLICIT });
    const { api } = server;
    const live = follow();
    try {
      const load = api.load("one");
      await waitUntil("it loads", async () => (await stage("one")) === "loading");
      open(server, "one");
      expect((await load).status).toBe(200);
      // A load that changes nothing is no event.
      expect((await api.load("one")).status).toBe(200);
      process.kill(await api.runnerPid("one"), "SIGKILL");
      await waitUntil("it is restarted", () => live.events.some(({ kind }) => kind === "runner-restarted"));
      const divided = await api.call("/nereid/v1/models/one/traffic", { method: "PUT", body: '{"weights":{"1":1}}' });
      expect(divided.status).toBe(200);
      await api.unload("one");
      expect((await api.load("nobody")).status).toBe(500);
      await waitUntil("all is told", () => live.events.some(({ kind }) => kind === "load-failed"));
      const told = live.events.map(({ kind, stage: at }) => (kind === "stage" ? at : kind));
      expect(told).toEqual([
        "load-started",
        "queued",
        "starting",
        "loading",
        "instances",
        "warm-up",
        "load-finished",
        "runner-ended",
        "runner-restarted",
        "traffic-changed",
        "unloaded",
        "load-failed",
      ]);
      const ids = live.events.map(({ id }) => id);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      const resumed = follow(`/nereid/v1/events?after=${ids[6]}`);
      const other = follow("/nereid/v1/events?after=0&model=two");
      try {
        expect((await api.load("two")).status).toBe(200);
        const last = (events: readonly Event[]) =>
          events.some(({ kind, model }) => kind === "load-finished" && model === "two");
        await waitUntil("both have caught up", () => last(resumed.events) && last(other.events));
        expect(resumed.events[0]?.kind).toBe("runner-ended");
        expect(new Set(other.events.map(({ model }) => model))).toEqual(new Set(["two"]));
        expect([resumed.types.includes("gap"), other.types[0]]).toEqual([false, "gap"]);
      } finally {
        resumed.close();
        other.close();
      }
    } finally {
      live.close();
    }
    expect((await api.call("/nereid/v1/events?after=x")).status).toBe(400);
    expect((await api.infer("two", floats("QUESTION", [[0]]))).status).toBe(200);
  });
});
