import koffi from "koffi";

/** A C function. `async` runs it on a thread of the pool; a driver may take milliseconds to answer. */
export interface NativeFunction {
  (...args: readonly unknown[]): number;
  async(...args: readonly unknown[]): void;
}

/** A loaded C library: functions by their declaration; throws for one that it does not have. */
export interface NativeLibrary {
  func(declaration: string): NativeFunction;
}

/** NVIDIA's management library; throws where it is not installed. */
export function loadNvml(): NativeLibrary {
  return koffi.load("libnvidia-ml.so.1") as unknown as NativeLibrary;
}

/** Calls a function off the event loop; undefined when it does not answer NVML_SUCCESS. */
export function callInBackground(native: NativeFunction, args: readonly unknown[]): Promise<true | undefined> {
  return new Promise((resolve) => {
    native.async(...args, (error: unknown, code: number) => {
      resolve(error === null && code === 0 ? true : undefined);
    });
  });
}
