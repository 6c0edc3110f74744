import { TRPCClientError } from "@trpc/client";

export interface ShownError {
  readonly code: string;
  readonly message: string;
  /** What can be done about it. */
  readonly fix: string | null;
  readonly requestId: string | null;
}

const OFFLINE: ShownError = {
  code: "OFFLINE",
  message: "The dashboard did not answer.",
  fix: "check that it runs and that you are connected",
  requestId: null,
};

/** What to tell the reader of a failed call. */
export function shownError(error: unknown): ShownError {
  if (!(error instanceof TRPCClientError)) return OFFLINE;
  const data: unknown = error.data;
  if (typeof data !== "object" || data === null) return OFFLINE;
  const field = (name: string): string | null => {
    const value: unknown = Reflect.get(data, name);
    return typeof value === "string" ? value : null;
  };
  return { code: field("code") ?? "UNKNOWN", message: error.message, fix: field("fix"), requestId: field("requestId") };
}
