import type { TensorPlace, TensorRef } from "../runner-protocol/messages.ts";

const ALIGNMENT = 64;

/** An output whose bytes lie in private memory. */
export interface LooseOutput {
  readonly kind: "loose";
  readonly name: string;
  readonly datatype: TensorRef["datatype"];
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** An output as the engine made it, or already written to its place. */
export type ProducedOutput = { readonly kind: "placed"; readonly ref: TensorRef } | LooseOutput;

export type BufferOf = (segment: number) => ArrayBuffer;

/** Bytes of arena that the loose outputs need, each starting at a multiple of 64. */
export function arenaBytes(outputs: readonly ProducedOutput[]): number {
  let total = 0;
  for (const output of outputs) {
    if (output.kind === "loose") total = align(total) + output.bytes.byteLength;
  }
  return total;
}

/** Copies the loose outputs into the arena. Call only when `arenaBytes` fits. */
export function placeOutputs(
  outputs: readonly ProducedOutput[],
  arena: TensorPlace | undefined,
  bufferOf: BufferOf,
): TensorRef[] {
  let used = 0;
  return outputs.map((output) => {
    if (output.kind === "placed") return output.ref;
    if (arena === undefined) throw new Error(`no arena for output '${output.name}'`);
    const offset = arena.offset + align(used);
    new Uint8Array(bufferOf(arena.segment), offset, output.bytes.byteLength).set(output.bytes);
    used = align(used) + output.bytes.byteLength;
    const { name, datatype, shape, bytes } = output;
    return { name, datatype, shape, segment: arena.segment, offset, byteLength: bytes.byteLength };
  });
}

/** The next offset at which a tensor may start. */
export function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
