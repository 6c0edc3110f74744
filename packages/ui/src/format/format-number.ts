/** A rate or an average: at most three digits that matter, thousands as k; an en dash for nothing. */
export function formatNumber(value: number | null): string {
  if (value === null) return "–";
  if (value >= 9_995) return `${(value / 1000).toFixed(value >= 99_950 ? 0 : 1)}k`;
  if (Number.isInteger(value)) return String(value);
  if (value >= 99.95) return value.toFixed(0);
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

/** A share 0…1 as percent; small shares that are not nothing stay visible. */
export function formatShare(share: number | null): string {
  if (share === null) return "–";
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return "<0.1 %";
  return `${percent === 0 || percent >= 9.95 ? percent.toFixed(0) : percent.toFixed(1)} %`;
}
