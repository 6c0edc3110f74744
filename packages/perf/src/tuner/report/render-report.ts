import { type Drawing, escaped, type Shape, svgOf } from "./drawing.ts";
import { PAGE, pdfOf, placed, textWidth } from "./pdf.ts";
import type { Report } from "./report-content.ts";

const STYLE =
  "body{font-family:Helvetica,Arial,sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{border-bottom:1px solid #ddd;padding:.35rem .5rem;text-align:right}th:first-child,td:first-child{text-align:left}svg{display:block;width:100%;max-width:800px;height:auto}pre{background:#f5f5f5;padding:1rem;overflow:auto}.table{overflow-x:auto}";

/** A page that needs nothing besides itself. Pure. */
export function reportHtml({ title, sentences, plots, columns, rows, diff }: Report): string {
  const cells = (tag: string, list: readonly string[]) =>
    list.map((one) => `<${tag}>${escaped(one)}</${tag}>`).join("");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>
${sentences.map((one) => `<p>${escaped(one)}</p>`).join("\n")}
${plots.map(svgOf).join("\n")}
<div class="table"><table><thead><tr>${cells("th", columns)}</tr></thead><tbody>${rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("")}</tbody></table></div>
${diff.length === 0 ? "" : `<h2>Recommended configuration</h2><pre>${escaped(diff.join("\n"))}</pre>`}
</body></html>
`;
}

const TEXT = 10;
const TABLE_TEXT = 7;
const INNER = PAGE.width - 2 * PAGE.margin;

/** The report on A4. Pure. */
export function reportPdf(report: Report): Uint8Array {
  const pages: Shape[][] = [[]];
  let y: number = PAGE.margin;
  const page = () => pages.at(-1) ?? [];
  const room = (height: number) => {
    if (y + height <= PAGE.height - PAGE.margin) return;
    pages.push([]);
    y = PAGE.margin;
  };
  const text = (words: string, size: number, options: { readonly x?: number; readonly bold?: boolean } = {}) =>
    page().push({
      kind: "text",
      at: [options.x ?? PAGE.margin, y + size],
      text: words,
      size,
      colour: "#222222",
      align: "left",
      bold: options.bold === true,
    });
  text(report.title, 18, { bold: true });
  y += 32;
  for (const sentence of report.sentences) {
    for (const line of wrapped(sentence, TEXT, INNER)) {
      room(TEXT * 1.5);
      text(line, TEXT);
      y += TEXT * 1.5;
    }
    y += 3;
  }
  for (const plot of report.plots) {
    const scale = Math.min(0.75, INNER / plot.width);
    room(plot.height * scale + 10);
    page().push(...placed(plot, [PAGE.margin, y], scale));
    y += plot.height * scale + 10;
  }
  const width = INNER / report.columns.length;
  for (const [index, row] of [report.columns, ...report.rows].entries()) {
    const lines = row.map((cell) => wrapped(cell, TABLE_TEXT, width - 4));
    const height = Math.max(...lines.map((list) => list.length)) * TABLE_TEXT * 1.3 + 5;
    room(height);
    const top = y;
    for (const [column, list] of lines.entries()) {
      y = top;
      for (const line of list) {
        text(line, TABLE_TEXT, { x: PAGE.margin + column * width, bold: index === 0 });
        y += TABLE_TEXT * 1.3;
      }
    }
    y = top + height;
    page().push({
      kind: "line",
      points: [
        [PAGE.margin, y - 1],
        [PAGE.width - PAGE.margin, y - 1],
      ],
      colour: "#cccccc",
      width: 0.5,
    });
  }
  if (report.diff.length > 0) {
    y += 10;
    room(40);
    text("Recommended configuration", 12, { bold: true });
    y += 20;
    for (const line of report.diff) {
      room(12);
      text(line, 8);
      y += 11;
    }
  }
  return pdfOf(
    pages.map((shapes): Drawing => ({ width: PAGE.width, height: PAGE.height, title: report.title, shapes })),
  );
}

function wrapped(text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => pieces(one, size, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, size) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A word that is wider than a line, cut. */
function pieces(word: string, size: number, width: number): string[] {
  if (textWidth(word, size) <= width) return [word];
  const cut = Math.max(1, Math.floor((word.length * width) / textWidth(word, size)) - 1);
  return [word.slice(0, cut), ...pieces(word.slice(cut), size, width)];
}
