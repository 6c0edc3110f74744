import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { findLoadPriority, lowerWhileLoading } from "./load-priority.ts";
import { affinityOf, processorsOf } from "./thread-scheduling.ts";

const linux = process.platform === "linux";
const children: ReturnType<typeof spawn>[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
});

/** A process that, when told so, starts two more threads and says so. */
async function threaded(): Promise<{ pid: number; grow(): Promise<void> }> {
  const source = `const { Worker } = require("node:worker_threads");
process.stdin.once("data", () => {
  let left = 2;
  for (let i = 0; i < 2; i++) new Worker("setInterval(() => {}, 1000)", { eval: true }).once("online", () => { if (--left === 0) console.log("grown"); });
});
console.log("up");`;
  const child = spawn(process.execPath, ["-e", source], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout, "data");
  return {
    pid: child.pid ?? 0,
    grow: async () => {
      const grown = once(child.stdout, "data");
      child.stdin.write("go");
      await grown;
    },
  };
}

const threads = (pid: number) => readdirSync(`/proc/${pid}/task`).map(Number);
const niceOf = (pid: number, tid: number) =>
  Number(readFileSync(`/proc/${pid}/task/${tid}/stat`, "latin1").split(") ")[1]?.split(" ")[16]);

describe.runIf(linux)("a process that loads", () => {
  it("is found to be one that can be lowered and raised again, or confined", () => {
    const found = findLoadPriority();
    expect(process.getuid?.() === 0 ? ["nice", "corner"] : ["nice", "corner", "none"]).toContain(found);
    expect(getPriority()).toBe(getPriority(process.pid));
  });

  it.runIf(findLoadPriority() === "nice")(
    "has the lowest priority with all its threads, and the normal one afterwards",
    async () => {
      const { pid, grow } = await threaded();
      const restore = lowerWhileLoading(pid, "nice");
      const before = threads(pid);
      await grow();
      const during = threads(pid);
      expect(during.length).toBeGreaterThan(before.length);
      expect(new Set(during.map((tid) => niceOf(pid, tid)))).toEqual(new Set([19]));
      restore();
      expect(new Set(threads(pid).map((tid) => niceOf(pid, tid)))).toEqual(new Set([0]));
    },
  );

  it("stays in a corner of the processors with all its threads, and has all of them afterwards", async () => {
    const { pid, grow } = await threaded();
    const all = processorsOf(affinityOf(pid) ?? new Uint8Array());
    const restore = lowerWhileLoading(pid, "corner");
    await grow();
    const expected = all.slice(-Math.max(1, Math.floor(all.length / 4)));
    for (const tid of threads(pid)) expect(processorsOf(affinityOf(tid) ?? new Uint8Array())).toEqual(expected);
    restore();
    restore();
    for (const tid of threads(pid)) expect(processorsOf(affinityOf(tid) ?? new Uint8Array())).toEqual(all);
  });

  it("that is gone already fails nothing", () => {
    const restore = lowerWhileLoading(2 ** 22 + 1, "nice");
    expect(restore).not.toThrow();
    expect(lowerWhileLoading(2 ** 22 + 1, "corner")).not.toThrow();
  });
});
