import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { LatencyHistogram, type PrometheusWriter, writeLatencyHistogram } from "@nereid/telemetry";

const EVERY_MS = 20;
const NS_PER_MS = 1e6;

/**
 * How late the event loop comes to its timers, and how much of the time it works. Everything the server does between a socket and
 * a runner waits for this loop.
 */
export class EventLoopSensor {
  readonly #delay = new LatencyHistogram();
  readonly #timer: NodeJS.Timeout;
  #last: EventLoopUtilization = performance.eventLoopUtilization();
  #utilization = 0;
  #worstMs = 0;

  constructor() {
    let before = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      const lateMs = now - before - EVERY_MS;
      this.#delay.record(lateMs * NS_PER_MS);
      if (lateMs > this.#worstMs) this.#worstMs = lateMs;
      before = now;
    }, EVERY_MS);
    this.#timer.unref();
  }

  /** Ends one interval of the utilization and begins the next. */
  sample(): void {
    const now = performance.eventLoopUtilization();
    this.#utilization = performance.eventLoopUtilization(now, this.#last).utilization;
    this.#last = now;
  }

  /** The greatest delay since this was last asked, milliseconds. */
  takeWorstMs(): number {
    const worst = this.#worstMs;
    this.#worstMs = 0;
    return worst;
  }

  render(writer: PrometheusWriter): void {
    const delay = writer.family(
      "nereid_event_loop_delay_seconds",
      "histogram",
      "How late timers of the server's event loop fire",
    );
    writeLatencyHistogram(delay, {}, this.#delay);
    writer
      .family("nereid_event_loop_utilization", "gauge", "Share of the last interval in which the event loop worked")
      .sample({}, this.#utilization);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
