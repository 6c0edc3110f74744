import type { HashReply } from "./hash-worker.ts";

/** SHA-256 (hex) of a file, computed in a worker. Rejects when the file cannot be read or the signal aborts. */
export function hashFile(
  file: File,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./hash-worker.ts", import.meta.url), { type: "module" });
    const end = (settle: () => void) => {
      worker.terminate();
      settle();
    };
    signal.addEventListener("abort", () => end(() => reject(new DOMException("stopped", "AbortError"))), {
      once: true,
    });
    worker.onerror = () => end(() => reject(new Error("the browser could not start the hashing")));
    worker.onmessage = ({ data }: MessageEvent<HashReply>) => {
      if (data.kind === "progress") onProgress(data.bytes);
      else if (data.kind === "done") end(() => resolve(data.sha256));
      else end(() => reject(new Error(data.message)));
    };
    worker.postMessage(file);
  });
}
