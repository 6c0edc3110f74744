import { describe, expect, it } from "vitest";
import type { CallReply, CallRequest } from "../runner-protocol/call-messages.ts";
import { InstanceCalls } from "./instance-calls.ts";
import type { ModelCalls } from "./model-calls.ts";

function calling() {
  const sent: CallRequest[] = [];
  const done: string[] = [];
  const calls: ModelCalls = {
    infer: () => {
      done.push("infer");
      return new Promise(() => undefined);
    },
    manage: () => {
      done.push("manage");
      return Promise.resolve(undefined);
    },
    metric: () => {
      done.push("metric");
      return 0;
    },
    left: () => void done.push("left"),
    log: () => void done.push("log"),
  };
  const instance = new InstanceCalls({
    caller: { model: "m/1", instance: 0, pid: 1 },
    calls,
    send: (message) => void sent.push(message),
    announce: () => ({}),
    allocate: () => {
      throw new Error("there is no memory here");
    },
  });
  return { instance, sent, done };
}

const METRIC: CallReply = {
  type: "metric",
  call: 1,
  family: "words",
  description: "Words",
  kind: "COUNTER",
  labels: {},
  action: "declare",
};

describe("InstanceCalls", () => {
  it("hears nothing of a runner that has ended: a metric that was on its way would stay for ever", () => {
    const { instance, sent, done } = calling();
    instance.receive(METRIC);
    instance.close();
    instance.receive(METRIC);
    instance.receive({ type: "call-infer", call: 2, model: "x", id: "", inputs: [], outputs: [], decoupled: false });
    instance.close();
    expect(done).toEqual(["metric", "left"]);
    expect(sent).toHaveLength(1);
  });
});
