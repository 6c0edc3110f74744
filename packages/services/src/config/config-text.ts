import { z } from "zod";

/** A configuration file; far above what any model needs. */
export const configText = z.string().max(512 * 1024);

/** Digest of the text that the editor started from; empty when there was no file. */
export const ifDigest = z.string().regex(/^([0-9a-f]{64})?$/, "is not a SHA-256 in hex");
