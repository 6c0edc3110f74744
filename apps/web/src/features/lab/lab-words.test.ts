import { expect, it } from "vitest";
import { jobDuration, jobLine } from "./lab-words.ts";

it.each([
  [1_500, "1.50 s"],
  [75_000, "1 min 15 s"],
  [3_900_000, "1 h 5 min"],
])("%d ms are %s", (ms, text) => {
  expect(jobDuration({ kind: "running", startedAtMs: 1_000 }, 1_000 + ms)).toBe(text);
  expect(jobDuration({ kind: "succeeded", startedAtMs: 1_000, endedAtMs: 1_000 + ms }, 0)).toBe(text);
});

it("says how it stands, also where it does not say it itself", () => {
  const problem = { code: "UNAVAILABLE", message: "no server", fix: null };
  const of = (more: object) =>
    jobLine({ state: { kind: "waiting" }, says: "", cancelAsked: false, active: true, ...more });
  expect(of({})).toMatch(/^Waits/);
  expect(of({ cancelAsked: true })).toBe("Is being stopped");
  expect(of({ state: { kind: "running", startedAtMs: 1 }, says: "3 of 9 s" })).toBe("3 of 9 s");
  expect(of({ active: false, state: { kind: "failed", startedAtMs: 1, endedAtMs: 2, problem } })).toBe("no server");
  expect(of({ active: false, state: { kind: "cancelled", startedAtMs: null, endedAtMs: 2 } })).toBe(
    "Stopped before it began",
  );
});
