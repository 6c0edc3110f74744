import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { server } from "./product.ts";

export interface ScriptModel {
  readonly name: string;
  /** Fields of config.pbtxt beside name, backend and tensors. */
  readonly config: string;
  /** Body of `execute(requests)` before the answers are made; `spin(ms)` keeps a processor busy. */
  readonly work: string;
}

/** Serves a model that copies X to Y after some work. */
export async function serveScript({ name, config, work }: ScriptModel): Promise<void> {
  const directory = join(process.env["E2E_MODELS"] ?? "", name);
  mkdirSync(join(directory, "1"), { recursive: true });
  const tensor = (tensorName: string) => `{ name: "${tensorName}" data_type: TYPE_FP32 dims: [ -1 ] }`;
  writeFileSync(
    join(directory, "config.pbtxt"),
    `name: "${name}"\nbackend: "javascript"\ninput [ ${tensor("X")} ]\noutput [ ${tensor("Y")} ]\n${config}\n`,
  );
  writeFileSync(
    join(directory, "1", "model.mjs"),
    `const spin = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
const met = new Set();
export async function execute(requests) {
  const size = requests.reduce((sum, { inputs: { X } }) => sum + X.shape[0], 0);
  ${work}
  return requests.map(({ inputs: { X } }) => ({ outputs: { Y: { shape: X.shape, data: X.data.slice() } } }));
}
`,
  );
  const loaded = await fetch(server(`/v2/repository/models/${name}/load`), { method: "POST", body: "{}" });
  expect(loaded.status, await loaded.text()).toBe(200);
}

export function unload(name: string): Promise<Response> {
  return fetch(server(`/v2/repository/models/${name}/unload`), { method: "POST", body: "{}" });
}

/** One request of so many rows of one number. */
export async function ask(model: string, rows = 1): Promise<void> {
  const input = { name: "X", datatype: "FP32", shape: [rows, 1], data: Array.from({ length: rows }, () => 0.5) };
  const response = await fetch(server(`/v2/models/${model}/infer`), {
    method: "POST",
    body: JSON.stringify({ inputs: [input] }),
  });
  await response.arrayBuffer();
}

/** So many callers, each with one request at a time, until `enough` requests were sent. */
export async function callers(model: string, { count, enough }: { count: number; enough: number }): Promise<void> {
  let sent = 0;
  const caller = async () => {
    while (sent++ < enough) await ask(model);
  };
  await Promise.all(Array.from({ length: count }, caller));
}

/** One request whose body arrives in pieces, as over a bad line; resolves when it is answered. */
export async function askSlowly(model: string, milliseconds: number): Promise<void> {
  const { hostname, port } = new URL(server("/"));
  const body = JSON.stringify({ inputs: [{ name: "X", datatype: "FP32", shape: [1, 1], data: [0.5] }] });
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(
    `POST /v2/models/${model}/infer HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  const half = Math.floor(body.length / 2);
  socket.write(body.slice(0, half));
  const rest = setTimeout(() => socket.write(body.slice(half)), milliseconds);
  socket.resume();
  await once(socket, "close");
  clearTimeout(rest);
}
