import { type DeliveryParts, deliverAlerts } from "./deliver-alerts.ts";
import type { TroubleSources } from "./find-troubles.ts";
import { forgetOldAlerts, reviewAlerts } from "./watch-alerts.ts";

export interface AlertWatchOptions extends TroubleSources, Omit<DeliveryParts, "db" | "clock"> {
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly reviewEveryMs?: number;
  readonly deliverEveryMs?: number;
}

/** Looks for trouble and sends what is due, each in its own rhythm, until it is stopped. */
export class AlertWatch {
  readonly #options: AlertWatchOptions;
  readonly #stopped = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(options: AlertWatchOptions) {
    this.#options = options;
  }

  /** Begins; further calls do nothing. */
  start(): void {
    const { reviewEveryMs = 15_000, deliverEveryMs = 3_000, db, clock } = this.#options;
    this.#running ??= Promise.all([
      this.#every(reviewEveryMs, () => reviewAlerts(this.#options)),
      this.#every(deliverEveryMs, () => deliverAlerts(this.#options)),
      this.#every(3_600_000, () => forgetOldAlerts(db, clock.now())),
    ]);
  }

  /** Ends after what is under way. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #every(ms: number, work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await this.#options.pause(ms, signal).catch(() => undefined);
      if (signal.aborted) return;
      // The database may be away, and will come back.
      await work().catch((error: unknown) => this.#options.onError(error));
    }
  }
}
