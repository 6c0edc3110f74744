import { constants, type ServerHttp2Session } from "node:http2";
import type { GrpcOptions } from "../options/grpc-options.ts";
import type { GrpcCall } from "./grpc-call.ts";
import { PingGuard } from "./ping-guard.ts";
import { ResetGuard } from "./reset-guard.ts";

/** Room for what is on the way on one connection: with the protocol's 64 KiB a tensor takes a round trip for each part. */
const CONNECTION_WINDOW = 64 << 20;
const TOO_MANY_PINGS = Buffer.from("too_many_pings");
const TOO_MANY_RESETS = Buffer.from("too_many_resets");
/** A connection that never says what it wants. */
const HANDSHAKE_MS = 20_000;
/** Timers cannot wait longer; gRPC writes INT_MAX for "never". */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Connections of one age must not all come back at the same moment. */
const AGE_JITTER = 0.1;

/** One connection: its calls, its age, its pings and its manners. */
export class GrpcSession {
  readonly calls = new Set<GrpcCall>();
  /** Answers on their way; a client measures the bandwidth with pings meanwhile. */
  sending = 0;
  readonly #session: ServerHttp2Session;
  readonly #options: GrpcOptions;
  readonly #pings: PingGuard;
  readonly #resets = new ResetGuard();
  readonly #timers = new Set<NodeJS.Timeout>();
  #keepalive: NodeJS.Timeout | undefined;
  #pingsWithoutData = 0;

  constructor(session: ServerHttp2Session, options: GrpcOptions) {
    this.#session = session;
    this.#options = options;
    this.#pings = new PingGuard(options.keepalive);
    session.setLocalWindowSize(CONNECTION_WINDOW);
    session.on("ping", () => this.#pinged());
    session.on("error", () => session.destroy());
    const handshake = this.#after(HANDSHAKE_MS, () => session.destroy());
    session.once("remoteSettings", () => clearTimeout(handshake));
    session.once("close", () => this.#closed());
    this.#limitAge();
    this.#armKeepalive();
  }

  get peer(): string | undefined {
    return this.#session.destroyed ? undefined : this.#session.socket?.remoteAddress;
  }

  /** Headers or data went out. */
  sent(): void {
    this.#pings.sent();
    this.#pingsWithoutData = 0;
  }

  /** The client reset a stream. */
  reset(): void {
    if (this.#resets.reset(performance.now())) this.#refuse(TOO_MANY_RESETS);
  }

  /** Takes no more calls; ends when those in progress have. */
  close(): void {
    if (!this.#session.closed) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }

  #pinged(): void {
    if (this.sending > 0) return;
    if (this.#pings.received(performance.now(), this.calls.size > 0)) this.#refuse(TOO_MANY_PINGS);
  }

  #refuse(why: Uint8Array): void {
    if (this.#session.destroyed) return;
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, why);
    // With the code, so that streams end as refused and the GOAWAY is flushed first.
    this.#session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  #limitAge(): void {
    const { maxConnectionAgeMs, maxConnectionAgeGraceMs } = this.#options;
    if (maxConnectionAgeMs === undefined) return;
    const age = maxConnectionAgeMs * (1 + AGE_JITTER * (2 * Math.random() - 1));
    this.#after(age, () => {
      this.close();
      if (maxConnectionAgeGraceMs !== undefined) this.#after(maxConnectionAgeGraceMs, () => this.destroy());
    });
  }

  #armKeepalive(): void {
    const { timeMs } = this.#options.keepalive;
    if (timeMs >= LONGEST_TIMER_MS) return;
    this.#keepalive = setInterval(() => this.#ping(), Math.max(1, timeMs));
    this.#keepalive.unref();
  }

  /** Asks the client whether it is still there, as often as the options allow. */
  #ping(): void {
    const { timeoutMs, permitWithoutCalls, maxPingsWithoutData } = this.#options.keepalive;
    if (this.#session.destroyed || (this.calls.size === 0 && !permitWithoutCalls)) return;
    if (maxPingsWithoutData > 0 && this.#pingsWithoutData >= maxPingsWithoutData) return;
    this.#pingsWithoutData += 1;
    const late = this.#after(timeoutMs, () => this.destroy());
    if (!this.#session.ping(() => clearTimeout(late))) clearTimeout(late);
  }

  #after(ms: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        act();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    timer.unref();
    this.#timers.add(timer);
    return timer;
  }

  #closed(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    clearInterval(this.#keepalive);
  }
}
