import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NereidClient } from "@nereid/client";
import { tunedModel } from "@nereid/perf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { csvRows } from "../perf/testing/run-perf-cli.ts";
import { type ServedModels, serveModels } from "../perf/testing/served-models.ts";
import { ENTRY } from "../testing/product.ts";
import type { CheckpointFile } from "./checkpoint-files.ts";
import { describeTuned } from "./profile-model.ts";
import { tritonHost } from "./triton-host.ts";

const REPOSITORY = join(import.meta.dirname, "../../../../model_repo");
const directory = mkdtempSync(join(tmpdir(), "nereid-analyze-"));
const path = (name: string) => join(directory, name);
/** Two instance counts, two batch sizes, two loads: five configurations with the present one. */
const TINY =
  "--instance-counts=1,2 --model-batch-sizes=4,8 --queue-delays=0 --concurrency=1,4 --duration-seconds=0.2 --busy-share=1 --free-memory-mb=1".split(
    " ",
  );

let server: ServedModels;
let client: NereidClient;
beforeAll(async () => {
  cpSync(join(REPOSITORY, "mnist"), path("models/mnist"), { recursive: true });
  server = await serveModels(path("models"));
  client = new NereidClient({ baseUrl: `http://${server.http}` });
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

function analyze(
  name: string,
  args: readonly string[],
): { readonly child: ChildProcess; readonly end: Promise<{ code: number | null; stdout: string; stderr: string }> } {
  const own = [`--checkpoint-directory=${path(`${name}/checkpoints`)}`, `--export-path=${path(name)}`];
  const child = spawn(process.execPath, [ENTRY, "analyze", ...args, ...own], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NEREID_SERVER: `http://${server.http}` },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return {
    child,
    end: once(child, "close").then(([code]: unknown[]) => ({ code: code as number | null, stdout, stderr })),
  };
}

function checkpoint(name: string): CheckpointFile["models"][string] | undefined {
  const files = existsSync(path(`${name}/checkpoints`)) ? readdirSync(path(`${name}/checkpoints`)) : [];
  const last = files
    .filter((file) => file.endsWith(".ckpt"))
    .toSorted()
    .at(-1);
  if (last === undefined) return undefined;
  const { models } = JSON.parse(readFileSync(path(`${name}/checkpoints/${last}`), "utf8")) as CheckpointFile;
  return models["mnist"];
}

/** Resolves when so many points have been measured, as the checkpoint says. */
async function measuredAtLeast(name: string, count: number, child: ChildProcess): Promise<void> {
  await expect
    .poll(() => (child.exitCode !== null ? count : (checkpoint(name)?.checkpoint.measured.length ?? 0)), {
      timeout: 30_000,
      interval: 20,
    })
    .toBeGreaterThanOrEqual(count);
}

describe("nereid analyze against a real server", () => {
  it("ranks with the simulator, measures a few, reports, and leaves the served model as it was", async () => {
    const before = await client.modelConfig("mnist");
    const { end } = analyze("simulated", [
      "profile",
      "-n",
      "mnist",
      "--good-within-ms=200",
      "--max-measurements=7",
      ...TINY,
    ]);
    const { code, stdout, stderr } = await end;
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/mnist: \d+ of \d+ points measured and 3 probes/);
    expect(stdout).toMatch(/Best: mnist_config_/);
    const rows = csvRows(readFileSync(path("simulated/results/metrics-model-inference.csv"), "utf8"));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => (row["perf_throughput"] ?? 0) > 0 && (row["perf_latency_p99"] ?? 0) > 0)).toBe(true);
    const pdf = readFileSync(path("simulated/reports/summaries/mnist/result_summary.pdf"), "latin1");
    expect(pdf).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
    expect(readFileSync(path("simulated/plots/simple/mnist/throughput_v_latency.svg"), "utf8")).toContain("<circle");
    const result = checkpoint("simulated")?.result;
    expect(result?.points.filter(({ simulated }) => simulated !== null).length).toBe(result?.space);
    expect(await client.candidates()).toEqual([]);
    expect(await client.modelConfig("mnist")).toEqual(before);
  });

  it("goes on after it was killed, without measuring again what it knew, and reports again on demand", async () => {
    const args = ["profile", "-n", "mnist", "--run-config-search-mode=brute", "--exhaustive", ...TINY];
    const first = analyze("killed", args);
    await measuredAtLeast("killed", 2, first.child);
    first.child.kill("SIGKILL");
    await first.end;
    const known = checkpoint("killed")?.checkpoint.measured ?? [];
    expect(known.length).toBeGreaterThanOrEqual(2);
    const { code, stdout } = await analyze("killed", args).end;
    expect(code).toBe(0);
    // On a very busy machine a load may get no answer in its time; everything else is measured.
    const measured = Number(/(\d+) of 10 points measured/.exec(stdout)?.[1]);
    expect(measured).toBeGreaterThanOrEqual(8);
    const after = new Map(
      checkpoint("killed")?.checkpoint.measured.map(({ id, measurement }) => [id, measurement.throughput]),
    );
    for (const { id, measurement } of known) expect(after.get(id)).toBe(measurement.throughput);
    const again = await analyze("killed", [
      "report",
      "-n",
      "mnist",
      "--report-model-configs=mnist_config_default",
      "--output-formats=html",
    ]).end;
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("reports/detailed/mnist_config_default/detailed_report.html");
    expect(await client.candidates()).toEqual([]);
  });

  it("finishes the measurement under way at Ctrl-C, saves and says so", async () => {
    const run = analyze("stopped", [
      "profile",
      "-n",
      "mnist",
      "--run-config-search-mode=brute",
      "--exhaustive",
      ...TINY,
    ]);
    await measuredAtLeast("stopped", 1, run.child);
    run.child.kill("SIGINT");
    const { code, stdout, stderr } = await run.end;
    expect(code).toBe(1);
    expect(stderr).toContain("Finishing this measurement");
    expect(stdout).toContain("(stopped)");
    expect(checkpoint("stopped")?.result?.ended).toBe("stopped");
    expect(await client.candidates()).toEqual([]);
  });

  it.each([
    [["profile", "-n", "nobody", ...TINY], 99, "nobody"],
    [["profile", "--model", "mnist"], 3, "did you mean model_"],
    [["report"], 99, "run nereid analyze profile first"],
  ] as const)("says what is wrong of %j", async (args, code, words) => {
    const ended = await analyze("wrong", args).end;
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(words)]);
  });
});

