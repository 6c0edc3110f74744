import { callHeaders } from "./grpc-call.ts";
import { GrpcCallLane } from "./grpc-call-lane.ts";
import { GrpcStreamLane } from "./grpc-stream-lane.ts";
import { Http2Connection } from "./http2/http2-connection.ts";
import type { Lane } from "./lane.ts";
import type { LoadTarget } from "./load-spec.ts";

/** Calls that share a connection, as in Triton's C++ client. */
const LANES_PER_CONNECTION = 6;

/** The connections of a process to a gRPC port, and lanes on them. Once it is closed, calls fail and nothing is connected again. */
export class GrpcConnections {
  readonly #target: LoadTarget;
  readonly #connections: Http2Connection[] = [];
  /** Also those that were replaced while calls were under way on them. */
  readonly #open = new Set<Http2Connection>();
  #lanes = 0;
  #closed = false;

  constructor(target: LoadTarget) {
    this.#target = target;
  }

  lane(): Lane {
    const place = Math.floor(this.#lanes++ / LANES_PER_CONNECTION);
    const connection = () => this.#connection(place);
    return this.#target.streaming ? new GrpcStreamLane(this.#target, connection) : new GrpcCallLane(connection);
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#open) connection.close();
  }

  #connection(place: number): Http2Connection {
    const existing = this.#connections[place];
    if (existing !== undefined && (existing.isUsable || this.#closed)) return existing;
    const { host, port } = this.#target;
    const connection = new Http2Connection({ host, port, headers: callHeaders(this.#target) });
    this.#connections[place] = connection;
    for (const other of this.#open) if (other.isOver) this.#open.delete(other);
    this.#open.add(connection);
    if (this.#closed) connection.close();
    return connection;
  }
}
