import { cpus } from "node:os";

/** How many processors were idle on average since the last call. */
export function idleProcessorsMeter(): () => number {
  const totals = () =>
    cpus().reduce(
      (sum, { times }) => ({
        idle: sum.idle + times.idle,
        all: sum.all + times.user + times.nice + times.sys + times.irq + times.idle,
      }),
      { idle: 0, all: 0 },
    );
  let before = totals();
  return () => {
    const now = totals();
    const share = (now.idle - before.idle) / Math.max(1, now.all - before.all);
    before = now;
    return share * cpus().length;
  };
}
