import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ANSWER_MS = 5;
const INSTANCES = 4;
const CONFIG = `backend: "javascript"
input [ { name: "IN" data_type: TYPE_FP32 dims: [ 16 ] } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 16 ] } ]
instance_group [ { count: ${INSTANCES} kind: KIND_CPU } ]
`;
/** Milliseconds to wait, by the name of the model. */
const WAITS = {
  steady: `${ANSWER_MS}`,
  // Of each ten seconds the first one passes without an answer.
  stalls: `${ANSWER_MS} + Math.max(0, 1000 - (Date.now() % 10_000))`,
};

/** Writes models whose answers take so long that a client's own work is nothing beside it. */
export function writeSlowModels(directory) {
  for (const [name, wait] of Object.entries(WAITS)) {
    mkdirSync(join(directory, name, "1"), { recursive: true });
    writeFileSync(join(directory, name, "config.pbtxt"), CONFIG);
    writeFileSync(
      join(directory, name, "1/model.mjs"),
      `export async function execute(requests) {
  await new Promise((resolve) => setTimeout(resolve, ${wait}));
  return requests.map(({ inputs: { IN } }) => ({ outputs: { OUT: { shape: IN.shape, data: IN.data.slice() } } }));
}
`,
    );
  }
}
