import { NereidError } from "@nereid/errors";
import { parseForwardPattern } from "./forward-pattern.ts";
import { bad, type GivenFlags } from "./given-flags.ts";
import { parseRestrictedApis, type RestrictedApi } from "./restricted-apis.ts";
import { parseTlsOptions } from "./tls-options.ts";

/** Files in PEM; `root` set = clients must show a certificate that it signed. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
  readonly root: string | undefined;
}

export type CompressionLevel = "none" | "low" | "medium" | "high";

/** The `--grpc-*` options with Triton's defaults (grpc.md §7). */
export interface GrpcOptions {
  readonly allow: boolean;
  readonly address: string;
  readonly port: number;
  readonly tls: TlsFiles | undefined;
  readonly keepalive: {
    readonly timeMs: number;
    readonly timeoutMs: number;
    readonly permitWithoutCalls: boolean;
    readonly maxPingsWithoutData: number;
    readonly minRecvPingIntervalWithoutDataMs: number;
    readonly maxPingStrikes: number;
  };
  readonly maxConnectionAgeMs: number | undefined;
  readonly maxConnectionAgeGraceMs: number | undefined;
  readonly responseCompressionLevel: CompressionLevel;
  readonly forwardPattern: RegExp | undefined;
  /** The metadata name is `triton-grpc-protocol-<header>`. */
  readonly restrictedProtocols: readonly RestrictedApi[];
  /** Largest message either way, in bytes; Triton's is 2^31 - 1. */
  readonly maxMessageBytes: number;
}

export interface GrpcDefaults {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly httpAddress: string;
}

/** gRPC counts in 32-bit integers; its largest stands for "never". */
const INT_MAX = 2 ** 31 - 1;
const LEVELS: readonly CompressionLevel[] = ["none", "low", "medium", "high"];

/** The `--grpc-*` options; NEREID_GRPC_PORT gives the port that no option names. INVALID_ARGUMENT names the option that is wrong. */
export function parseGrpcOptions(given: GivenFlags, { env, httpAddress }: GrpcDefaults): GrpcOptions {
  const positive = (name: string) => given.whole(name, { min: 1, max: INT_MAX });
  const count = (name: string) => given.whole(name, { min: 0, max: INT_MAX });
  const restricted = "grpc-restricted-protocol";
  const pattern = "grpc-header-forward-pattern";
  return {
    allow: given.boolean("allow-grpc") ?? true,
    address: given.text("grpc-address") ?? httpAddress,
    port: given.port("grpc-port") ?? portOf(env["NEREID_GRPC_PORT"]) ?? 8001,
    tls: parseTlsOptions(given, "grpc"),
    keepalive: {
      timeMs: positive("grpc-keepalive-time") ?? 7_200_000,
      timeoutMs: positive("grpc-keepalive-timeout") ?? 20_000,
      permitWithoutCalls: given.boolean("grpc-keepalive-permit-without-calls") ?? false,
      maxPingsWithoutData: count("grpc-http2-max-pings-without-data") ?? 2,
      minRecvPingIntervalWithoutDataMs: count("grpc-http2-min-recv-ping-interval-without-data") ?? 300_000,
      maxPingStrikes: count("grpc-http2-max-ping-strikes") ?? 2,
    },
    maxConnectionAgeMs: positive("grpc-max-connection-age"),
    maxConnectionAgeGraceMs: count("grpc-max-connection-age-grace"),
    responseCompressionLevel: compressionLevel(given.text("grpc-infer-response-compression-level")),
    forwardPattern: parseForwardPattern(pattern, given.text(pattern)),
    restrictedProtocols: parseRestrictedApis(restricted, given.all(restricted)),
    maxMessageBytes: positive("grpc-max-message-bytes") ?? INT_MAX,
  };
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new NereidError("INVALID_ARGUMENT", `NEREID_GRPC_PORT must be a port number, got "${text}"`);
  return port;
}

function compressionLevel(text: string | undefined): CompressionLevel {
  const level = LEVELS.find((known) => known === (text ?? "none").toLowerCase());
  if (level !== undefined) return level;
  throw bad("grpc-infer-response-compression-level", `expected ${LEVELS.join(", ")}, got "${text}"`);
}
