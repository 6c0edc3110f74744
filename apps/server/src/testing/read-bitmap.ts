/** A picture of a plain PBM file (P4, one bit a pixel, 1 = black) as rows x columns x 3 bytes. */
export function readBitmap(file: Buffer): { width: number; height: number; pixels: Uint8Array } {
  const [, width = "", height = ""] = /^P4\s+(\d+)\s+(\d+)\s/.exec(file.toString("latin1", 0, 64)) ?? [];
  const [columns, rows] = [Number(width), Number(height)];
  const stride = Math.ceil(columns / 8);
  const bits = file.subarray(file.length - stride * rows);
  const pixels = new Uint8Array(columns * rows * 3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const black = ((bits[row * stride + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1;
      pixels.fill(black === 1 ? 0 : 255, (row * columns + column) * 3, (row * columns + column) * 3 + 3);
    }
  }
  return { width: columns, height: rows, pixels };
}
