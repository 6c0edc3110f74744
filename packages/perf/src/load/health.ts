import { latencyFigures } from "./latency-figures.ts";
import { type GeneratorFigures, type LoadWindow, serviceUs } from "./load-window.ts";
import { phaseMeanUs } from "./server-figures.ts";

/** More late sends than this and the figures are the generator's, not the server's. */
const LATE_SHARE = 0.01;
const BUSY_CPU = 0.95;
const LAG_MS = 20;
const STOLEN_SHARE = 0.02;
/** Part of the wait that is neither the server's nor usual for a socket, in microseconds. */
const ELSEWHERE_US = 1000;

/** By what a measurement is believed or not. */
export interface HealthFacts {
  /** Requests that ended, well or not. */
  readonly ended: number;
  readonly late: number;
  readonly generator: GeneratorFigures;
  /** Mean time of a request from when it was sent, in microseconds. */
  readonly clientUs: number;
  /** The same on the server; undefined where it tells nothing. */
  readonly serverUs: number | undefined;
}

/** What a reader must know before believing a measurement; empty = nothing. Pure. */
export function generatorWarnings(window: LoadWindow, kind: "closed" | "open"): string[] {
  const { requests, failed, late, generator } = window;
  const [served] = window.server;
  const known = served !== undefined && served.phases.success.count > 0;
  return healthWarnings(
    {
      ended: requests.length + failed,
      late,
      generator,
      clientUs: latencyFigures(serviceUs(window)).averageUs,
      serverUs: known ? phaseMeanUs(served, "success") : undefined,
    },
    kind,
  );
}

/** The same of figures that were counted otherwise. Pure. */
export function healthWarnings(facts: HealthFacts, kind: "closed" | "open"): string[] {
  const { ended, late, generator } = facts;
  const warnings: string[] = [];
  if (kind === "open" && ended > 0 && late / ended > LATE_SHARE) {
    warnings.push(
      `${late} of ${ended} requests (${percent(late / ended)}) were sent late: the load generator is the bottleneck; raise --processes, lower the rate, or use a faster machine.`,
    );
  }
  if (kind === "closed" && generator.cpu >= BUSY_CPU) {
    warnings.push(
      `The load generator used ${percent(generator.cpu)} of a processor: it is the bottleneck; raise --processes or use another machine.`,
    );
  }
  if (generator.lagMs >= LAG_MS) {
    warnings.push(
      `The load generator was away for up to ${generator.lagMs.toFixed(0)} ms at a time: latencies near that are its own; give it a processor of its own.`,
    );
  }
  if (generator.stolen >= STOLEN_SHARE) {
    warnings.push(
      `Others on the host of this machine took ${percent(generator.stolen)} of its processors' time: the figures are partly theirs; measure again when it is quiet, or elsewhere.`,
    );
  }
  const elsewhere = elsewhereUs(facts);
  if (elsewhere !== undefined) {
    warnings.push(
      `${elsewhere.toFixed(0)} usec of each request were spent neither in the client nor in the model: look at the network, the kernel and the server's front end.`,
    );
  }
  return warnings;
}

function elsewhereUs({ clientUs, serverUs }: HealthFacts): number | undefined {
  if (serverUs === undefined) return undefined;
  const difference = clientUs - serverUs;
  return difference > ELSEWHERE_US && difference > clientUs / 2 ? difference : undefined;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Whether another process is worth starting: the busiest has no time left, and the machine has. Pure. */
export function wantsMoreProcesses(cpu: number, idleProcessors: number): boolean {
  return cpu >= BUSY_CPU && idleProcessors >= 0.75;
}
