import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fp32, script } from "./scripted-models.ts";
import type { TestServer } from "./start-test-server.ts";
import type { TestModel } from "./test-model.ts";

/** A model whose load waits until `open` is called with its name; it then gives ANSWER = QUESTION + `by`. */
export function gated(name: string, by = 1, config = ""): TestModel {
  return script(
    name,
    `max_batch_size: 0
input [ ${fp32("QUESTION")} ]
output [ ${fp32("ANSWER")} ]
instance_group [ { count: 1 kind: KIND_CPU } ]
${config}`,
    `import { existsSync } from "node:fs";
const gate = new URL("../../../open-${name}", import.meta.url);
while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 20));
export function execute(requests) {
  return requests.map(({ inputs: { QUESTION } }) => ({ outputs: { ANSWER: { shape: QUESTION.shape, data: [...QUESTION.data].map((value) => value + ${by}) } } }));
}
`,
  );
}

export function open({ directory }: TestServer, name: string): void {
  writeFileSync(join(directory, `open-${name}`), "");
}

export function shut({ directory }: TestServer, name: string): void {
  rmSync(join(directory, `open-${name}`), { force: true });
}
