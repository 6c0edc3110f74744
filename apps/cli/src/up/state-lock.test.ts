import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockState } from "./state-lock.ts";

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nereid-lock-"));
  file = join(directory, "nereid.lock");
});
afterEach(() => rmSync(directory, { recursive: true }));

const holder = () => (JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid;
const began = (pid: number) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19] ?? "";

it("keeps others out until it is let go, and leaves nothing behind", () => {
  const release = lockState(directory);
  expect(holder()).toBe(process.pid);
  release();
  expect(readdirSync(directory)).toEqual([]);
});

it("refuses while the holder runs, naming it and the option (two launchers could share a state directory)", () => {
  writeFileSync(file, JSON.stringify({ pid: process.ppid, began: began(process.ppid) }));
  expect(() => lockState(directory)).toThrow(new RegExp(`pid ${process.ppid}\\) .*${directory}.*--state-dir=`));
  expect(readdirSync(directory)).toEqual(["nereid.lock"]);
});

it.each([
  ["a process that is gone", () => JSON.stringify({ pid: spawnSync("true").pid, began: "1" })],
  ["an id that another process has got since", () => JSON.stringify({ pid: process.ppid, began: "1" })],
  ["this process's id from before a restart", () => JSON.stringify({ pid: process.pid, began: "1" })],
  ["a torn file", () => "{"],
])("takes over the lock of %s", (_what, text) => {
  writeFileSync(file, text());
  lockState(directory);
  expect(holder()).toBe(process.pid);
  expect(readdirSync(directory)).toEqual(["nereid.lock"]);
});
