/**
 * The part of node-llama-cpp 3.22 that is used here. The package is not among this project's dependencies (it brings several hundred
 * MB of binary files for every kind of GPU), so its own types are not there to be imported.
 */
export type Token = number;

export interface LlamaModule {
  getLlama(options: {
    readonly gpu: "auto" | false;
    readonly build: "never";
    readonly skipDownload: boolean;
    readonly progressLogs: boolean;
    readonly maxThreads: number;
    readonly logLevel: string;
    readonly logger: (level: string, message: string) => void;
  }): Promise<Llama>;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string; readonly gpuLayers: number | "max" }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<Grammar>;
  createGrammar(options: { readonly grammar: string }): Promise<Grammar>;
  getGrammarFor(type: "json"): Promise<Grammar>;
}

/** Only handed on. */
export type Grammar = object;

export interface LlamaModel {
  readonly fileInfo: { readonly metadata: { readonly tokenizer?: { readonly chat_template?: unknown } } };
  readonly tokens: LlamaTokens;
  readonly trainContextSize: number;
  readonly embeddingVectorSize: number;
  tokenize(text: string, specialTokens: boolean): Token[];
  detokenize(tokens: readonly Token[], specialTokens: boolean, lastTokens: readonly Token[]): string;
  createContext(options: ContextOptions): Promise<LlamaContext>;
  createEmbeddingContext(options: {
    readonly contextSize: number;
    readonly threads: number;
  }): Promise<EmbeddingContext>;
}

export interface LlamaTokens {
  readonly bos: Token | null;
  readonly bosString: string | null;
  readonly eosString: string | null;
  readonly shouldPrependBosToken: boolean;
}

interface ContextOptions {
  readonly sequences: number;
  readonly contextSize: number;
  readonly threads: number;
}

export interface LlamaContext {
  readonly contextSize: number;
  getSequence(): LlamaSequence;
  dispose(): Promise<void>;
}

export interface LlamaSequence {
  readonly nextTokenIndex: number;
  readonly contextTokens: Token[];
  compareContextTokens(tokens: Token[]): { readonly firstDifferentIndex: number };
  adaptStateToTokens(tokens: Token[], allowShift: boolean): Promise<void>;
  clearHistory(): Promise<void>;
  evaluate(tokens: Token[], options: EvaluateOptions): AsyncGenerator<Token, void>;
  evaluateWithoutGeneratingNewTokens(tokens: Token[]): Promise<void>;
}

export interface EvaluateOptions {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly seed?: number;
  readonly repeatPenalty?: {
    readonly punishTokens: () => Token[];
    readonly penalty: number;
    readonly frequencyPenalty: number;
    readonly presencePenalty: number;
  };
  readonly grammarEvaluationState?: object;
}

export interface EmbeddingContext {
  getEmbeddingFor(input: Token[]): Promise<{ readonly vector: readonly number[] }>;
  dispose(): Promise<void>;
}

/** A new state for each request that follows a grammar. */
export type NewGrammarState = (options: { readonly model: LlamaModel; readonly grammar: Grammar }) => object;
