import { describe, expect, it } from "vitest";
import { applyEdits } from "../diagnostic.ts";
import { lint } from "../testing/check.ts";

const HEAD = 'name: "m"\nbackend: "onnxruntime"\nmax_batch_size: 4\n';
const IO = 'input { name: "x" data_type: TYPE_FP32 dims: 1 }\noutput { name: "y" data_type: TYPE_FP32 dims: 1 }\n';

function findings(sequence: string, io = IO) {
  return lint(`${HEAD}${io}sequence_batching { ${sequence} }`).filter(({ code }) => code === "sequence-batching");
}

function state(fields: string, type = "TYPE_FP32", dims = "2"): string {
  return `state { input_name: "I" output_name: "O" data_type: ${type} dims: [ ${dims} ] ${fields} }`;
}

function initial(fields: string): string {
  return state(`initial_state { ${fields} }`);
}

describe("states of the sequence batcher", () => {
  it.each([
    ["without an initial value", state("")],
    ["of zeros", initial('name: "n" data_type: TYPE_FP32 dims: 2 zero_data: true')],
    ["of a file", initial('name: "n" data_type: TYPE_FP32 dims: 2 data_file: "f"')],
    [
      "with a given size",
      state('initial_state { name: "n" data_type: TYPE_FP32 dims: 7 zero_data: true }', "TYPE_FP32", "-1"),
    ],
    ["that clients may see", state("").replace('"O"', '"y"')],
  ])("are accepted: %s", (_, text) => {
    expect(findings(text)).toEqual([]);
  });

  it.each([
    [
      "The data type used for 'initial_state' field of state 'I' does not match the state data type.",
      initial('name: "n" data_type: TYPE_INT32 dims: 2 zero_data: true'),
      "sequence_batching.state[0].initial_state[0].data_type",
    ],
    [
      "Field 'name' must be set when using initial_state for state input 'I'.",
      initial("data_type: TYPE_FP32 dims: 2 zero_data: true"),
      "sequence_batching.state[0].initial_state[0].name",
    ],
    [
      "Number of dimensions in 'initial_state' doesn't match the size of 'state' dimensions for state input 'I'. 2 != 1",
      initial('name: "n" data_type: TYPE_FP32 dims: [ 2, 1 ] zero_data: true'),
      "sequence_batching.state[0].initial_state[0].dims",
    ],
    [
      "'initial_state' field for state input name 'I' contains variable dimensions.",
      state('initial_state { name: "n" data_type: TYPE_FP32 dims: -1 zero_data: true }', "TYPE_FP32", "-1"),
      "sequence_batching.state[0].initial_state[0].dims[0]",
    ],
    [
      "'initial_state' dim for input name 'I' doesn't match 'state' dim description. 3 != 2",
      initial('name: "n" data_type: TYPE_FP32 dims: 3 zero_data: true'),
      "sequence_batching.state[0].initial_state[0].dims[0]",
    ],
    [
      "initial_state setting expects state'I' to have state_data set",
      initial('name: "n" data_type: TYPE_FP32 dims: 2'),
      "sequence_batching.state[0].initial_state[0]",
    ],
    [
      "State input name 'I' specified more than once.",
      state("") + state("").replace('"O"', '"P"'),
      "sequence_batching.state[1].input_name",
    ],
    [
      "State output name 'O' specified more than once.",
      state("") + state("").replace('"I"', '"J"'),
      "sequence_batching.state[1].output_name",
    ],
    [
      "sequence batching state 'I' must specify 'data_type' for m",
      'state { input_name: "I" output_name: "O" dims: 1 }',
      "sequence_batching.state[0].data_type",
    ],
    [
      "sequence batching state must specify 'output_name' for m",
      'state { input_name: "I" data_type: TYPE_FP32 dims: 1 }',
      "sequence_batching.state[0].output_name",
    ],
    [
      "sequence batching state 'I' dimension must be integer >= 1, or -1 to indicate a variable-size dimension for m",
      state("", "TYPE_FP32", "0"),
      "sequence_batching.state[0].dims[0]",
    ],
  ])("are refused: %s", (message, text, path) => {
    expect(findings(text)).toEqual([expect.objectContaining({ severity: "error", message, path })]);
  });

  it("are refused with two initial values", () => {
    const one = 'initial_state { name: "n" data_type: TYPE_FP32 dims: 2 zero_data: true }';
    expect(findings(state(one + one)).map(({ message }) => message)).toEqual([
      "initial_state field for state input 'I' must contain exactly one or zero element. Found '2' elements.",
    ]);
  });

  it("can be given the data type of the state", () => {
    const text = `${HEAD}${IO}sequence_batching { ${initial('name: "n" data_type: TYPE_INT32 dims: 2 zero_data: true')} }`;
    const fix = lint(text).find(({ code }) => code === "sequence-batching")?.fix;
    expect(applyEdits(text, fix?.edits ?? [])).toBe(text.replace("TYPE_INT32", "TYPE_FP32"));
  });
});

describe("tensors that the server sets", () => {
  it.each([
    ["a control", 'control_input { name: "x" control { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } }'],
    ["a state", state("").replace('"I"', '"x"')],
  ])("are not inputs of clients: %s", (_, text) => {
    expect(findings(text)).toEqual([expect.objectContaining({ severity: "warning", path: "input[0]" })]);
  });
});
