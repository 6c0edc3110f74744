import type { NereidClient } from "@nereid/client";
import type { ExperimentWindow } from "@nereid/perf";
import { expect, it } from "vitest";
import { experimentVersion } from "./experiment-version.ts";

/** A server that has these versions, of which some are ready. */
const serverWith = (...versions: readonly { readonly version: string; readonly ready: boolean }[]) =>
  ({ model: async () => ({ versions }) }) as unknown as Pick<NereidClient, "model">;
const spec = { model: "m", version: null };

it("went on with the newest version after a restart, so that windows of two versions made one verdict", async () => {
  const client = serverWith({ version: "1", ready: true }, { version: "2", ready: true });
  expect(await experimentVersion(client, { spec, before: { version: "1", windows: [] } })).toMatchObject({
    version: "1",
  });
  expect(await experimentVersion(client, { spec: { ...spec, version: "2" }, before: undefined })).toMatchObject({
    version: "2",
  });
});

it("went on with windows of which nobody knows the version, and paired them with those of another", async () => {
  const client = serverWith({ version: "2", ready: true });
  const windows = [{ pair: 0, side: "a" }] as unknown as ExperimentWindow[];
  expect(await experimentVersion(client, { spec, before: { windows } })).toEqual({ version: "2", windows: [] });
  expect(await experimentVersion(client, { spec, before: { version: "1", windows } })).toEqual({
    version: "1",
    windows,
  });
  // Asked for, it was the same one before.
  const asked = { ...spec, version: "1" };
  expect(await experimentVersion(client, { spec: asked, before: { windows } })).toEqual({ version: "1", windows });
});

it("begins with the newest that is ready", async () => {
  const versions = ["9", "10", "11"].map((version) => ({ version, ready: version !== "11" }));
  expect(await experimentVersion(serverWith(...versions), { spec, before: undefined })).toMatchObject({
    version: "10",
  });
  await expect(experimentVersion(serverWith(), { spec, before: undefined })).rejects.toMatchObject({
    code: "CONFLICT",
  });
});
