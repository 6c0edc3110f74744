import { expect, it } from "vitest";
import { errorText } from "./error-text.ts";

it("an error of several addresses said nothing", () => {
  const tried = new AggregateError([
    new Error("connect ECONNREFUSED ::1:1"),
    new Error("connect ECONNREFUSED 127.0.0.1:1"),
  ]);
  expect(errorText(tried)).toBe("connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1");
  expect(errorText(new Error("broken"))).toBe("broken");
  expect(errorText("odd")).toBe("odd");
});
