// npm run compare-perf [-- --models=mnist,steady --rounds=5 --levels=1,4 --apart]: `nereid perf` and NVIDIA's perf_analyzer by turns on the same server at the same
// concurrency. They must agree within what each says twice; what either says of another machine, model or moment tells nothing. With --apart the server has
// processors of its own (taskset). mnist and digits_cnn answer in less than a client takes; `steady` takes 5 ms, and `stalls` stands still for one second
// of ten. Exit 3 = perf_analyzer is not to be had here.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkMachine, fail, root } from "./lib.mjs";
import { writeSlowModels } from "./perf-analyzer/slow-models.mjs";
import { build, prepare, startServer } from "./perf-analyzer/tool.mjs";

/** Windows in milliseconds, where two seconds would not do: one has to hold the whole of what comes again. */
const WINDOWS = { stalls: "10000" };

const { values } = parseArgs({
  options: {
    models: { type: "string", default: "mnist,digits_cnn,steady,stalls" },
    rounds: { type: "string", default: "5" },
    levels: { type: "string", default: "1,4" },
    apart: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const half = Math.floor(availableParallelism() / 2);
if (values.apart && half < 1) fail("--apart needs two processors");

/** The same command on these processors only. */
function on(processors, { program, args }) {
  return values.apart ? { program: "taskset", args: ["-c", processors, program, ...args] } : { program, args };
}

/** Throughput and p50 of one run, from the CSV that both write alike. */
function measure(tool, { model, protocol, level, ports, directory }) {
  const csv = join(directory, "report.csv");
  const target = ["-m", model, "-i", protocol, "-u", `127.0.0.1:${ports[protocol]}`];
  const options = [
    ...target,
    "--concurrency-range",
    String(level),
    "-p",
    WINDOWS[model] ?? "2000",
    "-s",
    "20",
    "-f",
    csv,
  ];
  const { program, args } = on(`${half}-${availableParallelism() - 1}`, {
    program: tool.program,
    args: [...tool.args, ...options],
  });
  const { stdout, stderr } = spawnSync(program, args, { env: tool.env, encoding: "utf8" });
  try {
    const [head = "", row = ""] = readFileSync(csv, "utf8").trim().split("\n");
    const column = (name) => Number(row.split(",")[head.split(",").indexOf(name)]);
    return { throughput: column("Inferences/Second"), p50: column("p50 latency") };
  } catch {
    return fail(`${tool.name} measured nothing:\n${stdout}${stderr}`);
  } finally {
    rmSync(csv, { force: true });
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const range = (values) => [Math.min(...values), Math.max(...values)];

/** What both said of one figure: medians, how far apart, how far their own turns were apart, and whether they met. */
function cells(theirs, ours, digits) {
  const [a, b] = [median(theirs), median(ours)];
  const [[low, high], [ourLow, ourHigh]] = [range(theirs), range(ours)];
  const percent = (share) => `${share >= 0 ? "+" : ""}${(100 * share).toFixed(1)} %`;
  const noise = Math.max((high - low) / a, (ourHigh - ourLow) / b);
  const within = Math.abs(b - a) / a <= noise;
  return [a.toFixed(digits), b.toFixed(digits), percent((b - a) / a), percent(noise).slice(1), within ? "yes" : "no"];
}

checkMachine();
const theirs = { name: "perf_analyzer", args: [], ...prepare() };
build("@nereid/cli");
const ours = { name: "nereid perf", program: join(root, "apps/cli/bin/nereid.mjs"), args: ["perf"], env: process.env };
const directory = mkdtempSync(join(tmpdir(), "nereid-compare-perf-"));
const models = join(directory, "models");
writeSlowModels(models);
const { child, ports } = await startServer({ models, ...(values.apart && { processors: `0-${half - 1}` }) });
try {
  console.log(`medians of ${rounds} turns; noise = how far the turns of one tool were apart, the larger of both\n`);
  console.log(
    "| model | protocol | in flight | perf_analyzer /s | nereid perf /s | differ | noise | within | p50 µs | ours | differ | noise | within |",
  );
  console.log("|---|---|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|---|");
  for (const model of values.models.split(",")) {
    for (const protocol of ["http", "grpc"]) {
      for (const level of values.levels.split(",")) {
        const at = { model, protocol, level, ports, directory };
        const turns = Array.from({ length: rounds }, (_, turn) => {
          // Who comes second finds a warmer server.
          if (turn % 2 === 0) return [measure(theirs, at), measure(ours, at)];
          const second = measure(ours, at);
          return [measure(theirs, at), second];
        });
        const figures = (what) => [turns.map(([one]) => one[what]), turns.map(([, one]) => one[what])];
        const row = [...cells(...figures("throughput"), 0), ...cells(...figures("p50"), 0)];
        console.log(`| ${[model, protocol, level, ...row].join(" | ")} |`);
      }
    }
  }
} finally {
  child.kill("SIGTERM");
  rmSync(directory, { recursive: true, force: true });
}
