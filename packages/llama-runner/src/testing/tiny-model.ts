import { type GgufTensor, writeGguf } from "./gguf-writer.ts";

const WIDTH = 64;
const HEADS = 4;
const LAYERS = 2;
const FORWARD = 128;
const CONTEXT = 2048;
const PIECE = 1;
const CONTROL = 3;
const BYTE = 6;
const UNKNOWN = 2;

/** `<|user|>text<|end|>…<|assistant|>`: unlike ChatML, so that a test sees whose template was used. */
export const TINY_CHAT_TEMPLATE =
  "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}<|assistant|>";

/**
 * A llama of random weights, the same for the same seed, that reads bytes and goes on writing letters without end: real files and real
 * arithmetic, and no download. About half a megabyte.
 */
export function tinyGguf(seed = 1): Buffer {
  const { tokens, types, scores, letters } = vocabulary();
  const random = gaussian(seed);
  const fill = (count: number, scale: number) => Float32Array.from({ length: count }, () => random() * scale);
  const matrix = (name: string, [columns, rows]: readonly [number, number], scale = 1 / Math.sqrt(columns)) => ({
    name,
    dims: [columns, rows],
    data: fill(columns * rows, scale),
  });
  const ones = (name: string): GgufTensor => ({ name, dims: [WIDTH], data: new Float32Array(WIDTH).fill(1) });
  const layer = (index: number): GgufTensor[] => [
    ones(`blk.${index}.attn_norm.weight`),
    matrix(`blk.${index}.attn_q.weight`, [WIDTH, WIDTH]),
    matrix(`blk.${index}.attn_k.weight`, [WIDTH, WIDTH]),
    matrix(`blk.${index}.attn_v.weight`, [WIDTH, WIDTH]),
    matrix(`blk.${index}.attn_output.weight`, [WIDTH, WIDTH]),
    ones(`blk.${index}.ffn_norm.weight`),
    matrix(`blk.${index}.ffn_gate.weight`, [WIDTH, FORWARD]),
    matrix(`blk.${index}.ffn_up.weight`, [WIDTH, FORWARD]),
    matrix(`blk.${index}.ffn_down.weight`, [FORWARD, WIDTH]),
  ];
  // Only letters are likely: what is written is text, and no end is.
  const output = matrix("output.weight", [WIDTH, tokens.length], 1);
  tokens.forEach((_, row) => {
    if (!letters.has(row)) output.data.fill(0, row * WIDTH, (row + 1) * WIDTH);
  });
  return writeGguf(
    {
      "general.architecture": { type: "string", value: "llama" },
      "general.name": { type: "string", value: "tiny random llama" },
      "llama.context_length": { type: "uint32", value: CONTEXT },
      "llama.embedding_length": { type: "uint32", value: WIDTH },
      "llama.block_count": { type: "uint32", value: LAYERS },
      "llama.feed_forward_length": { type: "uint32", value: FORWARD },
      "llama.attention.head_count": { type: "uint32", value: HEADS },
      "llama.attention.head_count_kv": { type: "uint32", value: HEADS },
      "llama.rope.dimension_count": { type: "uint32", value: WIDTH / HEADS },
      "llama.attention.layer_norm_rms_epsilon": { type: "float32", value: 1e-5 },
      "llama.vocab_size": { type: "uint32", value: tokens.length },
      "tokenizer.ggml.model": { type: "string", value: "llama" },
      "tokenizer.ggml.tokens": { type: "strings", value: tokens },
      "tokenizer.ggml.scores": { type: "float32s", value: scores },
      "tokenizer.ggml.token_type": { type: "int32s", value: types },
      "tokenizer.ggml.bos_token_id": { type: "uint32", value: 1 },
      "tokenizer.ggml.eos_token_id": { type: "uint32", value: 2 },
      "tokenizer.ggml.unknown_token_id": { type: "uint32", value: 0 },
      "tokenizer.ggml.add_bos_token": { type: "bool", value: true },
      "tokenizer.ggml.add_space_prefix": { type: "bool", value: false },
      "tokenizer.chat_template": { type: "string", value: TINY_CHAT_TEMPLATE },
    },
    [
      matrix("token_embd.weight", [WIDTH, tokens.length], 1),
      ...Array.from({ length: LAYERS }, (_, index) => layer(index)).flat(),
      ones("output_norm.weight"),
      output,
    ],
  );
}

/** Markers, every byte, and the letters that are written. */
function vocabulary() {
  const tokens: string[] = [];
  const types: number[] = [];
  const scores: number[] = [];
  const letters = new Set<number>();
  const add = (token: string, type: number) => {
    tokens.push(token);
    types.push(type);
    scores.push(type === PIECE ? -tokens.length : 0);
  };
  add("<unk>", UNKNOWN);
  for (const marker of ["<s>", "</s>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>"]) add(marker, CONTROL);
  for (let byte = 0; byte < 256; byte++) add(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`, BYTE);
  // "▁" is how this kind of vocabulary writes a space.
  for (const letter of 'abcdefghijklmnopqrstuvwxyz▁.{}[]":,0123456789') {
    if (/[a-z▁.]/.test(letter)) letters.add(tokens.length);
    add(letter, PIECE);
  }
  return { tokens, types, scores, letters };
}

/** Normally distributed numbers from a small generator (mulberry32), the same everywhere. */
function gaussian(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
