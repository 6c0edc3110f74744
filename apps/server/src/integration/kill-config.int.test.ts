import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigApplied, ModelConfigState } from "@nereid/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after, elapsedMs, KillableServer } from "../testing/killable-server.ts";
import { floats, numbersOf, parse, type Reply } from "../testing/test-api.ts";
import { offset, replaceFile } from "../testing/test-model.ts";

const KILLS = 12;
const MODEL = offset("m", 1);
const ORIGINAL = String(MODEL.files["config.pbtxt"]);
let server: KillableServer;
beforeAll(async () => {
  server = new KillableServer([MODEL]);
  await server.start();
});
afterAll(() => server.dispose());

const file = () => join(server.repository, "m/config.pbtxt");
const state = async () => parse<ModelConfigState>(await server.api.call("/nereid/v1/models/m/config"));

async function apply(text: string): Promise<Reply> {
  const { digest: ifDigest } = await state();
  return server.api.call("/nereid/v1/models/m/config", { method: "PUT", body: JSON.stringify({ text, ifDigest }) });
}

describe.each([
  [
    "that needs a reload",
    "reload",
    (step: number) => ORIGINAL.replace("max_batch_size: 32", `max_batch_size: ${40 + step}`),
    (step: number) => `max_batch_size: ${40 + step}`,
  ],
  [
    "that changes instances in place",
    "in-place",
    (step: number) => ORIGINAL.replace("count: 1", `count: ${1 + (step % 2)}`),
    (step: number) => `count: ${1 + (step % 2)}`,
  ],
] as const)("a configuration %s", (_what, kind, textOf, servedOf) => {
  it("is the old or the new one, on disk and in service, whenever the server is killed", async () => {
    let step = 0;
    let applied = 0;
    parse(await apply(textOf(step)));
    let answer: Reply | undefined;
    const usual = await elapsedMs(async () => {
      answer = await apply(textOf(1));
    });
    if (answer === undefined) throw new Error("no answer");
    expect(parse<ConfigApplied>(answer).change.kind).toBe(kind);
    step = 1;
    for (let kill = 0; kill < KILLS; kill++) {
      const answering = apply(textOf(step + 1)).catch(() => undefined);
      // Some fall just behind the usual end.
      await after((1.3 * usual * kill) / KILLS);
      await server.kill();
      const answered = (await answering)?.status === 200;
      await server.start();

      const text = readFileSync(file(), "utf8");
      const isNew = text === textOf(step + 1);
      if (!isNew || answered) expect(text).toBe(textOf(answered ? step + 1 : step));
      if (isNew) step += 1;
      expect((await state()).effective).toContain(servedOf(step));
      expect(numbersOf(await server.api.infer("m", floats("QUESTION", [[1]])))).toEqual([2]);
      expect(server.staged()).toEqual([]);
      applied += isNew ? 1 : 0;
    }
    console.log(`${KILLS} kills: ${KILLS - applied} left the old text, ${applied} the new one`);
  });
});

it("a text that somebody wrote after the kill stays (it was replaced by the one from before)", async () => {
  const before = (await state()).text;
  const wanted = ORIGINAL.replace("max_batch_size: 32", "max_batch_size: 90");
  const answering = apply(wanted).catch(() => undefined);
  await expect.poll(() => readFileSync(file(), "utf8"), { interval: 1 }).toBe(wanted);
  await server.kill();
  await answering;
  const byHand = ORIGINAL.replace("max_batch_size: 32", "max_batch_size: 91");
  expect([before, wanted]).not.toContain(byHand);
  replaceFile(file(), byHand);
  await server.start();
  expect(readFileSync(file(), "utf8")).toBe(byHand);
  expect(server.staged()).toEqual([]);
});
