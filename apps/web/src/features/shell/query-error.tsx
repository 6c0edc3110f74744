"use client";

import { Button, Message } from "@nereid/ui";
import { shownError } from "../../lib/api-error.ts";

const TITLES: Readonly<Record<string, string>> = {
  SERVICE_UNAVAILABLE: "The data plane does not answer",
  FORBIDDEN: "You may not see this",
  NOT_FOUND: "It does not exist",
  UNAUTHORIZED: "You are signed out",
  NOT_IMPLEMENTED: "Not available on this node",
  OFFLINE: "No connection to the dashboard",
};

export interface QueryErrorProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly retrying: boolean;
}

/** Stands in for one widget whose data could not be had; the rest of the page goes on. */
export function QueryError({ error, onRetry, retrying }: QueryErrorProps) {
  const { code, message, fix, requestId } = shownError(error);
  return (
    <Message
      kind={code === "FORBIDDEN" ? "forbidden" : code === "NOT_IMPLEMENTED" ? "missing" : "error"}
      title={TITLES[code] ?? "This could not be loaded"}
      action={
        // What a node cannot do it cannot do the second time either.
        code === "NOT_IMPLEMENTED" ? undefined : (
          <Button busy={retrying} onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      <p className="[overflow-wrap:anywhere]">{message}</p>
      {fix === null ? null : <p>Try this: {fix}.</p>}
      {code === "INTERNAL_SERVER_ERROR" && requestId !== null ? (
        <p className="font-mono text-[0.786rem]">{requestId}</p>
      ) : null}
    </Message>
  );
}
