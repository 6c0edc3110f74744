import type { MetricsHub } from "../metrics/metrics-hub.ts";
import type { NodeSpec } from "./managed-node.ts";

/** Something that runs beside a hub for as long as it does, such as the recording of its history. */
export interface HubCompanion {
  stop(): void | Promise<void>;
}

export interface NodeHubsOptions {
  readonly openHub: (spec: NodeSpec) => MetricsHub;
  readonly accompany?: (spec: NodeSpec, hub: MetricsHub) => HubCompanion | undefined;
}

export interface NodeEntry {
  readonly spec: NodeSpec;
  readonly hub: MetricsHub;
}

interface Running extends NodeEntry {
  /** Resolves once it accompanies the hub. */
  readonly companion: Promise<HubCompanion | undefined>;
}

const NOBODY: Running["companion"] = Promise.resolve(undefined);

/** The streams of all nodes: one hub each, started and stopped as nodes come, change and go. */
export class NodeHubs {
  readonly #options: NodeHubsOptions;
  #running: readonly Running[] = [];
  #started = false;
  #stopped = false;

  constructor(options: NodeHubsOptions, first: readonly NodeSpec[]) {
    this.#options = options;
    this.sync(first);
  }

  /** In the order of the last `sync`. */
  get entries(): readonly NodeEntry[] {
    return this.#running;
  }

  /** Connects to every node; those that come later are connected when they come. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#running = this.#running.map((one) => this.#begin(one));
  }

  /** Makes the nodes these. A node that is reached as before keeps its hub and what that remembers. */
  sync(specs: readonly NodeSpec[]): void {
    if (this.#stopped) return;
    const old = new Map(this.#running.map((one) => [one.spec.id, one]));
    this.#running = specs.map((spec) => {
      const known = old.get(spec.id);
      if (known !== undefined && isReachedAs(known.spec, spec)) {
        old.delete(spec.id);
        return { ...known, spec };
      }
      const fresh: Running = { spec, hub: this.#options.openHub(spec), companion: NOBODY };
      old.delete(spec.id);
      // Two companions of one node would be in each other's way.
      const gone = known === undefined ? undefined : end(known);
      return this.#started ? this.#begin(fresh, gone) : fresh;
    });
    for (const gone of old.values()) void end(gone);
  }

  /** Ends every stream; resolves when what accompanies them has ended too. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running.map(end));
  }

  #begin({ spec, hub }: NodeEntry, after?: Promise<void>): Running {
    hub.start();
    const accompany = () => (this.#stopped ? undefined : this.#options.accompany?.(spec, hub));
    return { spec, hub, companion: after === undefined ? Promise.resolve(accompany()) : after.then(accompany) };
  }
}

async function end({ hub, companion }: Running): Promise<void> {
  hub.stop();
  await (await companion)?.stop();
}

/** Whether both are the same server, asked in the same way. */
export function isReachedAs(a: NodeSpec, b: NodeSpec): boolean {
  return a.kind === b.kind && a.url === b.url && a.metricsUrl === b.metricsUrl && a.apiKey === b.apiKey;
}
