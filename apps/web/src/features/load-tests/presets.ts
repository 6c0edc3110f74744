import type { LoadTestDraft } from "./load-test-draft.ts";

export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly says: string;
  readonly fields: Partial<LoadTestDraft>;
}

/** Where most tests begin. */
export const PRESETS: readonly Preset[] = [
  {
    name: "throughput",
    title: "Most throughput",
    says: "Closed loop from 1 to 16 in flight: what the model can do at all.",
    fields: { kind: "concurrency", from: "1", to: "16", step: "3", duration: "10", warmUp: "2" },
  },
  {
    name: "users",
    title: "As users feel it",
    says: "Open loop at one rate with random gaps: the latency that people get.",
    fields: { kind: "rate", from: "100", to: "100", step: "100", distribution: "poisson", duration: "60", warmUp: "5" },
  },
  {
    name: "knee",
    title: "Find the knee",
    says: "Rates that go up by half until the server no longer keeps up.",
    fields: { kind: "knee", from: "50", to: "100000", factor: "1.5", percentile: "99", duration: "5", warmUp: "1" },
  },
  {
    name: "bursts",
    title: "Bursts",
    says: "Many requests at once: how deep the queue gets and how soon it is empty.",
    fields: { kind: "bursts", from: "100", to: "100", step: "100", size: "20", duration: "30", warmUp: "2" },
  },
  {
    name: "recorded",
    title: "As it came",
    says: "The requests of the last minutes when they really came, as fast or faster.",
    fields: { kind: "recorded", seconds: "300", speed: "1" },
  },
  {
    name: "soak",
    title: "One hour",
    says: "One rate for an hour: leaks, throttling, what comes once in a while.",
    fields: { kind: "rate", from: "50", to: "50", step: "50", distribution: "poisson", duration: "3600", warmUp: "10" },
  },
];
