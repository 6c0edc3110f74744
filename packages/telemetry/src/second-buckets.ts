import type { NodeReading, SecondBucket } from "./second-bucket.ts";
import { type SeriesIdentity, SeriesRecorder } from "./series-recorder.ts";

const CAPACITY_SECONDS = 900;
const TOLERATED_STEP_BACK_SECONDS = 5;

export type BucketListener = (bucket: SecondBucket) => void;

/**
 * Per-second telemetry of all model versions, the last 900 s of it remembered. Has no timer: the owner calls `tick`
 * about once a second. After a late tick everything since the last one belongs to the second that was open.
 */
export class SecondBuckets {
  readonly #capacity: number;
  readonly #readNode: (() => NodeReading) | undefined;
  readonly #recorders = new Set<SeriesRecorder>();
  readonly #listeners = new Set<BucketListener>();
  #remembered: SecondBucket[] = [];
  #second: number | undefined;

  /** `readNode` tells of the machine; it is asked once for each second that is closed. */
  constructor(options: { readonly capacitySeconds?: number; readonly readNode?: () => NodeReading } = {}) {
    this.#capacity = options.capacitySeconds ?? CAPACITY_SECONDS;
    this.#readNode = options.readNode;
  }

  /** A recorder for one loaded model version; call its `close()` at unload. */
  open(identity: SeriesIdentity): SeriesRecorder {
    const recorder = new SeriesRecorder(identity);
    this.#recorders.add(recorder);
    return recorder;
  }

  /**
   * Tells the wall clock (ms). Closes the open second when `nowMs` lies in a later one, and hands it to the listeners.
   * A clock set back by more than 5 s restarts the history; a smaller step is waited out.
   * Throws AggregateError after all listeners were called when some of them threw.
   */
  tick(nowMs: number): void {
    const now = Math.floor(nowMs / 1000);
    const open = this.#second;
    if (open === undefined) {
      this.#second = now;
      return;
    }
    if (now <= open) {
      if (open - now > TOLERATED_STEP_BACK_SECONDS) {
        this.#second = now;
        this.#remembered = [];
      }
      return;
    }
    this.#second = now;
    const node = this.#readNode?.();
    this.#publish({ t: open, series: this.#collect(), ...(node !== undefined && { node }) });
  }

  /** Remembered buckets with `t` above the given Unix second, oldest first; all of them for undefined. */
  after(t: number | undefined): readonly SecondBucket[] {
    return t === undefined ? [...this.#remembered] : this.#remembered.filter((bucket) => bucket.t > t);
  }

  /** Calls the listener with every bucket closed from now on. Returns the way out. */
  subscribe(listener: BucketListener): () => void {
    const own: BucketListener = (bucket) => listener(bucket);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  #collect(): SecondBucket["series"] {
    const series = [];
    for (const recorder of this.#recorders) {
      const row = recorder.take();
      if (row !== undefined) series.push(row);
      if (recorder.closed) this.#recorders.delete(recorder);
    }
    return series;
  }

  #publish(bucket: SecondBucket): void {
    const oldest = bucket.t - this.#capacity;
    this.#remembered.push(bucket);
    while ((this.#remembered[0]?.t ?? bucket.t) <= oldest) this.#remembered.shift();
    const failures: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(bucket);
      } catch (thrown) {
        failures.push(thrown);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "bucket listeners failed");
  }
}
