import { expect, it } from "vitest";
import { liveNotice } from "./live-notice.ts";

const live = {
  stream: "pending",
  hadData: true,
  connection: { state: "live", since: 1 },
  errorCode: undefined,
} as const;
const down = { state: "down", since: 42 } as const;

it.each([
  [live, { kind: "none" }],
  [{ ...live, stream: "connecting", hadData: false }, { kind: "none" }],
  [{ ...live, stream: "connecting" }, { kind: "reconnecting" }],
  [
    { ...live, connection: down },
    { kind: "data-plane-down", sinceMs: 42 },
  ],
  [{ ...live, connection: down, stream: "connecting" }, { kind: "reconnecting" }],
  [
    { ...live, stream: "error", errorCode: "UNAUTHORIZED" },
    { kind: "ended", signedOut: true },
  ],
  [
    { ...live, stream: "error", errorCode: "FORBIDDEN" },
    { kind: "ended", signedOut: false },
  ],
] as const)("%j gives %j", (facts, notice) => {
  expect(liveNotice(facts)).toEqual(notice);
});
