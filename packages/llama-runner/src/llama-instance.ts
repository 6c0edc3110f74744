import { NereidError } from "@nereid/errors";
import type { RequestsModel, ScriptRequest, ScriptTensor } from "@nereid/inference-worker/runner-kit";
import { Embedder } from "./embedder.ts";
import type { Engine } from "./engine.ts";
import type { LlamaContext, LlamaSequence, Token } from "./engine-types.ts";
import { generate } from "./generate.ts";
import { type RawRequest, readEmbeddingText, readGenerationRequest } from "./read-request.ts";
import type { LlamaSettings } from "./settings.ts";
import { type Slot, Slots } from "./slots.ts";
import type { Load, TokenMetrics } from "./token-metrics.ts";
import { tokenizePrompt } from "./tokenize-prompt.ts";

export interface InstanceHost {
  readonly name: string;
  readonly engine: Engine;
  readonly settings: LlamaSettings;
  /** Whether a request may have any number of responses. */
  readonly decoupled: boolean;
  readonly metrics: TokenMetrics;
  readonly nowNs: () => number;
}

/**
 * The server's queue holds what has no slot yet, by its own rules; this long at most, since an execution that takes longer than the
 * server allows would end the process.
 */
const HOLD_QUEUE_MS = 3_000;

/** One context with a slot for each request that is generated at the same time; llama.cpp computes their tokens in one batch. */
export class LlamaInstance implements RequestsModel {
  readonly datatypes = new Map([
    ["text_output", "BYTES"],
    ["finish_reason", "BYTES"],
    ["prompt_tokens", "INT32"],
    ["completion_tokens", "INT32"],
    ["embedding", "FP32"],
  ] as const);
  readonly #host: InstanceHost;
  readonly #context: LlamaContext | undefined;
  readonly #slots: Slots<LlamaSequence>;
  readonly #sequences: readonly LlamaSequence[];
  readonly #embedder: Embedder;

  private constructor(host: InstanceHost, context: LlamaContext | undefined) {
    this.#host = host;
    this.#context = context;
    this.#sequences =
      context === undefined ? [] : Array.from({ length: host.settings.parallel }, () => context.getSequence());
    this.#slots = new Slots(this.#sequences);
    this.#embedder = new Embedder(host.engine);
  }

