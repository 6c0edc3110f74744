import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { NereidError } from "@nereid/errors";
import { type Entry, extract } from "tar-stream";
import { checkEntryPath, isPackerLitter, PathSet, refuseEntry } from "./check-entry-path.ts";
import { ExtractionBudget } from "./extraction-budget.ts";
import { writeEntry } from "./write-entry.ts";

/** Headers, padding and long names; the reader keeps a long name whole in memory. */
const MOST_OVERHEAD_BYTES = 32 << 20;
const BLOCK_BYTES = 512;

/** Unpacks a tar or tar.gz in one pass. */
export async function extractTar(
  file: string,
  target: string,
  { budget, gzip }: { readonly budget: ExtractionBudget; readonly gzip: boolean },
): Promise<string[]> {
  const meter = new TarMeter();
  const source = createReadStream(file, { highWaterMark: 256 * 1024 });
  const packed = meter.packed();
  const unpacked = meter.unpacked(gzip);
  const tar = extract();
  const feeding = gzip
    ? pipeline(source, packed, createGunzip(), unpacked, tar)
    : pipeline(source, packed, unpacked, tar);
  // Reading reports the failure; this promise only must not be left unhandled.
  const fed = feeding.then(
    () => undefined,
    (error: unknown) => {
      tar.destroy(error instanceof Error ? error : new Error(String(error)));
      return error;
    },
  );
  const paths: string[] = [];
  try {
    const seen = new PathSet();
    for await (const entry of tar) await take(entry, { target, seen, budget, meter, paths });
    const failure = await fed;
    if (failure !== undefined) throw failure;
    meter.checkEnd();
    return paths;
  } catch (error) {
    source.destroy();
    tar.destroy();
    // A refusal of a stream in front of the reader arrives there as a mere closing.
    throw meter.refusal ?? (error instanceof NereidError ? error : ((await fed) ?? error));
  }
}

interface Taking {
  readonly target: string;
  readonly seen: PathSet;
  readonly budget: ExtractionBudget;
  readonly meter: TarMeter;
  readonly paths: string[];
}

async function take(entry: Entry, { target, seen, budget, meter, paths }: Taking): Promise<void> {
  const { name, size = 0, type } = entry.header;
  budget.addEntry();
  const isDirectory = type === "directory";
  if (!isDirectory && type !== "file" && type !== "contiguous-file")
    throw refuseEntry(
      name,
      `is a ${type ?? "special file"}`,
      "pack plain files; pack what links point to with 'tar -h'",
    );
  if (!Number.isSafeInteger(size) || size < 0)
    throw refuseEntry(name, "has an impossible size", "pack the archive again");
  const path = checkEntryPath(name);
  if (path === "" || isPackerLitter(path)) return drain(entry, meter);
  seen.add(path, isDirectory ? "directory" : "file");
  if (isDirectory) {
    await mkdir(join(target, path), { recursive: true });
    return drain(entry, meter);
  }
  budget.addBytes(path, size);
  let written = 0;
  await writeEntry(
    () => Readable.from(entry, { objectMode: false }),
    { target, path },
    (chunk) => {
      written += chunk.byteLength;
      meter.addData(chunk.byteLength);
    },
  );
  if (written !== size) throw refuseEntry(path, `ends after ${written} of ${size} bytes`, "pack and upload it again");
  paths.push(path);
}

async function drain(entry: Entry, meter: TarMeter): Promise<void> {
  for await (const chunk of entry) meter.addData(chunk.byteLength);
}

/** Counts what goes through, to stop bombs and to see whether the end is there. */
class TarMeter {
  refusal: NereidError | undefined;
  #packed = 0;
  #unpacked = 0;
  #data = 0;
  #zerosAtEnd = 0;

  packed(): Transform {
    return this.#watch((chunk) => {
      this.#packed += chunk.byteLength;
    });
  }

  unpacked(gzip: boolean): Transform {
    return this.#watch((chunk) => {
      this.#unpacked += chunk.byteLength;
      this.#zerosAtEnd = zerosAtEnd(chunk, this.#zerosAtEnd);
      if (gzip) ExtractionBudget.checkRatio("of the archive", this.#packed, this.#unpacked);
      if (this.#unpacked - this.#data > MOST_OVERHEAD_BYTES)
        throw new NereidError("INVALID_ARGUMENT", "the archive's headers take more than 32 MiB; pack the files again");
    });
  }

  addData(byteLength: number): void {
    this.#data += byteLength;
  }

  checkEnd(): void {
    if (this.#zerosAtEnd >= BLOCK_BYTES) return;
    const fix = "pack it again and upload it again";
    throw new NereidError("INVALID_ARGUMENT", `the archive is truncated: its end mark is missing; ${fix}`, { fix });
  }

  #watch(see: (chunk: Uint8Array) => void): Transform {
    return new Transform({
      transform: (chunk: Uint8Array, _encoding, done) => {
        try {
          see(chunk);
          done(null, chunk);
        } catch (error) {
          this.refusal = NereidError.from(error);
          done(this.refusal);
        }
      },
    });
  }
}

/** How many zero bytes the stream ends with so far; more than a block's worth need not be known. */
function zerosAtEnd(chunk: Uint8Array, before: number): number {
  let count = 0;
  while (count < chunk.byteLength && count < BLOCK_BYTES && chunk[chunk.byteLength - 1 - count] === 0) count += 1;
  return count === chunk.byteLength ? Math.min(BLOCK_BYTES, before + count) : count;
}
