import { describe, expect, it } from "vitest";
import { checkSandbox, sandboxed, spawnUser } from "./sandbox.ts";

const COMMAND = { program: "node", args: ["runner.js"] };
const USER = { uid: 1000, gid: 1001 };

describe("the sandbox of a runner", () => {
  it("changes nothing where nothing was asked for", () => {
    expect(sandboxed(COMMAND, { network: "shared" }, true)).toBe(COMMAND);
    expect(spawnUser({ network: "shared" })).toEqual({});
  });

  it("starts it as another user", () => {
    expect(sandboxed(COMMAND, { user: USER, network: "shared" }, true)).toBe(COMMAND);
    expect(spawnUser({ user: USER, network: "shared" })).toEqual(USER);
  });

  it("gives it a network of its own, and root's rights away after that", () => {
    expect(sandboxed(COMMAND, { network: "none" }, true).args).toEqual(["--net", "--", "node", "runner.js"]);
    expect(sandboxed(COMMAND, { network: "none" }, false).args).toContain("--user");
    expect(sandboxed(COMMAND, { user: USER, network: "none" }, true)).toEqual({
      program: "unshare",
      args: [
        "--net",
        "--",
        "setpriv",
        "--reuid=1000",
        "--regid=1001",
        "--clear-groups",
        "--inh-caps=-all",
        "--",
        "node",
        "runner.js",
      ],
    });
    expect(spawnUser({ user: USER, network: "none" })).toEqual({});
  });

  it("is refused in words where the system does not offer it", () => {
    expect(() => checkSandbox({ user: USER, network: "shared" }, false)).toThrow("started as root");
    const refused = () => ({ code: 1, text: "unshare: unshare failed: Operation not permitted" });
    expect(() => checkSandbox({ network: "none" }, true, refused)).toThrow("Operation not permitted");
    expect(() => checkSandbox({ network: "none" }, true, () => ({ code: 0, text: "" }))).not.toThrow();
  });
});
