import { createSHA256 } from "hash-wasm";

/** Bytes read at a time: large enough to be quick, small enough to show progress. */
const SLICE_BYTES = 4 << 20;

export type HashReply =
  | { readonly kind: "progress"; readonly bytes: number }
  | { readonly kind: "done"; readonly sha256: string }
  | { readonly kind: "failed"; readonly message: string };

/** Hashes the one file it is sent, slice by slice, and ends. */
self.onmessage = ({ data }: MessageEvent<File>) => {
  hash(data).then(
    (sha256) => reply({ kind: "done", sha256 }),
    (error: unknown) => reply({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
  );
};

async function hash(file: File): Promise<string> {
  const state = await createSHA256();
  for (let offset = 0; offset < file.size; offset += SLICE_BYTES) {
    state.update(new Uint8Array(await file.slice(offset, offset + SLICE_BYTES).arrayBuffer()));
    reply({ kind: "progress", bytes: Math.min(file.size, offset + SLICE_BYTES) });
  }
  return state.digest("hex");
}

function reply(message: HashReply): void {
  self.postMessage(message);
}
