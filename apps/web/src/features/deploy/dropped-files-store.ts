import type { DroppedFile } from "@nereid/ui";

let waiting: readonly DroppedFile[] = [];

/** Keeps files that were dropped on another page until the deploy page asks for them. */
export function holdDroppedFiles(files: readonly DroppedFile[]): void {
  waiting = files;
}

/** The files that wait; only once. */
export function takeDroppedFiles(): readonly DroppedFile[] {
  const files = waiting;
  waiting = [];
  return files;
}
