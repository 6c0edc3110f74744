import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { server } from "./product.ts";

/** A served model of one's own: a copy of a demo model under another name. */
export async function serveCopy(from: string, name: string): Promise<void> {
  const models = process.env["E2E_MODELS"] ?? "";
  cpSync(join(models, from), join(models, name), { recursive: true });
  const loaded = await fetch(server(`/v2/repository/models/${name}/load`), { method: "POST", body: "{}" });
  expect(loaded.status, await loaded.text()).toBe(200);
}

export interface Tensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

/** One inference; the status and, where it went well, the version that answered. */
export async function infer(
  model: string,
  input: Tensor,
): Promise<{ readonly status: number; readonly version: string | null }> {
  const response = await fetch(server(`/v2/models/${model}/infer`), {
    method: "POST",
    body: JSON.stringify({ inputs: [input] }),
  });
  const answer: { readonly model_version?: string } = JSON.parse(await response.text());
  return { status: response.status, version: answer.model_version ?? null };
}

/** So many callers that name no version, until they are stopped; answers how many requests failed. */
export function endlessCallers(
  model: string,
  { input, count }: { readonly input: Tensor; readonly count: number },
): { stop(): Promise<number> } {
  let stopped = false;
  let failed = 0;
  const caller = async () => {
    while (!stopped) if ((await infer(model, input)).status !== 200) failed += 1;
  };
  const all = Array.from({ length: count }, caller);
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(all);
      return failed;
    },
  };
}
