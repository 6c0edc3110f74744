import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Draft, VersionFiles } from "@nereid/client";
import { offsetModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after, elapsedMs, KillableServer } from "../testing/killable-server.ts";
import { floats, numbersOf, parse } from "../testing/test-api.ts";
import { offset } from "../testing/test-model.ts";

const KILLS = 14;
const MODEL = offset("m", 1);
let server: KillableServer;
beforeAll(async () => {
  server = new KillableServer([MODEL]);
  await server.start();
});
afterAll(() => server.dispose());

const configOf = (batch: number) =>
  String(MODEL.files["config.pbtxt"]).replace("max_batch_size: 32", `max_batch_size: ${batch}`);
const configOnDisk = () => readFileSync(join(server.repository, "m/config.pbtxt"), "utf8");
const ask = async () => numbersOf(await server.api.infer("m", floats("QUESTION", [[0]])))[0];

async function digests(): Promise<Record<string, string>> {
  const versions = parse<VersionFiles[]>(await server.api.call("/nereid/v1/models/m/versions"));
  return Object.fromEntries(versions.map(({ version, digest }) => [version, digest]));
}

/** What has been published for certain. */
interface Published {
  readonly version: number;
  readonly config: string;
  readonly digests: Readonly<Record<string, string>>;
}

/** A draft of the next version, which adds its own number, with a configuration of its own, ready to be published. */
async function readyDraft(version: number): Promise<{ draft: Draft; become: (before: Published) => Published }> {
  const config = configOf(version);
  const id = await server.drafts.open({ model: "m", version: String(version) });
  await server.drafts.upload(id, "model.onnx", offsetModel(version));
  await server.drafts.call("PATCH", `/drafts/${id}`, { configText: config });
  const draft = await server.drafts.check(id);
  if (draft.state !== "ready") throw new Error(JSON.stringify(draft));
  const digest = draft.report?.digest ?? "";
  const become = (before: Published) => ({ version, config, digests: { ...before.digests, [version]: digest } });
  return { draft, become };
}

const publish = (id: string, load: boolean) => server.drafts.call("POST", `/drafts/${id}/publish`, { load });

async function holds({ version, config, digests: expected }: Published): Promise<void> {
  expect(await digests()).toEqual(expected);
  expect(configOnDisk()).toBe(config);
  // The version policy serves the newest.
  expect(await ask()).toBe(version);
}

describe.each([
  ["loaded", true],
  ["left", false],
])("a version that is published and %s", (_what, load) => {
  it("is there as a whole or not at all, whenever the server is killed", async () => {
    const version = Math.max(...Object.keys(await digests()).map(Number));
    let now: Published = { version, config: configOnDisk(), digests: await digests() };
    const first = await readyDraft(now.version + 1);
    const usual = await elapsedMs(() => publish(first.draft.id, load));
    now = first.become(now);
    const outcomes = { old: 0, new: 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      const { draft, become } = await readyDraft(now.version + 1);
      const answer = publish(draft.id, load).catch(() => undefined);
      // Some fall just behind the usual end.
      await after((1.3 * usual * kill) / KILLS);
      await server.kill();
      const answered = (await answer)?.status === 200;
      await server.start();

      const { body } = await server.drafts.call<Draft>("GET", `/drafts/${draft.id}`);
      expect(body.state).toBe(body.state === "published" || answered ? "published" : "ready");
      outcomes[body.state === "published" ? "new" : "old"] += 1;
      if (body.state === "published") {
        now = become(now);
        await holds(now);
      } else {
        await holds(now);
        // Nothing is lost: it is published by the same draft.
        expect((await publish(draft.id, true)).status).toBe(200);
        now = become(now);
        await holds(now);
      }
      expect(server.staged()).toEqual([join("drafts", draft.id, "draft.json"), ...others(draft.id)].sort());
    }
    console.log(`${KILLS} kills: ${outcomes.old} before the version was there, ${outcomes.new} after`);
  });
});

/** The records of the drafts that were published before. */
function others(id: string): string[] {
  return server.staged().filter((path) => /^drafts\/[0-9a-f]+\/draft\.json$/.test(path) && !path.includes(id));
}
