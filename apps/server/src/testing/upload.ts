import { request } from "node:http";

export interface Upload {
  /** Sends the rest and resolves with the answer. */
  finish(): Promise<{ readonly status: number; readonly body: Buffer }>;
  /** The client goes away in the middle. */
  abort(): void;
}

/** An inference request whose one FP32 row of binary data is sent in two halves. */
export function startUpload(url: URL, target: { model: string; input: string; row: Float32Array }): Upload {
  const { model, input, row } = target;
  const parameters = { binary_data_size: row.byteLength };
  const json = JSON.stringify({
    inputs: [{ name: input, datatype: "FP32", shape: [1, row.length], parameters }],
    parameters: { binary_data_output: true },
  });
  const body = Buffer.concat([Buffer.from(json), Buffer.from(row.buffer)]);
  const outgoing = request({
    host: url.hostname,
    port: url.port,
    path: `/v2/models/${model}/infer`,
    method: "POST",
    headers: { "content-length": body.byteLength, "inference-header-content-length": json.length },
  });
  const answer = new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
  });
  answer.catch(() => undefined);
  const half = body.byteLength >> 1;
  outgoing.write(body.subarray(0, half));
  return {
    finish: () => {
      outgoing.end(body.subarray(half));
      return answer;
    },
    abort: () => outgoing.destroy(),
  };
}

/** The row at the end of a binary answer. */
export function rowOf(body: Buffer, length: number): Float32Array {
  return new Float32Array(Uint8Array.from(body.subarray(-4 * length)).buffer);
}
