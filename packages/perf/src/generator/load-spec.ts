import type { InferInput, ParameterValue, RequestedOutput } from "@nereid/protocol";
import type { ArrivalPlan, ArrivalShare } from "../load/arrivals.ts";

/** Where requests go and in which form. */
export interface LoadTarget {
  readonly protocol: "http" | "grpc";
  readonly host: string;
  readonly port: number;
  readonly model: string;
  /** Empty = the server's choice. */
  readonly version: string;
  /** One gRPC stream for each request in flight; server-sent events over HTTP. */
  readonly streaming: boolean;
  /** Whether a request may have any number of answers. */
  readonly decoupled: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly jsonInput: boolean;
  readonly jsonOutput: boolean;
  readonly compression: "none" | "gzip" | "deflate";
}

/** A request as it is to be sent: tensors, or the body of a POST to a path. */
export type RequestStep =
  | { readonly kind: "tensors"; readonly inputs: readonly InferInput[] }
  | { readonly kind: "body"; readonly path: string; readonly body: string };

export interface SequencePlan {
  /** Requests of a sequence; undefined = as many as its stream has steps. */
  readonly length: number | undefined;
  /** Share of the length by which it varies, e.g. 0.2. */
  readonly variation: number;
  readonly firstId: number;
  /** Excluded; undefined = no end. */
  readonly endId: number | undefined;
  /** Sequences at a time in an open loop; a closed loop has as many as requests in flight. */
  readonly concurrent: number;
}

export type LoadShape =
  | { readonly kind: "closed"; readonly concurrency: number }
  | { readonly kind: "open"; readonly arrivals: ArrivalPlan };

/** All that a process needs to make its share of a load. */
export interface LoadSpec {
  readonly target: LoadTarget;
  readonly streams: readonly (readonly RequestStep[])[];
  readonly outputs: readonly RequestedOutput[];
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly sequences: SequencePlan | undefined;
  readonly shape: LoadShape;
  readonly share: ArrivalShare;
  readonly seed: number;
  /** Requests to send in all; undefined = until it is stopped. */
  readonly total: number | undefined;
}

/** The part of a whole that is one process's; the parts add up. Pure. */
export function shareOf(whole: number, { index, of }: ArrivalShare): number {
  return Math.floor(whole / of) + (index < whole % of ? 1 : 0);
}

/** As addresses are written: IPv6 in brackets. Pure. */
export function hostAndPort({ host, port }: Pick<LoadTarget, "host" | "port">): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
