/** The most cores a kernel mask of ours holds. */
export const MOST_CORES = 1024;

/** `0-3,8`: numbers and ranges, both ends included, ascending and each once. Undefined for another text. */
export function parseCoreList(text: string): readonly number[] | undefined {
  const cores = new Set<number>();
  for (const part of text.trim().split(",")) {
    const match = /^\s*(\d{1,4})(?:-(\d{1,4}))?\s*$/.exec(part);
    if (match === null) return undefined;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last < first || last >= MOST_CORES) return undefined;
    for (let core = first; core <= last; core++) cores.add(core);
  }
  return [...cores].sort((a, b) => a - b);
}

/** The reverse, as short as it can be: `0-3,8`. */
export function coreListText(cores: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const core of [...cores].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && core === last[1] + 1) last[1] = core;
    else ranges.push([core, core]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}
