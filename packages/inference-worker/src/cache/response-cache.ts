import type { OutputTensor } from "@nereid/protocol";

/** The outputs of a response that was kept; their bytes are the cache's own. */
export interface CachedResponse {
  readonly outputs: readonly OutputTensor[];
}

export interface CacheUse {
  /** Of this process; a service that several servers share does not say. */
  readonly entries: number;
  readonly usedBytes: number;
  /** 0 = not known here. */
  readonly limitBytes: number;
  readonly evictions: number;
  /** Of a cache that is a service. */
  readonly service?: { readonly connected: boolean; readonly failures: number };
}

/** A response cache (scheduling.md §8): in this process, or a service that several servers share. */
export interface ResponseCache {
  /** Undefined where there is none. A cache that cannot be reached has none: it never fails a request. */
  lookup(key: string): CachedResponse | undefined | Promise<CachedResponse | undefined>;
  /** Copies what it keeps; keeps nothing when that cannot be. */
  insert(key: string, response: CachedResponse): void;
  readonly use: CacheUse;
  close(): Promise<void>;
}
