import { expect, it } from "vitest";
import { eventsFile } from "./events-file.ts";

it("quotes what needs it and lets no cell be a formula", () => {
  const event = {
    id: "audit/1",
    t: 0,
    kind: "config",
    model: "m",
    version: null,
    node: "local",
    label: "Configuration changed",
    detail: '=1+1, "quick"',
    actorName: "Ada",
    auditId: "a",
    change: null,
  } as const;
  expect(eventsFile([event])).toBe(
    'time,kind,model,version,node,event,detail,actor,audit entry\r\n1970-01-01T00:00:00.000Z,config,m,,local,Configuration changed,"\'=1+1, ""quick""",Ada,a\r\n',
  );
});
