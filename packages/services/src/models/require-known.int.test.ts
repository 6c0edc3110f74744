import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { NereidError } from "@nereid/errors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diagnoseModel } from "../diagnose/diagnose-model.ts";
import { getHistory } from "../history/get-history.ts";
import { listLogs } from "../logs/list-logs.ts";
import { testContext } from "../testing/service-context.ts";

describe("a model that there is not was answered with nothing", () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  /** A node that knows of `resnet` alone; with `code`, it answers that to everything about models. */
  function knowing(code?: "UNAVAILABLE") {
    const ctx = testContext(test.db);
    const model: typeof ctx.node.model = async (name) => {
      if (code !== undefined) throw new NereidError(code, "down");
      if (name === "resnet") return ctx.node.model(name);
      throw new NereidError("NOT_FOUND", `no model '${name}'`);
    };
    const node = { ...ctx.node, model, logs: async () => ({ lines: [], next: 0, gap: false }) };
    return { ...ctx, node, nodes: ctx.nodes.map((one) => ({ ...one, client: node })) };
  }
  const verbs = {
    logs: (ctx: ReturnType<typeof knowing>, model: string) => listLogs({ ctx, input: { model } }),
    history: (ctx: ReturnType<typeof knowing>, model: string) => getHistory({ ctx, input: { model, seconds: 300 } }),
    "history of all nodes": (ctx: ReturnType<typeof knowing>, model: string) =>
      getHistory({ ctx, input: { model, seconds: 300, node: "all" } }),
    diagnosis: (ctx: ReturnType<typeof knowing>, model: string) => diagnoseModel({ ctx, input: { model } }),
  };

  it.each(Object.entries(verbs))("%s: NOT_FOUND, unless the node has it or may have it", async (_name, verb) => {
    await expect(verb(knowing(), "resnte")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(verb(knowing(), "resnet")).resolves.toBeTypeOf("object");
    await expect(verb(knowing("UNAVAILABLE"), "resnte")).resolves.toBeTypeOf("object");
  });

  it("whoever follows lines already is not asked again", async () => {
    expect((await listLogs({ ctx: knowing(), input: { model: "gone", after: 5 } })).lines).toEqual([]);
  });
});
