import type { ControlReply, ControlRequest, ModelSignature } from "@nereid/inference-worker/runner-kit";
import { type Engine, loadEngine } from "./engine.ts";
import { LlamaInstance } from "./llama-instance.ts";
import { serveInstance } from "./serve-instance.ts";
import { type LlamaSettings, readSettings } from "./settings.ts";
import { llamaSignature } from "./signature.ts";
import { TokenMetrics } from "./token-metrics.ts";

type Load = Extract<ControlRequest, { type: "load" }>;

interface Surroundings {
  readonly socketPath: string;
  readonly packageDirectory: string;
  readonly send: (reply: ControlReply) => void;
}

/** The part of a configuration, as Triton's JSON, that is read here. */
interface Config {
  readonly parameters?: Readonly<Record<string, { readonly string_value?: string } | undefined>>;
  readonly model_transaction_policy?: { readonly decoupled?: boolean };
}

const nowNs = () => Number(process.hrtime.bigint());

/** One loaded model and its instances: they share the weights, and each has its own slots. */
export class LlamaHost {
  readonly #load: Load;
  readonly #around: Surroundings;
  readonly #engine: Engine;
  readonly #settings: LlamaSettings;
  readonly #decoupled: boolean;
  readonly #metrics: TokenMetrics;
  readonly #instances = new Map<number, LlamaInstance>();
  #running = 0;

  private constructor(
    load: Load,
    around: Surroundings,
    parts: { engine: Engine; settings: LlamaSettings; config: Config },
  ) {
    this.#load = load;
    this.#around = around;
    this.#engine = parts.engine;
    this.#settings = parts.settings;
    this.#decoupled = isDecoupled(parts.config, load.model?.autoComplete !== false);
    const { name = "", version = "" } = load.model ?? {};
    this.#metrics = new TokenMetrics({
      send: around.send,
      labels: { model: name, version },
      load: () => this.#total(),
      nowNs,
    });
  }

  /** Loads the model and starts instance 0. INVALID_ARGUMENT says what is wrong with model or configuration. */
  static async load(load: Load, around: Surroundings): Promise<{ host: LlamaHost; signature: ModelSignature }> {
    const config = JSON.parse(load.model?.config ?? "{}") as Config;
    const settings = readSettings((key) => config.parameters?.[key]?.string_value);
    const { packageDirectory } = around;
    const { file, session, devices } = load;
    const onGpu = (devices[0] ?? null) !== null;
    const engine = await loadEngine({ packageDirectory, file, settings, cores: session.intraOpThreads, onGpu });
    const host = new LlamaHost(load, around, { engine, settings, config });
    await host.startUpTo(1);
    return { host, signature: llamaSignature(settings) };
  }

  async startUpTo(count: number): Promise<number> {
    for (; this.#running < count; this.#running++) await this.#start(this.#running);
    return this.#running;
  }

  stopFrom(count: number): void {
    this.#running = Math.min(this.#running, count);
  }

  async #start(index: number): Promise<void> {
    const name = this.#load.model?.instances[index]?.name ?? `${this.#load.model?.name ?? "instance"}_${index}`;
    const instance = await LlamaInstance.create({
      name,
      engine: this.#engine,
      settings: this.#settings,
      decoupled: this.#decoupled,
      metrics: this.#metrics,
      nowNs,
    });
    this.#instances.set(index, instance);
    const closed = () => {
      this.#instances.delete(index);
      void instance.close();
    };
    await serveInstance(instance, { socketPath: this.#around.socketPath, index, closed });
  }

  #total() {
    const loads = [...this.#instances.values()].map(({ load }) => load);
    const sum = (key: keyof (typeof loads)[number]) => loads.reduce((total, load) => total + load[key], 0);
    return {
      running: sum("running"),
      waiting: sum("waiting"),
      usedTokens: sum("usedTokens"),
      roomForTokens: sum("roomForTokens"),
    };
  }
}

/** As the server completes it: decoupled, unless the configuration says otherwise. */
function isDecoupled({ model_transaction_policy: policy }: Config, completes: boolean): boolean {
  return policy === undefined ? completes : policy.decoupled === true;
}
