const LONGEST = 200;

/** A model name from a file or directory name: letters, digits, `_`, `-` and `.`; never empty, never hidden. Pure. */
export function sanitizeModelName(name: string): string {
  const base = (name.split("/").at(-1) ?? "").replace(/\.(onnx|zip|tar|tgz|tar\.gz)$/i, "");
  const clean = base
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_.-]+/g, "_")
    .replace(/\.{2,}/g, ".")
    .replace(/^[._-]+|[._-]+$/g, "")
    .slice(0, LONGEST);
  return clean === "" ? "model" : clean;
}
