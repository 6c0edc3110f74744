import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import { LabController, type LabTarget, systemClock } from "@nereid/services";
import { runInProcess } from "./lab-process.ts";
import { logError, logWarning } from "./log.ts";
import { linkTo } from "./node-client.ts";
import { specOf } from "./node-set.ts";
import { getRuntime } from "./runtime.ts";

const USUAL_HTTP_PORT = 8000;

let controller: LabController | undefined;

/** Begins to look after load tests, tunings and experiments; once in the life of the process. Of several processes on one database one does it. */
export function startLab(): void {
  const { db, env } = getRuntime();
  const options = {
    program: env.lab,
    environment: env.labEnvironment,
    onLine: (line: string) => logWarning(`lab: ${line}`),
  };
  controller ??= new LabController({
    db,
    clock: systemClock,
    holder: randomUUID(),
    worker: { run: (task, io) => runInProcess({ task, io }, options) },
    targetOf,
    pause: (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
    onError: (error) => logError("lab", error),
  });
  controller.start();
}

/** Ends it with the process; another one takes over at once. */
export async function stopLab(): Promise<void> {
  await controller?.stop();
}

/** Address and key of a node. */
async function targetOf(nodeId: string): Promise<LabTarget> {
  const spec = specOf(nodeId);
  if (spec === undefined) {
    throw new NereidError("NOT_FOUND", "the server of this job is no longer among the nodes", {
      fix: "add it again, or run the job on another one",
    });
  }
  const { url, kind, apiKey } = spec;
  return {
    httpUrl: url,
    grpcUrl: spec.grpcUrl ?? (await grpcUrlOf(spec)),
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    nereid: kind === "nereid",
  };
}

async function grpcUrlOf(spec: NonNullable<ReturnType<typeof specOf>>): Promise<string | null> {
  const { protocol, hostname, port } = new URL(spec.url);
  // Triton does not say; usually it is the one behind.
  if (spec.kind === "triton") return `${protocol}//${hostname}:${Number(port === "" ? USUAL_HTTP_PORT : port) + 1}`;
  const { grpcPort = 0 } = await linkTo(spec).client.serverStatus();
  return grpcPort === 0 ? null : `${protocol}//${hostname}:${grpcPort}`;
}
