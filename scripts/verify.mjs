// npm run verify: format, lint, types, layers, unused code, unit tests; stops at nothing, reports everything.
import { bin, checkMachine, run } from "./lib.mjs";

/** The static checks; `npm test` runs the same ones. */
export const checks = [
  ["format and lint", "biome", ["check", "--error-on-warnings", "."]],
  ["types", "turbo", ["run", "typecheck", "--output-logs=errors-only"]],
  ["layers", "turbo", ["boundaries"]],
  ["unused code", "knip", []],
];

export async function runChecks() {
  const failed = [];
  for (const [name, tool, args] of checks) {
    console.log(`\n── ${name}`);
    if ((await run(bin(tool), args)) !== 0) failed.push(name);
  }
  return failed;
}

if (import.meta.url === `file://${process.argv[1]}`) {
  checkMachine();
  const failed = await runChecks();
  console.log("\n── unit tests");
  if ((await run(bin("vitest"), ["run", "--project", "unit"])) !== 0) failed.push("unit tests");
  console.log(failed.length === 0 ? "\nverify: all good" : `\nverify: failed: ${failed.join(", ")}`);
  process.exit(failed.length === 0 ? 0 : 1);
}
