export interface SparklineSize {
  readonly width: number;
  readonly height: number;
}

/**
 * SVG path of a sparkline from 0 to its largest value; null breaks the line, and a value without neighbours is a point (a line
 * of no length, for round caps). Empty when there is nothing to draw.
 */
export function prepareSparkline(values: readonly (number | null)[], { width, height }: SparklineSize): string {
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  if (largest === 0 || values.length < 2) return "";
  const step = width / (values.length - 1);
  let pen = "M";
  const parts: string[] = [];
  values.forEach((value, i) => {
    if (value === null) {
      pen = "M";
      return;
    }
    parts.push(`${pen}${(i * step).toFixed(1)} ${(height - (value / largest) * height).toFixed(1)}`);
    const lonely = pen === "M" && (values[i + 1] ?? null) === null;
    if (lonely) parts.push("h0");
    pen = "L";
  });
  return parts.join("");
}
