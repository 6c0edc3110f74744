import { runClosedLoop } from "../load/closed-loop.ts";
import { HttpConnection, postRequest } from "../load/http-connection.ts";
import { openHttpLane } from "../load/http-lane.ts";
import { runOpenLoop } from "../load/open-loop.ts";
import type { BenchContext } from "./measure.ts";
import type { BenchRow } from "./report.ts";

/** As the model's queue policy says; an answer may take this and its own execution. */
const TIMEOUT_MS = 400;
const TIMES = 5;
/** Long enough that the load that is too much stays far below what the front end and the generator can do on two cores. */
const EXECUTION_MS = 20;

/** A request that keeps the model busy for about so long, found by asking for a known number of turns. */
async function requestOf(port: number, milliseconds: number): Promise<Buffer> {
  const of = (turns: number) => {
    const inputs = [{ name: "TURNS", datatype: "INT64", shape: [1, 1], data: [turns] }];
    return postRequest("/v2/models/bounded/infer", Buffer.from(JSON.stringify({ inputs })), {
      "Content-Type": "application/json",
    });
  };
  const connection = await HttpConnection.open(port);
  const probe = 20_000;
  await connection.send(of(probe));
  const startMs = performance.now();
  await connection.send(of(probe));
  const perTurnMs = Math.max(1e-6, (performance.now() - startMs - 5) / probe);
  connection.close();
  return of(Math.max(1, Math.round(milliseconds / perTurnMs)));
}

/** Good answers a second at five times the load that saturates a model with a bounded queue, against saturation itself. */
export async function overload({ server, roundMs }: BenchContext, seconds: number): Promise<BenchRow> {
  const request = await requestOf(server.port, EXECUTION_MS);
  const full = await runClosedLoop({
    open: () => openHttpLane({ port: server.port, request }),
    concurrency: 16,
    warmUpMs: 500,
    durationMs: Math.max(roundMs, 2000),
  });
  const before = server.rssMiB();
  const load = await runOpenLoop({
    port: server.port,
    request,
    perSecond: full.perSecond * TIMES,
    durationMs: seconds * 1000,
    goodWithinMs: TIMEOUT_MS + 200,
    mostConnections: 2000,
  });
  const grown = server.rssMiB() - before;
  const ratio = load.goodPerSecond / full.perSecond;
  const late = (load.byStatus["200"] ?? 0) - load.good;
  const statuses = Object.entries(load.byStatus).map(([status, count]) => `${status}: ${count}`);
  return {
    what: `good answers at ${TIMES} × overload for ${seconds} s, against saturation`,
    measured: `${ratio.toFixed(2)} (${load.goodPerSecond.toFixed(0)} of ${full.perSecond.toFixed(0)}/s; ${statuses.join(", ")}; ${load.notSent} not sent; ${late} late; p99 ${(load.p99Us / 1000).toFixed(0)} ms; server ${grown >= 0 ? "+" : ""}${grown.toFixed(0)} MiB)`,
    bar: "≥ 0.9, none late",
    held: ratio >= 0.9 && late === 0,
    values: {
      ratio,
      goodPerSecond: load.goodPerSecond,
      saturation: full.perSecond,
      late,
      grownMiB: grown,
      notSent: load.notSent,
    },
  };
}
