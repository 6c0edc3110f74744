import { expect, it } from "vitest";
import { EVENT_KINDS, type EventKind, type ModelEvent } from "./event-kinds.ts";
import { isWanted } from "./merge-events.ts";

const eventOf = (kind: EventKind, id = "node/local/1"): ModelEvent => ({
  id,
  t: 1,
  kind,
  model: "m",
  version: null,
  node: "local",
  label: "",
  detail: null,
  actorName: "server",
  auditId: null,
  change: null,
});

it("trouble alone: what failed by itself and alerts that begin, not what was done nor what is over", () => {
  const kinds = EVENT_KINDS.filter((kind) => isWanted(eventOf(kind), { trouble: true }));
  expect(kinds).toEqual(["restart", "load-failed", "evict"]);
  expect(isWanted(eventOf("alert", "alert/a/opened"), { trouble: true })).toBe(true);
  expect(isWanted(eventOf("alert", "alert/a/closed"), { trouble: true })).toBe(false);
  expect(isWanted(eventOf("load"), { trouble: false })).toBe(true);
  expect(isWanted(eventOf("restart"), { trouble: true, kinds: ["alert"] })).toBe(false);
});
