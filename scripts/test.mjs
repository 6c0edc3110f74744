// npm test: build, static checks, unit, integration and browser tests. Ends with `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBrowserTests } from "./browser-tests.mjs";
import { findChromium } from "./find-chromium.mjs";
import { bin, buildAll, checkMachine, run } from "./lib.mjs";
import { checks, runChecks } from "./verify.mjs";

checkMachine();
const directory = mkdtempSync(join(tmpdir(), "nereid-test-"));
const total = { passed: 0, failed: 0 };
const count = (passed, failed) => {
  total.passed += passed;
  total.failed += failed;
};

// First of all: it brings the software Vulkan that the tests of WebGPU run on.
const chromium = findChromium();

console.log("── build");
buildAll();

const failedChecks = await runChecks();
count(checks.length - failedChecks.length, failedChecks.length);

await vitest("unit");
await vitest("integration");
await browser();

rmSync(directory, { recursive: true, force: true });
if (failedChecks.length > 0) console.log(`failed checks: ${failedChecks.join(", ")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

async function vitest(project) {
  console.log(`\n── ${project} tests`);
  const file = join(directory, `${project}.json`);
  const code = await run(bin("vitest"), [
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ]);
  const report = readReport(file);
  if (report === undefined) return count(0, 1);
  const failed =
    report.numFailedTests +
    report.testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0)
      .length;
  // A non-zero exit with every test passed is an error outside of any test, and as bad.
  count(report.numPassedTests, Math.max(failed, code === 0 ? 0 : 1));
}

async function browser() {
  console.log("\n── browser tests");
  if (chromium === undefined) {
    console.log("browser: none is there and none could be installed; set CHROMIUM_PATH");
    return count(0, 1);
  }
  const { passed, failed } = await runBrowserTests({ chromium, directory });
  count(passed, failed);
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
