/** Points that Page Up and Page Down go over. */
const PAGE = 10;

/**
 * Where a key takes a cursor among ascending moments; from nowhere every arrow begins at the newest. Null takes the cursor away,
 * undefined says that the key is not one of the cursor's.
 */
export function movedCursor(
  times: readonly number[],
  cursor: number | undefined,
  key: string,
): number | null | undefined {
  const last = times.length - 1;
  const place = cursor === undefined ? undefined : times.indexOf(cursor);
  const by = (step: number) => times[place === undefined ? last : Math.min(last, Math.max(0, place + step))];
  switch (key) {
    case "ArrowLeft":
      return by(-1);
    case "ArrowRight":
      return by(1);
    case "PageUp":
      return by(-PAGE);
    case "PageDown":
      return by(PAGE);
    case "Home":
      return times[0];
    case "End":
      return times[last];
    case "Escape":
      return cursor === undefined ? undefined : null;
    default:
      return undefined;
  }
}
