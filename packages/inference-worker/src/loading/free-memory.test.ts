import { describe, expect, it } from "vitest";
import { freeMemoryBytes } from "./free-memory.ts";

const files = (content: Readonly<Record<string, string>>) => (path: string) => content[path];
const MACHINE = { "/proc/meminfo": "MemTotal: 1000 kB\nMemAvailable:     600 kB\n" };

describe("freeMemoryBytes()", () => {
  it("is what the machine has available", () => {
    expect(freeMemoryBytes(files(MACHINE))).toBe(600 * 1024);
  });

  it("is what a container has left when that is less, its file cache included", () => {
    const group = {
      "/sys/fs/cgroup/memory.max": "500000\n",
      "/sys/fs/cgroup/memory.current": "400000\n",
      "/sys/fs/cgroup/memory.stat": "anon 1\ninactive_file 30000\nactive_file 7\n",
    };
    expect(freeMemoryBytes(files({ ...MACHINE, ...group }))).toBe(130_000);
  });

  it("knows the first version of cgroups", () => {
    const group = {
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "500000",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": "600000",
    };
    expect(freeMemoryBytes(files({ ...MACHINE, ...group }))).toBe(0);
  });

  it("does not take a container without a limit for one that has nothing left", () => {
    const group = { "/sys/fs/cgroup/memory.max": "max\n", "/sys/fs/cgroup/memory.current": "400000\n" };
    expect(freeMemoryBytes(files({ ...MACHINE, ...group }))).toBe(600 * 1024);
  });

  it("is unknown where the system tells neither", () => {
    expect(freeMemoryBytes(files({}))).toBeUndefined();
  });
});
