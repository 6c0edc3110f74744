/** A double as C's `%f` prints it: six decimals, ties to even, `nan`, `inf`. */
export function formatFixed6(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  // toFixed answers with an exponent from here on; doubles this large are whole numbers.
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.000000`;
  if (isTie(value)) {
    const cut = value.toFixed(7).slice(0, -1);
    if (Number(cut.at(-1)) % 2 === 0) return cut;
  }
  const text = value.toFixed(6);
  return Object.is(value, -0) ? `-${text}` : text;
}

/** Whether a value lies exactly between two texts of six decimals: only odd multiples of 1/128 do. */
function isTie(value: number): boolean {
  const multiple = value * 128;
  return Number.isInteger(multiple) && multiple % 2 !== 0;
}
