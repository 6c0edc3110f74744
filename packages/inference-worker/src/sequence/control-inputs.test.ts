import { DataType, ModelSequenceBatching_Control_Kind as Kind, parseModelConfig } from "@nereid/model-config";
import { describe, expect, it } from "vitest";
import { compileControls } from "./compile-controls.ts";
import { controlInputs, type SequenceId } from "./control-inputs.ts";

const { CONTROL_SEQUENCE_START, CONTROL_SEQUENCE_END, CONTROL_SEQUENCE_READY, CONTROL_SEQUENCE_CORRID } = Kind;

/** A control input as the reader of configurations makes it. */
function control(name: string, kind: Kind, values: string) {
  const text = `sequence_batching { control_input [ { name: "${name}" control [ { kind: ${kind} ${values} } ] } ] }`;
  const { schedulingChoice } = parseModelConfig(text).config ?? {};
  const read = schedulingChoice?.case === "sequenceBatching" ? schedulingChoice.value.controlInput[0] : undefined;
  if (read === undefined) throw new Error(`not a control: ${text}`);
  return read;
}

const FLAGS = compileControls(
  [
    control("START", CONTROL_SEQUENCE_START, "int32_false_true: [ 0, 1 ]"),
    control("END", CONTROL_SEQUENCE_END, "fp32_false_true: [ 0.5, 2 ]"),
    control("READY", CONTROL_SEQUENCE_READY, "bool_false_true: [ true, false ]"),
  ],
  true,
);

function corrid(dataType: DataType, id: SequenceId): number[] {
  const controls = compileControls([control("ID", CONTROL_SEQUENCE_CORRID, `data_type: ${dataType}`)], false);
  const [input] = controlInputs(controls, { start: false, end: false, ready: true, id });
  return [...(input?.bytes ?? [])];
}

describe("controlInputs()", () => {
  it.each([
    ["start only", { start: true, end: false, ready: true }, [1, 0.5, 0]],
    ["end only", { start: false, end: true, ready: true }, [0, 2, 0]],
    ["start and end", { start: true, end: true, ready: true }, [1, 2, 0]],
    ["neither", { start: false, end: false, ready: true }, [0, 0.5, 0]],
    ["a null request", { start: false, end: false, ready: false }, [0, 0.5, 1]],
  ])("gives the values of %s", (_, flags, [start, end, ready]) => {
    const [first, second, third] = controlInputs(FLAGS, { ...flags, id: 1n });
    expect(first).toMatchObject({ spec: { name: "START", datatype: "INT32", dims: [1] }, shape: [1, 1] });
    expect(second).toMatchObject({ spec: { name: "END", datatype: "FP32" }, shape: [1, 1] });
    expect(third).toMatchObject({ spec: { name: "READY", datatype: "BOOL" }, shape: [1, 1] });
    expect(Buffer.from(first?.bytes ?? []).readInt32LE()).toBe(start);
    expect(Buffer.from(second?.bytes ?? []).readFloatLE()).toBe(end);
    expect([...(third?.bytes ?? [])]).toEqual([ready]);
  });

  it("has no batch dimension where the model has none", () => {
    const controls = compileControls([control("S", CONTROL_SEQUENCE_START, "int32_false_true: [ 0, 1 ]")], false);
    expect(controlInputs(controls, { start: true, end: false, ready: true, id: 1n })[0]?.shape).toEqual([1]);
  });

  it("makes nothing anew for the flags", () => {
    const values = { start: true, end: false, ready: true, id: 1n };
    expect(controlInputs(FLAGS, values)[0]).toBe(controlInputs(FLAGS, values)[0]);
  });

  const id = 0xfedcba9876543210n;
  it.each([
    ["TYPE_UINT64", DataType.TYPE_UINT64, id, [0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe]],
    ["TYPE_INT64", DataType.TYPE_INT64, id, [0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe]],
    ["TYPE_UINT32", DataType.TYPE_UINT32, id, [0x10, 0x32, 0x54, 0x76]],
    ["TYPE_INT32", DataType.TYPE_INT32, id, [0x10, 0x32, 0x54, 0x76]],
    ["TYPE_STRING", DataType.TYPE_STRING, "é1", [3, 0, 0, 0, 0xc3, 0xa9, 0x31]],
    ["TYPE_STRING of a null request", DataType.TYPE_STRING, 0n, [0, 0, 0, 0]],
    ["TYPE_UINT64 of a null request", DataType.TYPE_UINT64, 0n, [0, 0, 0, 0, 0, 0, 0, 0]],
  ])("writes the id as %s", (_, dataType, value, bytes) => {
    expect(corrid(dataType, value)).toEqual(bytes);
  });
});

describe("compileControls()", () => {
  it.each([
    ["values", control("C", CONTROL_SEQUENCE_START, ""), "'C' does not specify 'int32_false_true'"],
    ["a type", control("C", CONTROL_SEQUENCE_CORRID, ""), "'C' does not specify 'data_type'"],
  ])("refuses a control without %s", (_, input, text) => {
    expect(() => compileControls([input], true)).toThrow(text);
  });
});
