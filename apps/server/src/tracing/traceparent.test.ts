import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTraceparent } from "./traceparent.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

describe("parseTraceparent()", () => {
  it("reads the caller's span", () => {
    const parent = { traceId: TRACE, spanId: SPAN };
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ ...parent, sampled: true });
    expect(parseTraceparent(` 00-${TRACE}-${SPAN}-00 `)).toEqual({ ...parent, sampled: false });
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-03-what-the-future-brings`)).toEqual({ ...parent, sampled: true });
  });

  it.each([
    undefined,
    "",
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-1`,
  ])("takes %j for none", (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it("never fails", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseTraceparent(text)));
  });
});
