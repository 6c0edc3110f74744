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
  ])("%j is refused", (args, message) => {
    expect(() => parseModelsCommand(args, ENV)).toThrow(message);
  });

  it("says how to get a key", () => {
    expect(() => parseModelsCommand(["list"], {})).toThrow(
      expect.objectContaining({ code: "UNAUTHENTICATED", fix: expect.stringContaining("NEREID_API_KEY") }),
    );
  });
});
