import type { StatsWindow } from "../stats-window.ts";
import type { Step } from "../step.ts";
import { ms, percent } from "../words.ts";

/** Milliseconds a request spends with its client, and with the server; nulls where not known. */
export function wayOf({ whole }: StatsWindow): { client: number | null; server: number | null } {
  const { means, network } = whole;
  const server = means === null ? null : means.queue + means.input + means.infer + means.output;
  return { client: network === null ? null : network.receive + network.send, server };
}

/** Of the p99 that is asked about: a client that takes less of it does not explain it. */
const LEAST_OF_P99 = 0.1;
/** Requests that were looked at one by one, from which on their mean is taken as sure. */
const SURE_SAMPLES = 20;

/** A client that sends or reads slowly is slow for itself; the server is not. */
export function client(then: string): Step {
  return {
    id: "client",
    question: "Is the time spent with the client rather than here?",
    decide: (window, { clientShare }) => {
      const { client: outside, server } = wayOf(window);
      const share = outside === null || server === null ? null : outside / Math.max(outside + server, 1e-9);
      const matters = (outside ?? 0) >= Math.max(1, LEAST_OF_P99 * (window.whole.p99 ?? 0));
      return {
        branch: share !== null && share >= clientShare && matters ? "client" : "server",
        says:
          share === null
            ? "How long requests and answers are on the way is not known of this node."
            : `${percent(share)} of a request's way is receiving it and handing over its answer.`,
        evidence: [
          { label: "Receiving a request", value: ms(window.whole.network?.receive ?? null) },
          { label: "Handing over an answer", value: ms(window.whole.network?.send ?? null) },
          { label: "Inside the server", value: ms(server) },
        ],
        chart: "phases",
      };
    },
    branches: {
      server: { label: "Here", onward: { to: then } },
      client: {
        label: "With the client",
        onward: {
          verdict: (window) => {
            const { client: outside, server } = wayOf(window);
            const samples = Math.max(window.sampled.length, window.slow.length);
            const sends = (window.whole.network?.receive ?? 0) >= (window.whole.network?.send ?? 0);
            return {
              cause: "slow-client",
              title: sends ? "The client sends slowly" : "The client reads slowly",
              explanation: `A request is ${ms(outside)} on its way to or from its client and ${ms(server)} in the server, by ${samples} requests that were looked at. Nothing here makes that shorter.`,
              confidence: samples >= SURE_SAMPLES ? 0.9 : 0.6,
              suggestion: {
                says: "Look at the client's network, keep its connections open, send binary tensors or compress, or use shared memory on the same machine.",
                effect: `At best its requests take the ${ms(server)} they take here.`,
                edits: [],
                link: "requests",
              },
            };
          },
        },
      },
    },
  };
}
