/** Powers of ten a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const LAST_POWER = 22;

/**
 * `mantissa * 10^scale`, correctly rounded, when both operands are exact doubles (Clinger's fast path); undefined when
 * the digits have to be converted the slow way.
 */
export function exactDecimal(mantissa: number, scale: number): number | undefined {
  if (mantissa > Number.MAX_SAFE_INTEGER || scale > LAST_POWER || scale < -LAST_POWER) return undefined;
  if (scale === 0) return mantissa;
  return scale < 0 ? mantissa / (POWERS[-scale] as number) : mantissa * (POWERS[scale] as number);
}
