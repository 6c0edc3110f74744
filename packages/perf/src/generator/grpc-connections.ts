import { type ClientHttp2Session, connect } from "node:http2";
import { GrpcCallLane } from "./grpc-call-lane.ts";
import { GrpcStreamLane } from "./grpc-stream-lane.ts";
import type { Lane } from "./lane.ts";
import { hostAndPort, type LoadTarget } from "./load-spec.ts";

const WINDOW = 16 << 20;
/** Calls that share a connection, as in Triton's C++ client. */
const LANES_PER_CONNECTION = 6;

/** The connections of a process to a gRPC port, and lanes on them. */
export class GrpcConnections {
  readonly #target: LoadTarget;
  readonly #sessions: ClientHttp2Session[] = [];
  #lanes = 0;

  constructor(target: LoadTarget) {
    this.#target = target;
  }

  lane(): Lane {
    const place = Math.floor(this.#lanes++ / LANES_PER_CONNECTION);
    const session = () => this.#session(place);
    return this.#target.streaming ? new GrpcStreamLane(this.#target, session) : new GrpcCallLane(this.#target, session);
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
  }

  #session(place: number): ClientHttp2Session {
    const existing = this.#sessions[place];
    if (existing !== undefined && !existing.closed && !existing.destroyed) return existing;
    const settings = { initialWindowSize: WINDOW, enablePush: false };
    const session = connect(`http://${hostAndPort(this.#target)}`, { settings });
    // What happens to a connection is told to its calls.
    session.on("error", () => undefined);
    session.once("connect", () => session.setLocalWindowSize(WINDOW));
    this.#sessions[place] = session;
    return session;
  }
}
