// `npm run gpu-check`: do the accelerators of this machine give what the processor gives, and how fast are they?
//   --write   also writes docs/gpu-check/<date>-<device>.md
// Without a GPU it is a dry run: it says what it would do, and tries WebGPU on a Vulkan in software where there is one.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { openNvml } from "./gpu-check/nvml.mjs";
import { root } from "./lib.mjs";

const MODELS = ["mnist", "digits_cnn"];
/** Results of other devices may differ by this much; float32 sums in another order. */
const TOLERANCE = 1e-4;
const SAMPLE_MS = 100;
const TIMEOUT_MS = 300_000;
/** SwiftShader, as Debian's chromium has it. */
const SOFTWARE_VULKAN = "/usr/lib/chromium/vk_swiftshader_icd.json";

/** Compares a model in a child process; `{ value }`, or `{ message }` with why not. */
function compare(model, provider, { env, secondsEach }) {
  const file = join(root, "model_repo", model, "1/model.onnx");
  const task = JSON.stringify({ root, model: file, provider, secondsEach });
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, "scripts/gpu-check/compare-model.mjs"), task], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { out: "", err: "" };
    child.stdout.on("data", (text) => {
      said.out += text;
    });
    child.stderr.on("data", (text) => {
      said.err += text;
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      try {
        const answer = JSON.parse(said.out.trim().split("\n").at(-1));
        const missing = /([\w.+-]+\.so[\d.]*): cannot open shared object file/.exec(said.err)?.[1];
        resolve(answer.message !== undefined && missing ? { message: `${missing} is missing` } : answer);
      } catch {
        resolve({ message: `the process crashed (${signal ?? `exit code ${code}`}): ${said.err.trim().slice(-200)}` });
      }
    });
  });
}

/** Figures of the first GPU while the work runs: the largest of each. */
async function watching(gpu, work) {
  const largest = {};
  const timer = setInterval(() => {
    for (const [name, value] of Object.entries(gpu?.read() ?? {}))
      if (value !== undefined) largest[name] = Math.max(largest[name] ?? 0, value);
  }, SAMPLE_MS);
  try {
    return { result: await work(), largest };
  } finally {
    clearInterval(timer);
  }
}

function rowsOf(model, provider, { result, largest }) {
  if (result.message !== undefined)
    return [[model, provider, "-", "-", "-", "-", result.message.replaceAll(/\s+/g, " ").slice(-90)]];
  const { difference, batches } = result.value;
  const one = batches[0].itemsPerSecond;
  const figures = [
    largest.utilizationPercent !== undefined && `${largest.utilizationPercent} % busy`,
    largest.memoryMib !== undefined && `${Math.round(largest.memoryMib)} MiB`,
    largest.powerWatts !== undefined && `${Math.round(largest.powerWatts)} W`,
  ].filter(Boolean);
  return batches.map(({ batch, ms, itemsPerSecond }) => [
    model,
    provider,
    String(batch),
    ms.toFixed(2),
    itemsPerSecond.toFixed(0),
    `x${(itemsPerSecond / one).toFixed(1)}`,
    [difference <= TOLERANCE ? `equal (${difference.toExponential(1)})` : `DIFFERS by ${difference}`, ...figures].join(
      ", ",
    ),
  ]);
}

function table(rows) {
  const head = ["model", "provider", "batch", "ms", "items/s", "gain", "against the processor; most seen on the GPU"];
  const lines = [head, head.map(() => "---"), ...rows];
  const widths = head.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  return lines.map((line) => `| ${line.map((cell, at) => cell.padEnd(widths[at])).join(" | ")} |`).join("\n");
}

const nvml = openNvml(root);
const gpu = nvml?.gpus[0];
const device = gpu === undefined ? cpus()[0].model.trim() : gpu.name;
const software = process.env.VK_ICD_FILENAMES === undefined && gpu === undefined && existsSync(SOFTWARE_VULKAN);
const env = software ? { VK_ICD_FILENAMES: SOFTWARE_VULKAN, XDG_RUNTIME_DIR: "/tmp" } : {};

const intro =
  gpu === undefined
    ? `dry run, no GPU: NVIDIA's library ${nvml === undefined ? "libnvidia-ml.so.1 is not installed" : "knows no device"}.
On a machine with one this runs ${MODELS.join(" and ")} (batches of 1, 8 and 32) on CUDA and WebGPU, compares them with the
processor (at most ${TOLERANCE}), and reads the GPU's load, memory and power meanwhile. 'npx nereid doctor' says what is missing for that.
${software ? "WebGPU runs on SwiftShader here, a Vulkan in software: its results count, its times do not." : "WebGPU is tried on whatever Vulkan this machine has."}`
    : `${nvml.gpus.map(({ name }) => name).join(", ")}; driver ${nvml.driver}; ${availableParallelism()} cores`;
console.log(`${intro}\n`);

const rows = [];
let wrong = false;
for (const provider of gpu === undefined ? ["cpu", "webgpu"] : ["cpu", "cuda", "webgpu"]) {
  for (const model of MODELS) {
    const secondsEach = gpu === undefined ? 0.3 : 2;
    const seen = await watching(provider === "cpu" ? undefined : gpu, () =>
      compare(model, provider, { env, secondsEach }),
    );
    rows.push(...rowsOf(model, provider, seen));
    if (seen.result.value !== undefined && !(seen.result.value.difference <= TOLERANCE)) wrong = true;
  }
}
console.log(table(rows));
if (process.argv.includes("--write")) {
  const date = new Date().toISOString().slice(0, 10);
  const slug = device
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const file = join("docs/gpu-check", `${date}-${gpu === undefined ? "dry-run-" : ""}${slug}.md`);
  mkdirSync(join(root, "docs/gpu-check"), { recursive: true });
  writeFileSync(join(root, file), `# GPU check, ${date}, ${device}\n\n${intro}\n\n${table(rows)}\n`);
  console.log(`\nwritten: ${file}`);
}
process.exitCode = wrong ? 1 : 0;
