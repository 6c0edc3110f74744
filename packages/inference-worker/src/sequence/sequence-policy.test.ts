import { parseModelConfig } from "@nereid/model-config";
import { describe, expect, it } from "vitest";
import { compileSequencePolicy, type SequenceContext } from "./sequence-policy.ts";
import { tensorOf } from "./testing/sequence-world.ts";

const FILES: Readonly<Record<string, Uint8Array>> = {
  eight: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  texts: Uint8Array.of(1, 0, 0, 0, 65, 0, 0, 0, 0),
  broken: Uint8Array.of(1, 0, 0, 0),
};

const CONTEXT: SequenceContext = { readInitialState: (file) => FILES[file] ?? new Uint8Array() };

function compile(sequence: string, rest = "max_batch_size: 4", context = CONTEXT) {
  const { config, diagnostics } = parseModelConfig(`name: "m" ${rest} sequence_batching { ${sequence} }`);
  if (config === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return compileSequencePolicy(config, context);
}

function state(fields: string, type = "TYPE_FP32", dims = "2"): string {
  return `state { input_name: "I" output_name: "O" data_type: ${type} dims: [ ${dims} ] ${fields} }`;
}

function initial(fields: string): string {
  return state(`initial_state { name: "n" data_type: TYPE_FP32 dims: 2 ${fields} }`);
}

describe("compileSequencePolicy()", () => {
  it.each([
    ["", "max_batch_size: 4", 4],
    ["direct { }", "max_batch_size: 0", 1],
    ["oldest { }", "max_batch_size: 4", 4],
    ["oldest { max_candidate_sequences: 9 }", "max_batch_size: 4", 9],
    ["oldest { max_candidate_sequences: 9 }", "max_batch_size: 0", 9],
  ])("gives '%s' with %s as many slots as it asks for", (sequence, rest, slots) => {
    expect(compile(sequence, rest).slotsPerInstance).toBe(slots);
  });

  it("is direct where nothing is said, with a second of idle time", () => {
    expect(compile("")).toEqual({
      strategy: { kind: "direct", maxQueueDelayNs: 0, minimumSlotUtilization: 0 },
      batching: true,
      slotsPerInstance: 4,
      maxIdleNs: 1e9,
      iterative: false,
      controls: [],
      states: [],
    });
  });

  it("reads both strategies", () => {
    const direct =
      "direct { max_queue_delay_microseconds: 7 minimum_slot_utilization: 0.5 } max_sequence_idle_microseconds: 5";
    expect(compile(direct)).toMatchObject({
      strategy: { kind: "direct", maxQueueDelayNs: 7000, minimumSlotUtilization: 0.5 },
      maxIdleNs: 5000,
    });
    const oldest =
      "oldest { preferred_batch_size: [ 4, 2 ] max_queue_delay_microseconds: 3 preserve_ordering: true } iterative_sequence: true";
    expect(compile(oldest)).toMatchObject({
      strategy: {
        kind: "oldest",
        preserveOrdering: true,
        batch: { maxBatchSize: 4, preferredBatchSizes: [2, 4], maxQueueDelayNs: 3000 },
      },
      iterative: true,
    });
  });

  it.each([
    ["none", state(""), [2], 8],
    ["zero_data", initial("zero_data: true"), [2], 8],
    ["variable dims", state("", "TYPE_INT64", "-1, 3"), [1, 3], 24],
    ["texts", state("", "TYPE_STRING", "2"), [2], 8],
  ])("begins states with zeros: %s", (_, text, shape, byteLength) => {
    const [first] = compile(text).states;
    expect(first?.initial).toEqual({ shape, bytes: new Uint8Array(byteLength) });
    expect(first).toMatchObject({ input: { name: "I" }, output: { name: "O" }, visible: false });
  });

  it("begins states with the content of a file", () => {
    expect(compile(initial('data_file: "eight"')).states[0]?.initial.bytes).toEqual(FILES["eight"]);
    const texts = state(
      'initial_state { name: "n" data_type: TYPE_STRING dims: 2 data_file: "texts" }',
      "TYPE_STRING",
      "-1",
    );
    expect(compile(texts).states[0]?.initial).toEqual({ shape: [2], bytes: FILES["texts"] });
  });

  it("asks for a visible state by the output's own spec", () => {
    const output = tensorOf("O", "FP32", [2]);
    const rest = 'max_batch_size: 4 output { name: "O" data_type: TYPE_FP32 dims: 2 }';
    const [first] = compile(state(""), rest, { ...CONTEXT, outputs: [output] }).states;
    expect(first?.visible).toBe(true);
    expect(first?.output).toBe(output);
  });

  it.each([
    [
      "The data type used for 'initial_state' field of state 'I' does not match the state data type.",
      state('initial_state { name: "n" data_type: TYPE_INT32 dims: 2 zero_data: true }'),
    ],
    [
      "Field 'name' must be set when using initial_state for state input 'I'.",
      state("initial_state { data_type: TYPE_FP32 dims: 2 zero_data: true }"),
    ],
    [
      "Number of dimensions in 'initial_state' doesn't match the size of 'state' dimensions for state input 'I'. 2 != 1",
      initial("dims: 1 zero_data: true"),
    ],
    [
      "'initial_state' field for state input name 'I' contains variable dimensions.",
      state('initial_state { name: "n" data_type: TYPE_FP32 dims: -1 zero_data: true }', "TYPE_FP32", "-1"),
    ],
    [
      "'initial_state' dim for input name 'I' doesn't match 'state' dim description. 3 != 2",
      state('initial_state { name: "n" data_type: TYPE_FP32 dims: 3 zero_data: true }'),
    ],
    ["initial_state setting expects state'I' to have state_data set", initial("")],
    [
      "initial_state field for state input 'I' must contain exactly one or zero element. Found '2' elements.",
      state("initial_state { } initial_state { }"),
    ],
    ["State input name 'I' specified more than once.", state("") + state("")],
    [
      "initial_state setting expects 8 bytes, but the data provided from shortonly has 0 bytes.",
      initial('data_file: "short"'),
    ],
    [
      "initial_state setting expects 4 bytes, but the data provided from eight has 8 bytes.",
      state('initial_state { name: "n" data_type: TYPE_INT32 dims: 1 data_file: "eight" }', "TYPE_INT32", "1"),
    ],
    [
      "initial_state of state 'I' expects 3 elements, but the data provided from texts has 2",
      state('initial_state { name: "n" data_type: TYPE_STRING dims: 3 data_file: "texts" }', "TYPE_STRING", "3"),
    ],
    [
      "initial_state of state 'I' expects 1 elements, but the data provided from broken ends inside an element",
      state('initial_state { name: "n" data_type: TYPE_STRING dims: 1 data_file: "broken" }', "TYPE_STRING", "1"),
    ],
    ["state 'I' of model 'm' must specify 'data_type'", 'state { input_name: "I" output_name: "O" dims: 1 }'],
    ["sequence_batching.state[0] of model 'm' must specify 'output_name'", 'state { input_name: "I" }'],
    [
      "state 'I' of model 'm' would take 40000000000 bytes at the start of a sequence",
      state("", "TYPE_FP32", "100000, 100000"),
    ],
  ])("refuses: %s", (text, sequence) => {
    expect(() => compile(sequence)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: text }));
  });

  it("refuses a configuration without sequence_batching", () => {
    const { config } = parseModelConfig('name: "m"');
    if (config === undefined) throw new Error("not read");
    expect(() => compileSequencePolicy(config, CONTEXT)).toThrow("model 'm' has no sequence_batching");
  });
});
