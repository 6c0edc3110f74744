/** How to reach a Redis. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: number | undefined;
  readonly tls?: boolean | undefined;
}

/** What the cache needs of a Redis. Both calls fail at once while there is no connection; it is made again by itself. */
export interface RedisLink {
  readonly connected: boolean;
  get(key: string): Promise<Uint8Array | undefined>;
  /** `ttlMs` 0 = for as long as the service likes. */
  set(key: string, value: Uint8Array, ttlMs: number): Promise<void>;
  close(): void;
}

const CONNECT_WITHIN_MS = 2_000;
/** A connection that carries nothing for so long is dead: the pings below would be answered. */
const SILENT_MS = 15_000;
const PING_MS = 5_000;
const LONGEST_RETRY_MS = 5_000;
const MOST_COMMANDS = 4096;

/**
 * Opens the connection in the background and returns at once. The client's code is read only now: a server without such a cache does
 * not carry it.
 */
export async function openRedisLink(address: RedisAddress, onError: (text: string) => void): Promise<RedisLink> {
  const { createClient, RESP_TYPES } = await import("@redis/client");
  const { host, port, username, password, database, tls } = address;
  const client = createClient({
    socket: {
      host,
      port,
      ...(tls === true && { tls: true as const }),
      connectTimeout: CONNECT_WITHIN_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (retries: number) => Math.min(LONGEST_RETRY_MS, 50 * 2 ** Math.min(retries, 10)),
    },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    // What cannot be sent now is worth nothing later.
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_COMMANDS,
    pingInterval: PING_MS,
    RESP: 2,
  });
  client.on("error", (error: unknown) => onError(error instanceof Error ? error.message || error.name : String(error)));
  const binary = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  client.connect().catch((error: unknown) => onError(error instanceof Error ? error.message : String(error)));
  return {
    get connected() {
      return client.isReady;
    },
    get: async (key) => (await binary.get(key)) ?? undefined,
    set: async (key, value, ttlMs) => {
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      await client.set(key, bytes, ttlMs > 0 ? { expiration: { type: "PX", value: ttlMs } } : {});
    },
    close: () => client.destroy(),
  };
}
