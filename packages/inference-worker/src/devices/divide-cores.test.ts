import { describe, expect, it } from "vitest";
import { availableCores } from "./available-cores.ts";
import { divideCores } from "./divide-cores.ts";

describe("divideCores()", () => {
  it("gives every instance its share and at least one thread", () => {
    expect(divideCores(8, 2).intraOpThreads).toBe(4);
    expect(divideCores(2, 2)).toEqual({ intraOpThreads: 1, oversubscribed: undefined });
    expect(divideCores(2, 5).intraOpThreads).toBe(1);
  });

  it("warns when the instances want more cores than there are", () => {
    expect(divideCores(2, 5).oversubscribed).toContain("5 cores, and there are 2");
    expect(divideCores(4, 2, 4).oversubscribed).toContain("8 cores, and there are 4");
  });
});

describe("availableCores()", () => {
  const files = (entries: Record<string, string>) => (path: string) => entries[path];

  it("honours the quota of a container", () => {
    expect(availableCores(files({ "/sys/fs/cgroup/cpu.max": "100000 100000\n" }))).toBe(1);
    expect(
      availableCores(
        files({ "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000" }),
      ),
    ).toBe(1);
  });

  it("takes what the system offers without a quota", () => {
    const visible = availableCores(files({}));
    expect(visible).toBeGreaterThan(0);
    expect(availableCores(files({ "/sys/fs/cgroup/cpu.max": "max 100000\n" }))).toBe(visible);
  });
});
