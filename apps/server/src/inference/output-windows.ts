import { NereidError } from "@nereid/errors";
import type { InferResponse, RequestedOutput } from "@nereid/protocol";
import type { RegionWindow, SharedMemory } from "../shared-memory/shared-memory.ts";
import { copyInSlices, type Sliced, work } from "./slices.ts";

/** The windows of shared memory that a request wants outputs in; checked and kept from before the request is queued. */
export class OutputWindows {
  readonly #windows: ReadonlyMap<string, RegionWindow>;

  private constructor(windows: ReadonlyMap<string, RegionWindow>) {
    this.#windows = windows;
  }

  static acquire(memory: SharedMemory, outputs: readonly RequestedOutput[]): OutputWindows {
    const windows = new Map<string, RegionWindow>();
    try {
      for (const { name, shm, classification } of outputs) {
        if (shm === undefined) continue;
        if (classification > 0) {
          throw new NereidError(
            "INVALID_ARGUMENT",
            "Output can't set both 'shared_memory_region' and 'classification'",
          );
        }
        windows.get(name)?.release();
        windows.set(name, memory.acquire(shm));
      }
    } catch (error) {
      for (const window of windows.values()) window.release();
      throw error;
    }
    return new OutputWindows(windows);
  }

  /**
   * Writes the outputs that belong there and leaves them empty in the response; a promise where that is much. INTERNAL when a window
   * is too small.
   */
  place(response: InferResponse): InferResponse | Promise<InferResponse> {
    if (this.#windows.size === 0) return response;
    const total = response.outputs.reduce(
      (sum, { name, bytes }) => sum + (this.#windows.has(name) ? bytes.byteLength : 0),
      0,
    );
    return work(this.#place(response), total);
  }

  *#place(response: InferResponse): Sliced<InferResponse> {
    const outputs: InferResponse["outputs"][number][] = [];
    for (const output of response.outputs) {
      const window = this.#windows.get(output.name);
      if (window === undefined) {
        outputs.push(output);
        continue;
      }
      if (window.byteSize < output.bytes.byteLength) {
        throw new NereidError(
          "INTERNAL",
          `shared memory size specified with the request for output '${output.name}' (${window.byteSize} bytes) should be at least ${output.bytes.byteLength} bytes to hold the results`,
        );
      }
      yield* copyInSlices(output.bytes.byteLength, (from, to) => window.write(output.bytes.subarray(from, to), from));
      outputs.push({ ...output, bytes: EMPTY });
    }
    return { ...response, outputs };
  }

  release(): void {
    for (const window of this.#windows.values()) window.release();
  }
}

const EMPTY = new Uint8Array();
