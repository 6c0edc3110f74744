import type { NereidClient } from "@nereid/client";
import { expect, it } from "vitest";
import { experimentVersion } from "./experiment-version.ts";

/** A server that has these versions, of which some are ready. */
const serverWith = (...versions: readonly { readonly version: string; readonly ready: boolean }[]) =>
  ({ model: async () => ({ versions }) }) as unknown as Pick<NereidClient, "model">;
const spec = { model: "m", version: null };

it("went on with the newest version after a restart, so that windows of two versions made one verdict", async () => {
  const client = serverWith({ version: "1", ready: true }, { version: "2", ready: true });
  expect(await experimentVersion(client, { spec, before: { version: "1", windows: [] } })).toBe("1");
  expect(await experimentVersion(client, { spec: { ...spec, version: "2" }, before: undefined })).toBe("2");
});

it("begins with the newest that is ready", async () => {
  const versions = ["9", "10", "11"].map((version) => ({ version, ready: version !== "11" }));
  expect(await experimentVersion(serverWith(...versions), { spec, before: undefined })).toBe("10");
  await expect(experimentVersion(serverWith(), { spec, before: undefined })).rejects.toMatchObject({
    code: "CONFLICT",
  });
});
