import { NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeNode } from "../testing/fake-node.ts";
import { EXPECTED_ANSWERS } from "./answer-schemas.ts";
import { connectNode } from "./connect-node.ts";

const clock = { now: () => 0 };
const pause = async () => {};

/** A node that answers every call with this text. */
function answering(body: string, kind: "nereid" | "triton" = "nereid") {
  const real = globalThis.fetch;
  const spec = { name: "n", kind, url: "http://127.0.0.1:9", metricsUrl: null, grpcUrl: null, apiKey: null };
  const swap = async <Result>(act: (link: ReturnType<typeof connectNode>) => Promise<Result>): Promise<Result> => {
    globalThis.fetch = async () => new Response(body, { status: 200 });
    try {
      return await act(connectNode(spec, { clock, pause }));
    } finally {
      globalThis.fetch = real;
    }
  };
  return swap;
}

type Client = ReturnType<typeof connectNode>["client"];
const READS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  models: (client) => client.models(),
  model: (client) => client.model("m"),
  modelMetadata: (client) => client.modelMetadata("m"),
  modelConfig: (client) => client.modelConfig("m"),
  requests: (client) => client.requests(),
  batching: (client) => client.batching("m"),
  shapes: (client) => client.shapes("m"),
  memory: (client) => client.memory("m"),
  logs: (client) => client.logs(),
  serverStatus: (client) => client.serverStatus(),
  serverEvents: (client) => client.serverEvents(),
  modelConfigState: (client) => client.modelConfigState("m"),
  checkConfig: (client) => client.checkConfig("m", ""),
  versionFiles: (client) => client.versionFiles("m"),
  drafts: (client) => client.drafts(),
  draft: (client) => client.draft("d"),
  pinVersions: (client) => client.pinVersions("m", null),
  loadVersion: (client) => client.loadVersion("m", "1"),
  cancelLoad: (client) => client.cancelLoad("m"),
  profile: (client) => client.profile("m"),
  profileTrace: (client) => client.profileTrace("m", "p"),
};

describe("a node that answered something else broke what read it", () => {
  for (const [name, read] of Object.entries(READS)) {
    it(`${name}: what is not the answer is told as such`, async () => {
      // Every object is a configuration to those who look into it field by field.
      const wrongs =
        name === "modelConfig" ? ["[]", "null", "3", "no JSON"] : ["{}", "null", "3", '"x"', "[1]", "<html>"];
      for (const body of wrongs) {
        await expect([body, await answering(body)(({ client }) => read(client)).catch((error) => error)]).toMatchObject(
          [body, { code: "UNAVAILABLE", message: expect.stringContaining("the node answered something that is no ") }],
        );
      }
    });
  }

  it("a list of wrong things is named with its place", async () => {
    await expect(answering('[{"name":3}]')(({ client }) => client.models())).rejects.toMatchObject({
      message: expect.stringContaining("no list of models (at 0.name: "),
    });
  });

  it("whatever a node answers, no call fails in other words", async () => {
    const calls = Object.values(READS);
    const which = fc.record({ at: fc.nat(calls.length - 1), triton: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), which, async (value, { at, triton }) => {
        const swap = answering(JSON.stringify(value), triton ? "triton" : "nereid");
        const ends = await swap(({ client, facts }) => Promise.allSettled([facts(), calls[at]?.(client)]));
        for (const end of ends) {
          if (end.status === "fulfilled") continue;
          expect(end.reason).toBeInstanceOf(NereidError);
          expect(["UNAVAILABLE", "UNSUPPORTED", "NOT_FOUND"]).toContain(NereidError.from(end.reason).code);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("answers of a server pass, with what is not known of them", async () => {
    const node = fakeNode();
    await node.loadModel("resnet");
    await node.openDraft({ author: "a" });
    await node.checkDraft("d1");
    const told: Readonly<Record<string, unknown>> = {
      models: await node.models(),
      model: await node.model("resnet"),
      modelMetadata: await node.modelMetadata("resnet"),
      requests: await node.requests(),
      batching: await node.batching("resnet"),
      shapes: await node.shapes("resnet"),
      memory: await node.memory("resnet"),
      logs: await node.logs(),
      serverStatus: await node.serverStatus(),
      modelConfigState: await node.modelConfigState("resnet"),
      checkConfig: await node.checkConfig("resnet", "x"),
      versionFiles: await node.versionFiles("resnet"),
      drafts: await node.drafts(),
      draft: await node.draft("d1"),
      divideTraffic: await node.divideTraffic("resnet", { weights: { 1: 1 } }),
      startShadow: await node.startShadow("resnet", { target: "2", percent: 10 }),
      shadow: await node.shadow("resnet"),
      profile: await node.profile("resnet"),
      publishDraft: await node.publishDraft("d1", { load: false }),
    };
    for (const [name, answer] of Object.entries(told)) {
      const expected = Object.entries(EXPECTED_ANSWERS).find(([method]) => method === name)?.[1];
      expect([name, expected?.schema.safeParse(answer).error]).toEqual([name, undefined]);
    }
    const later = JSON.stringify([{ ...(await node.model("resnet")), later: { a: 1 } }]);
    expect(await answering(later)(({ client }) => client.models())).toEqual(JSON.parse(later));
  });

  it("every call that is expected to answer is one of the client", () => {
    for (const name of Object.keys(EXPECTED_ANSWERS)) expect(name in NereidClient.prototype, name).toBe(true);
  });
});
