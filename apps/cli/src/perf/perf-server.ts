import { NereidClient, type StatisticsAnswer } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { hostAndPort, phasesOf, type ServerCounters } from "@nereid/perf";
import type { PerfCommand } from "./perf-command.ts";

type Client = NereidClient | GrpcClient;

/** What is asked of a server besides inference: over the protocol that the load uses too. */
export class PerfServer implements AsyncDisposable {
  readonly client: Client;
  readonly #version: string;
  readonly #close: () => Promise<void>;

  constructor({ protocol, host, port, headers, version }: PerfCommand) {
    const address = hostAndPort({ host, port });
    this.#version = version;
    if (protocol === "grpc") {
      const client = new GrpcClient({ address, metadata: lowerCase(headers) });
      this.client = client;
      this.#close = () => client.close();
    } else {
      this.client = new NereidClient({ baseUrl: `http://${address}`, headers });
      this.#close = async () => undefined;
    }
  }

  /** Counters of these models, of the first only in the version that was asked for. One question also for several models. */
  async counters(models: readonly string[]): Promise<ServerCounters[]> {
    const [served] = models;
    const answer = await (models.length === 1 ? this.client.statistics(served) : this.client.statistics());
    return answer.model_stats
      .filter(({ name }) => models.includes(name))
      .filter(({ name, version }) => name !== served || this.#version === "" || version === this.#version)
      .map(countersOf);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

function countersOf(entry: StatisticsAnswer["model_stats"][number]): ServerCounters {
  const { name, version, inference_count, execution_count, inference_stats: stats } = entry;
  const of = {
    success: stats.success,
    queue: stats.queue,
    computeInput: stats.compute_input,
    computeInfer: stats.compute_infer,
    computeOutput: stats.compute_output,
    cacheHit: stats.cache_hit,
    cacheMiss: stats.cache_miss,
  };
  return {
    name,
    version,
    inferences: inference_count,
    executions: execution_count,
    // Older servers leave out the cache.
    phases: phasesOf((phase) => ({ count: of[phase]?.count ?? 0, ns: of[phase]?.ns ?? 0 })),
  };
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
