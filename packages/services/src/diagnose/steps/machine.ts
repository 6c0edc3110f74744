import type { StatsWindow } from "../stats-window.ts";
import type { Step } from "../step.ts";
import type { Verdict } from "../verdict.ts";
import { number, percent } from "../words.ts";

function gpuUse({ machine }: StatsWindow): number | null {
  const known = machine?.gpus.flatMap(({ utilization }) => (utilization === null ? [] : [utilization])) ?? [];
  return known.length === 0 ? null : Math.max(...known);
}

/** Whether the GPU, or without one the processors, are at work. The way of the seeds' playbooks. */
export function deviceBusy(ways: { readonly busy: string; readonly idle: string }): Step {
  return {
    id: "device",
    question: "Is the device that executes busy?",
    decide: (window, bars) => {
      const gpu = gpuUse(window);
      const use = gpu ?? window.machine?.cpu ?? null;
      const bar = gpu === null ? bars.cpuShare : bars.gpuShare;
      return {
        branch: use !== null && use >= bar ? "busy" : "idle",
        says:
          gpu === null ? "The node tells of no GPU; its processors are looked at." : "The busiest GPU is looked at.",
        evidence: [
          { label: gpu === null ? "Processors in use" : "GPU in use", value: percent(use), bar: percent(bar) },
        ],
        chart: gpu === null ? "machine" : "gpu",
      };
    },
    branches: {
      busy: { label: "Busy", onward: { to: ways.busy } },
      idle: { label: "Not busy", onward: { to: ways.idle } },
    },
  };
}

/** Memory, Xid and ECC errors, heat: what fails on a busy device. */
export function deviceHealth(then: string): Step {
  return {
    id: "device-health",
    question: "Is the device, or its memory, in trouble?",
    decide: (window, bars) => {
      const { machine, failed } = window;
      const errors = machine?.gpus.reduce((sum, { eccErrors, xidErrors }) => sum + eccErrors + xidErrors, 0) ?? 0;
      const memory = Math.max(
        machine?.memoryShare ?? 0,
        ...(machine?.gpus.map(({ memoryShare }) => memoryShare ?? 0) ?? []),
      );
      const saysMemory = failed.some(({ error }) => /memory|alloc|OOM/i.test(error?.message ?? ""));
      const hot = machine?.gpus.some(({ temperatureCelsius }) => (temperatureCelsius ?? 0) >= 85) ?? false;
      return {
        branch: errors > 0 ? "errors" : memory >= bars.memoryShare || saysMemory ? "memory" : hot ? "hot" : "well",
        says:
          errors > 0
            ? `${errors} GPU errors in this window.`
            : saysMemory
              ? "Failed requests speak of memory."
              : `${percent(memory)} of the memory is in use.`,
        evidence: [
          { label: "Xid and ECC errors", value: number(errors), bar: "0" },
          { label: "Memory in use", value: percent(memory), bar: percent(bars.memoryShare) },
        ],
        chart: "machine",
      };
    },
    branches: {
      well: { label: "No", onward: { to: then } },
      errors: { label: "It reports errors", onward: { verdict: gpuErrors } },
      memory: { label: "Memory is short", onward: { verdict: memoryShort } },
      hot: { label: "It is too hot", onward: { to: "infer" } },
    },
  };
}

function gpuErrors({ machine }: StatsWindow): Verdict {
  const bad = machine?.gpus.find(({ eccErrors, xidErrors }) => eccErrors + xidErrors > 0);
  return {
    cause: "gpu-errors",
    title: `GPU ${bad?.index ?? 0} reports errors`,
    explanation: `${number(bad?.xidErrors ?? 0)} Xid and ${number(bad?.eccErrors ?? 0)} ECC errors came up in this window.`,
    confidence: 0.9,
    suggestion: {
      says: "Drain the node and reset or replace the GPU.",
      effect: "Other nodes answer meanwhile.",
      edits: [],
      link: "/nodes",
    },
  };
}

