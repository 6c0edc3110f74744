import { type LoadPlan, type LoadTestSpec, levelsOf, loadWords } from "@nereid/services/load-test-spec";

/** The test in a few words: what it is called where nobody gave it a title. Pure, as all here. */
export function testWords({ model, load }: Pick<LoadTestSpec, "model" | "load">): string {
  return `${model}: ${loadWords(load)}`;
}

/** About how long it takes: "about 36 s". */
export function testSeconds({ load, duration, warmUp }: Pick<LoadTestSpec, "load" | "duration" | "warmUp">): string {
  if (load.kind === "recorded") return `at most ${timeWords(load.seconds / load.speed)}`;
  const most = timeWords(levelsOf(load) * (duration + warmUp));
  return load.kind === "knee" ? `at most ${most}` : `about ${most}`;
}

/** A level as people call it. */
export function levelWords({ kind }: Pick<LoadPlan, "kind">, level: number): string {
  const number = Number(level.toPrecision(4));
  return kind === "concurrency" ? `${number} in flight` : `${number} a second`;
}

function timeWords(seconds: number): string {
  if (seconds < 100) return `${Number(seconds.toFixed(0))} s`;
  const minutes = seconds / 60;
  return minutes < 100
    ? `${Number(minutes.toFixed(minutes < 10 ? 1 : 0))} min`
    : `${Number((minutes / 60).toFixed(1))} h`;
}
