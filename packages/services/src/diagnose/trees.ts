import type { Step } from "./step.ts";
import { client } from "./steps/client.ts";
import { enoughData } from "./steps/enough-data.ts";
import { failures } from "./steps/failures.ts";
import { infer } from "./steps/infer.ts";
import { phases } from "./steps/largest-phase.ts";
import { batching, deviceBusy, deviceHealth, load } from "./steps/machine.ts";
import { periodic } from "./steps/periodic.ts";
import { queue } from "./steps/queue.ts";
import { slices } from "./steps/slices.ts";
import { inputs, outputs } from "./steps/tensors.ts";

/** What somebody saw before they asked. */
export const SYMPTOMS = ["p99-high", "gpu-low-latency-high", "gpu-high-errors-high", "throughput-low"] as const;

export type Symptom = (typeof SYMPTOMS)[number];

export interface Tree {
  readonly title: string;
  readonly first: string;
  readonly steps: Readonly<Record<string, Step>>;
}

const PHASE_WAYS = { queue: "queue", input: "inputs", infer: "infer", output: "outputs" } as const;

/** The steps that every tree ends with. */
const ENDS: readonly Step[] = [phases(PHASE_WAYS), queue, infer, inputs, outputs, periodic];

function tree(title: string, own: readonly [Step, ...Step[]]): Tree {
  return { title, first: own[0].id, steps: Object.fromEntries([...own, ...ENDS].map((step) => [step.id, step])) };
}

/** The debug playbooks as data: one tree for each symptom. */
export const TREES: Readonly<Record<Symptom, Tree>> = {
  "p99-high": tree("The 99th percentile is high", [
    enoughData("failures"),
    failures("slices"),
    slices("client"),
    client("phases"),
  ]),
  "gpu-low-latency-high": tree("The device is idle, and latency is high", [
    enoughData("client"),
    client("device"),
    deviceBusy({ busy: "phases", idle: "phases" }),
  ]),
  "gpu-high-errors-high": tree("The device is busy, and requests fail", [
    enoughData("device-health"),
    deviceHealth("failures"),
    failures("phases"),
  ]),
  "throughput-low": tree("Throughput is low", [
    enoughData("failures"),
    failures("load"),
    load("client"),
    client("batching"),
    batching("phases"),
  ]),
};