it("tries configurations on a server without candidates by loads that bring the files along", async () => {
  const explicit = spawn(
    process.execPath,
    [
      ENTRY,
      "serve",
      `--model-repository=${path("models")}`,
      "--model-control-mode=explicit",
      "--load-model=mnist",
      "--http-port=0",
      "--grpc-port=0",
      "--metrics-port=0",
      "--log-info=false",
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    const [line] = (await once(explicit.stdout, "data")) as unknown[];
    const { http } = JSON.parse(String(line)) as { http: number };
    const other = new NereidClient({ baseUrl: `http://127.0.0.1:${http}` });
    const model = await describeTuned(other, "mnist");
    const host = tritonHost(other, model, path("models"));
    const config = {
      id: "mnist_config_0",
      setting: model.present,
      fields: { max_batch_size: 3, dynamic_batching: null },
    };
    expect(await host.add(config)).toBe("mnist_config_0");
    const loaded = await other.modelConfig("mnist_config_0");
    expect(tunedModel("mnist_config_0", loaded as Parameters<typeof tunedModel>[1]).present.maxBatchSize).toBe(3);
    await host.remove(config);
    expect(await other.modelReady("mnist_config_0")).toBe(false);
    await host.remove({ ...config, id: "mnist_config_never" }).catch(() => undefined);
  } finally {
    explicit.kill("SIGTERM");
    await once(explicit, "exit");
  }
});
