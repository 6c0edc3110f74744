import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { floats } from "../testing/test-api.ts";
import { offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const DEPLOY = fileURLToPath(new URL("../../../../deploy/", import.meta.url));
const prometheusBinary = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "prometheus"))
  .find((file) => existsSync(file));

let server: TestServer;
let prometheus: ChildProcess | undefined;

afterEach(async () => {
  if (prometheus !== undefined && prometheus.exitCode === null) {
    const ended = new Promise((resolve) => prometheus?.once("exit", resolve));
    prometheus.kill("SIGKILL");
    await ended;
  }
  prometheus = undefined;
  await server.dispose();
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Names of our metrics in a text of any kind. */
function metricNames(text: string): Set<string> {
  return new Set(text.match(/\b(?:nv|nereid|process)_[a-z0-9_]+/g) ?? []);
}

describe("the files in deploy/", () => {
  it("name only metrics that a server has", async () => {
    server = await startTestServer({ models: [offset("plus", 1)], args: ["--metrics-interval-ms=50"] });
    await server.api.infer("plus", floats("QUESTION", [[1]]));
    await waitUntil("the gauges were read", async () =>
      (await readMetricsPage(server)).text.includes("nv_cpu_utilization"),
    );
    const page = metricNames((await readMetricsPage(server)).text);
    for (const file of ["grafana/nereid.json", "prometheus/alerts.yml", "prometheus/check-queries.mjs"]) {
      const named = [...metricNames(readFileSync(join(DEPLOY, file), "utf8"))];
      expect(named.length).toBeGreaterThan(5);
      // Without a GPU and without gRPC calls these have no series.
      const optional = /^(?:nv_gpu_|nv_energy|nereid_grpc_)/;
      expect(named.filter((name) => !page.has(name) && !optional.test(name))).toEqual([]);
    }
  });

  // Installed by nobody here: apt-get install prometheus.
  it.skipIf(prometheusBinary === undefined)(
    "give data in a real Prometheus, for Triton's boards as for ours, and rules it can evaluate",
    async () => {
      server = await startTestServer({ models: [offset("plus", 1)], args: ["--metrics-interval-ms=200"] });
      const port = await freePort();
      const config = join(server.directory, "prometheus.yml");
      const target = new URL(server.metricsUrl).host;
      writeFileSync(
        config,
        JSON.stringify({
          global: { scrape_interval: "1s", evaluation_interval: "1s" },
          rule_files: [join(DEPLOY, "prometheus/alerts.yml")],
          scrape_configs: [{ job_name: "nereid", static_configs: [{ targets: [target] }] }],
        }),
      );
      prometheus = spawn(
        prometheusBinary ?? "",
        [
          `--config.file=${config}`,
          `--storage.tsdb.path=${join(server.directory, "tsdb")}`,
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        { stdio: "ignore" },
      );
      const url = `http://127.0.0.1:${port}`;
      const value = async (query: string): Promise<number> => {
        const reply = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`).catch(() => undefined);
        // Until it is ready it says so in plain text.
        if (reply?.ok !== true) return 0;
        const body = (await reply.json()) as { data?: { result: { value: [number, string] }[] } };
        return Number(body.data?.result[0]?.value[1] ?? 0);
      };
      let sent = 0;
      await waitUntil(
        "five scrapes saw requests",
        async () => {
          expect((await server.api.infer("plus", floats("QUESTION", [[1]]))).status).toBe(200);
          sent += 1;
          return (await value("count_over_time(nv_inference_request_success[1m])")) >= 5;
        },
        60_000,
      );
      await waitUntil("rules were evaluated", async () => {
        const rules = await (await fetch(`${url}/api/v1/rules`)).text();
        return rules.includes('"health":"') && !rules.includes('"health":"unknown"');
      });
      const run = spawnSync(process.execPath, [join(DEPLOY, "prometheus/check-queries.mjs"), url], {
        encoding: "utf8",
      });
      expect(run.stdout).not.toContain("MISSING");
      expect(run.stdout).toContain("11 loaded, 0 that cannot be evaluated");
      expect(run.status).toBe(0);
      expect(await value("nv_inference_request_success")).toBeLessThanOrEqual(sent);
    },
  );
});
