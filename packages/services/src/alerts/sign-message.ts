import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Signature of a message: hex HMAC-SHA256 of `<timestamp>.<body>` with the channel's secret. The time is signed too, so that a message that
 * was overheard cannot be sent again later.
 */
export function signMessage(
  secret: string,
  { timestamp, body }: { readonly timestamp: string; readonly body: string },
): string {
  return createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
}

/** Whether a signature is the one that it should be; takes the same time either way. */
export function isSignedWith(
  secret: string,
  message: { readonly timestamp: string; readonly body: string; readonly signature: string },
): boolean {
  const expected = Buffer.from(signMessage(secret, message), "hex");
  const given = Buffer.from(message.signature, "hex");
  return given.length === expected.length && timingSafeEqual(expected, given);
}
