import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits for a URL. */
export function generateToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What the database keeps of a token. The token has full entropy, so a plain digest is enough. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Compares in constant time. */
export function tokenMatches(token: string, hash: string): boolean {
  const given = Buffer.from(hashToken(token), "hex");
  const stored = Buffer.from(hash, "hex");
  return given.length === stored.length && timingSafeEqual(given, stored);
}
