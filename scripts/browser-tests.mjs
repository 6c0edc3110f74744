// The browser tests, each run with a product of its own: two halves at the same time, then what has to be alone on the machine.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bin, quietEnv, run } from "./lib.mjs";

/** Tests that plant causes in latencies: a neighbour on the same processors would be one, too. */
const ALONE = "@alone";

const RUNS = [
  [
    { name: "first-half", args: ["--shard=1/2", `--grep-invert=${ALONE}`] },
    { name: "second-half", args: ["--shard=2/2", `--grep-invert=${ALONE}`] },
  ],
  [{ name: "alone", args: [`--grep=${ALONE}`] }],
];

/** Runs them all and answers how many passed and failed; names those that needed a second try. */
export async function runBrowserTests({ chromium, directory }) {
  const total = { passed: 0, failed: 0 };
  for (const together of RUNS) {
    for (const { passed, failed } of await Promise.all(together.map((one) => runOnce(one, { chromium, directory })))) {
      total.passed += passed;
      total.failed += failed;
    }
  }
  return total;
}

async function runOnce({ name, args }, { chromium, directory }) {
  const file = join(directory, `browser-${name}.json`);
  const env = { ...quietEnv, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const output = `--output=${join("test-results", name)}`;
  const code = await run(bin("playwright"), ["test", "--reporter=list,json", output, ...args], { env });
  const specs = specsOf(name, file);
  if (specs === undefined) return { passed: 0, failed: 1 };
  const statuses = specs.map(({ status }) => status);
  for (const { title, status } of specs) if (status === "flaky") console.log(`passed only at the second try: ${title}`);
  const count = (...wanted) => statuses.filter((status) => wanted.includes(status)).length;
  // A non-zero exit with every test passed is an error outside of any test, and as bad.
  return { passed: count("expected", "flaky"), failed: Math.max(count("unexpected"), code === 0 ? 0 : 1) };
}

/** Tests of a report with their outcome. Every run begins with the first run of the product: those tests count once. */
function specsOf(name, file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
  const all = (suites) => suites.flatMap(({ specs, suites: inner = [] }) => [...specs, ...all(inner)]);
  return all(report.suites).flatMap(({ title, tests }) =>
    tests
      .filter(({ projectName }) => name === "first-half" || projectName !== "first run")
      .map(({ status }) => ({ title, status })),
  );
}
