import { expect, it } from "vitest";
import { readChoices, withChoice } from "./search-params.ts";

it("reads choices, and leaves out what is none", () => {
  expect(readChoices("phases:queue,queue:delay")).toEqual({ phases: "queue", queue: "delay" });
  expect(readChoices(",:x,a:,a:b:c,ok:yes")).toEqual({ ok: "yes" });
});

it("adds, changes and takes away one choice", () => {
  expect(withChoice("", "phases", "queue")).toBe("phases:queue");
  expect(withChoice("phases:queue,queue:delay", "queue", "full")).toBe("phases:queue,queue:full");
  expect(withChoice("phases:queue,queue:delay", "phases", null)).toBe("queue:delay");
});
