import { open } from "node:fs/promises";

export type ArchiveKind = "zip" | "tar" | "tar.gz" | "none";

const HEAD_BYTES = 512;

/** Recognises an archive by its first bytes; the name does not matter. `none` for anything else, also for empty files. */
export async function archiveKindOf(file: string): Promise<ArchiveKind> {
  const handle = await open(file, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
    return kindOfHead(head.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

function kindOfHead(head: Buffer): ArchiveKind {
  const magic = head.toString("latin1", 0, 4);
  if (magic === "PK\x03\x04" || magic === "PK\x05\x06") return "zip";
  if (magic.startsWith("\x1f\x8b")) return "tar.gz";
  if (head.length === HEAD_BYTES && head.toString("latin1", 257, 262) === "ustar") return "tar";
  return "none";
}

/** Whether a file name promises an archive that can be unpacked. */
export function isArchiveName(name: string): boolean {
  return /\.(zip|tar|tar\.gz|tgz)$/i.test(name);
}
