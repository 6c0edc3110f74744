import { NereidError } from "@nereid/errors";
import type { SharedMemoryReference } from "@nereid/protocol";
import { RegionFile } from "./region-file.ts";
import { objectNameOf } from "./shm-key.ts";

export type RegionKind = "system" | "cuda";

export interface SystemRegion {
  readonly kind: "system";
  readonly name: string;
  readonly key: string;
  readonly offset: number;
  readonly byteSize: number;
}

export interface CudaRegion {
  readonly kind: "cuda";
  readonly name: string;
  readonly deviceId: number;
  readonly byteSize: number;
}

export type RegionStatus = SystemRegion | CudaRegion;

/** A window of a region that one request uses; the region stays until the last window is released. */
export interface RegionWindow {
  readonly byteSize: number;
  /** Fills `target` from byte `at` of the window on. INVALID_ARGUMENT when the region has shrunk. */
  read(target: Uint8Array, at: number): void;
  /** Writes from byte `at` of the window on. INVALID_ARGUMENT when the region has shrunk. */
  write(bytes: Uint8Array, at: number): void;
  release(): void;
}

/** A registered region and how many requests look into it. */
interface Held {
  readonly region: SystemRegion;
  readonly file: RegionFile;
  windows: number;
  /** Unregistered while a request used it: its file is closed with the last window. */
  gone: boolean;
}

const KINDS = { system: "system", cuda: "CUDA" } as const;
/** Most regions at a time: each keeps a file open. */
const MOST_REGIONS = 1024;

/** The regions that clients registered (http.md §11): one name space for both kinds. */
export class SharedMemory {
  readonly #allowed: boolean;
  readonly #regions = new Map<string, Held>();

  constructor(options: { readonly allowed: boolean }) {
    this.#allowed = options.allowed;
  }

  /** UNSUPPORTED where clients may not register memory. */
  checkAllowed(): void {
    if (this.#allowed) return;
    throw new NereidError(
      "UNSUPPORTED",
      "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.",
    );
  }

  /** Opens the object and keeps it. UNSUPPORTED, ALREADY_EXISTS, INTERNAL or INVALID_ARGUMENT with Triton's texts. */
  registerSystem(region: Omit<SystemRegion, "kind">): void {
    this.checkAllowed();
    const { name, key, offset, byteSize } = region;
    this.#refuseKnown(name);
    const object = objectNameOf(key, name);
    const file = RegionFile.open(object);
    if (file === undefined) throw new NereidError("INTERNAL", `Unable to open shared memory region: '${key}'`);
    if (!isSize(offset) || !isSize(byteSize) || byteSize === 0 || offset + byteSize > file.byteSize) {
      file.close();
      throw new NereidError("INVALID_ARGUMENT", `failed to register shared memory region '${name}': invalid args`);
    }
    this.#regions.set(name, { region: { kind: "system", name, key, offset, byteSize }, file, windows: 0, gone: false });
  }

  /** INVALID_ARGUMENT: no CUDA runtime maps a client's device memory here. */
  registerCuda({ name }: Omit<CudaRegion, "kind"> & { readonly rawHandle: Uint8Array }): void {
    this.checkAllowed();
    this.#refuseKnown(name);
    throw new NereidError(
      "INVALID_ARGUMENT",
      `failed to register CUDA shared memory region: '${name}', GPUs not supported`,
    );
  }

  /** Without a name every region of the kind. Deferred while a request uses the region; unknown names are no error. */
  unregister(kind: RegionKind, name: string | undefined): void {
    this.checkAllowed();
    for (const held of this.#ofKind(kind)) {
      if (name === undefined || held.region.name === name) this.#drop(held);
    }
  }

  /** Without a name every region of the kind. NOT_FOUND for a name that is unknown or of the other kind. */
  status(kind: RegionKind, name: string | undefined): readonly RegionStatus[] {
    if (name === undefined) return this.#ofKind(kind).map(({ region }) => region);
    const held = this.#regions.get(name);
    if (held === undefined)
      throw new NereidError("NOT_FOUND", `Unable to find ${kind} shared memory region: '${name}'`);
    if (held.region.kind === kind) return [held.region];
    throw new NereidError(
      "NOT_FOUND",
      `The region named '${name}' is registered as ${KINDS[held.region.kind]} shared memory, not ${KINDS[kind]} shared memory`,
    );
  }

  /** Checks the window and keeps its region. NOT_FOUND or INVALID_ARGUMENT with Triton's texts. */
  acquire({ region: name, offset, byteSize }: SharedMemoryReference): RegionWindow {
    const held = this.#regions.get(name);
    if (held === undefined) throw new NereidError("NOT_FOUND", `Unable to find shared memory region: '${name}'`);
    const { region } = held;
    if (!isSize(offset) || offset >= region.byteSize)
      throw new NereidError("INVALID_ARGUMENT", `Invalid offset for shared memory region: '${name}'`);
    if (!isSize(byteSize) || offset + byteSize > region.byteSize)
      throw new NereidError("INVALID_ARGUMENT", `Invalid offset + byte size for shared memory region: '${name}'`);
    held.windows += 1;
    return this.#window(held, region.offset + offset, byteSize);
  }

  /** Forgets every region, at shutdown. */
  close(): void {
    for (const held of [...this.#regions.values()]) this.#drop(held);
  }

  #window(held: Held, position: number, byteSize: number): RegionWindow {
    let open = true;
    const usable = (byteLength: number, at: number) => {
      if (!open) throw new NereidError("INTERNAL", "a window of shared memory was used after its release");
      if (at + byteLength > byteSize)
        throw new NereidError("INTERNAL", "more bytes than the window of shared memory has");
      if (position + at + byteLength > held.file.byteSize) throw shrunk(held.region.name);
    };
    return {
      byteSize,
      read: (target, at) => {
        usable(target.byteLength, at);
        if (!held.file.read(target, position + at)) throw shrunk(held.region.name);
      },
      write: (bytes, at) => {
        usable(bytes.byteLength, at);
        writeTo(held, bytes, position + at);
      },
      release: () => {
        if (!open) return;
        open = false;
        held.windows -= 1;
        if (held.gone && held.windows === 0) held.file.close();
      },
    };
  }

  #drop(held: Held): void {
    this.#regions.delete(held.region.name);
    held.gone = true;
    if (held.windows === 0) held.file.close();
  }

  #ofKind(kind: RegionKind): readonly Held[] {
    return [...this.#regions.values()].filter(({ region }) => region.kind === kind);
  }

  #refuseKnown(name: string): void {
    if (this.#regions.has(name))
      throw new NereidError("ALREADY_EXISTS", `shared memory region '${name}' already in manager`);
    if (this.#regions.size >= MOST_REGIONS)
      throw new NereidError("UNAVAILABLE", `more than ${MOST_REGIONS} shared memory regions; unregister some first`);
  }
}

function writeTo({ file, region }: Held, bytes: Uint8Array, position: number): void {
  try {
    file.write(bytes, position);
  } catch (cause) {
    // The client made a sparse object, and its pages do not fit any more.
    throw new NereidError("UNAVAILABLE", `no memory is left to write to shared memory region '${region.name}'`, {
      cause,
    });
  }
}

/** A whole number that offsets can be added to without losing digits. */
function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function shrunk(name: string): NereidError {
  return new NereidError(
    "INVALID_ARGUMENT",
    `Invalid offset + byte size for shared memory region: '${name}': it has become smaller since it was registered`,
  );
}
