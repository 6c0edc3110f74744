import { expect, it } from "vitest";
import { type ActiveJob, decideLab } from "./decide-lab.ts";

const job = (id: string, more: Partial<ActiveJob> = {}): ActiveJob => ({
  id,
  kind: "load-test",
  node: "a",
  phase: "waiting",
  cancelAsked: false,
  ...more,
});
const decide = (jobs: readonly ActiveJob[], ...mine: readonly string[]) =>
  decideLab(jobs, new Set(mine)).map(({ kind, id }) => `${kind} ${id}`);

it("the oldest begins, one on each server", () => {
  expect(decide([job("1"), job("2"), job("3", { node: "b" })])).toEqual(["begin 1", "begin 3"]);
  expect(decide([job("1", { phase: "running" }), job("2")], "1")).toEqual([]);
});

it("what is not wanted any more is stopped where it runs, and ended where it does not; the next begins in its place", () => {
  expect(decide([job("1", { phase: "running", cancelAsked: true }), job("2")], "1")).toEqual(["stop 1"]);
  expect(decide([job("1", { cancelAsked: true }), job("2")])).toEqual(["cancel 1", "begin 2"]);
  expect(decide([job("1", { phase: "running", cancelAsked: true, kind: "tuning" })])).toEqual(["cancel 1"]);
});

it("of what a process left that is gone, half a load test is lost, and the others go on before anything that waits", () => {
  const left = { phase: "running" } as const;
  expect(decide([job("1"), job("2", left)])).toEqual(["lose 2", "begin 1"]);
  expect(decide([job("1"), job("2", { ...left, kind: "tuning" })])).toEqual(["begin 2"]);
  expect(decide([job("1", { ...left, kind: "experiment" }), job("2", { ...left, kind: "tuning" })])).toEqual([
    "begin 1",
  ]);
});
