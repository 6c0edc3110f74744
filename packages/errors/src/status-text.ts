import type { ErrorCode } from "./error-code.ts";

/**
 * Name of an error class as Triton prints it in load failures and in the repository index ("Invalid argument: …").
 * Classes Triton does not have print as its nearest one.
 */
export function statusText(code: ErrorCode): string {
  switch (code) {
    case "INVALID_ARGUMENT":
    case "PAYLOAD_TOO_LARGE":
    case "METHOD_NOT_ALLOWED":
      return "Invalid argument";
    case "NOT_FOUND":
      return "Not found";
    case "ALREADY_EXISTS":
    case "CONFLICT":
      return "Already exists";
    case "UNAVAILABLE":
    case "TOO_MANY_REQUESTS":
    case "UNAUTHENTICATED":
    case "FORBIDDEN":
      return "Unavailable";
    case "UNSUPPORTED":
      return "Unsupported";
    case "INTERNAL":
      return "Internal";
    case "UNKNOWN":
      return "Unknown";
    case "CANCELLED":
      return "<invalid code>";
  }
}
