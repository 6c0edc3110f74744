import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { bindToCores } from "./bind-to-cores.ts";
import { parseCoreList } from "./core-list.ts";

let child: ChildProcess | undefined;
afterEach(async () => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
});

function coresOf(status: string): readonly number[] {
  return parseCoreList(/^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1] ?? "") ?? [];
}

const threads = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => coresOf(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")));

describe.skipIf(process.platform !== "linux")("bindToCores() (Linux only)", () => {
  it("binds every thread of a process, and those it starts later", async () => {
    const [core = 0] = coresOf(readFileSync("/proc/self/status", "utf8"));
    const source = `
      const { Worker } = require("node:worker_threads");
      const later = () => new Worker("setInterval(() => {}, 1000)", { eval: true }).on("online", () => console.log("more"));
      process.stdin.once("data", later);
      console.log("ready");`;
    child = spawn(process.execPath, ["-e", source], { stdio: ["pipe", "pipe", "inherit"] });
    const pid = child.pid ?? 0;
    await once(child.stdout ?? child, "data");
    bindToCores(pid, [core]);
    expect(threads(pid)).toSatisfy((all: readonly (readonly number[])[]) =>
      all.every((cores) => cores.join() === `${core}`),
    );
    const before = threads(pid).length;
    child.stdin?.write("go\n");
    await once(child.stdout ?? child, "data");
    expect(threads(pid).length).toBeGreaterThan(before);
    expect(threads(pid)).toSatisfy((all: readonly (readonly number[])[]) =>
      all.every((cores) => cores.join() === `${core}`),
    );
  });

  it("says so when the system refuses, and takes a process that has ended", async () => {
    child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const pid = child.pid ?? 0;
    expect(() => bindToCores(pid, [1023])).toThrow(`refused to bind process ${pid} to cores 1023`);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(() => bindToCores(pid, [0])).not.toThrow();
  });
});
