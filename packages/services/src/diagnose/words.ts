/** Milliseconds as people read them. */
export function ms(value: number | null): string {
  if (value === null) return "not known";
  if (value < 1) return `${Math.round(value * 1000)} µs`;
  if (value < 10) return `${value.toFixed(1)} ms`;
  return value < 10_000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** A share of 1 as per cent. */
export function percent(share: number | null): string {
  if (share === null) return "not known";
  const value = share * 100;
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}

/** A plain number with at most one decimal. */
export function number(value: number | null): string {
  if (value === null) return "not known";
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
