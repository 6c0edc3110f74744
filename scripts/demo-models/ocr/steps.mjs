// Reads a picture by calling the models one after the other. Unlike the ensemble it answers a picture without text, and any number of lines.
const MOST_LINES = 8;

export async function execute(requests, { infer }) {
  return Promise.all(requests.map(({ inputs: { IMAGE }, signal }) => read(IMAGE, { infer, signal })));
}

async function read(IMAGE, { infer, signal }) {
  const ask = async (model, inputs) => (await infer({ model, inputs, signal })).outputs;
  const { PREPARED } = await ask("ocr_prepare", { IMAGE });
  const found = await ask("ocr_det", { x: PREPARED });
  const cut = await ask("ocr_crop", { IMAGE, PROBABILITY: found["sigmoid_0.tmp_0"] }).catch((error) => {
    if (error.code === "NOT_FOUND") return undefined;
    throw error;
  });
  if (cut === undefined) return answer([], [], new Float32Array());
  const { LINES, BOXES } = cut;
  const [count, ...line] = LINES.shape;
  const texts = [];
  const scores = [];
  for (let from = 0; from < count; from += MOST_LINES) {
    const size = LINES.data.length / count;
    const some = Math.min(MOST_LINES, count - from);
    const data = LINES.data.subarray(from * size, (from + some) * size);
    const signs = await ask("ocr_rec", { x: { shape: [some, ...line], data } });
    const { TEXT, SCORE } = await ask("ocr_text", { PROBABILITIES: signs["softmax_11.tmp_0"] });
    texts.push(...TEXT.text());
    scores.push(...SCORE.data);
  }
  return answer(texts, scores, BOXES.data);
}

function answer(texts, scores, boxes) {
  const { length } = texts;
  return {
    outputs: {
      TEXT: { shape: [length], data: texts },
      SCORE: { shape: [length], data: Float32Array.from(scores) },
      BOXES: { shape: [length, 4], data: boxes },
    },
  };
}
