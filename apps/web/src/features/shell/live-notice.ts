import type { NodeConnection } from "@nereid/services";

export interface LiveFacts {
  /** Of the stream between browser and dashboard. */
  readonly stream: "idle" | "connecting" | "pending" | "error";
  /** Whether the stream has worked before on this page. */
  readonly hadData: boolean;
  /** Of the stream between dashboard and data plane, as last told. */
  readonly connection: NodeConnection | undefined;
  /** Code of the error with which the stream ended for good. */
  readonly errorCode: string | undefined;
}

export type LiveNotice =
  | { readonly kind: "none" }
  | { readonly kind: "data-plane-down"; readonly sinceMs: number }
  | { readonly kind: "reconnecting" }
  | { readonly kind: "ended"; readonly signedOut: boolean };

/** What to say about figures that are not live. The nearest broken link is named first. */
export function liveNotice({ stream, hadData, connection, errorCode }: LiveFacts): LiveNotice {
  if (stream === "error") return { kind: "ended", signedOut: errorCode === "UNAUTHORIZED" };
  if (stream === "connecting" && hadData) return { kind: "reconnecting" };
  if (connection?.state === "down") return { kind: "data-plane-down", sinceMs: connection.since };
  return { kind: "none" };
}
