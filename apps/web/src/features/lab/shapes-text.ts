/** `INPUT:3,224` lines as shapes by name; null where one cannot be read. Pure, as all here. */
export function readShapes(text: string): Record<string, number[]> | null {
  const lines = text
    .split(/[\n;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const shapes: Record<string, number[]> = {};
  for (const line of lines) {
    const [, name, dims] = /^(.+?)\s*:\s*(\d+(?:\s*,\s*\d+)*)$/.exec(line) ?? [];
    if (name === undefined || dims === undefined) return null;
    shapes[name] = dims.split(",").map(Number);
  }
  return shapes;
}

export function shapesText(shapes: Readonly<Record<string, readonly number[]>>): string {
  return Object.entries(shapes)
    .map(([name, dims]) => `${name}:${dims.join(",")}`)
    .join("\n");
}
