/** What a figure was before, beside what it is now: "was 12 in the 5 min before"; empty when there is nothing to say. */
export function comparedTo(
  { now, previous }: { readonly now: number | null; readonly previous: number | null },
  format: (value: number) => string,
  window: string,
): string {
  if (previous === null) return `nothing in the ${window} before`;
  if (now === null) return `was ${format(previous)} in the ${window} before`;
  if (previous === 0) return now === 0 ? "as before" : `was 0 in the ${window} before`;
  const change = (now - previous) / previous;
  if (Math.abs(change) < 0.01) return `as in the ${window} before`;
  const percent =
    Math.abs(change) >= 10
      ? `${Math.round(Math.abs(change) + (change > 0 ? 1 : 0))} ×`
      : `${Math.round(Math.abs(change) * 100)} %`;
  if (Math.abs(change) >= 10) return `${percent} the ${window} before`;
  return `${percent} ${change > 0 ? "more" : "less"} than the ${window} before`;
}
