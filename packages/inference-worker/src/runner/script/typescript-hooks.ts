/** Module hooks (`node:module`, register) that let scripts be written in TypeScript: types are taken away when a file is read, not checked. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transformSync } from "amaro";

interface Loaded {
  readonly format: string;
  readonly source?: string;
  readonly shortCircuit?: boolean;
}

/** `load` of Node's customization hooks: TypeScript files become modules, everything else goes on. */
export async function load<C>(
  url: string,
  context: C,
  next: (url: string, context: C) => Promise<Loaded>,
): Promise<Loaded> {
  if (!/\.m?ts$/.test(url) || !url.startsWith("file:")) return next(url, context);
  const source = await readFile(fileURLToPath(url), "utf8");
  const { code, map } = transformSync(source, { mode: "transform", sourceMap: true, filename: fileURLToPath(url) });
  const mapped = `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map ?? "").toString("base64")}`;
  return { format: "module", source: mapped, shortCircuit: true };
}
