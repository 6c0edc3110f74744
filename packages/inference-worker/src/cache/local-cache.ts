import type { CachedResponse, CacheUse, ResponseCache } from "./response-cache.ts";

/** What an entry takes beside its tensors: the map's slot, the two objects, the text of the key. */
const ENTRY_OVERHEAD = 256;
/** What a tensor takes beside its bytes: three objects and a buffer of its own. */
const TENSOR_OVERHEAD = 256;
const BYTES_PER_DIM = 8;

interface Entry {
  readonly response: CachedResponse;
  readonly byteLength: number;
}

/** Responses kept in the memory of this process, the ones used least recently go first. What it counts is what it takes, about. */
export class LocalCache implements ResponseCache {
  readonly #limitBytes: number;
  /** In the order of use, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  #usedBytes = 0;
  #evictions = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get use(): CacheUse {
    return {
      entries: this.#entries.size,
      usedBytes: this.#usedBytes,
      limitBytes: this.#limitBytes,
      evictions: this.#evictions,
    };
  }

  lookup(key: string): CachedResponse | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.response;
  }

  insert(key: string, response: CachedResponse): void {
    const byteLength = sizeOf(key, response);
    this.#remove(key);
    if (byteLength > this.#limitBytes) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#usedBytes + byteLength <= this.#limitBytes) break;
      this.#remove(oldest);
      this.#evictions += 1;
    }
    this.#entries.set(key, { response: copyOf(response), byteLength });
    this.#usedBytes += byteLength;
  }

  async close(): Promise<void> {
    this.#entries.clear();
    this.#usedBytes = 0;
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#usedBytes -= entry.byteLength;
  }
}

/** Bytes that keeping a response takes, with its key and what surrounds it. */
export function sizeOf(key: string, { outputs }: CachedResponse): number {
  return outputs.reduce(
    (sum, { name, shape, bytes }) =>
      sum + TENSOR_OVERHEAD + name.length + shape.length * BYTES_PER_DIM + bytes.byteLength,
    ENTRY_OVERHEAD + key.length,
  );
}

/** In memory of its own: what the executor gives lies in memory that is used again. */
function copyOf({ outputs }: CachedResponse): CachedResponse {
  return {
    outputs: outputs.map(({ name, datatype, shape, bytes }) => ({
      name,
      datatype,
      shape: [...shape],
      bytes: new Uint8Array(bytes),
    })),
  };
}
