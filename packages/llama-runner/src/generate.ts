import { NereidError } from "@nereid/errors";
import type { Engine } from "./engine.ts";
import type { EvaluateOptions, Grammar, LlamaSequence, Token } from "./engine-types.ts";
import type { GenerationRequest, Shape } from "./read-request.ts";
import { StopTexts } from "./stop-texts.ts";
import { TextPieces } from "./text-pieces.ts";

export type FinishReason = "stop" | "length" | "cancelled";

export interface Generation {
  readonly engine: Engine;
  readonly sequence: LlamaSequence;
  readonly request: GenerationRequest;
  readonly prompt: Token[];
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  readonly cachePrompt: boolean;
  readonly signal: AbortSignal;
  /** Told of each piece of text; waits for it. False: nobody wants more. */
  readonly onText: (text: string) => Promise<boolean>;
  readonly onToken: () => void;
}

/** Prompt tokens between two looks at whether anybody still waits. */
const PROMPT_STEP = 256;
/** Tokens that the penalties look back at. */
const PENALTY_WINDOW = 64;

/** Generates one answer in its slot. Stops at the next token when nobody waits any more. */
export async function generate(generation: Generation): Promise<FinishReason> {
  const { engine, sequence, request, prompt, maxTokens, signal, onText, onToken } = generation;
  const sampling = await samplingOptions(generation, []);
  const rest = await readPrompt(generation);
  if (rest === undefined) return "cancelled";
  const pieces = new TextPieces(engine.model, prompt);
  const stops = new StopTexts(request.stop);
  let finish: FinishReason = "stop";
  let count = 0;
  for await (const token of sequence.evaluate(rest, sampling.options)) {
    if (signal.aborted) return "cancelled";
    sampling.recent.push(token);
    if (sampling.recent.length > PENALTY_WINDOW) sampling.recent.shift();
    count += 1;
    onToken();
    const passed = stops.push(pieces.push(token));
    if (passed.text !== "" && !(await onText(passed.text))) return "cancelled";
    if (passed.stopped) return "stop";
    if (count < maxTokens) continue;
    finish = "length";
    break;
  }
  const last = stops.push(pieces.end());
  const tail = last.text + (last.stopped ? "" : stops.end());
  if (tail !== "" && !(await onText(tail))) return "cancelled";
  return last.stopped ? "stop" : finish;
}

/** Brings the slot to just before the prompt's last tokens, which it returns; undefined when nobody waits any more. */
async function readPrompt({ sequence, prompt, cachePrompt, signal }: Generation): Promise<Token[] | undefined> {
  // At least one token is left to be evaluated: the answer begins behind it.
  if (cachePrompt) await sequence.adaptStateToTokens(prompt.slice(0, -1), false);
  else await sequence.clearHistory();
  let rest = prompt.slice(sequence.nextTokenIndex);
  while (rest.length > PROMPT_STEP) {
    if (signal.aborted) return undefined;
    await sequence.evaluateWithoutGeneratingNewTokens(rest.slice(0, PROMPT_STEP));
    rest = rest.slice(PROMPT_STEP);
  }
  return signal.aborted ? undefined : rest;
}

interface Sampling {
  readonly options: EvaluateOptions;
  readonly recent: Token[];
}

async function samplingOptions({ engine, request }: Generation, recent: Token[]): Promise<Sampling> {
  const { temperature, topK, topP, minP, seed, repeatPenalty, frequencyPenalty, presencePenalty, shape } = request;
  const punishes = repeatPenalty !== 1 || frequencyPenalty !== 0 || presencePenalty !== 0;
  const grammar = shape && (await grammarOf(engine, shape));
  const options: EvaluateOptions = {
    temperature,
    topK,
    topP,
    minP,
    ...(seed !== undefined && { seed }),
    ...(punishes && {
      repeatPenalty: { punishTokens: () => recent, penalty: repeatPenalty, frequencyPenalty, presencePenalty },
    }),
    ...(grammar && { grammarEvaluationState: engine.newGrammarState({ model: engine.model, grammar }) }),
  };
  return { options, recent };
}

/** INVALID_ARGUMENT for a grammar or schema that cannot be read. */
async function grammarOf({ llama }: Engine, shape: Shape): Promise<Grammar> {
  try {
    if (shape.kind === "grammar") return await llama.createGrammar({ grammar: shape.text });
    const schema = JSON.parse(shape.text) as object | null;
    // An empty schema takes any JSON.
    if (schema === null || Object.keys(schema).length === 0) return await llama.getGrammarFor("json");
    return await llama.createGrammarForJsonSchema(schema);
  } catch (error) {
    throw new NereidError("INVALID_ARGUMENT", `'${shape.kind}' cannot be used: ${NereidError.from(error).message}`);
  }
}
