import { LocalCache } from "./local-cache.ts";
import { RedisCache } from "./redis-cache.ts";
import { openRedisLink, type RedisAddress } from "./redis-link.ts";
import type { ResponseCache } from "./response-cache.ts";

/** The response cache of a server, as its options say. */
export type CacheOptions =
  | { readonly kind: "local"; readonly sizeBytes: number }
  | {
      readonly kind: "redis";
      readonly address: RedisAddress;
      readonly prefix: string;
      /** 0 = entries stay for as long as the service keeps them. */
      readonly ttlMs: number;
      /** A look-up that takes longer found nothing. */
      readonly timeoutMs: number;
    };

/** Opens it at once; a service is connected to in the background, and `log` is told of trouble with it, now and then. */
export function openCache(options: CacheOptions, log: (text: string) => void): ResponseCache {
  if (options.kind === "local") return new LocalCache(options.sizeBytes);
  const { address, prefix, ttlMs, timeoutMs } = options;
  return new RedisCache({
    open: (onError) => openRedisLink(address, onError),
    prefix,
    ttlMs,
    timeoutMs,
    nowMs: () => performance.now(),
    log,
  });
}
