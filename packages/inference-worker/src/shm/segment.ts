import { closeSync, fchownSync, ftruncateSync, openSync, unlinkSync } from "node:fs";
import { NereidError } from "@nereid/errors";
import { type Mapping, mapShared, reserve } from "./libc.ts";

const ENOSPC = 28;

/** A file that two processes map. The creator owns the file; others only map it. */
export interface Segment {
  readonly path: string;
  readonly byteLength: number;
  readonly buffer: ArrayBuffer;
  /** Unmaps; the creator also removes the file. No view may be touched afterwards. */
  close(): void;
}

/** Creates, reserves and maps a new file. UNAVAILABLE when the memory file system is full. */
export function createSegment(
  path: string,
  byteLength: number,
  owner?: { readonly uid: number; readonly gid: number },
): Segment {
  const fd = openSync(path, "wx+", 0o600);
  try {
    ftruncateSync(fd, byteLength);
    if (owner !== undefined) fchownSync(fd, owner.uid, owner.gid);
    const failure = reserve(fd, byteLength);
    if (failure !== 0) {
      throw new NereidError(
        "UNAVAILABLE",
        failure === ENOSPC
          ? `no room for ${byteLength} bytes of shared memory; enlarge /dev/shm (in a container: --shm-size) or lower the request size`
          : `cannot reserve ${byteLength} bytes of shared memory (error ${failure})`,
      );
    }
    const mapping = mapShared(fd, byteLength);
    return segmentOf(path, byteLength, { mapping, owner: true });
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Maps a file that another process created. */
export function openSegment(path: string, byteLength: number): Segment {
  const fd = openSync(path, "r+");
  try {
    return segmentOf(path, byteLength, { mapping: mapShared(fd, byteLength), owner: false });
  } finally {
    closeSync(fd);
  }
}

function segmentOf(path: string, byteLength: number, held: { mapping: Mapping; owner: boolean }): Segment {
  let open = true;
  return {
    path,
    byteLength,
    buffer: held.mapping.buffer,
    close() {
      if (!open) return;
      open = false;
      held.mapping.unmap();
      if (held.owner) removeQuietly(path);
    },
  };
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The directory may already be gone at shutdown.
  }
}
