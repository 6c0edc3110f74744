export interface PingLimits {
  readonly permitWithoutCalls: boolean;
  readonly minRecvPingIntervalWithoutDataMs: number;
  /** 0 = pings are never too many. */
  readonly maxPingStrikes: number;
}

/** Without calls, and where those pings are not permitted, clients may ping this seldom. */
const IDLE_INTERVAL_MS = 2 * 3_600_000;

/**
 * Counts the pings of a connection that come sooner than they should, as gRPC servers do: each is a strike, and whatever the
 * server sends forgives them all (grpc.md §7).
 */
export class PingGuard {
  readonly #limits: PingLimits;
  #lastMs = Number.NEGATIVE_INFINITY;
  #strikes = 0;

  constructor(limits: PingLimits) {
    this.#limits = limits;
  }

  /** Takes note of a ping; true when it was one too many. */
  received(nowMs: number, hasCalls: boolean): boolean {
    const { permitWithoutCalls, minRecvPingIntervalWithoutDataMs, maxPingStrikes } = this.#limits;
    const interval = hasCalls || permitWithoutCalls ? minRecvPingIntervalWithoutDataMs : IDLE_INTERVAL_MS;
    const soon = nowMs < this.#lastMs + interval;
    this.#lastMs = nowMs;
    if (soon) this.#strikes += 1;
    return maxPingStrikes > 0 && this.#strikes > maxPingStrikes;
  }

  /** The server sent headers or data. */
  sent(): void {
    this.#lastMs = Number.NEGATIVE_INFINITY;
    this.#strikes = 0;
  }
}
