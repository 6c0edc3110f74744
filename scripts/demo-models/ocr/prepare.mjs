// A picture as the text detector wants it: sides that are multiples of 32, channels first, colours about zero.
const MEAN = [0.485, 0.456, 0.406];
const DEVIATION = [0.229, 0.224, 0.225];
const LONGEST_SIDE = 960;

export function execute(requests) {
  return requests.map(({ inputs: { IMAGE } }) => {
    const [height, width, channels] = IMAGE.shape;
    if (channels !== 3)
      return { error: { code: "INVALID_ARGUMENT", message: `IMAGE has ${channels} channels; it needs 3` } };
    const scale = Math.min(1, LONGEST_SIDE / Math.max(height, width));
    const rows = Math.max(32, Math.round((height * scale) / 32) * 32);
    const columns = Math.max(32, Math.round((width * scale) / 32) * 32);
    const data = new Float32Array(3 * rows * columns);
    for (let row = 0; row < rows; row++) {
      const y = Math.min(height - 1, Math.floor(((row + 0.5) * height) / rows));
      for (let column = 0; column < columns; column++) {
        const x = Math.min(width - 1, Math.floor(((column + 0.5) * width) / columns));
        const at = (y * width + x) * 3;
        for (let channel = 0; channel < 3; channel++) {
          data[(channel * rows + row) * columns + column] =
            (IMAGE.data[at + channel] / 255 - MEAN[channel]) / DEVIATION[channel];
        }
      }
    }
    return { outputs: { PREPARED: { shape: [1, 3, rows, columns], data } } };
  });
}
