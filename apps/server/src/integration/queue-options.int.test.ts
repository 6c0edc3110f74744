import { afterEach, describe, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, parse, whole } from "../testing/test-api.ts";
import { slowEcho } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
afterEach(() => server.dispose());

const row = (name: string, labels = "") => `${name}{${labels}model="m",version="1"}`;

describe("limits of every queue", () => {
  it("come from the options, answer with the status asked for, and are seen in the metrics", async () => {
    server = await startTestServer({
      models: [slowEcho("m", "")],
      args: ["--queue-max-requests=1", "--overload-status=429", "--flight-records=2", "--flight-sample=1"],
    });
    const { api } = server;
    const pid = await api.runnerPid("m");
    process.kill(pid, "SIGSTOP");
    const held = api.infer("m", whole("TURNS", 1, true));
    const instance = 'instance="m_0_0",';
    await waitUntil("it executes", async () => {
      return (await readMetricsPage(server)).value(row("nereid_instance_in_flight", instance)) === 1;
    });
    const waiting = api.infer("m", whole("TURNS", 2, true));
    await waitUntil("one waits", async () => {
      return (await readMetricsPage(server)).value(row("nereid_queue_requests")) === 1;
    });
    const refused = await api.infer("m", whole("TURNS", 3, true));
    expect([refused.status, errorOf(refused)]).toEqual([
      429,
      expect.stringContaining("Exceeds the queue limit: 1 requests wait, at most 1 may"),
    ]);
    process.kill(pid, "SIGCONT");
    expect([(await held).status, (await waiting).status]).toEqual([200, 200]);
    const page = await readMetricsPage(server);
    expect(page.value(row("nereid_instance_busy_seconds_total", instance))).toBeGreaterThan(0);
    expect(page.value(row("nereid_instance_in_flight", instance))).toBe(0);
    const { records } = parse<{ records: unknown[] }>(await api.call("/nereid/v1/requests"));
    expect(records).toHaveLength(2);
  });

  it("remember no flights when none are wanted", async () => {
    server = await startTestServer({ models: [slowEcho("m", "")], args: ["--flight-records=0", "--flight-sample=1"] });
    await server.api.infer("m", whole("TURNS", 1, true));
    const { records } = parse<{ records: unknown[] }>(await server.api.call("/nereid/v1/requests"));
    expect(records).toEqual([]);
  });
});
