// npm run compare-perf [-- --models=mnist,digits_cnn]: `nereid perf` and NVIDIA's perf_analyzer by turns on the same server at the same concurrency. They must agree; what
// each says of another machine, model or moment tells nothing. Exit 3 = perf_analyzer is not to be had here.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkMachine, fail, root } from "./lib.mjs";
import { build, prepare, startServer } from "./perf-analyzer/tool.mjs";

const ROUNDS = 2;
const LEVELS = [1, 4];
const { values } = parseArgs({ options: { models: { type: "string", default: "mnist,digits_cnn" } } });

/** Throughput and p50 of one run, from the CSV that both write alike. */
function measure(tool, { model, protocol, level, ports, directory }) {
  const csv = join(directory, "report.csv");
  const options = [
    "-m",
    model,
    "-i",
    protocol,
    "-u",
    `127.0.0.1:${ports[protocol]}`,
    "--concurrency-range",
    String(level),
  ];
  const args = [...tool.args, ...options, "-p", "2000", "-s", "20", "-f", csv];
  const { stdout, stderr } = spawnSync(tool.program, args, { env: tool.env, encoding: "utf8" });
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
const off = (ours, theirs) => `${ours >= theirs ? "+" : ""}${((100 * (ours - theirs)) / theirs).toFixed(1)} %`;
const spread = (values) => `${((100 * (Math.max(...values) - Math.min(...values))) / median(values)).toFixed(1)} %`;

checkMachine();
const theirs = { name: "perf_analyzer", args: [], ...prepare() };
build("@nereid/cli");
const ours = { name: "nereid perf", program: join(root, "apps/cli/bin/nereid.mjs"), args: ["perf"], env: process.env };
const directory = mkdtempSync(join(tmpdir(), "nereid-compare-perf-"));
const { child, ports } = await startServer();
try {
  console.log(
    "| model | protocol | concurrency | perf_analyzer /s | nereid perf /s | differ | theirs differ among themselves | p50 µs, theirs | ours | differ |",
  );
  console.log("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
  for (const model of values.models.split(",")) {
    for (const protocol of ["http", "grpc"]) {
      for (const level of LEVELS) {
        const runs = { theirs: [], ours: [] };
        for (let round = 0; round < ROUNDS; round += 1) {
          const at = { model, protocol, level, ports, directory };
          runs.theirs.push(measure(theirs, at));
          runs.ours.push(measure(ours, at));
        }
        const of = (who, what) => runs[who].map((one) => one[what]);
        const [a, b] = [median(of("theirs", "throughput")), median(of("ours", "throughput"))];
        const [c, d] = [median(of("theirs", "p50")), median(of("ours", "p50"))];
        const cells = [
          model,
          protocol,
          level,
          a.toFixed(0),
          b.toFixed(0),
          off(b, a),
          spread(of("theirs", "throughput")),
          c,
          d,
          off(d, c),
        ];
        console.log(`| ${cells.join(" | ")} |`);
      }
    }
  }
} finally {
  child.kill("SIGTERM");
  rmSync(directory, { recursive: true, force: true });
}
