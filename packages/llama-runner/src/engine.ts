import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { NereidError } from "@nereid/errors";
import { type ChatPrompt, chatPrompt } from "./chat-prompt.ts";
import type { Llama, LlamaModel, LlamaModule, NewGrammarState } from "./engine-types.ts";
import type { LlamaSettings } from "./settings.ts";

/** A loaded model and what belongs to it, shared by the instances of a process. */
export interface Engine {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly chatPrompt: ChatPrompt;
  readonly newGrammarState: NewGrammarState;
  readonly threads: number;
  /** Tokens of prompt and answer together, of one request. */
  readonly contextSize: number;
}

export interface EngineStart {
  readonly packageDirectory: string;
  readonly file: string;
  readonly settings: LlamaSettings;
  /** The instance's share of the cores. */
  readonly cores: number;
  readonly onGpu: boolean;
}

/** Larger contexts are for those who say so: their memory is taken at the load. */
const DEFAULT_CONTEXT = 4096;

/** Loads the library and the model. INVALID_ARGUMENT says why it cannot be loaded. */
export async function loadEngine({ packageDirectory, file, settings, cores, onGpu }: EngineStart): Promise<Engine> {
  const library = await importLibrary(packageDirectory);
  const gpuLayers = settings.gpuLayers ?? (onGpu ? "max" : 0);
  // Its threads wait for each other by spinning: one more than there are free cores makes it a hundred times slower.
  const threads = settings.threads ?? Math.max(1, cores - 1);
  const llama = await step("llama.cpp cannot be started", () =>
    library.getLlama({
      gpu: gpuLayers === 0 ? false : "auto",
      build: "never",
      skipDownload: true,
      progressLogs: false,
      maxThreads: threads,
      logLevel: "warn",
      logger: (level, message) => console.error(`llama.cpp ${level}: ${message.trimEnd()}`),
    }),
  );
  const model = await step(`the model file '${file}' cannot be loaded`, () =>
    llama.loadModel({ modelPath: file, gpuLayers }),
  );
  return {
    llama,
    model,
    chatPrompt: chatPrompt({ model, given: settings.chatTemplate, packageDirectory }),
    newGrammarState: (options) => new library.LlamaGrammarEvaluationState(options),
    threads,
    contextSize: contextSizeOf(model, settings),
  };
}

interface Library extends LlamaModule {
  readonly LlamaGrammarEvaluationState: new (options: Parameters<NewGrammarState>[0]) => object;
}

async function importLibrary(directory: string): Promise<Library> {
  const { main } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { readonly main: string };
  const url = pathToFileURL(join(directory, main)).href;
  return step(`node-llama-cpp in '${directory}' cannot be used`, async () => (await import(url)) as Library);
}

/** INVALID_ARGUMENT for more than the model was trained for: what it writes there is of no use. */
function contextSizeOf({ trainContextSize }: LlamaModel, { contextSize }: LlamaSettings): number {
  if (contextSize === undefined) return Math.min(trainContextSize, DEFAULT_CONTEXT);
  if (contextSize <= trainContextSize) return contextSize;
  throw new NereidError(
    "INVALID_ARGUMENT",
    `parameter 'context_size' is ${contextSize}, and the model was trained for ${trainContextSize} tokens; write a smaller one`,
  );
}

async function step<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new NereidError("INVALID_ARGUMENT", `${what}: ${NereidError.from(error).message}`, { cause: error });
  }
}
