import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/**
 * Processors this process may really use: the affinity mask and the cgroup's quota, whichever is smaller. Node knows only
 * the first, so a container with `cpus: 2` on 64 cores would start 64 threads a session.
 */
export function availableCores(read: (path: string) => string | undefined = readIfThere): number {
  const quota = cgroupQuota(read);
  const visible = availableParallelism();
  return quota === undefined ? visible : Math.max(1, Math.min(visible, Math.ceil(quota)));
}

function cgroupQuota(read: (path: string) => string | undefined): number | undefined {
  const unified = read("/sys/fs/cgroup/cpu.max")?.trim().split(" ");
  if (unified !== undefined) {
    const [quota, period] = unified;
    return quota === undefined || quota === "max" ? undefined : Number(quota) / Number(period ?? 100_000);
  }
  const quota = Number(read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") ?? -1);
  const period = Number(read("/sys/fs/cgroup/cpu/cpu.cfs_period_us") ?? 100_000);
  return quota > 0 ? quota / period : undefined;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
