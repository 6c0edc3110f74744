const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** Bytes in binary units; an en dash for nothing. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return "–";
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 99.95 ? value.toFixed(0) : value.toFixed(1)} ${UNITS[power] ?? ""}`;
}
