import { readFileSync } from "node:fs";
import { type InferCall, type InferCallInput, type InferOptions, NereidClient, outputValues } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { type NereidError, toHttpStatus } from "@nereid/errors";
import { DATATYPES, type Datatype, type InferResponse } from "@nereid/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";

/** As in conformance/questions.json, which Triton's own client is asked from too. */
interface Question {
  readonly name: string;
  readonly model: string;
  readonly version?: string;
  readonly id?: string;
  /** The other inputs of the model `identity` get one element each. */
  readonly others?: boolean;
  readonly notJson?: boolean;
  readonly inputs: readonly Tensor[];
  readonly outputs?: readonly { readonly name: string; readonly classification?: number }[];
  readonly parameters?: NonNullable<InferCall["parameters"]>;
  readonly priority?: number;
  readonly timeoutMicroseconds?: number;
  readonly expect: {
    readonly id?: string;
    readonly version?: string;
    readonly outputs?: readonly Tensor[];
    readonly error?: { readonly http: number; readonly grpc: string; readonly text: string; readonly prefix?: boolean };
  };
}

type Element = number | string | boolean;

interface Tensor {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly data: readonly Element[] | Readonly<Record<"range" | "fill", readonly [number, number]>>;
}

const QUESTIONS = JSON.parse(
  readFileSync(new URL("../../../../conformance/questions.json", import.meta.url), "utf8"),
) as Question[];
const MODELS = new URL("../../../../model_repo", import.meta.url).pathname;

let server: TestServer;
let ways: Readonly<Record<string, Pick<NereidClient, "infer">>>;
let grpc: GrpcClient;

beforeAll(async () => {
  server = await startTestServer({
    mode: ["--model-control-mode=explicit", "--load-model=*"],
    args: [`--model-repository=${MODELS}`],
  });
  const http = new NereidClient({ baseUrl: server.api.url.origin });
  grpc = new GrpcClient({ address: server.grpcAddress });
  ways = { json: http, binary: http, grpc };
});

afterAll(async () => {
  await grpc?.close();
  await server?.dispose();
});

function elements({ datatype, data }: Tensor): (number | bigint | boolean | string)[] {
  const list: readonly Element[] = isList(data) ? data : spread(data);
  return list.map((value) => (datatype === "INT64" || datatype === "UINT64" ? BigInt(value) : value));
}

function isList(data: Tensor["data"]): data is readonly Element[] {
  return Array.isArray(data);
}

function spread(data: Readonly<Partial<Record<"range" | "fill", readonly [number, number]>>>): number[] {
  const [first, count] = data.range ?? data.fill ?? [0, 0];
  return Array.from({ length: count }, (_, step) => (data.range === undefined ? first : first + step));
}

function inputsOf({ inputs, others = false }: Question, json: boolean): InferCallInput[] {
  const batch = inputs[0]?.shape[0] ?? 1;
  const given = new Set(inputs.map(({ datatype }) => datatype));
  const rest = others ? DATATYPES.filter((datatype) => datatype !== "BF16" && !given.has(datatype)) : [];
  const tensors = [
    ...inputs,
    ...rest.map((datatype): Tensor => {
      const zero = datatype === "BYTES" ? "" : datatype === "BOOL" ? false : 0;
      return {
        name: `INPUT_${datatype}`,
        datatype,
        shape: [batch, 1],
        data: Array.from({ length: batch }, () => zero),
      };
    }),
  ];
  return tensors.map((tensor) => ({
    name: tensor.name,
    datatype: tensor.datatype,
    shape: tensor.shape,
    // What the elements are is the question's business.
    data: elements(tensor) as number[],
    json: json && tensor.datatype !== "FP16",
  }));
}

function ask(question: Question, way: string): Promise<InferResponse> {
  const json = way === "json";
  const wishes = question.outputs ?? (json ? question.expect.outputs?.map(({ name }) => ({ name })) : undefined) ?? [];
  const call: InferCall = {
    inputs: inputsOf(question, json),
    outputs: wishes.map((wish) => ({ ...wish, binary: !json || question.notJson === true })),
    ...(question.id !== undefined && { id: question.id }),
    ...(question.parameters !== undefined && { parameters: question.parameters }),
    ...(question.priority !== undefined && { priority: question.priority }),
    ...(question.timeoutMicroseconds !== undefined && { timeoutMicroseconds: question.timeoutMicroseconds }),
  };
  const options: InferOptions = question.version === undefined ? {} : { version: question.version };
  const client = ways[way];
  if (client === undefined) throw new Error(`no client for ${way}`);
  return client.infer(question.model, call, options);
}

describe.each(["json", "binary", "grpc"])("over %s", (way) => {
  it.each(QUESTIONS.map((question) => [question.name, question] as const))("%s", async (_, question) => {
    const { error, outputs = [], id, version } = question.expect;
    if (error !== undefined) {
      const thrown: unknown = await ask(question, way).catch((reason: unknown) => reason);
      const { code, message } = thrown as NereidError;
      expect(way === "grpc" ? code : toHttpStatus(code)).toBe(way === "grpc" ? error.grpc : error.http);
      if (error.prefix === true) expect(message.startsWith(error.text)).toBe(true);
      else expect(message).toBe(error.text);
      return;
    }
    const answer = await ask(question, way);
    if (id !== undefined) expect(answer.id).toBe(id);
    if (version !== undefined) expect(answer.modelVersion).toBe(version);
    expect(answer.outputs.map(({ name, datatype, shape }) => ({ name, datatype, shape: [...shape] }))).toEqual(
      outputs.map(({ name, datatype, shape }) => ({ name, datatype, shape })),
    );
    for (const output of outputs) {
      const values: Iterable<unknown> = outputValues(answer, output.name, output.datatype);
      const plain = Array.from(values, (value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      );
      expect(plain).toEqual(elements(output));
    }
  });
});
