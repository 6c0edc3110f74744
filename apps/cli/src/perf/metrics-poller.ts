import { type GpuFigures, gpuFigures } from "@nereid/perf";

/** Reads a metrics page again and again; `take()` gives the figures since the last time. A page that cannot be read is left out. */
export function pollMetrics({ url, intervalMs }: { readonly url: string; readonly intervalMs: number }) {
  const pages: string[] = [];
  const read = async () => {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(intervalMs * 5) });
      if (answer.ok) pages.push(await answer.text());
    } catch {
      // The report has no GPU figures then.
    }
  };
  const timer = setInterval(() => void read(), intervalMs);
  return {
    take: (): GpuFigures[] => gpuFigures(pages.splice(0)),
    close: () => clearInterval(timer),
  };
}