function memoryShort({ machine, config }: StatsWindow): Verdict {
  const size = config?.maxBatchSize ?? 0;
  return {
    cause: "memory-short",
    title: "Memory is short",
    explanation: `${percent(machine?.memoryShare ?? null)} of the node's memory is in use, or executions fail for lack of it.`,
    confidence: 0.75,
    suggestion:
      size > 1
        ? {
            says: `Lower max_batch_size from ${size} to ${Math.floor(size / 2)}, or unload what is not used.`,
            effect: "What an execution needs beside the weights falls by about half.",
            edits: [{ path: "max_batch_size", value: Math.floor(size / 2) }],
          }
        : {
            says: "Run fewer instances, or unload what is not used.",
            effect: "Each instance has memory of its own.",
            edits: [],
            link: "memory",
          },
  };
}

/** Whether so little comes that nothing could be busy. */
export function load(then: string): Step {
  return {
    id: "load",
    question: "Does enough arrive to keep it busy?",
    decide: ({ whole, timeline }, bars) => {
      const waits = timeline.filter(({ pending }) => pending > 0).length / Math.max(1, timeline.length);
      const idle = (whole.busyShare ?? 1) < bars.gpuLowShare && waits < 0.1;
      return {
        branch: idle ? "little" : "enough",
        says: `${number(whole.requestsPerSecond)} requests a second; in ${percent(waits)} of the time some waited.`,
        evidence: [{ label: "Instances busy", value: percent(whole.busyShare), bar: percent(bars.gpuLowShare) }],
        chart: "queue",
      };
    },
    branches: {
      enough: { label: "Yes", onward: { to: then } },
      little: {
        label: "No",
        onward: {
          verdict: ({ whole }) => ({
            cause: "too-little-load",
            title: "Not more is asked for",
            explanation: `The instances are busy ${percent(whole.busyShare)} of the time and hardly anything waits: throughput is what the clients send.`,
            confidence: 0.85,
            suggestion: {
              says: "Let clients have more requests under way at a time (asynchronous calls, more connections).",
              effect: `At this latency the instances could do up to ${number(whole.requestsPerSecond / Math.max(0.01, whole.busyShare ?? 1))} requests a second.`,
              edits: [],
            },
          }),
        },
      },
    },
  };
}

/** Whether batches could be larger. */
export function batching(then: string): Step {
  return {
    id: "batching",
    question: "Are batches as large as they could be?",
    decide: ({ whole, config }) => {
      const limit = config?.maxBatchSize ?? 0;
      const small = limit === 0 ? false : config?.batches !== true || (whole.meanBatch ?? limit) < limit / 2;
      return {
        branch: limit > 0 && small ? "small" : "large",
        says: limit === 0 ? "The model does not batch." : `They hold ${number(whole.meanBatch)} of at most ${limit}.`,
        evidence: [{ label: "Mean batch", value: number(whole.meanBatch), bar: `at most ${limit}` }],
        chart: "batches",
      };
    },
    branches: {
      large: { label: "Yes, or it does not batch", onward: { to: then } },
      small: {
        label: "No",
        onward: {
          verdict: ({ whole, config }) => ({
            cause: "batches-too-small",
            title: "Batches are small",
            explanation:
              config?.batches === true
                ? `Executions hold ${number(whole.meanBatch)} of at most ${config.maxBatchSize}.`
                : "The model could batch, but has no dynamic_batching: every request is executed alone.",
            confidence: 0.75,
            suggestion: {
              says:
                config?.batches === true
                  ? "Allow a short queue delay, so that more requests share an execution."
                  : "Switch dynamic_batching on, with a short queue delay.",
              effect:
                "On a model that is cheaper in batches throughput grows with the batch; latency grows by the delay at most.",
              edits: [
                {
                  path: "dynamic_batching.max_queue_delay_microseconds",
                  value: Math.max(500, (config?.queueDelayUs ?? 0) * 2),
                },
              ],
            },
          }),
        },
      },
    },
  };
}
