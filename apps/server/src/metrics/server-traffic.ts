import type { PrometheusWriter } from "@nereid/telemetry";

export type Protocol = "http" | "grpc";

interface Counts {
  connections: number;
  inFlight: number;
  /** Answers by operation and code. */
  readonly answered: Map<string, Map<string | number, number>>;
}

/** Operations and codes come from closed sets; the bounds only keep a mistake from becoming a flood of series. */
const MOST_OPERATIONS = 64;
const MOST_CODES = 64;

/** What passes through the front ends: connections, requests in flight, answers. A request costs a few additions. */
export class ServerTraffic {
  readonly #counts: Readonly<Record<Protocol, Counts>> = { http: newCounts(), grpc: newCounts() };

  opened(protocol: Protocol): void {
    this.#counts[protocol].connections += 1;
  }

  closed(protocol: Protocol): void {
    this.#counts[protocol].connections -= 1;
  }

  began(protocol: Protocol): void {
    this.#counts[protocol].inFlight += 1;
  }

  /** `operation` is a route or rpc, never text of a client's; `code` the HTTP status, or the gRPC code as text. */
  ended(protocol: Protocol, operation: string, code: string | number): void {
    const counts = this.#counts[protocol];
    counts.inFlight -= 1;
    let codes = counts.answered.get(operation);
    if (codes === undefined) {
      if (counts.answered.size >= MOST_OPERATIONS) return;
      codes = new Map();
      counts.answered.set(operation, codes);
    }
    const before = codes.get(code);
    if (before === undefined && codes.size >= MOST_CODES) return;
    codes.set(code, (before ?? 0) + 1);
  }

  render(writer: PrometheusWriter): void {
    const connections = writer.family("nereid_open_connections", "gauge", "Connections that clients hold open");
    const inFlight = writer.family("nereid_requests_in_flight", "gauge", "Requests that are not answered yet");
    for (const protocol of ["http", "grpc"] as const) {
      const counts = this.#counts[protocol];
      connections.sample({ protocol }, counts.connections);
      inFlight.sample({ protocol }, counts.inFlight);
      const label = protocol === "http" ? "operation" : "rpc";
      const answered = writer.family(
        `nereid_${protocol}_requests_total`,
        "counter",
        protocol === "http" ? "HTTP requests by operation and status" : "gRPC calls by rpc and code",
      );
      for (const [operation, codes] of counts.answered) {
        for (const [code, count] of codes) answered.sample({ [label]: operation, code: String(code) }, count);
      }
    }
  }
}

function newCounts(): Counts {
  return { connections: 0, inFlight: 0, answered: new Map() };
}
