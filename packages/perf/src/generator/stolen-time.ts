import { readFileSync } from "node:fs";

/** Of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal; what guests got is in user already. */
const COLUMNS = 8;
const STEAL = 7;

/** Watches how much of the processors' time other machines on the same host took. Answers the share since the last call, 0 to 1; 0 where nobody tells. */
export function stolenTimeMeter(readStat = readProcStat): () => number {
  let before = timesOf(readStat());
  return () => {
    const now = timesOf(readStat());
    const [all, stolen] = [now.all - before.all, now.stolen - before.stolen];
    before = now;
    return all <= 0 ? 0 : Math.min(1, Math.max(0, stolen / all));
  };
}

function timesOf(stat: string) {
  const times = (stat.split("\n")[0] ?? "")
    .trim()
    .split(/\s+/)
    .slice(1, COLUMNS + 1)
    .map(Number);
  return { stolen: times[STEAL] ?? 0, all: times.reduce((sum, one) => sum + one, 0) };
}

function readProcStat(): string {
  try {
    return readFileSync("/proc/stat", "utf8");
  } catch {
    // Not Linux.
    return "";
  }
}
