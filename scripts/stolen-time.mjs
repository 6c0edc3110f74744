// How much of the processors' time other tenants of the host took: in it nothing of this machine ran, and no measurement says anything.
import { readFileSync } from "node:fs";

const STEAL_COLUMN = 7;

function read() {
  try {
    const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
    const times = line
      .split(/\s+/)
      .slice(1, STEAL_COLUMN + 2)
      .map(Number);
    return { stolen: times[STEAL_COLUMN] ?? 0, all: times.reduce((sum, time) => sum + time, 0) };
  } catch {
    // Not Linux: nobody tells.
    return { stolen: 0, all: 0 };
  }
}

/** Begins to watch; the answer tells the share since, 0 to 1. */
export function stolenTime() {
  const before = read();
  return () => {
    const now = read();
    return now.all === before.all ? 0 : (now.stolen - before.stolen) / (now.all - before.all);
  };
}

/** Does it again while more than this share was stolen, at most so many times; tells the last answer and the share of its time. */
export async function whileOurs(measure, { share = 0.01, tries = 4 } = {}) {
  for (let attempt = 1; ; attempt++) {
    const stolen = stolenTime();
    const answer = await measure();
    const lost = stolen();
    if (lost <= share || attempt === tries) return { answer, lost };
  }
}