  /** Reserves the memory of all slots. INVALID_ARGUMENT when there is not enough. */
  static async create(host: InstanceHost): Promise<LlamaInstance> {
    const { engine, settings } = host;
    const { contextSize, threads, model } = engine;
    if (settings.task === "embedding") return new LlamaInstance(host, undefined);
    try {
      const context = await model.createContext({ sequences: settings.parallel, contextSize, threads });
      return new LlamaInstance(host, context);
    } catch (error) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `no context for ${settings.parallel} requests of ${contextSize} tokens each (parameters parallel and context_size): ${NereidError.from(error).message}`,
      );
    }
  }

  get load(): Load {
    const { contextSize } = this.#host.engine;
    return {
      running: this.#slots.running,
      waiting: this.#slots.waiting,
      usedTokens: this.#sequences.reduce((sum, { nextTokenIndex }) => sum + nextTokenIndex, 0),
      roomForTokens: this.#sequences.length * contextSize,
    };
  }

  /** Resolves when the next request may come: when these have slots, or without decoupling when they are answered. */
  async execute(requests: readonly ScriptRequest[]): Promise<undefined> {
    const begun = requests.map((request) => {
      return new Promise<void>((resolve) => {
        const answered = this.#answer(request, this.#host.decoupled ? resolve : () => undefined)
          .catch((error) => this.#fail(request, error))
          .finally(resolve);
        if (!this.#host.decoupled) return;
        const timer = setTimeout(resolve, HOLD_QUEUE_MS);
        void answered.finally(() => clearTimeout(timer));
      });
    });
    await Promise.all(begun);
    return undefined;
  }

  failure(thrown: unknown): string {
    return this.failureText(NereidError.from(thrown).message);
  }

  failureText(text: string): string {
    return `Failed to process the request(s) for model instance '${this.#host.name}', message: ${text}`;
  }

  async close(): Promise<void> {
    await this.#embedder.close();
    await this.#context?.dispose();
  }

  async #fail(request: ScriptRequest, thrown: unknown): Promise<void> {
    const { code, message } = NereidError.from(thrown);
    try {
      await request.send({ error: { code, message } }, { final: true });
    } catch {
      // It had its last answer already, and nobody is left to be told.
      console.error(`after the last answer of a request: ${message}`);
    }
  }

  async #answer(request: ScriptRequest, begun: () => void): Promise<void> {
    const raw = rawOf(request);
    const wantsText = request.requestedOutputs.includes("text_output");
    const embeds = request.requestedOutputs.includes("embedding") && !wantsText;
    if (embeds || this.#host.settings.task === "embedding") return this.#embed(request, raw);
    const startNs = this.#host.nowNs();
    const wanted = readGenerationRequest(raw);
    const prompt = tokenizePrompt(this.#host.engine, wanted.prompt);
    const { metrics } = this.#host;
    const taking = this.#slots.take(
      request.signal,
      (sequence) => sequence.compareContextTokens(prompt).firstDifferentIndex,
    );
    metrics.touch();
    const slot = await taking;
    begun();
    if (slot === undefined) return request.end();
    try {
      metrics.prompt(prompt.length);
      await this.#generate({ request, wanted, prompt, slot, startNs });
    } finally {
      slot.free();
    }
  }

  async #generate(run: Run): Promise<void> {
    const { request, wanted, prompt, slot, startNs } = run;
    const { engine, settings, metrics, decoupled, nowNs } = this.#host;
    const room = engine.contextSize - prompt.length;
    const streams = wanted.stream && decoupled;
    const held: string[] = [];
    let tokens = 0;
    const finish = await generate({
      engine,
      sequence: slot.value,
      request: wanted,
      prompt,
      maxTokens: Math.min(wanted.maxTokens ?? settings.maxTokens ?? room, room),
      cachePrompt: settings.cachePrompt,
      signal: request.signal,
      onToken: () => {
        tokens += 1;
        if (tokens === 1) metrics.firstToken(nowNs() - startNs);
        metrics.generated();
      },
      onText: async (text) => {
        if (streams) return request.send({ outputs: { text_output: bytes(text) } });
        held.push(text);
        return true;
      },
    });
    // The slot is given on before the last answer waits for a slow reader.
    slot.free();
    if (finish === "cancelled") {
      if (decoupled) return request.end();
      throw new NereidError("CANCELLED", "nobody waits for the answer");
    }
    const outputs = {
      text_output: bytes(held.join("")),
      finish_reason: bytes(finish),
      prompt_tokens: { shape: [1], data: [prompt.length] },
      completion_tokens: { shape: [1], data: [tokens] },
    };
    await request.send({ outputs }, { final: true });
  }

  async #embed(request: ScriptRequest, raw: RawRequest): Promise<void> {
    const { engine, metrics } = this.#host;
    const tokens = tokenizePrompt(engine, { kind: "text", text: readEmbeddingText(raw) });
    const vector = await this.#embedder.embed(tokens);
    metrics.prompt(tokens.length);
    const outputs = {
      embedding: { shape: [vector.length], data: vector },
      prompt_tokens: { shape: [1], data: [tokens.length] },
    };
    await request.send({ outputs }, { final: true });
  }
}

interface Run {
  readonly request: ScriptRequest;
  readonly wanted: ReturnType<typeof readGenerationRequest>;
  readonly prompt: Token[];
  readonly slot: Slot<LlamaSequence>;
  readonly startNs: number;
}

function bytes(text: string) {
  return { shape: [1], data: [text] };
}

function rawOf(request: ScriptRequest): RawRequest {
  const first = ({ data }: ScriptTensor): number | bigint | undefined => {
    const [value] = data;
    return typeof value === "number" || typeof value === "bigint" ? value : undefined;
  };
  return {
    texts: (name) => request.input(name)?.text(),
    number: (name) => {
      const tensor = request.input(name);
      return tensor && first(tensor);
    },
    parameters: request.parameters,
  };
}
