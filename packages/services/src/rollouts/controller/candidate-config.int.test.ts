import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { NereidError } from "@nereid/errors";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { digestOf } from "../../config/config-history.ts";
import { testContext } from "../../testing/service-context.ts";
import { writeTransaction } from "../../write-transaction.ts";
import { applyCandidate, noteApplied } from "./candidate-config.ts";

const text = "max_batch_size: 8";
const spec = { model: "m", baseline: "1", candidate: "m_canary/1", config: { text, ifDigest: "old" }, note: "" };

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
beforeEach(() => test.db.configEntry.deleteMany());
afterAll(() => test?.drop());

/** A server whose file has each of these texts when it is read, the last one from then on, and that refuses to write it. */
function context(...texts: string[]) {
  const ctx = testContext(test.db);
  const asked: string[] = [];
  const node = {
    ...ctx.node,
    modelConfigState: async () => {
      const now = (texts.length > 1 ? texts.shift() : texts[0]) ?? "";
      return { ...(await ctx.node.modelConfigState("m")), text: now, digest: digestOf(now) };
    },
    applyConfig: async (name: string) => {
      asked.push(name);
      throw new NereidError("CONFLICT", "the configuration was changed by somebody else meanwhile");
    },
  };
  return { ctx: { ...ctx, node }, asked };
}

it("a second controller asked for what the first had written, and took the server's refusal for its end", async () => {
  const written = context(text);
  await applyCandidate(written.ctx, spec);
  expect(written.asked).toEqual([]);
  const between = context("before", "before", text);
  await applyCandidate(between.ctx, spec);
  expect(between.asked).toEqual(["m"]);
  await expect(applyCandidate(context("of somebody else").ctx, spec)).rejects.toMatchObject({ code: "CONFLICT" });
});

it("a configuration that a controller applied and could not note stood in no history", async () => {
  const { ctx } = context(text);
  const note = () => writeTransaction(test.db, (tx) => noteApplied(tx, { at: new Date(0), node: ctx }, spec));
  await note();
  await note();
  const entries = await test.db.configEntry.findMany({ where: { digest: digestOf(text) } });
  expect(entries).toMatchObject([{ model: "m", text, source: "apply", reason: "promoted by a rollout" }]);
});
