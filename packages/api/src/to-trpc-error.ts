import { NereidError, toTrpcCode } from "@nereid/errors";
import { invalidInput } from "@nereid/services";
import { TRPCError } from "@trpc/server";
import { z } from "zod";

const PLAIN = "Something went wrong on our side. The details are in the server's log under this request id.";

/** Whether the words of this error were written for users. An INTERNAL error around a foreign one was not. */
function isPresentable(error: NereidError): boolean {
  return error.cause === undefined || !["INTERNAL", "UNKNOWN"].includes(error.code);
}

/** The one place where failures of services become tRPC errors. Total; foreign errors become a plain sentence. */
export function toTrpcError(thrown: unknown): TRPCError {
  // What tRPC throws for a schema's verdict has the whole verdict, as JSON, for a message.
  if (thrown instanceof TRPCError && thrown.cause instanceof z.core.$ZodError)
    return toTrpcError(invalidInput(thrown.cause.issues));
  if (
    thrown instanceof TRPCError &&
    !(thrown.cause instanceof NereidError) &&
    thrown.code !== "INTERNAL_SERVER_ERROR"
  ) {
    return thrown;
  }
  const cause = thrown instanceof TRPCError ? (thrown.cause ?? thrown) : thrown;
  const error = NereidError.from(cause);
  return new TRPCError({
    code: toTrpcCode(error.code),
    message: isPresentable(error) ? error.message : PLAIN,
    cause: error,
  });
}

/** Whether an error deserves a line in the log: ours, not the caller's. */
export function isServerFault(error: TRPCError): boolean {
  return error.code === "INTERNAL_SERVER_ERROR";
}
