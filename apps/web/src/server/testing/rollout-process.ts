import { setTimeout as sleep } from "node:timers/promises";
import { createDatabase } from "@nereid/db";
import { connectNode, MetricsHub, RolloutController, systemClock } from "@nereid/services";

/** A process of its own that carries rollouts on: `rollout-process <database url> <server url> <name>`. Prints a line when it has begun. */
const [databaseUrl = "", url = "", holder = ""] = process.argv.slice(2);
const pause = (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal === undefined ? {} : { signal });
const link = connectNode(
  { name: "local", kind: "nereid", url, metricsUrl: null, grpcUrl: null, apiKey: null },
  { clock: systemClock, pause, backoff: () => pause(100), timeoutMs: 2_000 },
);
const hub = new MetricsHub({ open: (options) => link.buckets(options), clock: systemClock, pause, retryMs: 200 });
hub.start();
const controller = new RolloutController({
  db: createDatabase(databaseUrl),
  clock: systemClock,
  holder,
  pause,
  nodes: () => [{ id: "local", name: "local", cordoned: false, client: link.client, metrics: hub }],
  onError: (error) => process.stderr.write(`${holder}: ${String(error)}\n`),
});
controller.start();
process.stdout.write("begun\n");
