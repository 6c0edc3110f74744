import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sha256 } from "../../testing/fake-node.ts";
import { testContext } from "../../testing/service-context.ts";
import { decideExperiment } from "./decide-experiment.ts";

const FILE = 'name: "resnet"\n';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test?.drop());

/** An experiment with its verdict, about this change. */
async function experiment(id: string, change: string): Promise<void> {
  await test.db.labJob.create({
    data: {
      id,
      kind: "experiment",
      node: "local",
      model: "resnet",
      title: "t",
      spec: {
        model: "resnet",
        hypothesis: "h",
        load: { kind: "concurrency", level: 1 },
        baseline: { text: FILE, digest: sha256(FILE) },
        change: { text: change },
      },
      phase: "succeeded",
      active: false,
      says: "",
      revision: 1,
      createdAt: new Date(),
      startedAt: new Date(),
      endedAt: new Date(),
      createdByName: "u",
      note: "",
    },
  });
}

it("keeping and reverting at once, of which one was recorded and the other carried out: only one of them happens", async () => {
  for (let round = 0; round < 5; round += 1) {
    const ctx = testContext(test.db);
    const id = `both-${round}`;
    const change = `max_batch_size: ${round + 1}\n`;
    await experiment(id, change);
    const both = await Promise.allSettled(
      (["keep", "revert"] as const).map((decision) => decideExperiment({ ctx, input: { id, decision } })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const { decision } = await test.db.labJob.findUniqueOrThrow({ where: { id } });
    const { text } = await ctx.node.modelConfigState("resnet");
    expect(decision).toMatchObject({ kind: text === change ? "kept" : "reverted" });
  }
});

it("a change that cannot be applied leaves the experiment undecided, and is asked for again", async () => {
  const ctx = testContext(test.db);
  await experiment("bad", "bad\n");
  const keep = () => decideExperiment({ ctx, input: { id: "bad", decision: "keep" } });
  await expect(keep()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(keep()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  const { decision } = await decideExperiment({ ctx, input: { id: "bad", decision: "revert" } });
  expect(decision).toMatchObject({ kind: "reverted" });
});

it("who may not configure may revert and not keep", async () => {
  const ctx = {
    ...testContext(test.db),
    actor: { ...testContext(test.db).actor, kind: "key" as const, scopes: ["lab.run"] },
  };
  await experiment("rights", "max_batch_size: 9\n");
  const decide = (decision: "keep" | "revert") => decideExperiment({ ctx, input: { id: "rights", decision } });
  await expect(decide("keep")).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect((await decide("revert")).decision).toMatchObject({ kind: "reverted" });
});
