import { Worker } from "node:worker_threads";
import type { ControlRequest, InstanceDescription, SessionSettings } from "../runner-protocol/messages.ts";
import type { ModelSignature } from "./instance-service.ts";
import { frameInside } from "./script/script-failure.ts";
import type { InstanceStart, ThreadOrder, ThreadReport } from "./thread-messages.ts";

type Load = Extract<ControlRequest, { type: "load" }>;

/** What runs an instance of each backend, and whether its models have something to finish before the process ends. */
const BACKENDS: Readonly<Record<string, { readonly entry: string; readonly finishes: boolean }>> = {
  onnxruntime: { entry: "./instance-thread.js", finishes: false },
  javascript: { entry: "./script-thread.js", finishes: true },
};

const EXIT_GRACE_MS = 100;
/** A thread that was told to end is broken off after this, and given up after as long again. */
const END_WITHIN_MS = 5_000;
/** How Node ends a thread that waits for a promise which nothing can settle any more. */
const NEVER_SETTLED = 13;
const WAITS_FOR_EVER =
  ": while it loads, the model waits for something that cannot come. What it asks of the server or of other models in 'initialize' is answered only after that has returned: do not wait for it there";

/** The instances' threads of one loaded model. */
export class InstanceThreads {
  readonly #load: Load;
  readonly #backend: { readonly entry: string; readonly finishes: boolean };
  readonly #socketPath: string;
  readonly #die: (reason: string) => void;
  /** By instance index; those no longer wanted are not among them. */
  readonly #workers = new Map<number, Worker>();
  /** Those that load. */
  readonly #starting = new Set<Worker>();
  #descriptions: readonly InstanceDescription[];
  #signature: ModelSignature | undefined;
  #running = 0;

  /** `die` ends the process: one of its instances is gone or has failed. */
  constructor(load: Load, host: { readonly socketPath: string; readonly die: (reason: string) => void }) {
    const name = load.backend ?? "onnxruntime";
    const backend = Object.hasOwn(BACKENDS, name) ? BACKENDS[name] : undefined;
    if (backend === undefined)
      throw new Error(`this runner has no backend '${name}'; it has ${Object.keys(BACKENDS).join(" and ")}`);
    this.#load = load;
    this.#backend = backend;
    this.#socketPath = host.socketPath;
    this.#die = host.die;
    this.#descriptions = load.model?.instances ?? [];
  }

  async startFirst(): Promise<ModelSignature> {
    this.#signature = await this.#start(0);
    this.#running = 1;
    return this.#signature;
  }

  /** How many are wanted, those that are being restarted included. */
  get running(): number {
    return this.#running;
  }

  /** Waits for the end of one whose connection the server closes, then starts it again. Throws when it does not end or does not load. */
  async restart(index: number): Promise<void> {
    const old = this.#workers.get(index);
    this.#workers.delete(index);
    if (old !== undefined && !(await hasEnded(old)))
      throw new Error(
        "its thread does not end, because an execution in it does not return; restarted once more it begins beside that one",
      );
    if (index >= this.#running) throw new Error("the instance is no longer wanted");
    try {
      await this.#start(index);
    } catch (error) {
      this.#workers.delete(index);
      throw error;
    }
  }

  describe(instances: readonly InstanceDescription[]): void {
    this.#descriptions = instances;
  }

  /** One after the other: loading in parallel multiplies the memory peak. Returns how many run. */
  async startUpTo(count: number): Promise<number> {
    for (; this.#running < count; this.#running++) {
      const index = this.#running;
      await this.#start(index);
      if (!this.#workers.has(index)) throw new Error("the instances are no longer wanted");
    }
    return this.#running;
  }

  /** Those that run end with their connections; those that still load have none and may never have one. */
  stopFrom(count: number): void {
    for (const [index, worker] of [...this.#workers]) {
      if (index < count) continue;
      this.#workers.delete(index);
      if (this.#starting.has(worker)) void worker.terminate();
    }
    this.#running = Math.min(this.#running, count);
  }

  /** Resolves when every instance has let its model finish, or has ended. */
  async finish(): Promise<void> {
    if (!this.#backend.finishes) return;
    const workers = [...this.#workers.values()];
    this.#workers.clear();
    await Promise.all(
      workers.map(
        (worker) =>
          new Promise<void>((resolve) => {
            worker.on("message", (report: ThreadReport) => report.type === "finished" && resolve());
            worker.on("exit", () => resolve());
            worker.postMessage({ type: "finish" } satisfies ThreadOrder);
          }),
      ),
    );
  }

  #start(index: number): Promise<ModelSignature> {
    const { file, session, devices, model } = this.#load;
    const instance = this.#descriptions[index];
    const start: InstanceStart = {
      file,
      session: onDevice(session, devices[index] ?? null),
      socketPath: this.#socketPath,
      index,
      ...(model && { model }),
      ...(instance && { instance }),
      ...(this.#signature && { signature: this.#signature }),
    };
    const worker = new Worker(new URL(this.#backend.entry, import.meta.url), { workerData: start });
    this.#workers.set(index, worker);
    this.#starting.add(worker);
    const name = instance?.name ?? `${model?.name ?? "instance"}_${index}`;
    let ready = false;
    return new Promise((resolve, reject) => {
      worker.on("message", (report: ThreadReport) => {
        if (report.type === "failed") reject(new Error(report.message));
        if (report.type !== "ready") return;
        ready = true;
        this.#starting.delete(worker);
        resolve(report.signature);
      });
      worker.on("error", (error) => {
        reject(error);
        if (ready && this.#workers.get(index) === worker)
          this.#die(`uncaught error in instance '${name}': ${describeError(error, model?.directory)}`);
      });
      worker.on("exit", (code) => {
        this.#starting.delete(worker);
        reject(new Error(`instance thread ended with code ${code}${code === NEVER_SETTLED ? WAITS_FOR_EVER : ""}`));
        // A thread that ends after it was ready leaves an instance that would never answer; the server starts the runner anew.
        // The message that it is not wanted any more may still lie in the other connection.
        setTimeout(() => {
          if (ready && this.#workers.get(index) === worker)
            this.#die(`the thread of instance '${name}' ended with code ${code}`);
        }, EXIT_GRACE_MS);
      });
    });
  }
}

/** False for a thread that is in native code and cannot be broken off. */
async function hasEnded(worker: Worker): Promise<boolean> {
  // One that has ended has no thread any more.
  if (worker.threadId === -1) return true;
  const end = new Promise<boolean>((resolve) => worker.once("exit", () => resolve(true)));
  const after = (ms: number) =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      worker.once("exit", () => clearTimeout(timer));
    });
  if (await Promise.race([end, after(END_WITHIN_MS)])) return true;
  void worker.terminate();
  return Promise.race([end, after(END_WITHIN_MS)]);
}

/** What a thread threw may be anything. */
function describeError(error: unknown, directory: string | undefined): string {
  if (!(error instanceof Error)) return String(error);
  const frame = directory === undefined ? undefined : frameInside(error, directory);
  return `${error.name}: ${error.message}${frame === undefined ? "" : ` (${frame})`}`;
}

function onDevice(session: SessionSettings, device: number | null): SessionSettings {
  if (device === null) return session;
  const executionProviders = session.executionProviders.map((provider) =>
    provider.name === "cpu" ? provider : { ...provider, deviceId: device },
  );
  return { ...session, executionProviders };
}
