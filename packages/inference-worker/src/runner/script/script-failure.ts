import { pathToFileURL } from "node:url";
import { isNativeError } from "node:util/types";

/** What is told of something a script threw: name and text of the error, then where in the model's files it came from. */
export function describeThrown(thrown: unknown, directory: string): string {
  if (!isNativeError(thrown)) return String(thrown);
  const frame = frameInside(thrown, directory);
  return `${thrown.name}: ${thrown.message}${frame === undefined ? "" : `\n${frame}`}`;
}

/** The innermost line of an error's stack in a file below `directory`, with the file's path from there. */
export function frameInside(error: Error, directory: string): string | undefined {
  const base = directory.endsWith("/") ? directory : `${directory}/`;
  const places = [pathToFileURL(base).href, base];
  for (const line of error.stack?.split("\n") ?? []) {
    const place = places.find((candidate) => line.includes(candidate));
    // A syntax error's stack begins with the place alone.
    if (place !== undefined)
      return line
        .trim()
        .replace(/^(?!at )/, "at ")
        .replace(place, "");
  }
  return undefined;
}
