import { setTimeout as pause } from "node:timers/promises";

const LOOK_AGAIN_MS = 20;

/** Asks again until the answer is neither false nor undefined, and returns it. Fails with what was waited for. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  withinMs = 20_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms in vain until ${what}`);
    await pause(LOOK_AGAIN_MS);
  }
}
