import { latencyFigures } from "./latency-figures.ts";
import { type LoadWindow, serviceUs } from "./load-window.ts";
import { phaseMeanUs } from "./server-figures.ts";

/** More late sends than this and the figures are the generator's, not the server's. */
const LATE_SHARE = 0.01;
const BUSY_CPU = 0.95;
const LAG_MS = 20;
/** Part of the wait that is neither the server's nor usual for a socket, in microseconds. */
const ELSEWHERE_US = 1000;

/** What a reader must know before believing a measurement; empty = nothing. Pure. */
export function generatorWarnings(window: LoadWindow, kind: "closed" | "open"): string[] {
  const { requests, failed, late, generator } = window;
  const warnings: string[] = [];
  const ended = requests.length + failed;
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
  const elsewhere = elsewhereUs(window);
  if (elsewhere !== undefined) {
    warnings.push(
      `${elsewhere.toFixed(0)} usec of each request were spent neither in the client nor in the model: look at the network, the kernel and the server's front end.`,
    );
  }
  return warnings;
}

function elsewhereUs(window: LoadWindow): number | undefined {
  const [served] = window.server;
  if (served === undefined || served.phases.success.count === 0) return undefined;
  const clientUs = latencyFigures(serviceUs(window)).averageUs;
  const difference = clientUs - phaseMeanUs(served, "success");
  return difference > ELSEWHERE_US && difference > clientUs / 2 ? difference : undefined;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Whether another process is worth starting: the busiest has no time left, and the machine has. Pure. */
export function wantsMoreProcesses(cpu: number, idleProcessors: number): boolean {
  return cpu >= BUSY_CPU && idleProcessors >= 0.75;
}
