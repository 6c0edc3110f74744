// The lines of text in a picture: regions where the detector's probability is high, cut out, 48 pixels high, in reading order.
const THRESHOLD = 0.3;
const SMALLEST_SIDE = 3;
/** How much larger a line is than the core of it that the detector marks. */
const UNCLIP = 1.6;
const LINE_HEIGHT = 48;
const MOST_LINES = 8;

export function execute(requests) {
  return requests.map(({ inputs: { IMAGE, PROBABILITY } }) => {
    const [height, width] = IMAGE.shape;
    const [, , rows, columns] = PROBABILITY.shape;
    const boxes = regionsOf(PROBABILITY.data, rows, columns)
      .map((region) => grow(region, { height, width, rows, columns }))
      .sort((a, b) => (Math.abs(a.top - b.top) < (a.bottom - a.top) / 2 ? a.left - b.left : a.top - b.top))
      .slice(0, MOST_LINES);
    if (boxes.length === 0) return { error: { code: "NOT_FOUND", message: "there is no text in the picture" } };
    const widths = boxes.map(({ top, bottom, left, right }) =>
      Math.max(1, Math.round(((right - left) * LINE_HEIGHT) / (bottom - top))),
    );
    const lineWidth = Math.max(...widths);
    // What is not filled stays at the middle, which the recogniser takes for nothing.
    const lines = new Float32Array(boxes.length * 3 * LINE_HEIGHT * lineWidth);
    for (const [index, box] of boxes.entries()) cut(IMAGE, { box, width: widths[index] }, { lines, index, lineWidth });
    return {
      outputs: {
        LINES: { shape: [boxes.length, 3, LINE_HEIGHT, lineWidth], data: lines },
        BOXES: {
          shape: [boxes.length, 4],
          data: Float32Array.from(boxes.flatMap(({ left, top, right, bottom }) => [left, top, right, bottom])),
        },
      },
    };
  });
}

/** Bounds of every connected region above the threshold. */
function regionsOf(probability, rows, columns) {
  const seen = new Uint8Array(rows * columns);
  const regions = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] === 1 || probability[start] < THRESHOLD) continue;
    const region = { top: rows, bottom: 0, left: columns, right: 0 };
    const queue = [start];
    seen[start] = 1;
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const row = Math.floor(at / columns);
      const column = at % columns;
      region.top = Math.min(region.top, row);
      region.bottom = Math.max(region.bottom, row + 1);
      region.left = Math.min(region.left, column);
      region.right = Math.max(region.right, column + 1);
      for (const next of [
        row > 0 ? at - columns : -1,
        row < rows - 1 ? at + columns : -1,
        column > 0 ? at - 1 : -1,
        column < columns - 1 ? at + 1 : -1,
      ]) {
        if (next < 0 || seen[next] === 1 || probability[next] < THRESHOLD) continue;
        seen[next] = 1;
        queue.push(next);
      }
    }
    if (region.bottom - region.top >= SMALLEST_SIDE && region.right - region.left >= SMALLEST_SIDE)
      regions.push(region);
  }
  return regions;
}

/** The region in pixels of the picture, with the margin that the detector leaves out. */
function grow({ top, bottom, left, right }, { height, width, rows, columns }) {
  const high = bottom - top;
  const wide = right - left;
  const margin = (high * wide * UNCLIP) / (2 * (high + wide));
  const y = height / rows;
  const x = width / columns;
  return {
    top: Math.max(0, Math.floor((top - margin) * y)),
    bottom: Math.min(height, Math.ceil((bottom + margin) * y)),
    left: Math.max(0, Math.floor((left - margin) * x)),
    right: Math.min(width, Math.ceil((right + margin) * x)),
  };
}

function cut(image, { box, width }, { lines, index, lineWidth }) {
  const [height, imageWidth] = image.shape;
  for (let row = 0; row < LINE_HEIGHT; row++) {
    const y = box.top + ((row + 0.5) * (box.bottom - box.top)) / LINE_HEIGHT - 0.5;
    for (let column = 0; column < width; column++) {
      const x = box.left + ((column + 0.5) * (box.right - box.left)) / width - 0.5;
      for (let channel = 0; channel < 3; channel++) {
        const value = between(image.data, { x, y, channel }, { height, width: imageWidth });
        lines[((index * 3 + channel) * LINE_HEIGHT + row) * lineWidth + column] = value / 127.5 - 1;
      }
    }
  }
}

/** Bilinear. */
function between(data, { x, y, channel }, { height, width }) {
  const x0 = Math.min(width - 1, Math.max(0, Math.floor(x)));
  const y0 = Math.min(height - 1, Math.max(0, Math.floor(y)));
  const x1 = Math.min(width - 1, x0 + 1);
  const y1 = Math.min(height - 1, y0 + 1);
  const right = Math.min(1, Math.max(0, x - x0));
  const down = Math.min(1, Math.max(0, y - y0));
  const at = (row, column) => data[(row * width + column) * 3 + channel];
  const upper = at(y0, x0) * (1 - right) + at(y0, x1) * right;
  const lower = at(y1, x0) * (1 - right) + at(y1, x1) * right;
  return upper * (1 - down) + lower * down;
}
