/** One step of a field path: a name, with an element index or a map key where one is chosen. */
export interface PathSegment {
  readonly name: string;
  readonly index: number | undefined;
  readonly key: string | undefined;
}

const SEGMENT = /(?:^|\.)([A-Za-z_][A-Za-z0-9_]*)(?:\[(?:([0-9]+)|("(?:[^"\\]|\\.)*"))\])?/y;

/** Splits `input[0].dims` or `parameters["key"].string_value`; undefined when the path is not well formed. */
export function parsePath(path: string): PathSegment[] | undefined {
  const segments: PathSegment[] = [];
  let at = 0;
  while (at < path.length) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(path);
    if (match === null) return undefined;
    const [whole, name, index, key] = match;
    const decoded = key === undefined ? undefined : decodeKey(key);
    if (key !== undefined && decoded === undefined) return undefined;
    segments.push({ name: name ?? "", index: index === undefined ? undefined : Number(index), key: decoded });
    at += whole.length;
  }
  return segments.length === 0 ? undefined : segments;
}

function decodeKey(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal));
  } catch {
    return undefined;
  }
}

/** The path without its last step; the empty string above the top level. */
export function parentPath(path: string): string {
  const shorter = path.replace(/(?:\.[A-Za-z0-9_]+|\[(?:[0-9]+|"(?:[^"\\]|\\.)*")\])$/, "");
  return shorter === path ? "" : shorter;
}
