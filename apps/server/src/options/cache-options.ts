import { NereidError } from "@nereid/errors";
import type { CacheOptions } from "@nereid/inference-worker";
import { bad, type GivenFlags } from "./given-flags.ts";
import type { OptionNotice } from "./server-options.ts";

const FLAG = "cache-config";
const FORM = "<cache name>,<setting>=<value>, such as local,size=104857600 or redis,host=127.0.0.1";
const SETTINGS: Readonly<Record<CacheOptions["kind"], readonly string[]>> = {
  local: ["size"],
  redis: ["host", "port", "user", "username", "password", "db", "tls", "ttl", "timeout_ms", "prefix"],
};
/** Of Triton's Redis cache, about the pool of connections that this server does not need. */
const WITHOUT_EFFECT = ["num_connections", "connection_timeout", "wait_timeout", "socket_timeout"];
const DEFAULT_PORT = 6379;
const DEFAULT_TIMEOUT_MS = 50;
const DEFAULT_PREFIX = "nereid:";
const LONGEST_TTL_SECS = 10 * 365 * 86_400;

type Settings = ReadonlyMap<string, string>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `--cache-config`, or the deprecated `--response-cache-byte-size`. Undefined without a cache, which a size of 0 also means. User and
 * password of a Redis may stand in TRITONCACHE_REDIS_USERNAME and TRITONCACHE_REDIS_PASSWORD. INVALID_ARGUMENT for what is no setting.
 */
export function parseCacheOptions(
  given: GivenFlags,
  env: Environment,
): { readonly cache: CacheOptions | undefined; readonly notices: readonly OptionNotice[] } {
  const old = given.whole("response-cache-byte-size", { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (old !== undefined && given.has(FLAG)) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      "Error: Incompatible flags --response-cache-byte-size and --cache-config both provided. Please provide one or the other.",
    );
  }
  if (old !== undefined) return { cache: local(old), notices: [] };
  if (!given.has(FLAG)) return { cache: undefined, notices: [] };
  const { kind, settings } = collect(given.all(FLAG));
  const notices = WITHOUT_EFFECT.filter((key) => settings.has(key)).map((key) => ({
    option: `--${FLAG}`,
    text: `no effect: ${key}; one connection carries all look-ups here`,
  }));
  if (kind === "redis") return { cache: redis(settings, env), notices };
  const size = number(settings, "size", { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (size === undefined) throw bad(FLAG, 'expected local,size=<bytes>; the cache "local" needs a size');
  return { cache: local(size), notices };
}

function collect(texts: readonly string[]): { readonly kind: CacheOptions["kind"]; readonly settings: Settings } {
  const settings = new Map<string, string>();
  let kind: CacheOptions["kind"] | undefined;
  for (const text of texts) {
    const [, name = "", key = "", value = ""] = /^([^,=]+),([^,=]+)=([\s\S]+)$/.exec(text) ?? [];
    if (name === "") throw bad(FLAG, `expected ${FORM}, got "${text}"`);
    if (name !== "local" && name !== "redis")
      throw bad(FLAG, `expected the cache local or redis, got "${name}" in "${text}"`);
    if (kind !== undefined && kind !== name) {
      throw bad(FLAG, `only one cache implementation may be configured, but both "${kind}" and "${name}" are given`);
    }
    kind = name;
    if (!SETTINGS[kind].includes(key) && !(kind === "redis" && WITHOUT_EFFECT.includes(key)))
      throw bad(FLAG, `expected a setting of "${kind}" (${SETTINGS[kind].join(", ")}), got "${text}"`);
    settings.set(key, value);
  }
  if (kind === undefined) throw bad(FLAG, `expected ${FORM}`);
  return { kind, settings };
}

function local(sizeBytes: number): CacheOptions | undefined {
  return sizeBytes === 0 ? undefined : { kind: "local", sizeBytes };
}

function redis(settings: Settings, env: Environment): CacheOptions {
  const host = settings.get("host");
  if (host === undefined) throw bad(FLAG, 'expected redis,host=<host>; the cache "redis" needs a host');
  return {
    kind: "redis",
    address: {
      host,
      port: number(settings, "port", { min: 1, max: 65_535 }) ?? DEFAULT_PORT,
      username: settings.get("username") ?? settings.get("user") ?? env["TRITONCACHE_REDIS_USERNAME"],
      password: settings.get("password") ?? env["TRITONCACHE_REDIS_PASSWORD"],
      database: number(settings, "db", { min: 0, max: 1_000_000 }),
      tls: flag(settings, "tls"),
    },
    prefix: settings.get("prefix") ?? DEFAULT_PREFIX,
    ttlMs: 1000 * (number(settings, "ttl", { min: 0, max: LONGEST_TTL_SECS }) ?? 0),
    timeoutMs: number(settings, "timeout_ms", { min: 1, max: 60_000 }) ?? DEFAULT_TIMEOUT_MS,
  };
}

function number(settings: Settings, key: string, range: { min: number; max: number }): number | undefined {
  const text = settings.get(key);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= range.min && value <= range.max) return value;
  throw bad(FLAG, `expected a whole number from ${range.min} to ${range.max} for ${key}, got "${text}"`);
}

function flag(settings: Settings, key: string): boolean {
  const text = settings.get(key)?.toLowerCase() ?? "false";
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw bad(FLAG, `expected true or false for ${key}, got "${text}"`);
}
