"use client";

/** Last resort, when the frame itself fails; therefore without any part of it. */
export default function GlobalError({
  error,
  reset,
}: {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}) {
  return (
    <html lang="en">
      <body style={{ fontFamily: "system-ui, sans-serif", padding: "3rem" }}>
        <h1>The dashboard failed to draw this page</h1>
        <p>Inference is not affected. Reference: {error.digest ?? "none"}</p>
        <button type="button" onClick={reset}>
          Try again
        </button>
      </body>
    </html>
  );
}
