import { inUnit, sizeText, unitOf } from "./size-text.ts";

/** `mnist.onnx  ████████░░░░  66 %  12.4 of 18.8 MB  8.1 MB/s  1 s left`. Pure. */
export function progressLine(progress: {
  readonly name: string;
  readonly sent: number;
  readonly total: number;
  readonly seconds: number;
}): string {
  const { name, sent, total, seconds } = progress;
  const share = total === 0 ? 1 : sent / total;
  const filled = Math.round(share * WIDTH);
  const speed = seconds > 0 ? sent / seconds : 0;
  const left = speed > 0 && sent < total ? `${Math.ceil((total - sent) / speed)} s left` : "";
  const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  const unit = unitOf(total);
  return [name, bar, percent, `${inUnit(sent, unit)} of ${inUnit(total, unit)} ${unit}`, `${sizeText(speed)}/s`, left]
    .join("  ")
    .trimEnd();
}

const WIDTH = 24;
