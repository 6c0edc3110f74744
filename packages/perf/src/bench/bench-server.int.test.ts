import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BenchServer } from "./bench-server.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nereid-bench-test-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A server that ends with its parent, and writes down when it does. */
const FAKE = `
import { writeFileSync } from "node:fs";
if (process.env.NEREID_EXIT_WITH_PARENT !== "1") throw new Error("was not told that it has a parent");
process.stdin.on("end", () => process.exit(0)).resume();
process.on("SIGTERM", () => { writeFileSync(new URL("stopped", import.meta.url), "SIGTERM"); process.exit(0); });
console.log('{"event":"ready"}');
`;

it("gives the server a pipe by which it notices that the bench is gone (it was orphaned)", async () => {
  const entry = join(directory, "server.mjs");
  writeFileSync(entry, FAKE);
  const server = await BenchServer.start(entry, [], []);
  await server.stop();
  expect(readFileSync(join(directory, "stopped"), "utf8")).toBe("SIGTERM");
  // Ctrl-C reaches the server by itself; stopping it a second time must not wait for it.
  await server.stop();
});
