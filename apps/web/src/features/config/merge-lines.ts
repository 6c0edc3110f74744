import { matchLines } from "@nereid/model-config";

/** Three texts as lines: the common origin, and what two people made of it. */
export interface ThreeTexts {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export interface MergedText {
  readonly text: string;
  /** Places where both changed the same lines to different ones; they are marked in the text. */
  readonly conflicts: number;
}

/** Marker lines. None of them can be read as a config, so a text with conflicts cannot be applied by accident. */
export const MARKERS = { mine: "<<<<<<< yours", middle: "=======", theirs: ">>>>>>> theirs" } as const;

/**
 * Takes over both changes where they concern different lines, once where they are equal, and marks the places where they
 * contradict each other.
 */
export function mergeLines({ base, mine, theirs }: ThreeTexts): MergedText {
  const origin = base.split("\n");
  const left = mine.split("\n");
  const right = theirs.split("\n");
  const out: string[] = [];
  let conflicts = 0;
  for (const chunk of chunksOf(origin, left, right)) {
    const [old, my, their] = [chunk.base, chunk.mine, chunk.theirs];
    if (equal(my, their) || equal(old, their)) out.push(...my);
    else if (equal(old, my)) out.push(...their);
    else {
      conflicts += 1;
      out.push(MARKERS.mine, ...my, MARKERS.middle, ...their, MARKERS.theirs);
    }
  }
  return { text: out.join("\n"), conflicts };
}

/** Whether a text still has a marker of a conflict. */
export function hasConflictMarkers(text: string): boolean {
  const lines = new Set(text.split("\n"));
  return Object.values(MARKERS).some((marker) => lines.has(marker));
}

interface Chunk {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** The texts cut at the lines that all three share, in order. */
function chunksOf(base: readonly string[], mine: readonly string[], theirs: readonly string[]): Chunk[] {
  const toMine = matchLines(base, mine);
  const toTheirs = matchLines(base, theirs);
  const chunks: Chunk[] = [];
  let at = { base: 0, mine: 0, theirs: 0 };
  for (let line = 0; line <= base.length; line += 1) {
    const my = line === base.length ? mine.length : toMine.get(line);
    const their = line === base.length ? theirs.length : toTheirs.get(line);
    if (my === undefined || their === undefined) continue;
    if (line > at.base || my > at.mine || their > at.theirs) {
      chunks.push({
        base: base.slice(at.base, line),
        mine: mine.slice(at.mine, my),
        theirs: theirs.slice(at.theirs, their),
      });
    }
    const shared = base.slice(line, line + 1);
    if (shared.length > 0) chunks.push({ base: shared, mine: shared, theirs: shared });
    at = { base: line + 1, mine: my + 1, theirs: their + 1 };
  }
  return chunks;
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
