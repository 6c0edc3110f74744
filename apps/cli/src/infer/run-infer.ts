import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { NereidError } from "@nereid/errors";
import type { InferCommand } from "./infer-options.ts";

/** Sends the request of the file as it stands and answers the text that came back, indented. Throws what the server says. */
export async function runInfer({ model, version, file, server, timeoutMs }: InferCommand): Promise<string> {
  const body = await readRequest(file);
  const path = `/v2/models/${encodeURIComponent(model)}${version === undefined ? "" : `/versions/${version}`}/infer`;
  const answer = await post(`${server.replace(/\/+$/, "")}${path}`, body, timeoutMs);
  const told = await answer.text();
  if (!answer.ok) throw refusal(answer.status, told);
  return indented(told);
}

async function readRequest(file: string): Promise<string> {
  let body: string;
  try {
    body = file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (cause) {
    throw new NereidError("NOT_FOUND", `cannot read ${file}`, { fix: "give the path of a request with --file", cause });
  }
  try {
    JSON.parse(body);
  } catch {
    throw new NereidError("INVALID_ARGUMENT", `${file} is not JSON`, {
      fix: 'write {"inputs": [{"name": …, "shape": …, "datatype": …, "data": …}]}; the playground makes such a file',
    });
  }
  return body;
}

async function post(url: string, body: string, timeoutMs: number): Promise<Response> {
  const headers = { "content-type": "application/json" };
  try {
    return await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    const late = cause instanceof Error && cause.name === "TimeoutError";
    const { origin } = new URL(url);
    throw new NereidError("UNAVAILABLE", late ? `no answer from ${origin} in time` : `cannot reach ${origin}`, {
      fix: late ? "raise --timeout" : "start the server, or give its address with --server",
      cause,
    });
  }
}

function refusal(status: number, told: string): NereidError {
  const fields = asObject(told);
  const said = fields?.["error"];
  const fix = fields?.["fix"];
  return new NereidError("INVALID_ARGUMENT", typeof said === "string" ? said : `HTTP status ${status}: ${told}`, {
    ...(typeof fix === "string" && { fix }),
  });
}

/** Numbers without an exact form stay as they came: then the text is not touched. */
function indented(told: string): string {
  const exact = !/\d{16,}|NaN|Infinity/.test(told);
  const fields = exact ? asObject(told) : undefined;
  return fields === undefined ? told : JSON.stringify(fields, null, 2);
}

function asObject(told: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(told);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
