import type { ModelEvent } from "@nereid/services";
import { describe, expect, it } from "vitest";
import { eventLinks } from "./event-links.ts";

const event: ModelEvent = {
  id: "audit/1",
  t: 1_000.5,
  kind: "config",
  model: "a b",
  version: null,
  node: "local",
  label: "Configuration changed",
  detail: null,
  actorName: "Ada",
  auditId: "1",
  change: { from: "x", to: "y" },
};

describe("where an event leads", () => {
  it("a change: to the difference, to as long before as after, to the charts and to the audit entry", () => {
    expect(eventLinks(event, 1_100)).toEqual([
      { label: "What changed", href: "/models/a%20b/config?from=x&to=y" },
      { label: "Before and after", href: "/models/a%20b/latency?from=1001&to=1100&compare=true" },
      { label: "Charts then", href: "/models/a%20b/latency?from=700&to=1301" },
      { label: "Audit entry", href: "/audit?id=1" },
    ]);
  });

  it("five minutes after it at most, and not before there is an after", () => {
    expect(eventLinks(event, 9_999)[1]?.href).toContain("from=1001&to=1301&compare");
    expect(eventLinks(event, 1_001).map(({ label }) => label)).not.toContain("Before and after");
  });

  it("on another node with its name in the address; about a node to the node", () => {
    const there = { ...event, kind: "drain", model: null, node: "n1", change: null, auditId: null } as const;
    expect(eventLinks(there, 2_000)).toEqual([{ label: "Node", href: "/nodes/n1?node=n1" }]);
  });
});
