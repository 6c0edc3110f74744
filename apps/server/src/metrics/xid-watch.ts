import { callInBackground, type NativeFunction, type NativeLibrary } from "./nvml-library.ts";

const XID_EVENTS = 8n;
/** nvmlEventData_t: device, kind, data (uint64 each), two instance numbers (uint32 each). */
const EVENT_BYTES = 32;
const DATA_AT = 16;
/** A GPU that fails in a loop must not keep the reader in one. */
const MOST_AT_ONCE = 64;
/** The driver answers at once, with an event that waits already or with none. */
const NO_WAIT_MS = 0;

/** Counts the errors (Xid) that the driver reports of one device, since the watch was opened. */
export class XidWatch {
  readonly #wait: NativeFunction;
  readonly #set: unknown;
  readonly #counts = new Map<number, number>();

  private constructor(wait: NativeFunction, set: unknown) {
    this.#wait = wait;
    this.#set = set;
  }

  /** Undefined where the driver or the device does not report them. */
  static open(library: NativeLibrary, handle: unknown): XidWatch | undefined {
    try {
      const set: unknown[] = [null];
      const wait = library.func("int nvmlEventSetWait_v2(void*, _Out_ uint8_t*, unsigned int)");
      if (library.func("int nvmlEventSetCreate(_Out_ void**)")(set) !== 0) return undefined;
      const register = library.func("int nvmlDeviceRegisterEvents(void*, uint64_t, void*)");
      return register(handle, XID_EVENTS, set[0]) === 0 ? new XidWatch(wait, set[0]) : undefined;
    } catch {
      return undefined;
    }
  }

  /** How often each number came, by number. */
  async read(): Promise<Readonly<Record<string, number>>> {
    for (let taken = 0; taken < MOST_AT_ONCE; taken += 1) {
      const bytes = Buffer.alloc(EVENT_BYTES);
      if ((await callInBackground(this.#wait, [this.#set, bytes, NO_WAIT_MS])) === undefined) break;
      const xid = Number(bytes.readBigUInt64LE(DATA_AT));
      this.#counts.set(xid, (this.#counts.get(xid) ?? 0) + 1);
    }
    return Object.fromEntries(this.#counts);
  }
}
