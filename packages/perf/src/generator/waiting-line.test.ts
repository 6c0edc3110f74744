import { expect, it } from "vitest";
import { WaitingLine } from "./waiting-line.ts";

it("gives back in the order of coming, whatever was taken between", () => {
  const line = new WaitingLine<number>();
  let [pushed, taken] = [0, 0];
  for (let round = 0; round < 200; round++) {
    for (let one = 0; one < 37; one++) line.push(pushed++);
    for (let one = 0; one < (round < 100 ? 20 : 53) && taken < pushed; one++) expect(line.shift()).toBe(taken++);
    expect(line.length).toBe(pushed - taken);
  }
  while (taken < pushed) expect(line.shift()).toBe(taken++);
  expect([line.length, line.shift()]).toEqual([0, undefined]);
});

it("takes from two million as quickly as from few: an overloaded generator spent its time moving what waited, and heard no stop", () => {
  const line = new WaitingLine<object>();
  for (let one = 0; one < 2_000_000; one++) line.push({ one });
  const { user, system } = process.cpuUsage();
  for (let one = 0; one < 20_000; one++) line.shift();
  const used = process.cpuUsage();
  // 20,000 shifts of an array took ten seconds of processor time.
  expect((used.user - user + used.system - system) / 1e6).toBeLessThan(1);
});
