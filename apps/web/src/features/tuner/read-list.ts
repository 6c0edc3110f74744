/** What stands for "as the model is configured" in a list of values. */
const AS_IS = "–";

/**
 * "1, 2, 4-16" as whole numbers, each once and ascending: a range goes on by doubling. Null where it is no such list, has numbers outside, or
 * more than `most`.
 */
export function readList(
  text: string,
  { least, largest, most = 20 }: { readonly least: number; readonly largest: number; readonly most?: number },
): number[] | null {
  const values = new Set<number>();
  for (const part of partsOf(text)) {
    const range = /^(\d{1,9})-(\d{1,9})$/.exec(part);
    const [from, to] = range === null ? [part, part] : [range[1] ?? "", range[2] ?? ""];
    if (!/^\d{1,9}$/.test(from) || Number(from) > Number(to)) return null;
    for (let value = Number(from); value <= Number(to); value = Math.max(1, 2 * value)) {
      values.add(value);
      if (values.size > most) return null;
    }
  }
  const list = [...values].sort((a, b) => a - b);
  return list.length > 0 && list.every((value) => value >= least && value <= largest) ? list : null;
}

/** The same, where "–" stands for what the model has. */
export function readListOr(
  text: string,
  bounds: { readonly least: number; readonly largest: number },
): (number | null)[] | null {
  const parts = partsOf(text);
  const own = parts.filter(isOwn);
  const others = parts.filter((part) => !isOwn(part)).join(",");
  const numbers = others === "" ? [] : readList(others, bounds);
  if (numbers === null || numbers.length + own.length === 0) return null;
  return own.length > 0 ? [null, ...numbers] : numbers;
}

function isOwn(part: string): boolean {
  return part === AS_IS || part === "-";
}

function partsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== "");
}
