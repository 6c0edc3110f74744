import { NereidError } from "@nereid/errors";
import { describe, expect, it, vi } from "vitest";
import { AnswerChain, type ChainedAnswer } from "./answer-chain.ts";
import { answersOf } from "./infer-ticket.ts";

const moments = { queueStartNs: 0, computeStartNs: 0, inputEndNs: 0, outputStartNs: 0, endNs: 0 };
const answer = (id: string, release = vi.fn()): ChainedAnswer & { release: () => void } => ({
  response: { modelName: "m", modelVersion: "1", id, outputs: [] },
  moments,
  release,
});

async function idsOf(chain: AnswerChain): Promise<string[]> {
  const ids: string[] = [];
  for await (const { response } of answersOf({ answer: chain.take() })) ids.push(response.id);
  return ids;
}

describe("answer chain", () => {
  it("gives every answer once and in order, whether they come before or after they are asked for", async () => {
    const chain = new AnswerChain();
    chain.put(answer("a"), false);
    chain.put(answer("b"), false);
    const ids = idsOf(chain);
    chain.put(answer("c"), true);
    expect(await ids).toEqual(["a", "b", "c"]);
    expect(chain.ended).toBe(true);
  });

  it("fails whoever waits, after the answers that came before", async () => {
    const chain = new AnswerChain();
    chain.put(answer("a"), false);
    chain.fail(new NereidError("INTERNAL", "broken"));
    const first = await chain.take();
    await expect(first.next?.()).rejects.toThrow("broken");
  });

  it("releases what nobody took, and what comes after the end", async () => {
    const chain = new AnswerChain();
    const early = answer("a");
    chain.put(early, false);
    chain.abandon(new NereidError("CANCELLED", ""));
    const late = answer("b");
    chain.put(late, true);
    const tooLate = answer("c");
    chain.put(tooLate, true);
    for (const { release } of [early, late, tooLate]) expect(release).toHaveBeenCalledTimes(1);
    await expect(chain.take()).rejects.toThrow();
  });
});
