// The browser tests, each run with a product of its own: parts of them, two at a time, then what has to be alone on the machine.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bin, quietEnv, run } from "./lib.mjs";

/** Tests that plant causes in latencies: a neighbour on the same processors would be one, too. */
const ALONE = "@alone";

/** More parts than lanes: the lane that has the quicker ones takes the next. */
const PARTS = 5;
const LANES = 2;
const FIRST = "part-1";

/** Runs them all and answers how many passed and failed; names those that needed a second try. */
export async function runBrowserTests({ chromium, directory }) {
  const total = { passed: 0, failed: 0 };
  const take = async (part) => {
    const { passed, failed } = await runOnce(part, { chromium, directory });
    total.passed += passed;
    total.failed += failed;
  };
  const parts = Array.from({ length: PARTS }, (_, index) => ({
    name: `part-${index + 1}`,
    args: [`--shard=${index + 1}/${PARTS}`, `--grep-invert=${ALONE}`],
  }));
  const lane = async () => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) await take(part);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await take({ name: "alone", args: [`--grep=${ALONE}`] });
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
      .filter(({ projectName }) => name === FIRST || projectName !== "first run")
      .map(({ status }) => ({ title, status })),
  );
}
