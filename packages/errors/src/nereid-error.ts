import type { ErrorCode } from "./error-code.ts";

/** Shared by every copy of this file that a bundler makes. */
const BRAND = Symbol.for("nereid.error");

export interface NereidErrorOptions {
  /** What the caller can do about it, in the imperative: "set max_batch_size to 0". */
  readonly fix?: string;
  /** Machine-readable context: model, version, line … Never secrets, never internal paths of shared memory. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** When it is worth trying again, in milliseconds from now; HTTP says it as Retry-After, gRPC as retry info. */
  readonly retryAfterMs?: number;
}

/** The one error class of the product. Callers branch on `code`, never on the message. */
export class NereidError extends Error {
  readonly code: ErrorCode;
  readonly fix: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number | undefined;
  readonly [BRAND] = true;

  /** `instanceof` by brand: a bundle may hold this class more than once. Subclasses keep the ordinary check. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== NereidError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && BRAND in value;
  }

  constructor(code: ErrorCode, message: string, options: NereidErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "NereidError";
    this.code = code;
    this.fix = options.fix;
    this.details = options.details ?? {};
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Total: whatever was thrown becomes a NereidError; foreign errors become INTERNAL with the original as cause. */
  static from(thrown: unknown): NereidError {
    if (thrown instanceof NereidError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new NereidError("INTERNAL", message, { cause: thrown });
  }
}
