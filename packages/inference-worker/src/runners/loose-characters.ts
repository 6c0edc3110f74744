import type { RequestToExecute } from "./requests-execution.ts";

/**
 * Characters of a request that its client chooses freely and that go to the runner in a message, not in shared memory: id, parameters
 * and the text of a sequence. As JSON each takes up to six bytes.
 */
export function looseCharacters(request: Pick<RequestToExecute, "id" | "parameters" | "sequence">): number {
  const { id, parameters, sequence } = request;
  let characters = id.length + (typeof sequence?.id === "string" ? sequence.id.length : 0);
  for (const [name, value] of parameters) characters += name.length + (typeof value === "string" ? value.length : 0);
  return characters;
}
