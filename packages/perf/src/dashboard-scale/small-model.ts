import { NereidError } from "@nereid/errors";
import { ModelStatistics, type SecondBuckets } from "@nereid/telemetry";

const VERSION = "1";
const NS_PER_S = 1e9;

/** One identity model of a small node. Every figure is of requests that it answered. */
export class SmallModel {
  readonly #name: string;
  readonly #buckets: SecondBuckets;
  #statistics: ModelStatistics | undefined;
  #closeSeries = () => {};
  #busyNs = 0;
  #toldBusyNs = 0;

  constructor(name: string, buckets: SecondBuckets) {
    this.#name = name;
    this.#buckets = buckets;
    this.setLoaded(true);
  }

  setLoaded(loaded: boolean): void {
    if (loaded === (this.#statistics !== undefined)) return;
    this.#closeSeries();
    this.#statistics = undefined;
    if (!loaded) return;
    const series = this.#buckets.open({ model: this.#name, version: VERSION });
    const statistics = new ModelStatistics({ nowMs: Date.now, series });
    statistics.watchInstances(() => {
      const busyNs = this.#busyNs - this.#toldBusyNs;
      this.#toldBusyNs = this.#busyNs;
      return { busyNs, instances: 1 };
    });
    this.#statistics = statistics;
    this.#closeSeries = () => series.close();
  }

  /** The answer's bytes. Waits for its turn of the event loop, which is this server's queue. */
  async infer(body: Buffer, arrived: bigint): Promise<Buffer> {
    const statistics = this.#statistics;
    if (statistics === undefined) throw new NereidError("UNAVAILABLE", `model '${this.#name}' is not loaded`);
    statistics.incrementPending();
    await new Promise((resolve) => setImmediate(resolve));
    statistics.decrementPending();
    const times = [process.hrtime.bigint()];
    try {
      const { inputs } = JSON.parse(body.toString());
      times.push(process.hrtime.bigint());
      const outputs = structuredClone(inputs);
      times.push(process.hrtime.bigint());
      const answer = Buffer.from(JSON.stringify({ model_name: this.#name, model_version: VERSION, outputs }));
      times.push(process.hrtime.bigint());
      this.#count(statistics, arrived, times);
      return answer;
    } catch (cause) {
      const requestNs = Number(process.hrtime.bigint() - arrived);
      statistics.recordFailure({ reason: "OTHER", requestNs });
      throw new NereidError("INVALID_ARGUMENT", "the request is not JSON", { cause });
    }
  }

  status() {
    const statistics = this.#statistics;
    return {
      name: this.#name,
      inRepository: true,
      platform: "",
      backend: "identity (small node)",
      maxBatchSize: 0,
      scheduler: "default",
      versions: [
        {
          version: VERSION,
          state: statistics === undefined ? "UNAVAILABLE" : "READY",
          reason: statistics === undefined ? "unloaded" : "",
          ready: statistics !== undefined,
          pending: statistics?.pending ?? 0,
          queued: statistics?.pending ?? 0,
          instances: statistics === undefined ? [] : [this.#instance(statistics)],
        },
      ],
      warnings: [],
      pinned: null,
      lastLoadError: "",
      traffic: null,
      loading: [],
      wantedBy: "person",
    };
  }

  metadata() {
    const tensor = { datatype: "FP32", shape: [-1] };
    return {
      name: this.#name,
      versions: [VERSION],
      platform: "identity",
      inputs: [{ name: "INPUT", ...tensor }],
      outputs: [{ name: "INPUT", ...tensor }],
    };
  }

  batching() {
    const statistics = this.#statistics;
    if (statistics === undefined) return { versions: [] };
    const { busyShare: share, ...instance } = this.#instance(statistics);
    const policy = { maxQueueSize: 0, timeoutUs: 0, allowTimeoutOverride: false, timeoutAction: "REJECT" };
    const version = {
      version: VERSION,
      scheduler: "default",
      maxBatchSize: 0,
      preferredBatchSizes: [],
      maxQueueDelayUs: 0,
      priorityLevels: 0,
      defaultPolicy: policy,
      policies: [],
      executions: statistics.executions,
      inferences: statistics.inferences,
      batchSizes: statistics.batchSizes,
      closed: {},
      wait: statistics.histogram("queue").toSparse(),
      refusals: [],
      pending: statistics.pending,
      instances: [{ index: 0, phase: "serving", ...instance, busyShare10: share, busyShare60: share }],
    };
    return { versions: [version] };
  }

  #instance(statistics: ModelStatistics) {
    return {
      name: `${this.#name}_0`,
      kind: "KIND_CPU",
      device: 0,
      busy: false,
      passive: false,
      executions: statistics.executions,
      inFlight: 0,
      busySeconds: this.#busyNs / NS_PER_S,
      // Of its whole life: it keeps no shorter account.
      busyShare: this.#busyNs / NS_PER_S / process.uptime(),
    };
  }

  #count(statistics: ModelStatistics, arrived: bigint, times: readonly bigint[]): void {
    const [started = arrived, parsed = started, copied = parsed, written = copied] = times;
    const phases = {
      batchSize: 1,
      computeInputNs: Number(parsed - started),
      computeInferNs: Number(copied - parsed),
      computeOutputNs: Number(written - copied),
    };
    this.#busyNs += Number(written - started);
    statistics.recordExecution(phases);
    statistics.recordSuccess({
      ...phases,
      requestNs: Number(written - arrived),
      queueNs: Number(started - arrived),
    });
  }
}
