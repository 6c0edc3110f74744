import type { SloInput, SloStanding } from "@nereid/services";

/** A promise in one sentence. */
export function promiseText({
  latencyMs,
  objective,
  windowDays,
}: Pick<SloInput, "latencyMs" | "objective" | "windowDays">): string {
  const what = latencyMs === null ? "of requests succeed" : `of requests succeed within ${latencyMs} ms`;
  return `${shareText(objective)} ${what}, over ${windowDays} ${windowDays === 1 ? "day" : "days"}`;
}

/** A share with as many digits as an objective has. */
export function shareText(share: number): string {
  return `${Number((share * 100).toFixed(3))} %`;
}

/** What is left of the error budget. */
export function budgetText(left: number | null): string {
  if (left === null) return "no requests yet";
  const percent = Math.round(left * 100);
  if (left >= 0) return `${percent} % left`;
  const times = 1 - left;
  return `used ${times < 10 ? times.toFixed(1) : Math.round(times)} times over`;
}

/** How long the budget that is left lasts at the speed of the last hour; null where it does not run out. */
export function lastsText(
  { budgetLeft, burn }: Pick<SloStanding, "budgetLeft" | "burn">,
  windowDays: number,
): string | null {
  const rate = burn.find(({ seconds }) => seconds === 3_600)?.rate ?? 0;
  if (budgetLeft === null || budgetLeft <= 0 || rate <= 1) return null;
  const hours = (budgetLeft / rate) * windowDays * 24;
  return hours < 48
    ? `gone in ${Math.max(1, Math.round(hours))} h at this speed`
    : `gone in ${Math.round(hours / 24)} days at this speed`;
}

export const STATE_WORDS = {
  "no-data": { text: "No data", tone: "neutral" },
  kept: { text: "Kept", tone: "ok" },
  burning: { text: "Burning", tone: "warn" },
  broken: { text: "Broken", tone: "bad" },
} as const satisfies Readonly<Record<SloStanding["state"], { text: string; tone: string }>>;
