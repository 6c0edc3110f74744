import type { SlabBlock } from "../shm/slab.ts";

/** Blocks that several answers look into; given back with the last of them. */
export class SharedBlocks {
  readonly #blocks: readonly (SlabBlock | undefined)[];
  #holders: number;

  constructor(blocks: readonly (SlabBlock | undefined)[], holders: number) {
    this.#blocks = blocks;
    this.#holders = holders;
  }

  /** A release for one holder; calling it again does nothing. */
  holder(): () => void {
    return once(() => {
      this.#holders -= 1;
      if (this.#holders === 0) this.releaseAll();
    });
  }

  releaseAll(): void {
    for (const block of this.#blocks) block?.release();
  }
}

/** The action, at most once. */
export function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
