import type { ChosenFile, InputDraft } from "./draft.ts";
import { toBase64 } from "./number-bytes.ts";

/** Larger pictures are made smaller while they are decoded. */
const MOST_SIDE = 1024;

/** What a chosen file holds for this kind of input. Rejects with words for people when it cannot be read. */
export async function readChosenFile(
  file: File,
  { kind, rate }: Pick<InputDraft, "kind" | "rate">,
): Promise<ChosenFile> {
  if (kind === "image") return readPicture(file);
  if (kind === "audio") return readSound(file, rate);
  return { name: file.name, base64: toBase64(new Uint8Array(await file.arrayBuffer())) };
}

async function readPicture(file: File): Promise<ChosenFile> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name} is no picture that this browser can read`);
  });
  const shrink = Math.min(1, MOST_SIDE / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * shrink));
  const height = Math.max(1, Math.round(bitmap.height * shrink));
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser cannot decode pictures");
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { name: file.name, base64: toBase64(new Uint8Array(data.buffer)), width, height };
}

/** One channel, the mean of all, at so many samples a second. */
async function readSound(file: File, rate: number): Promise<ChosenFile> {
  const decoder = new OfflineAudioContext(1, 1, rate);
  const sound = await decoder.decodeAudioData(await file.arrayBuffer()).catch(() => {
    throw new Error(`${file.name} is no sound that this browser can read`);
  });
  const mono = new Float32Array(sound.length);
  for (let channel = 0; channel < sound.numberOfChannels; channel += 1) {
    for (const [index, value] of sound.getChannelData(channel).entries()) {
      mono[index] = (mono[index] ?? 0) + value / sound.numberOfChannels;
    }
  }
  return { name: file.name, base64: toBase64(new Uint8Array(mono.buffer)) };
}
