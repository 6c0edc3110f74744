import type { ImageSettings } from "./draft.ts";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

/**
 * Which picture a shape has room for; the leading dimensions are a batch, which gets the same picture again. A flat row is a square.
 * A text says why there is no room for one. Pure.
 */
export function imageSizeOf(
  shape: readonly number[],
  { order, grey }: Pick<ImageSettings, "order" | "grey">,
): ImageSize | string {
  const channels = grey ? 1 : 3;
  const last = shape.slice(-3);
  if (shape.length >= 3) {
    const [a = 0, b = 0, c = 0] = last;
    const [told, height, width] = order === "nchw" ? [a, b, c] : [c, a, b];
    if (told === channels && height > 0 && width > 0) return { width, height, channels };
    if (told === 1 || told === 3)
      return `the shape has ${told === 1 ? "one channel: choose grey" : "three channels: choose RGB"}`;
    if (shape.length === 3 && grey && b > 0 && c > 0) return { width: c, height: b, channels: 1 };
    return `there is no dimension of 1 or 3 channels where ${order.toUpperCase()} has it; choose the other order, or set the sizes`;
  }
  const row = shape.at(-1) ?? 0;
  const side = Math.sqrt(row / channels);
  if (Number.isInteger(side) && side > 0) return { width: side, height: side, channels };
  return `a row of ${row} values is no square ${grey ? "grey" : "RGB"} picture`;
}

/** Three numbers from a text of one or three; null when it is neither. Pure. */
export function threeNumbers(text: string): readonly [number, number, number] | null {
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (parts.some((one) => !Number.isFinite(one))) return null;
  const [a = 0, b = a, c = a] = parts;
  return parts.length === 1 || parts.length === 3 ? [a, b, c] : null;
}

export interface Pixels extends ImageSize {
  /** Red, green, blue, opacity of each pixel, row by row, 0 to 255. */
  readonly rgba: ArrayLike<number>;
}

/** The values of a picture in the order and scale that a model wants; a text says what is wrong with the settings. Pure. */
export function imageValues({ rgba, width, height, channels }: Pixels, settings: ImageSettings): Float64Array | string {
  const mean = threeNumbers(settings.mean);
  const std = threeNumbers(settings.std);
  if (settings.scale === "mean-std" && (mean === null || std === null))
    return "mean and deviation are one number or three";
  if (settings.scale === "mean-std" && std?.includes(0)) return "a deviation of 0 cannot be divided by";
  const scaled = (byte: number, channel: number): number => {
    if (settings.scale === "byte") return byte;
    if (settings.scale === "unit") return byte / 255;
    return (byte / 255 - (mean?.[channel] ?? 0)) / (std?.[channel] ?? 1);
  };
  const area = width * height;
  const values = new Float64Array(area * channels);
  for (let pixel = 0; pixel < area; pixel += 1) {
    const [r, g, b] = [rgba[pixel * 4] ?? 0, rgba[pixel * 4 + 1] ?? 0, rgba[pixel * 4 + 2] ?? 0];
    // Luma of ITU-R BT.601, as Pillow's grey.
    const colours = channels === 1 ? [Math.round(0.299 * r + 0.587 * g + 0.114 * b)] : [r, g, b];
    for (const [channel, byte] of colours.entries()) {
      const at = settings.order === "nchw" ? channel * area + pixel : pixel * channels + channel;
      values[at] = scaled(byte, channel);
    }
  }
  return values;
}
