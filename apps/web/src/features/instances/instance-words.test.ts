import type { InstanceFacts, InstancePhase } from "@nereid/client";
import { describe, expect, it } from "vitest";
import { isLastServing, refusalOf } from "./instance-words.ts";

const instance = (index: number, phase: InstancePhase, passive = false): InstanceFacts => ({
  index,
  phase,
  passive,
  name: `m_${index}`,
  kind: "KIND_CPU",
  device: 0,
  executions: 0,
  inFlight: 0,
  busySeconds: 0,
  busyShare10: 0,
  busyShare60: 0,
});

describe("what may be done to an instance", () => {
  it.each([
    ["drain", "serving", "dynamic", null],
    ["drain", "down", "dynamic", "Restart it"],
    ["restart", "down", "dynamic", null],
    ["restart", "restarting", "dynamic", "being restarted"],
    ["restart", "serving", "sequence", "Sequences are bound"],
  ] as const)("%s of one that is %s, %s scheduler", (action, phase, scheduler, why) => {
    const refusal = refusalOf(action, { version: { scheduler }, instance: instance(0, phase) });
    if (why === null) expect(refusal).toBeNull();
    else expect(refusal).toContain(why);
  });

  it("knows the last one that serves: passive and held ones do not", () => {
    const [one, held, passive] = [instance(0, "serving"), instance(1, "drained"), instance(2, "serving", true)];
    expect(isLastServing({ instances: [one, held, passive] }, one)).toBe(true);
    expect(isLastServing({ instances: [one, held, passive] }, held)).toBe(false);
    expect(isLastServing({ instances: [one, instance(1, "serving")] }, one)).toBe(false);
  });
});
