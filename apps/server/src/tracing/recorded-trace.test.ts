import { describe, expect, it } from "vitest";
import { GivenFlags } from "../options/given-flags.ts";
import { parseTraceOptions } from "../options/trace-options.ts";
import { RecordedTrace } from "./recorded-trace.ts";
import { traceJson } from "./trace-json.ts";
import { TraceSettings } from "./trace-settings.ts";

function record(levels: readonly string[], options: { id?: number; parent?: RecordedTrace; requestId?: string } = {}) {
  const args = ["triton,file=/t", "rate=1", ...levels.map((level) => `level=${level}`)];
  const setting = new TraceSettings(
    parseTraceOptions(new GivenFlags(args.map((text) => `--trace-config=${text}`))),
  ).sample("m", false);
  if (setting === undefined) throw new Error("not traced");
  const ended: RecordedTrace[] = [];
  const trace = new RecordedTrace({
    id: options.id ?? 1,
    setting,
    subject: { model: 'm"', version: "9007199254740993", requestId: options.requestId ?? "", traceparent: undefined },
    parentSpan: undefined,
    parent: options.parent,
    wallOffsetNs: 0n,
    onEnd: (done) => void ended.push(done),
  });
  return { trace, ended };
}

const floats = (...values: number[]) => ({ bytes: new Uint8Array(Float32Array.from(values).buffer) });

async function objects(trace: RecordedTrace): Promise<Record<string, unknown>[]> {
  return JSON.parse(`[${await traceJson(trace)}]`);
}

describe("RecordedTrace", () => {
  it("is Triton's objects: who, when in order of time, and the tensors", async () => {
    const { trace } = record(["TIMESTAMPS", "TENSORS"], { requestId: "r\n1" });
    trace.stamp("REQUEST_START", 20);
    trace.stamp("HTTP_RECV_START", 10);
    trace.tensors("TENSOR_QUEUE_INPUT", [
      { name: "in", datatype: "FP32", shape: [1, 3], data: floats(0.1, -2, Number.NaN) },
    ]);
    trace.end();
    expect(await objects(trace)).toEqual([
      { id: 1, model_name: 'm"', model_version: expect.any(Number), request_id: "r\n1" },
      {
        id: 1,
        timestamps: [
          { name: "HTTP_RECV_START", ns: 10 },
          { name: "REQUEST_START", ns: 20 },
        ],
      },
      {
        id: 1,
        activity: "TENSOR_QUEUE_INPUT",
        tensor: { name: "in", data: "0.1,-2,NaN", shape: "1,3", dtype: "FP32" },
      },
    ]);
    expect(await traceJson(trace)).toContain('"model_version":9007199254740993');
  });

  it("records what its levels ask for, and nothing after its end", async () => {
    const times = record(["TIMESTAMPS"]);
    times.trace.tensors("TENSOR_QUEUE_INPUT", [{ name: "in", datatype: "FP32", shape: [1], data: floats(1) }]);
    times.trace.end();
    times.trace.stamp("REQUEST_END", 1);
    times.trace.fail("too late");
    times.trace.end();
    expect(times.ended).toHaveLength(1);
    expect(await objects(times.trace)).toHaveLength(1);
    const tensors = record(["TENSORS"]);
    tensors.trace.stamp("REQUEST_START", 1);
    expect(tensors.trace.moments).toEqual([]);
  });

  it("keeps a copy of the tensors, because their memory is the request's", async () => {
    const { trace } = record(["TENSORS"]);
    const data = floats(1, 2);
    trace.tensors("TENSOR_BACKEND_OUTPUT", [{ name: "out", datatype: "FP32", shape: [2], data }]);
    data.bytes.fill(0);
    expect((await objects(trace))[1]).toMatchObject({ tensor: { data: "1,2" } });
  });

  it("cuts large tensors and says so", async () => {
    const { trace } = record(["TENSORS"]);
    const data = { bytes: new Uint8Array(1 << 20) };
    trace.tensors("TENSOR_QUEUE_INPUT", [{ name: "in", datatype: "UINT8", shape: [1 << 20], data }]);
    expect(trace.byteLength).toBe(256 << 10);
    const [, written] = await objects(trace);
    expect(written).toMatchObject({ tensor: { truncated: true, shape: String(1 << 20) } });
    expect(JSON.stringify(written).length).toBeLessThan(600 << 10);
  });

  it("writes texts, booleans and 64-bit numbers as they are", async () => {
    const { trace } = record(["TENSORS"]);
    const text = Uint8Array.from([2, 0, 0, 0, 0x61, 0x22, 0, 0, 0, 0]);
    trace.tensors("TENSOR_QUEUE_INPUT", [
      { name: "s", datatype: "BYTES", shape: [2], data: { bytes: text } },
      { name: "b", datatype: "BOOL", shape: [2], data: { bytes: Uint8Array.from([1, 0]) } },
      {
        name: "i",
        datatype: "INT64",
        shape: [1],
        data: { bytes: new Uint8Array(BigInt64Array.from([-(2n ** 62n)]).buffer) },
      },
      { name: "shm", datatype: "FP32", shape: [1], data: { kind: "shm", region: "r", offset: 0, byteSize: 4 } },
    ]);
    const written = (await objects(trace)).slice(1).map((entry) => (entry["tensor"] as { data: string }).data);
    expect(written).toEqual(['"a\\"",""', "true,false", "-4611686018427387904"]);
  });

  it("holds the steps of an ensemble, and is written once, with them", async () => {
    const { trace, ended } = record(["TIMESTAMPS"]);
    const step = record(["TIMESTAMPS"], { id: 2, parent: trace });
    step.trace.stamp("COMPUTE_START", 5);
    step.trace.fail("broken");
    step.trace.end();
    expect(step.ended).toEqual([]);
    trace.end();
    expect(ended).toEqual([trace]);
    expect(await objects(trace)).toMatchObject([
      { id: 1 },
      { id: 2, parent_id: 1, error: "broken" },
      { id: 2, timestamps: [{ name: "COMPUTE_START", ns: 5 }] },
    ]);
  });
});
