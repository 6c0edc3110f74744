import { describe, expect, it } from "vitest";
import { planMigrations } from "./plan-migrations.ts";

const first = { name: "1_init", sql: "", checksum: "a" };
const second = { name: "2_more", sql: "", checksum: "b" };
const applied = (name: string, checksum: string, finished = true) => ({ name, checksum, finished });

describe("planMigrations", () => {
  it("plans everything for an empty database and nothing for an up-to-date one", () => {
    expect(planMigrations([first, second], [])).toEqual([first, second]);
    expect(planMigrations([first, second], [applied("1_init", "a"), applied("2_more", "b")])).toEqual([]);
  });

  it("plans what is missing", () => {
    expect(planMigrations([first, second], [applied("1_init", "a")])).toEqual([second]);
  });

  it.each([
    ["a migration of a newer release", applied("3_new", "c"), /this release lacks/],
    ["an edited migration", applied("1_init", "z"), /changed after/],
    ["an unfinished migration", applied("1_init", "a", false), /never finished/],
  ])("refuses %s", (_name, row, message) => {
    expect(() => planMigrations([first, second], [row])).toThrow(message);
  });
});
