import { describe, expect, it } from "vitest";
import type { InstanceReply } from "../../runner-protocol/messages.ts";
import { CallClient } from "./call-client.ts";
import { ScriptCalls } from "./script-calls.ts";

describe("ScriptCalls", () => {
  it("gives an answer back whose memory it could not map: the model that answered may just have ended", async () => {
    const sent: InstanceReply[] = [];
    const client = new CallClient();
    client.attach((reply) => {
      sent.push(reply);
      if (reply.type !== "call-infer") return;
      const output = { name: "Y", datatype: "FP32", shape: [1], segment: 7, offset: 0, byteLength: 4 } as const;
      client.receive({ type: "call-answer", call: reply.call, answer: 0, outputs: [output], final: true });
    });
    const calls = new ScriptCalls(client, () => {
      throw new Error("segment 7 is gone");
    });
    await expect(calls.infer({ model: "other", inputs: {} })).rejects.toThrow("segment 7 is gone");
    expect(sent.map(({ type }) => type)).toEqual(["call-infer", "call-release"]);
  });
});
