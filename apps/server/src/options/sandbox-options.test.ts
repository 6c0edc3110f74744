import { describe, expect, it } from "vitest";
import { parseOptions } from "./parse-options.ts";

function sandbox(...args: readonly string[]) {
  const parsed = parseOptions(["--model-repository=/m", ...args], {}, () => undefined);
  if (parsed.kind !== "run") throw new Error("help");
  return parsed.options.sandbox;
}

describe("sandbox options", () => {
  it("keep runners from nothing unless asked", () => {
    expect(sandbox()).toEqual({ user: undefined, network: "shared" });
  });

  it.each([
    ["1000", { uid: 1000, gid: 1000 }],
    ["1000:50", { uid: 1000, gid: 50 }],
  ])("read the user %s", (text, user) => {
    expect(sandbox(`--runner-user=${text}`, "--runner-network=none")).toEqual({ user, network: "none" });
  });

  it.each([
    ["--runner-user=nobody", "in numbers"],
    ["--runner-user=0", "is root"],
    ["--runner-user=99999999999", "in numbers"],
    ["--runner-network=maybe", "shared or none"],
  ])("refuse %s", (flag, words) => {
    expect(() => sandbox(flag)).toThrow(words);
  });
});
