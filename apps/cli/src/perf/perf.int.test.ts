import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { csvRows, runPerfCli } from "./testing/run-perf-cli.ts";
import { type ServedModels, serveModels } from "./testing/served-models.ts";
import { startStallingServer } from "./testing/stalling-server.ts";

const REPOSITORY = join(import.meta.dirname, "../../../../model_repo");
const directory = mkdtempSync(join(tmpdir(), "nereid-perf-"));
const path = (name: string) => join(directory, name);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Windows that are content with what a busy machine does. */
const SHORT = ["-p", "300", "-s", "100000", "-r", "6"];

describe("nereid perf against a real server", () => {
  let server: ServedModels;
  let [http, grpc] = ["", ""];
  beforeAll(async () => {
    for (const model of ["simple", "identity_fp32"])
      cpSync(join(REPOSITORY, model), path(`models/${model}`), { recursive: true });
    server = await serveModels(path("models"));
    ({ http, grpc } = server);
  });
  afterAll(() => server.close());

  it.each(["http", "grpc"])(
    "closed loop over %s: client and server count the same, the CSV has a row for each level",
    async (protocol) => {
      const file = path(`${protocol}.csv`);
      const url = protocol === "http" ? http : grpc;
      const args = ["-m", "identity_fp32", "--shape", "INPUT_FP32:16", "-i", protocol, "-u", url];
      const { code, stdout, stderr } = await runPerfCli([
        ...args,
        ...SHORT,
        "--concurrency-range",
        "1:3:2",
        "-f",
        file,
      ]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("Request concurrency: 3\n  Client: \n    Request count: ");
      expect(stdout).toContain(protocol === "http" ? "Avg HTTP time" : "Avg gRPC time");
      const rows = csvRows(readFileSync(file, "utf8"));
      expect(rows.map((row) => row["Concurrency"]).toSorted()).toEqual([1, 3]);
      for (const row of rows)
        expect([row["p99 latency"] ?? 0, row["Inferences/Second"] ?? 0].every((value) => value > 0)).toBe(true);
      const counts = [...stdout.matchAll(/Request count: (\d+)[\s\S]*?Inference count: (\d+)/g)];
      expect(counts).toHaveLength(2);
      // The server's statistics are read some milliseconds off the edges of a window: the more a second, the more come between.
      for (const [, client, counted] of counts) {
        expect(Math.abs(Number(client) - Number(counted)) / Number(client)).toBeLessThan(0.05);
      }
    },
  );

  it("sends exactly as many requests as asked for, over a stream too, and exports each", async () => {
    const file = path("export.json");
    const args = [
      "-m",
      "simple",
      "-i",
      "grpc",
      "--streaming",
      "-u",
      grpc,
      "--concurrency-range",
      "4",
      "--processes",
      "2",
    ];
    const { code, stdout } = await runPerfCli([
      ...args,
      "--request-count",
      "50",
      "--warmup-request-count",
      "7",
      "--profile-export-file",
      file,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("    Request count: 50\n");
    expect(stdout).toContain("    Inference count: 50\n");
    expect(stdout).toContain("Load made by 2 processes.");
    const { experiments } = JSON.parse(readFileSync(file, "utf8")) as { experiments: { requests: unknown[] }[] };
    expect(experiments.map(({ requests }) => requests.length)).toEqual([50]);
  });

  it("keeps a rate in an open loop, by constant gaps, a file of gaps, or recorded arrivals", async () => {
    writeFileSync(path("gaps.txt"), "5000\n15000\n");
    const base = ["-m", "simple", "-u", http, "-p", "1000", "-s", "100000", "-r", "3"];
    const rated = await runPerfCli([...base, "--request-rate-range", "100", "-f", path("rate.csv")]);
    const gaps = await runPerfCli([...base, "--request-intervals", path("gaps.txt"), "-f", path("gaps.csv")]);
    expect([rated.code, gaps.code]).toEqual([0, 0]);
    for (const file of ["rate.csv", "gaps.csv"]) {
      const [row] = csvRows(readFileSync(path(file), "utf8"));
      expect([row?.["Request Rate"], Math.round((row?.["Inferences/Second"] ?? 0) / 20)]).toEqual([100, 5]);
    }
    writeFileSync(path("arrivals.txt"), Array.from({ length: 30 }, (_, at) => `${at * 10}\n`).join(""));
    const recorded = await runPerfCli([...base, "--recorded-arrivals", path("arrivals.txt")]);
    expect([recorded.code, /Request count: (\d+)/.exec(recorded.stdout)?.[1]]).toEqual([0, "30"]);
    expect(recorded.stdout).toContain("Counted from when a request was sent, not due");
  });

  it("sends tensors in shared memory, and takes it away again", async () => {
    const data = { data: [{ INPUT0: Array(16).fill(1), INPUT1: { content: Array(16).fill(2), shape: [16] } }] };
    writeFileSync(path("data.json"), JSON.stringify(data));
    const args = [
      "-m",
      "simple",
      "-b",
      "2",
      "-u",
      http,
      "--shared-memory",
      "system",
      "--input-data",
      path("data.json"),
    ];
    let pid = 0;
    const { code, stdout } = await runPerfCli([...args, "--request-count", "20"], (_line, child) => {
      pid = child.pid ?? 0;
    });
    expect([code, /Request count: (\d+)/.exec(stdout)?.[1]]).toEqual([0, "20"]);
    expect(existsSync(`/dev/shm/nereid_perf_${pid}_in`)).toBe(false);
    expect(await (await fetch(`http://${http}/v2/systemsharedmemory/status`)).json()).toEqual([]);
  });

  it("tells by its exit code and its words what was wrong", async () => {
    const wrong = await runPerfCli(["-m", "simple", "-u", http, "--percentil", "95"]);
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining("did you mean --percentile")]);
    const batch = await runPerfCli(["-m", "simple", "-u", http, "-b", "5000"]);
    expect([batch.code, batch.stderr]).toEqual([3, expect.stringContaining("takes batches of up to")]);
    const unknown = await runPerfCli(["-m", "nope", "-u", http]);
    expect([unknown.code, unknown.stderr]).toEqual([99, expect.stringContaining("nope")]);
    const unstable = await runPerfCli(["-m", "simple", "-u", http, "-p", "100", "-r", "1"]);
    expect([unstable.code, unstable.stdout]).toEqual([
      2,
      expect.stringContaining("Failed to obtain stable measurement within 1"),
    ]);
  });

  it("stops at Ctrl-C and prints what there is", async () => {
    const base = ["-m", "simple", "-u", http, "-v", "-p", "200", "-s", "0.001", "-r", "100000"];
    const { code, stdout } = await runPerfCli(base, (line, child) => {
      if (line.includes("Pass [2]")) child.kill("SIGINT");
    });
    expect(stdout).toContain("Stopped; these are the figures so far.");
    expect(stdout).toContain("p99 latency");
    expect(code).toBe(0);
  });
});

describe("nereid perf against a server that stalls for one second in ten", () => {
  const WINDOW = ["-p", "8334", "-r", "1"];
  const p99Ms = (file: string) => (csvRows(readFileSync(path(file), "utf8"))[0]?.["p99 latency"] ?? 0) / 1000;

  it("sees the stall in an open loop, where a closed loop hides it", async () => {
    const server = await startStallingServer({ everyMs: 10_000 });
    try {
      const base = ["-m", "m", "-u", server.url, ...WINDOW];
      const [open, closed] = await Promise.all([
        runPerfCli([...base, "--request-rate-range", "100", "-f", path("open.csv")]),
        runPerfCli([...base, "--concurrency-range", "1", "-f", path("closed.csv")]),
      ]);
      // One window is never stable; its figures are there all the same.
      expect([open.code, closed.code]).toEqual([2, 2]);
      expect(p99Ms("open.csv")).toBeGreaterThan(800);
      expect(p99Ms("open.csv")).toBeLessThan(1300);
      expect(p99Ms("closed.csv")).toBeLessThan(400);
    } finally {
      await server.close();
    }
  });

  it("counts failures, and names the first when there is nothing else", async () => {
    const some = await startStallingServer({ everyMs: 1e9, refuse: (number) => number % 4 === 0 });
    const all = await startStallingServer({ everyMs: 1e9, refuse: () => true });
    try {
      const partly = await runPerfCli(["-m", "m", "-u", some.url, "--request-count", "40"]);
      expect(partly.stdout).toContain("    Request count: 30\n    Failed request count: 10 (25.00%)\n");
      expect(partly.stdout).toContain('First failure: HTTP status 503: {"error":"busy"}');
      const none = await runPerfCli(["-m", "m", "-u", all.url, "-p", "100"]);
      expect([none.code, none.stderr]).toEqual([
        99,
        expect.stringContaining('the first: HTTP status 503: {"error":"busy"}'),
      ]);
    } finally {
      await some.close();
      await all.close();
    }
  });
});

describe("nereid perf --check", () => {
  it("ends with 0 when all holds and with 1 when something does not, and writes the verdict as XML", async () => {
    const server = await startStallingServer({ everyMs: 1e9, refuse: (number) => number % 10 === 0 });
    const scenario = (thresholds: string) =>
      `name: quick\nmodel: m\nurl: ${server.url}\nload: { rate: 50 }\nwarm-up: 200 ms\nduration: 1 s\nthresholds: { ${thresholds} }\n`;
    writeFileSync(path("good.yaml"), scenario("p99: 30 s, throughput: 30, error-share: 20 %"));
    writeFileSync(path("bad.yaml"), scenario("p99: 30 s, error-share: 1 %"));
    writeFileSync(path("gone.yaml"), scenario("p99: 30 s").replace(server.url, "127.0.0.1:9"));
    writeFileSync(path("wrong.yaml"), scenario("p99: soon"));
    try {
      const check = (name: string) => runPerfCli(["--check", path(`${name}.yaml`), "--junit", path(`${name}.xml`)]);
      const good = await check("good");
      expect([good.code, good.stdout]).toEqual([0, expect.stringContaining("  held  p99 at most 30000 ms: ")]);
      const bad = await check("bad");
      expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining("  MISSED  failed at most 1 %: ")]);
      expect(readFileSync(path("bad.xml"), "utf8")).toContain('tests="2" failures="1" errors="0"');
      expect((await check("gone")).code).toBe(1);
      expect(readFileSync(path("gone.xml"), "utf8")).toContain("<error message=");
      expect((await check("wrong")).code).toBe(3);
    } finally {
      await server.close();
    }
  });
});
