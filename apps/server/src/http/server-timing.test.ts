import { expect, it } from "vitest";
import { serverTiming } from "./server-timing.ts";

it("says each phase in milliseconds, none of them below 0", () => {
  const moments = { queueStartNs: 3e6, computeStartNs: 5e6, inputEndNs: 5.5e6, outputStartNs: 9e6, endNs: 9.25e6 };
  expect(serverTiming({ startNs: 1e6, receivedNs: 2.5e6, moments })).toBe(
    "receive;dur=1.500, decode;dur=0.500, queue;dur=2.000, input;dur=0.500, infer;dur=3.500, output;dur=0.250",
  );
  expect(serverTiming({ startNs: 1e6, receivedNs: 4e6, moments })).toContain("decode;dur=0.000");
});
