/** Something on a page. Places are points from the top left corner. */
export type Shape =
  | { readonly kind: "line"; readonly points: readonly Spot[]; readonly colour: string; readonly width: number }
  | { readonly kind: "box"; readonly at: Spot; readonly size: Spot; readonly colour: string }
  | { readonly kind: "dot"; readonly at: Spot; readonly radius: number; readonly colour: string }
  | {
      readonly kind: "text";
      readonly at: Spot;
      readonly text: string;
      readonly size: number;
      readonly colour: string;
      readonly align: "left" | "middle" | "right";
      readonly bold?: boolean;
    };

export type Spot = readonly [x: number, y: number];

/** A picture that can be written as SVG or stand in a PDF. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** What it shows, for those who do not see it. */
  readonly title: string;
  readonly shapes: readonly Shape[];
}

/** Colours that are told apart, also by those who see few (Okabe and Ito). */
export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"] as const;
export const GREY = "#777777";

/** The drawing as SVG. Pure. */
export function svgOf({ width, height, title, shapes }: Drawing): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="Helvetica, Arial, sans-serif"><rect width="${width}" height="${height}" fill="#ffffff"/>${shapes.map(shapeSvg).join("")}</svg>\n`;
}

/** Text as it may stand in HTML and SVG. Pure. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function shapeSvg(shape: Shape): string {
  switch (shape.kind) {
    case "line":
      return `<polyline points="${shape.points.map(([x, y]) => `${short(x)},${short(y)}`).join(" ")}" fill="none" stroke="${shape.colour}" stroke-width="${shape.width}"/>`;
    case "box":
      return `<rect x="${short(shape.at[0])}" y="${short(shape.at[1])}" width="${short(shape.size[0])}" height="${short(shape.size[1])}" fill="${shape.colour}"/>`;
    case "dot":
      return `<circle cx="${short(shape.at[0])}" cy="${short(shape.at[1])}" r="${shape.radius}" fill="${shape.colour}"/>`;
    case "text": {
      const anchor = { left: "start", middle: "middle", right: "end" }[shape.align];
      const bold = shape.bold === true ? ' font-weight="bold"' : "";
      return `<text x="${short(shape.at[0])}" y="${short(shape.at[1])}" font-size="${shape.size}" fill="${shape.colour}" text-anchor="${anchor}"${bold}>${escaped(shape.text)}</text>`;
    }
  }
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
