import type { Drawing, Shape } from "./drawing.ts";

/** A4, in points. */
export const PAGE = { width: 595, height: 842, margin: 48 } as const;

/** Drawings as a PDF of A4 pages, one each, with the fonts that every reader has (PDF 1.4, ISO 32000). Pure. */
export function pdfOf(pages: readonly Drawing[]): Uint8Array {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const kids = pages.map((_, index) => `${5 + index * 2} 0 R`).join(" ");
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>");
  for (const [index, page] of pages.entries()) {
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${6 + index * 2} 0 R >>`,
    );
    const content = page.shapes.map((shape) => shapePdf(shape, page.height)).join("\n");
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  let text = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  // Everything in it is Latin-1, so that characters and bytes are the same.
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** A drawing moved on a page and made smaller. Pure. */
export function placed({ shapes }: Drawing, [dx, dy]: readonly [number, number], scale: number): Shape[] {
  const moved = ([x, y]: readonly [number, number]) => [dx + x * scale, dy + y * scale] as const;
  return shapes.map((shape): Shape => {
    switch (shape.kind) {
      case "line":
        return { ...shape, points: shape.points.map(moved), width: shape.width * scale };
      case "box":
        return { ...shape, at: moved(shape.at), size: [shape.size[0] * scale, shape.size[1] * scale] };
      case "dot":
        return { ...shape, at: moved(shape.at), radius: shape.radius * scale };
      default:
        return { ...shape, at: moved(shape.at), size: shape.size * scale };
    }
  });
}

/** About how wide Helvetica is, in points. */
export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const character of text)
    units += /[il.,:;'|!()[\] ftjI]/.test(character)
      ? 0.29
      : /[mwMW%@]/.test(character)
        ? 0.86
        : /[A-Z]/.test(character)
          ? 0.68
          : 0.55;
  return units * size;
}

function shapePdf(shape: Shape, height: number): string {
  const y = (value: number) => number(height - value);
  switch (shape.kind) {
    case "line": {
      const [first, ...rest] = shape.points;
      if (first === undefined) return "";
      const path = [
        `${number(first[0])} ${y(first[1])} m`,
        ...rest.map((spot) => `${number(spot[0])} ${y(spot[1])} l`),
      ];
      return `${colour(shape.colour)} RG ${number(shape.width)} w ${path.join(" ")} S`;
    }
    case "box":
      return `${colour(shape.colour)} rg ${number(shape.at[0])} ${y(shape.at[1] + shape.size[1])} ${number(shape.size[0])} ${number(shape.size[1])} re f`;
    case "dot": {
      const { radius: r } = shape;
      const [cx, cy] = [shape.at[0], height - shape.at[1]];
      // Four Bezier curves that look like a circle.
      const k = 0.5523 * r;
      const curve = (x1: number, y1: number, x2: number, y2: number, x3: number, y3: number) =>
        `${[x1, y1, x2, y2, x3, y3].map(number).join(" ")} c`;
      return [
        `${colour(shape.colour)} rg ${number(cx + r)} ${number(cy)} m`,
        curve(cx + r, cy + k, cx + k, cy + r, cx, cy + r),
        curve(cx - k, cy + r, cx - r, cy + k, cx - r, cy),
        curve(cx - r, cy - k, cx - k, cy - r, cx, cy - r),
        curve(cx + k, cy - r, cx + r, cy - k, cx + r, cy),
        "f",
      ].join(" ");
    }
    case "text": {
      const latin = shape.text.replace(/[^\x20-\x7e\xa0-\xff]/g, "?");
      const width = textWidth(latin, shape.size);
      const x = shape.at[0] - (shape.align === "middle" ? width / 2 : shape.align === "right" ? width : 0);
      const literal = latin.replace(/[\\()]/g, (character) => `\\${character}`);
      return `BT /${shape.bold === true ? "F2" : "F1"} ${number(shape.size)} Tf ${colour(shape.colour)} rg ${number(x)} ${y(shape.at[1])} Td (${literal}) Tj ET`;
    }
  }
}

function colour(hex: string): string {
  return [1, 3, 5].map((at) => number(Number.parseInt(hex.slice(at, at + 2), 16) / 255)).join(" ");
}

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
