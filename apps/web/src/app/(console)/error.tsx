"use client";

import { Button, Message } from "@nereid/ui";

export default function ConsoleError({
  error,
  reset,
}: {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}) {
  return (
    <Message
      kind="error"
      page
      title="This page could not be drawn"
      action={
        <Button tone="primary" onClick={reset}>
          Try again
        </Button>
      }
    >
      Inference is not affected.{" "}
      {error.digest === undefined ? null : `The server's log has the details under ${error.digest}.`}
    </Message>
  );
}
