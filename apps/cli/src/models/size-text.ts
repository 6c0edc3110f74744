const UNITS = ["B", "KB", "MB", "GB"] as const;

export type SizeUnit = (typeof UNITS)[number];

/** The largest unit, in powers of 1000, of which there is at least one. Pure. */
export function unitOf(bytes: number): SizeUnit {
  if (bytes >= 1e9) return "GB";
  if (bytes >= 1e6) return "MB";
  return bytes >= 1e3 ? "KB" : "B";
}

/** Bytes in a unit, without its name: whole bytes, else one digit behind the point. Pure. */
export function inUnit(bytes: number, unit: SizeUnit): string {
  return unit === "B" ? String(Math.round(bytes)) : (bytes / 1000 ** UNITS.indexOf(unit)).toFixed(1);
}

/** `980 B`, `1.2 KB`, `18.8 MB`, `2.1 GB`. Pure. */
export function sizeText(bytes: number): string {
  const unit = unitOf(bytes);
  return `${inUnit(bytes, unit)} ${unit}`;
}
