import { NereidError } from "@nereid/errors";
import { STAGING_DIRECTORY } from "./staging/staging-paths.ts";

const LONGEST = 255;

/** Refuses names that could leave the repository or that no directory can have (INVALID_ARGUMENT, Triton's texts where it has one). */
export function assertModelName(name: string): void {
  if (name === "")
    throw new NereidError("INVALID_ARGUMENT", "Model name cannot be empty. Please enter a valid name to deploy.");
  if (name.includes("/") || name.includes("\\") || name === "." || name.includes("..")) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `invalid model name '${name}', model name must not contain path traversal characters`,
    );
  }
  if (name === STAGING_DIRECTORY)
    throw new NereidError("INVALID_ARGUMENT", `invalid model name '${name}', it is the server's own directory`);
  if (name.includes("\0") || Buffer.byteLength(name) > LONGEST) {
    throw new NereidError("INVALID_ARGUMENT", `invalid model name: it must be at most ${LONGEST} bytes without NUL`);
  }
}
