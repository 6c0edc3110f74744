import { describe, expect, it } from "vitest";
import { readEnv } from "./env.ts";

describe("readEnv", () => {
  it("has defaults beside the repository", () => {
    expect(readEnv({}, "/srv/nereid/apps/web")).toMatchObject({
      serverUrl: "http://127.0.0.1:8000",
      stateDir: "/srv/nereid/state",
      setupTokenFile: "/srv/nereid/state/setup-token",
      databaseUrl: "file:/srv/nereid/state/nereid.db",
      firstAdmin: undefined,
    });
  });

  it("keeps its state outside the standalone folder, which a build replaces", () => {
    const env = readEnv({}, "/srv/nereid/apps/web/.next/standalone/apps/web");
    expect(env.stateDir).toBe("/srv/nereid/state");
  });

  it("treats empty variables as unset", () => {
    expect(readEnv({ DATABASE_URL: "", NEREID_SERVER_KEY: "" }, "/a/apps/web")).toMatchObject({ serverKey: undefined });
  });

  it.each([
    [{ NEREID_SERVER_URL: "ftp://x" }, /NEREID_SERVER_URL/],
    [{ NEREID_ADMIN_EMAIL: "a@b.org" }, /together/],
    [{ NEREID_PUBLIC_URL: "dashboard" }, /NEREID_PUBLIC_URL/],
  ])("refuses %j", (variables, message) => {
    expect(() => readEnv(variables, "/a/apps/web")).toThrow(message);
  });
});
