// Texts from the recogniser's probabilities: the likeliest sign at each place, repeats and "no sign" left out.
import { readFileSync } from "node:fs";
import { join } from "node:path";

let signs = [];

export function initialize({ directory }) {
  const keys = readFileSync(join(directory, "keys.txt"), "utf8").split("\n");
  // The file ends with a newline; behind its signs comes the space.
  signs = ["", ...keys.slice(0, -1), " "];
}

export function execute(requests) {
  return requests.map(({ inputs: { PROBABILITIES } }) => {
    const [lines, places, kinds] = PROBABILITIES.shape;
    const texts = [];
    const scores = new Float32Array(lines);
    for (let line = 0; line < lines; line++) {
      let text = "";
      let before = 0;
      let sum = 0;
      let count = 0;
      for (let place = 0; place < places; place++) {
        const start = (line * places + place) * kinds;
        let best = 0;
        for (let kind = 1; kind < kinds; kind++)
          if (PROBABILITIES.data[start + kind] > PROBABILITIES.data[start + best]) best = kind;
        if (best !== 0 && best !== before) {
          text += signs[best] ?? "";
          sum += PROBABILITIES.data[start + best];
          count += 1;
        }
        before = best;
      }
      texts.push(text);
      scores[line] = count === 0 ? 0 : sum / count;
    }
    return { outputs: { TEXT: { shape: [lines], data: texts }, SCORE: { shape: [lines], data: scores } } };
  });
}
