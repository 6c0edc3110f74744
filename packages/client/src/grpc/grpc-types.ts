import type { NereidError } from "@nereid/errors";
import type { InferResponse } from "@nereid/protocol";
import type { CallOptions, InferOptions } from "../client-types.ts";

export interface GrpcTls {
  /** Certificates that servers are checked against, PEM; default: those of the system. */
  readonly root?: string | Uint8Array;
  /** The client's own certificate and key, PEM, where the server asks for one. */
  readonly certificate?: string | Uint8Array;
  readonly key?: string | Uint8Array;
  /** Name to find in the server's certificate when it is not that of the address. */
  readonly serverName?: string;
}

export interface GrpcClientOptions {
  /** `host:port` of the gRPC port. */
  readonly address: string;
  /** Set = TLS. */
  readonly tls?: GrpcTls;
  /** Sent as `authorization: Bearer …` on every call. */
  readonly apiKey?: string;
  /** Further metadata of every call (e.g. the key of a restricted protocol); names in lower case. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Milliseconds for a call, which the server is told too; 0 = no limit; default 30 000. */
  readonly timeoutMs?: number;
  /** Bytes of the largest message either way; default 2^31 - 1. */
  readonly maxMessageBytes?: number;
  /** How often a call whose connection was refused is tried again, with a growing pause. Default 0. */
  readonly retries?: number;
  /** Milliseconds without traffic after which a ping asks whether the server is there; 0 = never (default). */
  readonly keepaliveMs?: number;
}

export interface GrpcInferOptions extends Omit<InferOptions, "headers" | "onHeaders"> {
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface StreamInferOptions extends CallOptions {
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface StreamRequestOptions {
  /** Model version, digits; absent = the server's choice. */
  readonly version?: string;
  /** Ask a decoupled model for an answer that only says that it was the last. */
  readonly emptyFinalResponse?: boolean;
}

/** One message of a stream: the answer to the request of its id, or, with `error`, its failure. */
export interface StreamAnswer {
  /** Of a failure only what the server says of its request. */
  readonly response: InferResponse;
  readonly error?: NereidError;
  /** Whether it is the last of its request; undefined for what failed before it was issued. */
  readonly final: boolean | undefined;
}
