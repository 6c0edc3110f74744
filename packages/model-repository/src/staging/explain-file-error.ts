import { NereidError } from "@nereid/errors";

const TEXTS: Readonly<Record<string, { readonly problem: string; readonly fix: string }>> = {
  EROFS: {
    problem: "the model repository is read-only",
    fix: "mount the model repository writable and restart the server",
  },
  EACCES: {
    problem: "the server may not write to the model repository",
    fix: "give the user that runs the server write permission on the model repository",
  },
  EPERM: {
    problem: "the server may not write to the model repository",
    fix: "give the user that runs the server write permission on the model repository",
  },
  ENOSPC: { problem: "the disk of the model repository is full", fix: "free disk space and try again" },
  EDQUOT: {
    problem: "the disk quota of the model repository is used up",
    fix: "raise the quota or free space and try again",
  },
  EXDEV: {
    problem: "the model's directory lies on another file system than its repository",
    fix: "move the model's directory into the repository instead of linking or mounting it there",
  },
};

/** The `code` of a system error; empty for anything else. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** A file-system failure as a NereidError: UNAVAILABLE with its fix where the operator can do something, else INTERNAL. */
export function explainFileError(error: unknown, action: string): NereidError {
  if (error instanceof NereidError) return error;
  const code = systemCode(error);
  const known = TEXTS[code];
  if (known !== undefined) {
    return new NereidError("UNAVAILABLE", `cannot ${action}: ${known.problem}; ${known.fix}`, {
      fix: known.fix,
      details: { reason: code },
      cause: error,
    });
  }
  const why = error instanceof Error ? error.message : String(error);
  return new NereidError("INTERNAL", `cannot ${action}: ${why}`, { cause: error });
}
