import { describe, expect, it } from "vitest";
import { parseRequestsCommand } from "./requests-options.ts";

const ENV = { NEREID_API_KEY: "nrd_x" };

describe("parseRequestsCommand()", () => {
  it("reads what is wanted, and nothing that was not said", () => {
    const all = parseRequestsCommand(["--id=a b", "--model", "m", "--cause=slow", "--limit=500"], ENV);
    expect(all.query).toEqual({ id: "a b", model: "m", cause: "slow", limit: 500 });
    expect(parseRequestsCommand(["--json"], ENV)).toEqual({
      url: "http://127.0.0.1:3000",
      key: "nrd_x",
      json: true,
      query: { id: undefined, model: undefined, cause: undefined, limit: undefined },
    });
  });

  it.each([
    [["--cause=late"], "'late' is no cause: slow, failed, sampled"],
    [["--limit=0"], "--limit must be a whole number from 1 to 500, not '0'"],
    [["--limit=501"], "not '501'"],
    [["--limit=many"], "not 'many'"],
    [["mnist"], "mnist"],
    [["--nope"], "--nope"],
  ])("%j is refused", (args, message) => {
    expect(() => parseRequestsCommand(args, ENV)).toThrow(message);
  });

  it("needs a key", () => {
    expect(() => parseRequestsCommand([], {})).toThrow(expect.objectContaining({ code: "UNAUTHENTICATED" }));
  });
});
