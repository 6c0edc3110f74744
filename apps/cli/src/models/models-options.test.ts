import { describe, expect, it } from "vitest";
import { parseModelsCommand } from "./models-options.ts";

const ENV = { NEREID_API_KEY: "nrd_x" };

describe("parseModelsCommand()", () => {
  it("reads a version from MODEL/VERSION for load and unload only", () => {
    expect(parseModelsCommand(["load", "mnist/2"], ENV)).toMatchObject({ subject: "mnist", subVersion: "2" });
    expect(parseModelsCommand(["push", "dir/mnist"], ENV)).toMatchObject({ subject: "dir/mnist", load: true });
  });

  it("takes address and key from options before the environment", () => {
    const command = parseModelsCommand(["list", "--url=http://x:1", "--key=k"], { ...ENV, NEREID_URL: "http://y:2" });
    expect(command).toMatchObject({ url: "http://x:1", key: "k" });
  });

  it.each([
    [[], "a verb is missing"],
    [["lst"], "'lst' is no verb"],
    [["push"], "'push' needs a path"],
    [["load", "a", "b"], "'b' is one argument too many"],
    [["list", "--nope"], "--nope"],
    [["list", "a"], "'a' is one argument too many"],
    [["load", "a/"], "'a/' is not MODEL/VERSION"],
    [["unload", "/1"], "'/1' is not MODEL/VERSION"],
    [["versions", ".."], "'..' is not MODEL"],
    [["cancel-load"], "'cancel-load' needs a model"],
    [["profile"], "'profile' needs a model"],
    [["profile", "a", "--seconds=0"], "--seconds must be a number up to 60, not '0'"],
    [["profile", "a", "--seconds=61"], "not '61'"],
    [["profile", "a", "--seconds=soon"], "not 'soon'"],
    [["traffic", "a", "--weights=1"], "'1' is not VERSION=WEIGHT"],
    [["traffic", "a", "--clear", "--weights=1=1"], "--clear goes with neither"],
    [["traffic", "a", "--sticky-header=x-user"], "--sticky-header needs --weights"],
  ])("%j is refused", (args, message) => {
    expect(() => parseModelsCommand(args, ENV)).toThrow(message);
  });

  it("reads what traffic shall become, and nothing where it is only shown", () => {
    const trafficOf = (...args: string[]) => parseModelsCommand(["traffic", "m", ...args], ENV).traffic;
    expect(trafficOf()).toBeUndefined();
    expect(trafficOf("--clear")).toBeNull();
    expect(trafficOf("--weights", "1=90,2=10")).toEqual({ weights: { "1": 90, "2": 10 } });
    expect(trafficOf("--weights=1=1", "--sticky-header=x-user")).toEqual({
      weights: { "1": 1 },
      stickyHeader: "x-user",
    });
  });

  it("says how to get a key", () => {
    expect(() => parseModelsCommand(["list"], {})).toThrow(
      expect.objectContaining({ code: "UNAUTHENTICATED", fix: expect.stringContaining("NEREID_API_KEY") }),
    );
  });
});
