import { type LoadLane, runClosedLoop } from "../load/closed-loop.ts";
import { GrpcSession } from "../load/grpc-lane.ts";
import { postRequest } from "../load/http-connection.ts";
import { openHttpLane } from "../load/http-lane.ts";
import { floatMessage, floatRequest } from "../load/infer-request.ts";
import type { BenchServer } from "./bench-server.ts";
import type { BenchContext } from "./measure.ts";
import { type BenchRow, median } from "./report.ts";

export interface PerCorePlan {
  readonly what: string;
  readonly protocol: "http" | "grpc";
  /** FP32 elements of the tensor that goes there and comes back. */
  readonly elements: number;
  readonly bar: number;
  readonly concurrency: number;
}

const GRPC_CONNECTIONS = 4;
const GRPC_NOT_FOUND = 5;
const EMPTY_FRAME = Buffer.alloc(5);
/** Tensors beyond this are compared with a request that is received and refused, small ones with a probe. */
const SMALL = 1024;

/** Lanes to the server, and how to close what they share. */
interface Lanes {
  readonly open: () => Promise<LoadLane>;
  readonly close: () => void;
}

/** Requests for each processor second of the server process, beside the same server doing no inference. */
export async function perCore({ server, roundMs, rounds }: BenchContext, plan: PerCorePlan): Promise<BenchRow> {
  const inference: number[] = [];
  const nothing: number[] = [];
  const wall: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const load = await loadOf(server, { plan, roundMs, idle: false });
    inference.push(load.perCoreSecond);
    wall.push(load.perSecond);
    nothing.push((await loadOf(server, { plan, roundMs: roundMs / 2, idle: true })).perCoreSecond);
  }
  const rate = median(inference);
  const bare = median(nothing);
  return {
    what: plan.what,
    measured: `${rate.toFixed(0)} /s a core (${median(wall).toFixed(0)} /s with the client on the same machine; ${bare.toFixed(0)} /s a core without inference)`,
    bar: `≥ ${plan.bar}`,
    held: rate >= plan.bar,
    values: { perCoreSecond: rate, perSecond: median(wall), withoutInference: bare },
  };
}

async function loadOf(
  server: BenchServer,
  { plan, roundMs, idle }: { readonly plan: PerCorePlan; readonly roundMs: number; readonly idle: boolean },
): Promise<{ readonly perCoreSecond: number; readonly perSecond: number }> {
  const { open, close } =
    plan.protocol === "http" ? httpLanes(server, plan, idle) : await grpcLanes(server, plan, idle);
  try {
    const load = (durationMs: number) =>
      runClosedLoop({ open, concurrency: plan.concurrency, warmUpMs: 0, durationMs });
    await load(500);
    const before = server.cpuSeconds();
    const { requests, perSecond } = await load(roundMs);
    return { perCoreSecond: requests / (server.cpuSeconds() - before), perSecond };
  } finally {
    close();
  }
}

function httpLanes({ port }: BenchServer, { elements }: PerCorePlan, idle: boolean): Lanes {
  const tensor = { name: "INPUT_FP32", shape: [1, elements], value: 1 };
  const request = !idle
    ? floatRequest("identity", tensor)
    : elements <= SMALL
      ? probe()
      : floatRequest("nobody", tensor);
  const expectStatus = idle && elements > SMALL ? 404 : 200;
  return { open: () => openHttpLane({ port, request, expectStatus }), close: () => undefined };
}

/** `GET /v2/health/live`, written as it goes to the socket. */
function probe(): Buffer {
  const [line = ""] = postRequest("/v2/health/live", new Uint8Array(), {}).toString("latin1").split("\r\n\r\n");
  return Buffer.from(`${line.replace("POST", "GET").replace("Content-Length: 0\r\n", "")}\r\n\r\n`, "latin1");
}

async function grpcLanes({ grpcPort }: BenchServer, { elements }: PerCorePlan, idle: boolean): Promise<Lanes> {
  const tensor = { name: "INPUT_FP32", shape: [1, elements], value: 1 };
  const sessions = await Promise.all(Array.from({ length: GRPC_CONNECTIONS }, () => GrpcSession.open(grpcPort)));
  const refused = idle && elements > SMALL;
  const call =
    idle && !refused
      ? { method: "ServerLive", frame: EMPTY_FRAME }
      : {
          method: "ModelInfer",
          frame: floatMessage(refused ? "nobody" : "identity", tensor),
          expect: refused ? GRPC_NOT_FOUND : 0,
        };
  let next = 0;
  return {
    open: async () => {
      const session = sessions[next++ % sessions.length];
      if (session === undefined) throw new Error("there is no connection");
      return session.lane(call);
    },
    close: () => {
      for (const session of sessions) session.close();
    },
  };
}
