import { statSync } from "node:fs";
import { NereidError } from "@nereid/errors";
import { envName, type UpOptions } from "./up-options.ts";

/** INVALID_ARGUMENT when a path cannot be what its option means; nothing is created. */
export function checkDirectories({ modelRepositories, stateDirectory }: UpOptions): void {
  for (const path of modelRepositories) {
    const what = kindOf(path);
    if (what !== "directory") {
      throw bad("model-repository", `${path} ${what === undefined ? "does not exist" : "is not a directory"}`);
    }
  }
  if (kindOf(stateDirectory) === "other") throw bad("state-dir", `${stateDirectory} is not a directory`);
}

function kindOf(path: string): "directory" | "other" | undefined {
  try {
    return statSync(path).isDirectory() ? "directory" : "other";
  } catch (error) {
    // A file where a directory of the path should be.
    return error instanceof Error && "code" in error && error.code === "ENOTDIR" ? "other" : undefined;
  }
}

function bad(option: string, text: string): NereidError {
  return new NereidError(
    "INVALID_ARGUMENT",
    `--${option}: ${text}; choose another with --${option}=<directory> or ${envName(option)}=<directory>`,
  );
}
