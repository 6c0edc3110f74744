import { byteSizeOf } from "@nereid/protocol";
import type { ValidInput } from "../request/valid-request.ts";
import type { Slab } from "../shm/slab.ts";
import type { BatchEntry } from "./job.ts";

/** Tensors begin at multiples of this. */
export const ALIGNMENT = 64;
const SMALLEST_ARENA = 4096;
/** Outputs may be larger than those before. */
const HEADROOM = 1.25;

/** What the outputs without a known size took per batch item last time; grows and shrinks with use. */
export interface ArenaHint {
  bytesPerItem: number;
}

export function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/** Room for the outputs of so many items, by experience. */
export function arenaBytes({ bytesPerItem }: ArenaHint, items: number): number {
  return Math.max(SMALLEST_ARENA, Math.ceil(bytesPerItem * items * HEADROOM));
}

/** Where a tensor lies in shared memory already, at an offset its element type allows. */
export function placeOf({ bytes, spec }: ValidInput, slab: Slab) {
  const place = slab.locate(bytes);
  return place !== undefined && place.offset % Math.max(1, byteSizeOf(spec.datatype)) === 0 ? place : undefined;
}

/** Items of a batch; a request of none counts as one. */
export function itemsOf(entries: readonly Pick<BatchEntry, "request">[]): number {
  return entries.reduce((sum, { request }) => sum + Math.max(1, request.batchSize), 0);
}

export function productOf(shape: readonly number[]): number {
  return shape.reduce((product, dim) => product * dim, 1);
}
