import { callHeaders } from "./grpc-call.ts";
import { GrpcCallLane } from "./grpc-call-lane.ts";
import { GrpcStreamLane } from "./grpc-stream-lane.ts";
import { Http2Connection } from "./http2/http2-connection.ts";
import type { Lane } from "./lane.ts";
import type { LoadTarget } from "./load-spec.ts";

/** Calls that share a connection, as in Triton's C++ client. */
const LANES_PER_CONNECTION = 6;

/** The connections of a process to a gRPC port, and lanes on them. */
export class GrpcConnections {
  readonly #target: LoadTarget;
  readonly #connections: Http2Connection[] = [];
  #lanes = 0;

  constructor(target: LoadTarget) {
    this.#target = target;
  }

  lane(): Lane {
    const place = Math.floor(this.#lanes++ / LANES_PER_CONNECTION);
    const connection = () => this.#connection(place);
    return this.#target.streaming ? new GrpcStreamLane(this.#target, connection) : new GrpcCallLane(connection);
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #connection(place: number): Http2Connection {
    const existing = this.#connections[place];
    if (existing?.isUsable === true) return existing;
    const { host, port } = this.#target;
    const connection = new Http2Connection({ host, port, headers: callHeaders(this.#target) });
    this.#connections[place] = connection;
    return connection;
  }
}
